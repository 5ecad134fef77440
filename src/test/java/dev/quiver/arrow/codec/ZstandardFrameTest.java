package dev.quiver.arrow.codec;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Tests [ZstandardFrame] on hand-built frames, including each error. [ZstandardTest] covers round
/// trips and corruptions.
class ZstandardFrameTest {

  private static final int[] MAGIC = {0x28, 0xB5, 0x2F, 0xFD};

  /// An uncompressed last block of two bytes.
  private static final int[] RAW_BLOCK = {0x11, 0, 0, 'a', 'b'};

  @Test
  void acceptsEveryFormOfHeader() {
    int[][] headers = {
      {0x00, 0x00},
      {0x20, 2},
      {0x80, 0x00, 2, 0, 0, 0},
      {0xA0, 2, 0, 0, 0},
      {0xC0, 0x00, 2, 0, 0, 0, 0, 0, 0, 0},
      {0x21, 0, 2},
      {0x00, 0xAF},
    };
    for (int[] header : headers) {
      assertThatCode(() -> decompress(2, MAGIC, header, RAW_BLOCK)).doesNotThrowAnyException();
    }
  }

  @Test
  void acceptsARunLengthEncodedBlock() {
    assertThatCode(() -> decompress(1000, MAGIC, new int[] {0, 0, 0x43, 0x1F, 0, 'a'}))
        .doesNotThrowAnyException();
  }

  @Test
  void twoByteContentSizesStartAt256() {
    assertMalformed(
        "Expected 2 as the content size of the Zstandard frame but found 258 at byte offset 5",
        MAGIC,
        new int[] {0x60, 2, 0},
        RAW_BLOCK);
  }

  @Test
  void rejectsAWrongMagicNumber() {
    assertMalformed(
        "Expected the magic number of a Zstandard frame, 0xfd2fb528 but found 0x00000000 at byte"
            + " offset 0",
        new int[8]);
    assertMalformed(
        "Expected the magic number of a Zstandard frame, 0xfd2fb528 but found 0x184d2a51, a"
            + " skippable frame at byte offset 0",
        new int[] {0x51, 0x2A, 0x4D, 0x18, 0, 0, 0, 0});
  }

  @Test
  void rejectsTheReservedBit() {
    assertMalformed(
        "Expected zero in the reserved bit of the Zstandard frame header but found descriptor 0x28"
            + " at byte offset 4",
        MAGIC,
        new int[] {0x28, 2},
        RAW_BLOCK);
  }

  @Test
  void rejectsAWindowOf4GiBOrMore() {
    assertMalformed(
        "Expected a window of the Zstandard frame of less than 4 GiB but found one of 2^32 bytes or"
            + " more at byte offset 5",
        MAGIC,
        new int[] {0, 0xB0},
        RAW_BLOCK);
  }

  @Test
  void rejectsADictionary() {
    assertMalformed(
        "Expected a Zstandard frame without a dictionary but found dictionary id 513 at byte offset"
            + " 5",
        MAGIC,
        new int[] {0x22, 1, 2, 2},
        RAW_BLOCK);
  }

  @Test
  void rejectsAContentSizeThatDiffersFromTheDestination() {
    assertMalformed(
        "Expected 2 as the content size of the Zstandard frame but found 3 at byte offset 5",
        MAGIC,
        new int[] {0x20, 3},
        RAW_BLOCK);
    assertMalformed(
        "Expected 2 as the content size of the Zstandard frame but found 18446744073709551615 at"
            + " byte offset 5",
        MAGIC,
        new int[] {0xE0, 255, 255, 255, 255, 255, 255, 255, 255},
        RAW_BLOCK);
  }

  @Test
  void rejectsInvalidBlockHeaders() {
    assertMalformed(
        "Expected a Zstandard block type from 0 to 2 but found 3 at byte offset 6",
        MAGIC,
        new int[] {0x20, 2, 0x07, 0, 0});
    assertMalformed(
        "Expected a Zstandard block of at most 131072 bytes but found 131073 bytes at byte offset"
            + " 6",
        MAGIC,
        new int[] {0x20, 2, 0x09, 0, 0x10});
  }

