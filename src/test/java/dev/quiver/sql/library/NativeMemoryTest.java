package dev.quiver.sql.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeMemoryTest {

  private static final int BYTE_SIZE_MAXIMUM = 70;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5})
  void copiesExactlyTheGivenBytes(int start) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocate(BYTE_SIZE_MAXIMUM);
      for (int i = 0; i < BYTE_SIZE_MAXIMUM; i++) {
        source.set(ValueLayout.JAVA_BYTE, i, (byte) (i + 1));
      }
      for (int byteSize = 0; byteSize < BYTE_SIZE_MAXIMUM - start; byteSize++) {
        MemorySegment target = arena.allocate(2L * BYTE_SIZE_MAXIMUM);
        NativeMemory.copy(source.address() + start, target.address() + start, byteSize);
        byte[] expected = new byte[2 * BYTE_SIZE_MAXIMUM];
        for (int i = start; i < start + byteSize; i++) {
          expected[i] = (byte) (i + 1);
        }
        assertThat(Arrays.equals(target.toArray(ValueLayout.JAVA_BYTE), expected))
            .as("%d bytes", byteSize)
            .isTrue();
      }
    }
  }
}
