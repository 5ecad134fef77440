package dev.quiver.arrow.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("random")
class SlotRangesTest {

  private static List<Integer> slots(SlotRanges ranges) {
    List<Integer> slots = new ArrayList<>();
    for (long i = 0; i < ranges.count(); i++) {
      for (long slot = 0; slot < ranges.length(i); slot++) {
        slots.add((int) (ranges.start(i) + slot));
      }
    }
    return slots;
  }

  /// Returns the number of runs of consecutive numbers.
  private static long runCount(List<Integer> slots) {
    long count = 0;
    for (int i = 0; i < slots.size(); i++) {
      count += i == 0 || slots.get(i) != slots.get(i - 1) + 1 ? 1 : 0;
    }
    return count;
  }

  @Test
  void setBitsBecomeAsFewRangesAsPossible() {
    for (int seed : Trials.seeds(500)) {
      Random random = new Random(seed);
      int length = random.nextInt(300);
      BitSet bits = new BitSet();
      double changes = random.nextDouble();
      boolean isSet = random.nextBoolean();
      for (int i = 0; i < length; i++) {
        isSet ^= random.nextDouble() < changes;
        bits.set(i, isSet);
      }
      List<Integer> all = bits.stream().boxed().toList();
      int from = random.nextInt(all.size() + 1);
      int to = from + random.nextInt(all.size() - from + 1);
      try (Arena arena = Arena.ofConfined()) {
        SlotRanges some = new SlotRanges(arena);
        some.addSetBits(bits.toLongArray(), from, to);
        assertThat(slots(some)).as("seed %d", seed).isEqualTo(all.subList(from, to));
        assertThat(some.count()).as("seed %d", seed).isEqualTo(runCount(all.subList(from, to)));
        SlotRanges rest = new SlotRanges(arena);
        rest.addSetBits(bits.toLongArray(), from, length);
        assertThat(slots(rest)).as("seed %d", seed).isEqualTo(all.subList(from, all.size()));
      }
    }
  }
}
