package dev.quiver.arrow.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests [ZstandardWindow] on hand-built headers. [ZstandardSourceTest] covers frames of an
/// encoder.
class ZstandardWindowTest {

  private static final long MAXIMUM = 8 << 20;

  private static byte[] bytes(String hexadecimal) {
    String[] parts = hexadecimal.strip().split(" ");
    byte[] bytes = new byte[parts.length];
    for (int i = 0; i < parts.length; i++) {
      bytes[i] = (byte) Integer.parseInt(parts[i], 16);
    }
    return bytes;
  }

  private static long window(byte[] start) {
    return ZstandardWindow.byteSize(MemorySegment.ofArray(start), MAXIMUM);
  }

  @ParameterizedTest
  @CsvSource({
    "00 00, 1024",
    "00 0F, 3840",
    "00 50, 1048576",
    "00 51, 1179648",
    "00 67, 7864320",
    "00 68, 8388608",
    "00 69, 8388608",
    "00 FF, 8388608",
    "40 08 FF FF, 2048",
    "03 08 01 00 00 00, 2048",
    "C4 08 FF FF FF FF FF FF FF FF, 2048",
  })
  void readsTheWindowDescriptor(String header, long byteSize) {
    assertThat(window(bytes("28 B5 2F FD " + header))).isEqualTo(byteSize);
  }

  @ParameterizedTest
  @CsvSource({
    "20 00, 0",
    "20 FF, 255",
    "60 00 00, 256",
    "60 FF FF, 65791",
    "A0 00 00 01 00, 65536",
    "A0 FF FF 7F 00, 8388607",
    "A0 01 00 80 00, 8388608",
    "A0 FF FF FF FF, 8388608",
    "E0 01 00 00 00 00 00 00 00, 1",
    "E0 00 00 00 00 01 00 00 00, 8388608",
    "E0 FF FF FF FF FF FF FF FF, 8388608",
    "21 09 05, 5",
    "62 09 09 05 00, 261",
    "A3 09 09 09 09 05 00 00 00, 5",
    "E7 09 09 09 09 05 00 00 00 00 00 00 00, 5",
  })
  void readsTheContentSizeOfASingleSegment(String header, long byteSize) {
    byte[] whole = bytes("28 B5 2F FD " + header);
    assertThat(window(whole)).isEqualTo(byteSize);
    for (int available = 0; available < whole.length; available++) {
      assertThat(window(Arrays.copyOf(whole, available)))
          .as("first %d bytes", available)
          .isEqualTo(MAXIMUM);
    }
  }

  @Test
  void findsNoWindowInSkippableFramesAndOtherData() {
    assertThat(window(bytes("50 2A 4D 18"))).isZero();
    assertThat(window(bytes("5F 2A 4D 18 FF FF FF 00 28 B5 2F FD 00 FF"))).isZero();
    assertThat(window(bytes("27 B5 2F FD 00 FF"))).isZero();
  }
}
