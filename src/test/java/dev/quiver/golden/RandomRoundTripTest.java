package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.type.ArrowTypes;
import dev.quiver.arrow.type.Field;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that random data survives writing and reading, whole and in slices, in each codec, as
/// stream and file. A failure names its seed.
@Tag("random")
class RandomRoundTripTest {

  private static final int SEED_COUNT = 300;
  private static final int DEPTH = 4;

  @Test
  void randomDataRoundTrips() throws IOException {
    for (int seed : Trials.seeds(SEED_COUNT)) {
      try (Arena arena = Arena.ofConfined()) {
        Written whole = Written.random(seed, DEPTH, arena);
        assertRead(whole, "seed " + seed);
        assertRead(whole.sliced(seed, arena), "a slice of seed " + seed);
      }
    }
  }

  private static void assertRead(Written written, String description) throws IOException {
    for (Codec codec : Codec.values()) {
      String coded = description + ", codec " + codec;
      Decoded.ofStream(written.stream(codec)).assertHolds(written.expected(), "stream of " + coded);
      Decoded.ofFile(written.file(codec)).assertHolds(written.expected(), "file of " + coded);
    }
  }

  @Test
  void randomDataIsValid() {
    for (int seed : Trials.seeds(SEED_COUNT)) {
      try (Arena arena = Arena.ofConfined()) {
        Written.random(seed, DEPTH, arena).batches().forEach(Validation::assertValid);
      }
    }
  }

  @Test
  void randomDataCoversEveryType() {
    Set<Class<?>> types = new HashSet<>();
    Set<Class<?>> encoded = new HashSet<>();
    for (int seed : Trials.seeds(SEED_COUNT)) {
      new RandomData(seed).schema(DEPTH).fields().forEach(field -> collect(field, types, encoded));
    }

    assertThat(types).containsExactlyInAnyOrder(ArrowTypes.all());
    assertThat(encoded).hasSizeGreaterThan(types.size() / 2);
  }

  private static void collect(Field field, Set<Class<?>> types, Set<Class<?>> encoded) {
    types.add(field.type().getClass());
    if (field.dictionary() != null) {
      encoded.add(field.type().getClass());
    }
    field.children().forEach(child -> collect(child, types, encoded));
  }
}
