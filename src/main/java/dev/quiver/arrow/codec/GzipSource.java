package dev.quiver.arrow.codec;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.MalformedInputException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// The content of gzip data, decoded as it arrives: RFC 1952, any number of members.
///
/// ```text
/// Gzip   → Member*
/// Member → 1F 8B 08 Flags:1 Time:4 ExtraFlags:1 System:1 [Extra] [Name 00] [Comment 00]
///          [HeaderCrc:2] Deflated Crc:4 Size:4
/// ```
///
/// The JDK's `GZIPInputStream` ends silently at bytes that are not a complete header of another
/// member. Here such bytes are an error, whether they are foreign or truncated.
///
/// Memory is bounded for any input. The reader limits how much is decoded; `coded` limits how much
/// is read for it, since a member may be empty. Used by one thread.
public final class GzipSource implements ByteSource, AutoCloseable {

  private static final String END = "the rest of a gzip member";

  /// A read returns at most this, since a `ByteBuffer` counts in `int`.
  private static final long READ_BYTES = 1 << 20;

  private static final int FIXED_HEADER_BYTE_SIZE = 10;
  private static final int TRAILER_INT_BYTE_SIZE = 4;
  private static final int MAGIC = 0x8B1F;
  private static final int DEFLATE = 8;
  private static final int HEADER_CRC = 0b0_0010;
  private static final int EXTRA = 0b0_0100;
  private static final int NAME = 0b0_1000;
  private static final int COMMENT = 0b1_0000;
  private static final int RESERVED = 0b1110_0000;

  private final CodedInput input;
  private final Inflater inflater = new Inflater(/* nowrap= */ true);
  private final CRC32 crc = new CRC32();
  private boolean inMember;

  public GzipSource(ByteSource coded) {
    this.input = new CodedInput(coded, MemorySegment.ofArray(new byte[CodedInput.BYTE_SIZE]));
  }

  /// @throws MalformedInputException if the data is not gzip
  /// @throws dev.quiver.arrow.memory.TruncatedInputException if it ends within a member
  @Override
  public long read(MemorySegment destination) throws IOException {
    if (destination.byteSize() == 0) {
      return 0;
    }
    ByteBuffer content =
        destination.asSlice(0, Math.min(destination.byteSize(), READ_BYTES)).asByteBuffer();
    while (content.position() == 0) {
      if (!inMember && !startMember()) {
        return -1;
      }
      inflate(content);
    }
    return content.position();
  }

  private void inflate(ByteBuffer content) throws IOException {
    long blockOffset = input.byteOffset();
    ByteBuffer bytes = input.bytes();
    try {
      inflater.setInput(bytes);
      inflater.inflate(content);
    } catch (DataFormatException e) {
      throw new MalformedInputException(
          "DEFLATE data",
          "other (" + e.getMessage() + ")",
          InputLocation.byteOffset(blockOffset).withDetail("gzip member"),
          e);
    }
    input.take(bytes);
    crc.update(content.duplicate().flip());
    if (inflater.finished()) {
      endMember();
    } else if (content.position() == 0 && !bytes.hasRemaining()) {
      input.require(END);
    }
  }

  /// @return false at the end of the data
  private boolean startMember() throws IOException {
    long memberOffset = input.byteOffset();
    if (!input.fill()) {
      return false;
    }
    int magic = number(2);
    int method = number(1);
    int flags = number(1);
    if (magic != MAGIC || method != DEFLATE || (flags & RESERVED) != 0) {
      throw new MalformedInputException(
          "a gzip member, 1F 8B 08 and flags of 00 to 1F",
          "%02X %02X %02X %02X".formatted(magic & 0xFF, magic >>> 8, method, flags),
          InputLocation.byteOffset(memberOffset));
    }
    skip(FIXED_HEADER_BYTE_SIZE - 4);
    if ((flags & EXTRA) != 0) {
      skip(number(2));
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    if ((flags & HEADER_CRC) != 0) {
      skip(2);
    }
    inflater.reset();
    crc.reset();
    inMember = true;
    return true;
  }

  private void endMember() throws IOException {
    inMember = false;
    require("CRC-32", (int) crc.getValue());
    require("size modulo 2^32", (int) inflater.getBytesWritten());
  }

  private void require(String what, int content) throws IOException {
    long byteOffset = input.byteOffset();
    int declared = number(TRAILER_INT_BYTE_SIZE);
    if (declared != content) {
      throw new MalformedInputException(
          "content with the %s of its gzip member, 0x%08x,".formatted(what, declared),
          "0x%08x".formatted(content),
          InputLocation.byteOffset(byteOffset));
    }
  }

  private int number(int byteSize) throws IOException {
    int number = 0;
    for (int i = 0; i < byteSize; i++) {
      number |= input.next(END) << i * Byte.SIZE;
    }
    return number;
  }

  private void skip(int byteSize) throws IOException {
    for (int i = 0; i < byteSize; i++) {
      input.next(END);
    }
  }

  private void skipText() throws IOException {
    while (input.next(END) != 0) {}
  }

  @Override
  public void close() {
    inflater.end();
  }
}
