package dev.quiver.arrow.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The bit order of bitmaps, and counts of bits up to any length.
class BitmapsTest {

  @Test
  void readsTheBitmapOfTheSpecification() {
    MemorySegment bitmap = MemorySegment.ofArray(new byte[] {0b00101011});
    boolean[] expected = {true, true, false, true, false, true};
    for (int i = 0; i < expected.length; i++) {
      assertThat(Bitmaps.get(bitmap, i)).isEqualTo(expected[i]);
    }
  }

  @Test
  void countsTheSetBitsAtTheStartOfABitmap() {
    byte[] bytes = new byte[40];
    new Random(7).nextBytes(bytes);
    BitSet bits = BitSet.valueOf(bytes);
    MemorySegment bitmap = MemorySegment.ofArray(bytes);
    for (int count = 0; count <= 320; count++) {
      assertThat(Bitmaps.countSet(bitmap, count)).isEqualTo(bits.get(0, count).cardinality());
    }
  }

  @Test
  void countsTheSetBitsFromAnyPosition() {
    byte[] bytes = new byte[40];
    new Random(8).nextBytes(bytes);
    BitSet bits = BitSet.valueOf(bytes);
    MemorySegment bitmap = MemorySegment.ofArray(bytes);
    for (int first = 0; first <= 320; first++) {
      for (int end = first; end <= 320; end++) {
        assertThat(Bitmaps.countSet(bitmap, first, end - first))
            .isEqualTo(bits.get(first, end).cardinality());
      }
    }
  }

  @Test
  void copiesAndSetsBitsAtAnyPosition() {
    byte[] bytes = new byte[40];
    new Random(9).nextBytes(bytes);
    BitSet bits = BitSet.valueOf(bytes);
    for (int from = 0; from < 20; from++) {
      for (int to = 0; to < 20; to++) {
        for (int count = 0; count <= 300; count += count < 140 ? 1 : 31) {
          BitSet expected = new BitSet();
          expected.set(0, to);
          BitSet ones = (BitSet) expected.clone();
          ones.set(to, to + count);
          for (int i = 0; i < count; i++) {
            expected.set(to + i, bits.get(from + i));
          }
          // Neither segment has a spare byte.
          MemorySegment source =
              MemorySegment.ofArray(bytes).asSlice(0, Bitmaps.byteSize(from + count));
          MemorySegment copied = MemorySegment.ofArray(new byte[(to + count + 7) / 8]);
          Bitmaps.setAll(copied, 0, to);
          MemorySegment set = MemorySegment.ofArray(copied.toArray(LittleEndian.INT8));
          Bitmaps.copy(source, from, copied, to, count);
          Bitmaps.setAll(set, to, count);
          assertThat(BitSet.valueOf(copied.toArray(LittleEndian.INT8))).isEqualTo(expected);
          assertThat(BitSet.valueOf(set.toArray(LittleEndian.INT8))).isEqualTo(ones);
        }
      }
    }
  }

  @Test
  void setsASingleBit() {
    MemorySegment bitmap = MemorySegment.ofArray(new byte[3]);
    Bitmaps.set(bitmap, 17);
    assertThat(bitmap.toArray(LittleEndian.INT8)).containsExactly(0, 0, 2);
    assertThat(Bitmaps.byteSize(17)).isEqualTo(3);
    assertThat(Bitmaps.byteSize(16)).isEqualTo(2);
    assertThat(Bitmaps.byteSize(0)).isZero();
  }
}
