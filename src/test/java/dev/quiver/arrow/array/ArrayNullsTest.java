package dev.quiver.arrow.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests how null count and validity together determine which slots are null.
/// [SpecificationExamplesTest] covers the view of each layout.
class ArrayNullsTest {

  private static final MemorySegment SECOND_IS_NULL = MemorySegment.ofArray(new byte[] {0b101});

  private static List<Boolean> nulls(long nullCount, MemorySegment validity) {
    Field field = Field.of("f", true, new ArrowType.Int(8, true));
    MemorySegment values = MemorySegment.ofArray(new byte[3]);
    Array array =
        Array.of(new ArrayData(field, 3, nullCount, List.of(validity, values), List.of(), null));
    return List.of(array.isNull(0), array.isNull(1), array.isNull(2));
  }

  @Test
  void zeroNullCountOverridesTheValidity() {
    assertThat(nulls(1, SECOND_IS_NULL)).containsExactly(false, true, false);
    assertThat(nulls(-1, SECOND_IS_NULL)).containsExactly(false, true, false);
    assertThat(nulls(0, SECOND_IS_NULL)).containsExactly(false, false, false);
  }

  @Test
  void noSlotIsNullWithoutAValidityBuffer() {
    assertThat(nulls(-1, MemorySegment.NULL)).containsExactly(false, false, false);
  }

  @Test
  void nullLayoutHasNoValidityBuffer() {
    Field field = Field.of("f", true, new ArrowType.Null());
    ArrayData data = new ArrayData(field, 3, 3, List.of(), List.of(), null);
    assertThat(data.validity().byteSize()).isZero();
    assertThat(Array.of(data).isNull(1)).isTrue();
  }
}
