package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that Arrow Java reads all data that Quiver writes, and that Quiver reads the data that
/// Arrow Java rewrites.
///
/// Known limits of Arrow Java are excluded, and a test checks that they still exist.
@Tag("arrow-java")
@Tag("random")
class ArrowJavaRoundTripTest {

  private static final int SEED_COUNT = 200;
  private static final int DEPTH = 4;

  @Test
  void quiverAndArrowJavaReadEachOthersOutput() throws IOException {
    int columnCount = 0;
    int rewrittenCount = 0;
    for (int seed : Trials.seeds(SEED_COUNT)) {
      try (Arena arena = Arena.ofConfined()) {
        RandomData data = new RandomData(seed);
        Schema all = data.schema(DEPTH);
        Schema schema =
            Schema.of(
                    all.fields().stream()
                        .filter(field -> ArrowJavaLimit.reason(field) == null)
                        .toArray(Field[]::new))
                .withMetadata(all.metadata());
        columnCount += schema.fields().size();
        int[] lengths = new Random(seed).ints(2, 0, 12).toArray();
        Written written = Written.of(schema, data, lengths, arena);
        rewrittenCount += schema.fields().stream().allMatch(ArrowJavaLimit::writes) ? 1 : 0;
        Codec codec = Codec.values()[seed % Codec.values().length];
        assertBothRead(written, codec, "seed " + seed);
        assertBothRead(written.sliced(seed, arena), codec, "a slice of seed " + seed);
      }
    }
    assertThat(columnCount).isGreaterThan(Trials.of(SEED_COUNT));
    assertThat(rewrittenCount).isGreaterThan(Trials.of(SEED_COUNT / 2));
  }

  private static void assertBothRead(Written written, Codec codec, String description)
      throws IOException {
    Schema schema = written.schema();
    MemorySegment stream = written.stream(codec);
    assertThat(ArrowJava.readStream(stream, schema))
        .as("our stream of " + description)
        .isEqualTo(written.expected().batches());
    assertThat(ArrowJava.readFile(written.file(codec), schema))
        .as("our file of " + description)
        .isEqualTo(written.expected().batches());
    if (!schema.fields().stream().allMatch(ArrowJavaLimit::writes)) {
      return;
    }
    Decoded decoded = Decoded.ofStream(ArrowJava.rewriteAsStream(stream, codec));
    assertThat(decoded.batches())
        .as("Arrow Java's stream of " + description)
        .isEqualTo(written.expected().batches());
    decoded = Decoded.ofFile(ArrowJava.rewriteAsFile(stream, codec));
    assertThat(decoded.batches())
        .as("Arrow Java's file of " + description)
        .isEqualTo(written.expected().batches());
  }

  static Stream<ArrowJavaLimit> limits() {
    return ArrowJavaLimit.ALL.stream();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void knownLimitsOfArrowJavaStillExist(ArrowJavaLimit limit) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Schema schema = Schema.of(limit.example());
      Written written = Written.of(schema, new RandomData(0), new int[] {5}, arena);
      MemorySegment stream = written.stream(Codec.NONE);
      assertThat(ArrowJavaLimit.reason(limit.example())).isEqualTo(limit.reason());
      assertThatThrownBy(() ->
          assertThat(ArrowJava.readStream(stream, schema)).isEqualTo(written.expected().batches()));
    }
  }
}
