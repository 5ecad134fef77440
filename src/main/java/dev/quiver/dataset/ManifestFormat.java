package dev.quiver.dataset;

import dev.quiver.memory.LittleEndian;
import dev.quiver.storage.Blob;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/// The blob of a manifest. Numbers are little-endian.
///
/// ```
/// Blob            --> Magic FormatVersion SummaryByteSize Summary
///                     ExtentCount HeadByteSize TailByteSize Extent{ExtentCount} Checksum Head Tail
/// Magic           --> "QUIVERMF"
/// FormatVersion   --> int32, 1
/// SummaryByteSize --> int32, so that the summary ends within the first 4,096 bytes
/// Summary         --> JSON, see SummaryJson
/// ExtentCount     --> int32
/// HeadByteSize    --> int64
/// TailByteSize    --> int64
/// Extent          --> KeyByteSize ByteOffset ByteSize Key
/// KeyByteSize     --> int32
/// ByteOffset      --> int64
/// ByteSize        --> int64
/// Key             --> UTF-8, the key of a blob
/// Checksum        --> int32, CRC-32C of all bytes before it
/// Head            --> byte{HeadByteSize}
/// Tail            --> byte{TailByteSize}
/// ```
///
/// A list of datasets reads no more than the first 4,096 bytes of each manifest; so does whoever
/// opens a version of few extents.
final class ManifestFormat {

  /// What is read at first, and what the summary must be in.
  static final int SUMMARY_END = 4096;

  private static final byte[] MAGIC = "QUIVERMF".getBytes(StandardCharsets.US_ASCII);
  private static final int FORMAT_VERSION = 1;
  private static final int SUMMARY_START = MAGIC.length + 4 + 4;
  private static final int COUNTS_BYTE_SIZE = 4 + 8 + 8;
  private static final int EXTENT_BYTE_SIZE = 4 + 8 + 8;
  private static final int CHECKSUM_BYTE_SIZE = 4;

  private ManifestFormat() {}

  /// @throws IllegalArgumentException when the summary does not fit
  static MemorySegment write(
      VersionSummary summary, List<Extent> extents, MemorySegment head, MemorySegment tail) {
    byte[] json = SummaryJson.write(summary);
    if (json.length > SUMMARY_END - SUMMARY_START) {
      throw new IllegalArgumentException(
          "Expected a summary of at most %d bytes but found %d"
              .formatted(SUMMARY_END - SUMMARY_START, json.length));
    }
    List<byte[]> keys =
        extents.stream().map(extent -> extent.key().getBytes(StandardCharsets.UTF_8)).toList();
    long headOffset = SUMMARY_START + json.length + COUNTS_BYTE_SIZE + CHECKSUM_BYTE_SIZE;
    for (byte[] key : keys) {
      headOffset += EXTENT_BYTE_SIZE + key.length;
    }
    Cursor cursor =
        new Cursor(
            MemorySegment.ofArray(
                new byte[Math.toIntExact(headOffset + head.byteSize() + tail.byteSize())]));
    cursor.putBytes(MAGIC);
    cursor.putInt32(FORMAT_VERSION);
    cursor.putInt32(json.length);
    cursor.putBytes(json);
    cursor.putInt32(extents.size());
    cursor.putInt64(head.byteSize());
    cursor.putInt64(tail.byteSize());
    for (int i = 0; i < extents.size(); i++) {
      cursor.putInt32(keys.get(i).length);
      cursor.putInt64(extents.get(i).byteOffset());
      cursor.putInt64(extents.get(i).byteSize());
      cursor.putBytes(keys.get(i));
    }
    cursor.putInt32(checksum(cursor.segment.asSlice(0, cursor.position)));
    cursor.putSegment(head);
    cursor.putSegment(tail);
    return cursor.segment;
  }

