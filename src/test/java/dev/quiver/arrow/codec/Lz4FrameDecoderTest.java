package dev.quiver.arrow.codec;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests [Lz4FrameDecoder] on hand-built frames: linked blocks, each kind of match, and each error.
/// [Lz4FrameTest] covers round trips and corruptions, [PyarrowFramesTest] frames of Arrow C++.
class Lz4FrameDecoderTest {

  private static final int INDEPENDENT = 0x60;
  private static final int LINKED = 0x40;
  private static final int BLOCK_CHECKSUMS = 0x10;
  private static final int CONTENT_CHECKSUM = 0x04;
  private static final int KIB_64 = 0x40;

  @Test
  void decodesMatchesIntoEarlierLinkedBlocks() {
    byte[] frame =
        Lz4FrameBuilder.frame(LINKED, KIB_64)
            .block(0x40, 'a', 'b', 'c', 'd')
            .rawBlock("efgh")
            // A match of eight bytes that starts eight bytes back, then one more literal.
            .block(0x04, 8, 0, 0x10, '!')
            .endMark()
            .build();
    assertThat(decode(frame, 17)).isEqualTo("abcdefghabcdefgh!");
  }

  @Test
  void rejectsMatchesIntoEarlierIndependentBlocks() {
    byte[] frame =
        Lz4FrameBuilder.frame(INDEPENDENT, KIB_64)
            .block(0x40, 'a', 'b', 'c', 'd')
            .block(0x14, 'x', 4, 0, 0x10, '!')
            .endMark()
            .build();
    assertMalformed(
        frame, 14, "Expected a match offset from 1 to 1 in an LZ4 block but found 4", 22);
  }

  @Test
  void decodesOverlappingMatchesAtEveryShortDistance() {
    for (int distance = 1; distance <= 20; distance++) {
      for (int matchByteSize = 4; matchByteSize < 18; matchByteSize++) {
        for (int rest : new int[] {1, 5, 14}) {
          String literals = "abcdefghijklmnopqrst".substring(0, distance);
          Lz4FrameBuilder block = new Lz4FrameBuilder();
          literals(block, matchByteSize - 4, literals);
          block.bytes(distance, 0);
          literals(block, 0, "0123456789ABCD".substring(0, rest));
          byte[] data = block.build();
          byte[] frame =
              Lz4FrameBuilder.frame(INDEPENDENT, KIB_64).block(unsigned(data)).endMark().build();
          String expected =
              literals
                  + literals.repeat(20).substring(0, matchByteSize)
                  + "0123456789ABCD".substring(0, rest);
          assertThat(decode(frame, expected.length())).isEqualTo(expected);
        }
      }
    }
  }

  private static void literals(Lz4FrameBuilder block, int matchInToken, String literals) {
    int count = literals.length();
    block.bytes(Math.min(count, 15) << 4 | matchInToken);
    if (count >= 15) {
      block.bytes(count - 15);
    }
    block.bytes(literals.chars().toArray());
  }

  private static int[] unsigned(byte[] bytes) {
    int[] values = new int[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      values[i] = bytes[i] & 0xFF;
    }
    return values;
  }

  @Test
  void acceptsCorrectBlockAndContentChecksums() {
    byte[] frame =
        Lz4FrameBuilder.frame(LINKED | BLOCK_CHECKSUMS | CONTENT_CHECKSUM, KIB_64)
            .rawBlock("abcd")
            .hashOf("abcd")
            .endMark()
            .hashOf("abcd")
            .build();
    assertThat(decode(frame, 4)).isEqualTo("abcd");
  }

  @Test
  void decodesAFrameWithoutContent() {
    assertThat(decode(Lz4FrameBuilder.frame(LINKED, KIB_64).endMark().build(), 0)).isEmpty();
  }

  /// The destination is a mapped file, since not every machine has that much memory to spare.
  @Tag("long")
  @Test
  void decodesMoreThan2GiB(@TempDir Path folder) throws IOException {
    int blockByteSize = 4 << 20;
    long contentByteSize = (2L << 30) + blockByteSize;
    byte[] frame = zeros(contentByteSize, blockByteSize);
    try (Arena arena = Arena.ofConfined();
        FileChannel file = FileChannel.open(folder.resolve("content"), CREATE, READ, WRITE)) {
      MemorySegment destination = file.map(MapMode.READ_WRITE, 0, contentByteSize, arena);
      Lz4Frame.INSTANCE.decompress(MemorySegment.ofArray(frame), destination);
      assertThat(LittleEndian.getInt64(destination, contentByteSize - 8))
          .isEqualTo('!' * (1L << 56));
    }
  }

