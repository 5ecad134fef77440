package dev.quiver.arrow.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Random [OddArrays] with their values, and what must hold for an array that a kernel returns.
final class OddArrayCases {

  static final int SEED_COUNT = 3000;
  static final int DEPTH = 3;

  private OddArrayCases() {}

  /// Returns an allocator of non-zero memory, which exposes every byte that a kernel fails to
  /// write.
  static SegmentAllocator dirty(Arena arena) {
    return (byteSize, alignment) -> arena.allocate(byteSize, alignment).fill((byte) 0xA5);
  }

  @FunctionalInterface
  interface Check {
    void of(
        Random random,
        ArrayData array,
        List<? extends @Nullable Object> values,
        SegmentAllocator allocator,
        String description);
  }

  static void forEachSeed(Check check) {
    for (int seed : Trials.seeds(SEED_COUNT)) {
      try (Arena arena = Arena.ofConfined()) {
        Random random = new Random(seed);
        RandomData data = new RandomData(seed);
        Field field = data.field("f", DEPTH);
        List<@Nullable Object> values = data.values(field, random.nextInt(70));
        ArrayData array = new OddArrays(seed, data, arena).array(field, values);
        String description = "seed " + seed + ", " + field;
        assertHolds(array, values, description);
        check.of(random, array, values, dirty(arena), description);
      }
    }
  }

  static void assertHolds(
      ArrayData array, List<? extends @Nullable Object> values, String description) {
    RecordBatch batch = new RecordBatch(Schema.of(array.field()), array.length(), List.of(array));
    assertThat(Validator.validate(batch, Level.VALUES)).as(description).isEmpty();
    assertThat(Values.of(array)).as(description).isEqualTo(values);
  }

  /// Asserts that the array holds no unreferenced data.
  static void assertCompact(ArrayData array, String description) {
    List<BufferLayout> layouts = array.layout().buffers();
    for (int i = 0; i < layouts.size(); i++) {
      BufferLayout layout = layouts.get(i);
      long byteSize = array.buffers().get(i).byteSize();
      switch (layout.role()) {
        case VALIDITY ->
            assertThat(byteSize)
                .as(description)
                .isEqualTo(array.nullCount() == 0 ? 0 : layout.minimumByteSize(array.length()));
        case OFFSETS -> {
          assertThat(byteSize).as(description).isEqualTo(layout.minimumByteSize(array.length()));
          if (array.length() > 0) {
            Integers offsets = Integers.of(array, BufferRole.OFFSETS);
            assertThat(offsets.get(0)).as(description).isZero();
            long end = offsets.get(array.length());
            long available =
                array.children().isEmpty()
                    ? array.buffer(BufferRole.DATA).byteSize()
                    : array.children().getFirst().length();
            assertThat(available).as(description).isEqualTo(end);
          }
        }
        case DATA -> {
          if (array.layout().indexOf(BufferRole.OFFSETS) < 0) {
            assertThat(byteSize).as(description).isEqualTo(layout.minimumByteSize(array.length()));
          }
        }
        case SLOT_OFFSETS, SIZES, TYPE_IDS, VIEWS ->
            assertThat(byteSize).as(description).isEqualTo(layout.minimumByteSize(array.length()));
      }
    }
    if (array.field().storageType() instanceof ArrowType.Struct) {
      array.children().forEach(child -> assertThat(child.length()).isEqualTo(array.length()));
    }
    array.children().forEach(child -> assertCompact(child, description));
  }
}