  /// Reads everything but head and tail.
  ///
  /// @throws IOException when the blob cannot be read or is no manifest
  static Manifest read(String key, Blob blob) throws IOException {
    try {
      return read(blob);
    } catch (IllegalArgumentException
        | IndexOutOfBoundsException
        | ArithmeticException
        | DateTimeException e) {
      throw new IOException("Expected a manifest but found a broken one at blob " + key, e);
    }
  }

  private static Manifest read(Blob blob) throws IOException {
    Cursor cursor = new Cursor(readUpTo(blob, SUMMARY_END));
    requireEqual(new String(MAGIC, StandardCharsets.US_ASCII), cursor.text(MAGIC.length));
    requireEqual(FORMAT_VERSION, cursor.int32());
    VersionSummary summary = SummaryJson.read(cursor.bytes(cursor.int32()));
    if (cursor.remaining() < COUNTS_BYTE_SIZE) {
      cursor.segment = readUpTo(blob, SUMMARY_END + COUNTS_BYTE_SIZE);
    }
    int extentCount = cursor.int32();
    long headByteSize = cursor.int64();
    long tailByteSize = cursor.int64();
    long headOffset = blob.byteSize() - headByteSize - tailByteSize;
    if (headByteSize < 0 || tailByteSize < 0 || headOffset < cursor.position) {
      throw new IllegalArgumentException("Head and tail are not within the blob");
    }
    if (headOffset > cursor.segment.byteSize()) {
      cursor.segment = readUpTo(blob, headOffset);
    }
    List<Extent> extents = new ArrayList<>();
    for (int i = 0; i < extentCount; i++) {
      extents.add(readExtent(cursor));
    }
    int found = checksum(cursor.segment.asSlice(0, cursor.position));
    requireEqual(cursor.int32(), found);
    requireEqual(headOffset, cursor.position);
    return new Manifest(summary, extents, headOffset, headByteSize, tailByteSize);
  }

  private static Extent readExtent(Cursor cursor) {
    int keyByteSize = cursor.int32();
    long byteOffset = cursor.int64();
    long byteSize = cursor.int64();
    return new Extent(cursor.text(keyByteSize), byteOffset, byteSize);
  }

  private static MemorySegment readUpTo(Blob blob, long end) throws IOException {
    MemorySegment bytes =
        MemorySegment.ofArray(new byte[Math.toIntExact(Math.min(end, blob.byteSize()))]);
    return bytes.asSlice(0, blob.read(0, bytes));
  }

  private static int checksum(MemorySegment bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.asByteBuffer());
    return (int) checksum.getValue();
  }

  private static void requireEqual(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new IllegalArgumentException("Expected " + expected + " but found " + found);
    }
  }

  /// A position in a segment that moves with what is read or written.
  private static final class Cursor {

    private MemorySegment segment;
    private long position;

    Cursor(MemorySegment segment) {
      this.segment = segment;
    }

    long remaining() {
      return segment.byteSize() - position;
    }

    int int32() {
      int value = LittleEndian.getInt32(segment, position);
      position += Integer.BYTES;
      return value;
    }

    long int64() {
      long value = LittleEndian.getInt64(segment, position);
      position += Long.BYTES;
      return value;
    }

    byte[] bytes(int byteSize) {
      byte[] bytes = segment.asSlice(position, byteSize).toArray(ValueLayout.JAVA_BYTE);
      position += byteSize;
      return bytes;
    }

    String text(int byteSize) {
      return new String(bytes(byteSize), StandardCharsets.UTF_8);
    }

    void putInt32(int value) {
      LittleEndian.setInt32(segment, position, value);
      position += Integer.BYTES;
    }

    void putInt64(long value) {
      LittleEndian.setInt64(segment, position, value);
      position += Long.BYTES;
    }

    void putBytes(byte[] bytes) {
      putSegment(MemorySegment.ofArray(bytes));
    }

    void putSegment(MemorySegment source) {
      MemorySegment.copy(source, 0, segment, position, source.byteSize());
      position += source.byteSize();
    }
  }
}