  @Test
  void rejectsAWrongMagicNumber() {
    assertMalformed(
        new byte[7],
        0,
        "Expected the magic number of an LZ4 frame, 0x184d2204 but found 0x00000000",
        0);
    assertMalformed(
        new Lz4FrameBuilder().int32(0x184C2102).bytes(0, 0, 0).build(),
        0,
        "Expected the magic number of an LZ4 frame, 0x184d2204 but found 0x184c2102, a legacy LZ4"
            + " frame",
        0);
    assertMalformed(
        new Lz4FrameBuilder().int32(0x184D2A53).int32(0).build(),
        0,
        "Expected the magic number of an LZ4 frame, 0x184d2204 but found 0x184d2a53, a skippable"
            + " frame",
        0);
  }

  @Test
  void rejectsAnUnsupportedVersion() {
    assertMalformed(
        Lz4FrameBuilder.frame(0x80, KIB_64).endMark().build(),
        0,
        "Expected version 1 of the LZ4 frame format but found version 2",
        4);
  }

  @Test
  void rejectsAWrongHeaderChecksum() {
    byte[] frame = Lz4FrameBuilder.frame(LINKED, KIB_64).endMark().build();
    frame[6] ^= 1;
    assertMalformed(
        frame, 0, "Expected 0xc0 as the checksum of the LZ4 frame header but found 0xc1", 6);
  }