  @Test
  void rejectsUndecodableContent() {
    assertMalformed(
        "Expected a Zstandard frame of 2 bytes of content but found one that does not decode (Src"
            + " size is incorrect) at byte offset 0",
        MAGIC,
        new int[] {0x20, 2, 0x1D, 0, 0, 0xFF, 0xFF, 0xFF});
  }

  @Test
  void rejectsAWrongChecksum() {
    assertMalformed(
        "Expected a Zstandard frame of 2 bytes of content but found one that does not decode"
            + " (Restored data doesn't match checksum) at byte offset 0",
        MAGIC,
        new int[] {0x24, 2},
        RAW_BLOCK,
        new int[4]);
  }

  @Test
  void rejectsContentThatDiffersInSizeFromTheDestination() {
    assertRejected(
        MalformedInputException.class,
        "Expected 3 bytes of content in a Zstandard frame but found 2 at byte offset 0",
        3,
        MAGIC,
        new int[] {0, 0},
        RAW_BLOCK);
    assertRejected(
        MalformedInputException.class,
        "Expected a Zstandard frame of 1 bytes of content but found one that does not decode"
            + " (Destination buffer is too small) at byte offset 0",
        1,
        MAGIC,
        new int[] {0, 0},
        RAW_BLOCK);
  }

  @Test
  void rejectsTruncatedFrames() {
    assertTruncated(
        "Expected the 5 bytes of the magic number and the descriptor of a Zstandard frame but found"
            + " 4 at byte offset 0",
        MAGIC);
    assertTruncated(
        "Expected the 4 bytes of the rest of the Zstandard frame header but found 1 at byte offset"
            + " 5",
        MAGIC,
        new int[] {0xA0, 2});
    assertTruncated(
        "Expected the 3 bytes of a Zstandard block header but found 2 at byte offset 6",
        MAGIC,
        new int[] {0x20, 2, 0x10, 0});
    assertTruncated(
        "Expected the 2 bytes of a Zstandard block but found 1 at byte offset 9",
        MAGIC,
        new int[] {0x20, 2, 0x10, 0, 0, 'a'});
    assertTruncated(
        "Expected the 4 bytes of the checksum of a Zstandard frame but found 3 at byte offset 11",
        MAGIC,
        new int[] {0x24, 2},
        RAW_BLOCK,
        new int[3]);
  }

  @Test
  void rejectsDataAfterTheFrame() {
    int[] header = {0x20, 2};
    assertMalformed(
        "Expected nothing after one Zstandard frame but found 1 more bytes at byte offset 11",
        MAGIC,
        header,
        RAW_BLOCK,
        new int[1]);
    assertMalformed(
        "Expected nothing after one Zstandard frame but found a second frame at byte offset 11",
        MAGIC,
        header,
        RAW_BLOCK,
        MAGIC,
        header,
        RAW_BLOCK);
    assertMalformed(
        "Expected nothing after one Zstandard frame but found a skippable frame at byte offset 11",
        MAGIC,
        header,
        RAW_BLOCK,
        new int[] {0x5F, 0x2A, 0x4D, 0x18, 0, 0, 0, 0});
  }

  private static void decompress(int contentByteSize, int[]... parts) {
    int size = 0;
    byte[] frame = new byte[64];
    for (int[] part : parts) {
      for (int value : part) {
        frame[size++] = (byte) value;
      }
    }
    MemorySegment destination = MemorySegment.ofArray(new byte[contentByteSize]);
    Zstandard.INSTANCE.decompress(MemorySegment.ofArray(frame).asSlice(0, size), destination);
  }

  private static void assertMalformed(String message, int[]... parts) {
    assertRejected(MalformedInputException.class, message, 2, parts);
  }

  private static void assertTruncated(String message, int[]... parts) {
    assertRejected(TruncatedInputException.class, message, 2, parts);
  }

  private static void assertRejected(
      Class<? extends InputException> type, String message, int contentByteSize, int[]... parts) {
    assertThatThrownBy(() -> decompress(contentByteSize, parts))
        .isExactlyInstanceOf(type)
        .hasMessage(message);
  }
}
