package dev.quiver.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Proves the bit order of bitmaps, and that bits are counted up to any length and not beyond.
class BitmapsTest {

  @Test
  void theBitsOfTheSpecificationsExample() {
    MemorySegment bitmap = MemorySegment.ofArray(new byte[] {0b00101011});
    boolean[] expected = {true, true, false, true, false, true};
    for (int i = 0; i < expected.length; i++) {
      assertThat(Bitmaps.get(bitmap, i)).isEqualTo(expected[i]);
    }
  }

  @Test
  void onlyTheFirstBitsAreCounted() {
    byte[] bytes = new byte[40];
    new Random(7).nextBytes(bytes);
    BitSet bits = BitSet.valueOf(bytes);
    MemorySegment bitmap = MemorySegment.ofArray(bytes);
    for (int count = 0; count <= 320; count++) {
      assertThat(Bitmaps.countSet(bitmap, count)).isEqualTo(bits.get(0, count).cardinality());
    }
  }

  @Test
  void aSetBitIsSetAlone() {
    MemorySegment bitmap = MemorySegment.ofArray(new byte[3]);
    Bitmaps.set(bitmap, 17);
    assertThat(bitmap.toArray(LittleEndian.INT8)).containsExactly(0, 0, 2);
    assertThat(Bitmaps.byteSize(17)).isEqualTo(3);
    assertThat(Bitmaps.byteSize(16)).isEqualTo(2);
    assertThat(Bitmaps.byteSize(0)).isZero();
  }
}
