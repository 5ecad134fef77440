package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.quiver.Trials;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.LittleEndian;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that a stream or file with changed or missing bytes is read, or rejected with a proper
/// message, and that valid data has readable values. Nothing else is thrown. A failure names its
/// seed.
@Tag("random")
class ChangedBytesTest {

  private static final int SEED_COUNT = 100;
  private static final int CHANGES_PER_SEED = 20;

  @Test
  void changedBytesAreReadOrRejected() throws IOException {
    int rejectedCount = 0;
    for (int seed : Trials.seeds(SEED_COUNT)) {
      try (Arena arena = Arena.ofConfined()) {
        Written written = Written.random(seed, 2, arena);
        Codec codec = Codec.values()[seed % Codec.values().length];
        MemorySegment stream = written.stream(codec);
        MemorySegment file = written.file(codec);
        for (int i = 0; i < CHANGES_PER_SEED; i++) {
          Random random = new Random(seed * 1000L + i);
          String description = " of seed " + seed + ", change " + i;
          rejectedCount +=
              countRejection(Decoded::forEachBatchOfStream, changed(stream, random), description);
          rejectedCount +=
              countRejection(Decoded::forEachBatchOfFile, changed(file, random), description);
        }
      }
    }
    assertThat(rejectedCount)
        .isBetween(
            Trials.of(SEED_COUNT * CHANGES_PER_SEED / 4),
            Trials.of(SEED_COUNT * CHANGES_PER_SEED * 2) - 1);
  }

  @FunctionalInterface
  private interface Reader {
    Object read(MemorySegment bytes, Decoded.BatchConsumer consumer) throws IOException;
  }

  private static int countRejection(Reader reader, MemorySegment bytes, String description)
      throws IOException {
    try {
      reader.read(bytes, Validation::readIfValid);
      return 0;
    } catch (InputException e) {
      assertThat(e).as(description).hasMessageMatching("(?s)Expected .+ but found .+");
      return 1;
    } catch (RuntimeException | Error e) {
      return fail("Expected an InputException" + description + " but found " + e, e);
    }
  }

  private static MemorySegment changed(MemorySegment bytes, Random random) {
    MemorySegment changed = Decoded.Sink.copy(bytes.toArray(LittleEndian.INT8));
    if (random.nextInt(8) == 0) {
      return changed.asSlice(0, random.nextLong(bytes.byteSize()));
    }
    for (int count = 1 + random.nextInt(3); count > 0; count--) {
      long byteOffset = random.nextLong(bytes.byteSize());
      byte value =
          switch (random.nextInt(4)) {
            case 0 -> (byte) random.nextInt();
            case 1 -> (byte) 0xFF;
            case 2 -> 0x7F;
            default -> (byte) (changed.get(LittleEndian.INT8, byteOffset) ^ 1 << random.nextInt(8));
          };
      changed.set(LittleEndian.INT8, byteOffset, value);
    }
    return changed;
  }
}
