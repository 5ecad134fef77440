package dev.quiver.arrow.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorted integers are compared with those of [Arrays].
@Tag("random")
class RadixSortTest {

  private static long[] sorted(long[] integers, int byteWidth) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(integers.length * (long) byteWidth, Long.BYTES);
      for (int i = 0; i < integers.length; i++) {
        if (byteWidth == Integer.BYTES) {
          LittleEndian.setInt32(memory, 4L * i, (int) integers[i]);
        } else {
          LittleEndian.setInt64(memory, 8L * i, integers[i]);
        }
      }
      MemorySegment spare = arena.allocate(memory.byteSize(), Long.BYTES).fill((byte) 0xA5);
      RadixSort.sort(memory, spare, integers.length, byteWidth);
      return byteWidth == Integer.BYTES
          ? Arrays.stream(memory.toArray(LittleEndian.INT32)).asLongStream().toArray()
          : memory.toArray(LittleEndian.INT64);
    }
  }

  private static void assertSorts(long[] integers, int byteWidth, String description) {
    long[] expected = integers.clone();
    Arrays.sort(expected);
    assertThat(sorted(integers, byteWidth)).as(description).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.BYTES, Long.BYTES})
  void sortsRandomIntegersOfEveryMagnitude(int byteWidth) {
    for (int seed : Trials.seeds(1000)) {
      Random random = new Random(seed);
      int magnitude = random.nextInt(8 * byteWidth);
      long low = random.nextLong() >>> 1 + 8 * (Long.BYTES - byteWidth);
      long[] integers =
          LongStream.generate(() -> random.nextLong() >>> Long.SIZE - 1 - magnitude)
              .map(value -> magnitude < 8 * byteWidth - 1 ? value : low)
              .limit(random.nextInt(seed % 10 == 0 ? 3000 : 20))
              .toArray();
      assertSorts(integers, byteWidth, "seed " + seed);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.BYTES, Long.BYTES})
  void sortsIntegersInEveryOrder(int byteWidth) {
    int count = 5000;
    long maximum = byteWidth == Integer.BYTES ? Integer.MAX_VALUE : Long.MAX_VALUE;
    LongUnaryOperator[] orders = {
      i -> i,
      i -> count - i,
      _ -> 7,
      i -> i * 7919 % count,
      i -> i * 7919 % 200,
      i -> maximum - i,
      i -> i % 2 * maximum
    };
    for (LongUnaryOperator order : orders) {
      assertSorts(LongStream.range(0, count).map(order).toArray(), byteWidth, "an order");
    }
  }
}
