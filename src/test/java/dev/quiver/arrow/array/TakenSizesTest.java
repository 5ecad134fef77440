package dev.quiver.arrow.array;

import static dev.quiver.arrow.array.OddArrayCases.forEachSeed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that the sizes of taken slots are those of what [Take] gathers. A failure names its seed.
@Tag("random")
class TakenSizesTest {

  @Test
  void sizesOfAscendingSlotsEqualTheTakenOnes() {
    int[] found = new int[1];
    forEachSeed((random, array, values, allocator, description) -> {
      List<Integer> slots = TakeTest.ascending(random, values.size());
      try (Arena arena = Arena.ofConfined()) {
        ArrayData sizes = TakenSizes.of(array, TakeTest.slots(arena, slots));
        if (sizes != null) {
          found[0]++;
          ArrayData taken = Take.take(array, TakeTest.slots(arena, slots), allocator, allocator);
          assertThat(sizes(sizes)).as("%s of %s", slots, description).isEqualTo(sizes(taken));
        }
      }
    });
    assertThat(found[0]).isPositive();
  }

  /// Returns the lengths, the null counts and the sizes of all buffers, children included.
  private static List<Long> sizes(ArrayData array) {
    List<Long> sizes = new ArrayList<>(List.of(array.length(), array.nullCount()));
    array.buffers().forEach(buffer -> sizes.add(buffer.byteSize()));
    array.children().forEach(child -> sizes.addAll(sizes(child)));
    return sizes;
  }

  /// Writers may leave bytes in the data under a null slot. Taken slots do not have them.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bytesUnderNullsDoNotCount(boolean large) {
    for (int seed : Trials.seeds(500)) {
      try (Arena arena = Arena.ofConfined()) {
        Random random = new Random(seed);
        int length = 2 + random.nextInt(90);
        List<Integer> byteSizes = new ArrayList<>();
        List<Object> texts = new ArrayList<>();
        MemorySegment validity = arena.allocate(Bitmaps.byteSize(length), 8);
        int nullCount = 0;
        for (int slot = 0; slot < length; slot++) {
          boolean valid = random.nextInt(3) > 0;
          int byteSize = random.nextInt(5);
          texts.add("x".repeat(byteSize));
          byteSizes.add(valid ? byteSize : 0);
          nullCount += valid ? 0 : 1;
          if (valid) {
            Bitmaps.set(validity, slot);
          }
        }
        Field field = Field.of("t", true, large ? new ArrowType.LargeUtf8() : new ArrowType.Utf8());
        List<MemorySegment> buffers =
            new ArrayList<>(new ArrayBuilder(arena).array(field, texts).buffers());
        buffers.set(0, validity);
        ArrayData array = new ArrayData(field, length, nullCount, buffers, List.of(), null);
        List<Integer> slots = TakeTest.ascending(random, length);
        SlotRanges ranges = TakeTest.slots(arena, slots);
        ArrayData sizes = TakenSizes.of(array, ranges);
        if (sizes != null) {
          assertThat(sizes.buffer(BufferRole.DATA).byteSize())
              .as("seed %d", seed)
              .isEqualTo(slots.stream().mapToLong(byteSizes::get).sum());
          assertThat(sizes(sizes))
              .as("seed %d", seed)
              .isEqualTo(sizes(Take.take(array, ranges, arena, arena)));
        }
      }
    }
  }
}