  @Test
  void rejectsReservedBits() {
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED | 2, KIB_64).endMark().build(),
        0,
        "Expected zeros in the reserved bits of the LZ4 frame header but found FLG 0x42 and BD"
            + " 0x40",
        4);
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED, 0xC0).endMark().build(),
        0,
        "Expected zeros in the reserved bits of the LZ4 frame header but found FLG 0x40 and BD"
            + " 0xc0",
        4);
  }

  @Test
  void rejectsAnUnknownBlockSizeCode() {
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED, 0x30).endMark().build(),
        0,
        "Expected a maximum block size of an LZ4 frame from 4 to 7 but found 3",
        5);
  }

  @Test
  void rejectsADictionary() {
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED | 1, KIB_64, 7, 0, 0, 0).endMark().build(),
        0,
        "Expected an LZ4 frame without a dictionary but found dictionary id 7",
        6);
  }

  @Test
  void rejectsAContentSizeThatDiffersFromTheDestination() {
    byte[] frame =
        Lz4FrameBuilder.frame(LINKED | 8, KIB_64, 5, 0, 0, 0, 0, 0, 0, 0)
            .rawBlock("abcd")
            .endMark()
            .build();
    assertMalformed(frame, 4, "Expected 4 as the content size of the LZ4 frame but found 5", 6);
  }

  @Test
  void rejectsLessContentThanTheDestinationHolds() {
    byte[] frame = Lz4FrameBuilder.frame(LINKED, KIB_64).rawBlock("abcd").endMark().build();
    assertMalformed(frame, 5, "Expected 5 bytes of content in an LZ4 frame but found 4", 15);
  }

  @Test
  void rejectsMoreContentThanTheDestinationHolds() {
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED, KIB_64).rawBlock("abcd").endMark().build(),
        3,
        "Expected at most 3 more bytes of content in an LZ4 frame but found an uncompressed block"
            + " of 4 bytes",
        11);
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED, KIB_64).block(0x40, 'a', 'b', 'c', 'd').endMark().build(),
        3,
        "Expected at most 3 more bytes of content in an LZ4 block but found literals of 4 bytes",
        12);
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED, KIB_64).block(0x11, 'a', 1, 0, 0).endMark().build(),
        3,
        "Expected at most 2 more bytes of content in an LZ4 block but found a match of 5 bytes",
        15);
  }

  @Test
  void rejectsBlocksOverTheMaximum() {
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED, KIB_64).int32(65537).build(),
        0,
        "Expected an LZ4 block of at most 65536 bytes but found 65537 bytes",
        7);
    Lz4FrameBuilder block = new Lz4FrameBuilder().bytes(0x1F, 'a', 1, 0);
    for (int i = 0; i < 257; i++) {
      block.bytes(255);
    }
    byte[] data = block.bytes(0, 0).build();
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED, KIB_64).block(unsigned(data)).endMark().build(),
        100_000,
        "Expected at most 65535 more bytes of content in an LZ4 block but found a match of 65554"
            + " bytes",
        273);
  }

  @Test
  void rejectsAMatchWithoutAnOffset() {
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED, KIB_64).block(0x10, 'a', 0, 0, 0).endMark().build(),
        9,
        "Expected a match offset from 1 to 1 in an LZ4 block but found 0",
        13);
  }

  @Test
  void rejectsTruncatedBlocks() {
    assertTruncated(
        Lz4FrameBuilder.frame(LINKED, KIB_64).block(0x20, 'a').endMark().build(),
        "Expected 2 bytes of literals in an LZ4 block but found 1 bytes to the block's end",
        12);
    assertTruncated(
        Lz4FrameBuilder.frame(LINKED, KIB_64).block(0xF0, 255).endMark().build(),
        "Expected a length byte in an LZ4 block but found 0 bytes to the block's end",
        13);
    assertTruncated(
        Lz4FrameBuilder.frame(LINKED, KIB_64).block(0x10, 'a', 1).endMark().build(),
        "Expected the 2 bytes of a match offset in an LZ4 block but found 1 bytes to the block's"
            + " end",
        13);
    assertTruncated(
        Lz4FrameBuilder.frame(LINKED, KIB_64).block(0x10, 'a', 1, 0).endMark().build(),
        "Expected a token in an LZ4 block but found 0 bytes to the block's end",
        15);
  }

  @Test
  void rejectsTruncatedFrames() {
    assertTruncated(
        new byte[3], "Expected the 7 bytes of the header of an LZ4 frame but found 3", 0);
    assertTruncated(
        Lz4FrameBuilder.frame(LINKED | 8, KIB_64).build(),
        "Expected the 15 bytes of the header of an LZ4 frame but found 7",
        0);
    assertTruncated(
        Lz4FrameBuilder.frame(LINKED, KIB_64).rawBlock("abcd").build(),
        "Expected the 4 bytes of an LZ4 block size but found 0",
        15);
    assertTruncated(
        Lz4FrameBuilder.frame(LINKED, KIB_64).int32(9).bytes(0, 0).build(),
        "Expected the 9 bytes of an LZ4 block but found 2",
        11);
    assertTruncated(
        Lz4FrameBuilder.frame(LINKED | BLOCK_CHECKSUMS, KIB_64).rawBlock("a").build(),
        "Expected the 4 bytes of the checksum of an LZ4 block but found 0",
        12);
    assertRejected(
        TruncatedInputException.class,
        Lz4FrameBuilder.frame(LINKED | CONTENT_CHECKSUM, KIB_64).endMark().build(),
        0,
        "Expected the 4 bytes of the content checksum of an LZ4 frame but found 0",
        11);
  }

  @Test
  void rejectsWrongChecksums() {
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED | BLOCK_CHECKSUMS, KIB_64).rawBlock("a").int32(1).build(),
        1,
        "Expected 0x550d7456 as the checksum of an LZ4 block but found 0x00000001",
        12);
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED | CONTENT_CHECKSUM, KIB_64)
            .rawBlock("a")
            .endMark()
            .int32(1)
            .build(),
        1,
        "Expected 0x550d7456 as the checksum of the content of an LZ4 frame but found 0x00000001",
        16);
  }

  @Test
  void rejectsDataAfterTheFrame() {
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED, KIB_64).endMark().bytes(1, 2).build(),
        0,
        "Expected nothing after one LZ4 frame but found 2 more bytes",
        11);
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED, KIB_64).endMark().int32(0x184D2204).build(),
        0,
        "Expected nothing after one LZ4 frame but found a second frame",
        11);
    assertMalformed(
        Lz4FrameBuilder.frame(LINKED, KIB_64).endMark().int32(0x184D2A50).int32(0).build(),
        0,
        "Expected nothing after one LZ4 frame but found a skippable frame",
        11);
  }

  /// Returns a frame of blocks of zeros, each a literal and a match. The last byte of a block is
  /// `!`.
  private static byte[] zeros(long contentByteSize, int blockByteSize) {
    Lz4FrameBuilder sequence = new Lz4FrameBuilder().bytes(0x1F, 0, 1, 0);
    int extension = blockByteSize - 2 - 4 - 15;
    for (int i = 0; i < extension / 255; i++) {
      sequence.bytes(255);
    }
    int[] data = unsigned(sequence.bytes(extension % 255, 0x10, '!').build());
    Lz4FrameBuilder frame = Lz4FrameBuilder.frame(INDEPENDENT, 0x70);
    for (long start = 0; start < contentByteSize; start += blockByteSize) {
      frame.block(data);
    }
    return frame.endMark().build();
  }

  private static String decode(byte[] frame, int contentByteSize) {
    MemorySegment destination = MemorySegment.ofArray(new byte[contentByteSize]);
    Lz4Frame.INSTANCE.decompress(MemorySegment.ofArray(frame), destination);
    return new String(destination.toArray(LittleEndian.INT8), StandardCharsets.US_ASCII);
  }

  private static void assertMalformed(
      byte[] frame, int contentByteSize, String message, long byteOffset) {
    assertRejected(MalformedInputException.class, frame, contentByteSize, message, byteOffset);
  }

  private static void assertTruncated(byte[] frame, String message, long byteOffset) {
    assertRejected(TruncatedInputException.class, frame, 100, message, byteOffset);
  }

  private static void assertRejected(
      Class<? extends InputException> type,
      byte[] frame,
      int contentByteSize,
      String message,
      long byteOffset) {
    assertThatThrownBy(() -> decode(frame, contentByteSize))
        .isExactlyInstanceOf(type)
        .hasMessage(message + " at byte offset " + byteOffset);
  }
}
