package dev.quiver.dataset.catalog;

import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.memory.LittleEndian;
import dev.quiver.storage.Blob;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The format of a manifest's blob. Numbers are little-endian.
///
/// ```
/// Blob            --> Magic FormatVersion SummaryByteSize Summary
///                     ExtentCount KeyCount TailByteSize Parent Extent{ExtentCount} Key{KeyCount}
///                     Checksum Tail
/// Magic           --> "QUIVERMF"
/// FormatVersion   --> int32, 2
/// SummaryByteSize --> int32, so that the summary ends within the first 4,096 bytes
/// Summary         --> JSON, see SummaryJson
/// ExtentCount     --> int32
/// KeyCount        --> int32
/// TailByteSize    --> int64
/// Parent          --> Text, the commit id of the version before; empty without one
/// Extent          --> ByteOffset ByteSize Text, the key of a blob
/// ByteOffset      --> int64
/// ByteSize        --> int64
/// Key             --> Version CommittedAt Text, the hash of an idempotency key
/// Version         --> int64
/// CommittedAt     --> int64, milliseconds since 1970
/// Text            --> int32, bytes of the UTF-8 that follows
/// Checksum        --> int32, CRC-32C of all bytes before it
/// Tail            --> byte{TailByteSize}
/// ```
///
/// Listing datasets reads at most the first 4,096 bytes of each manifest. So does opening a version
/// of few extents.
public final class ManifestFormat {

  /// The end of the first read, and of the largest summary.
  static final int SUMMARY_END = 4096;

  private static final byte[] MAGIC = "QUIVERMF".getBytes(StandardCharsets.US_ASCII);
  private static final int FORMAT_VERSION = 2;
  private static final int SUMMARY_START = MAGIC.length + 4 + 4;
  private static final int COUNTS_BYTE_SIZE = 4 + 4 + 8;
  private static final int ENTRY_BYTE_SIZE = 8 + 8;
  private static final int CHECKSUM_BYTE_SIZE = 4;

  private ManifestFormat() {}

  /// @param tail the bytes of the file after the extents
  /// @throws IllegalArgumentException if the summary does not fit
  public static MemorySegment write(
      VersionSummary summary,
      @Nullable String parentCommitId,
      List<RememberedKey> keys,
      List<BlobExtent> extents,
      MemorySegment tail) {
    byte[] json = SummaryJson.write(summary);
    if (json.length > SUMMARY_END - SUMMARY_START) {
      throw new IllegalArgumentException(
          "Expected a summary of at most %d bytes but found %d"
              .formatted(SUMMARY_END - SUMMARY_START, json.length));
    }
    Text parent = Text.of(parentCommitId == null ? "" : parentCommitId);
    List<Text> blobs = extents.stream().map(extent -> Text.of(extent.key())).toList();
    List<Text> hashes = keys.stream().map(key -> Text.of(key.hash())).toList();
    long tailOffset =
        SUMMARY_START + json.length + COUNTS_BYTE_SIZE + parent.byteSize() + CHECKSUM_BYTE_SIZE;
    for (Text text : blobs) {
      tailOffset += ENTRY_BYTE_SIZE + text.byteSize();
    }
    for (Text text : hashes) {
      tailOffset += ENTRY_BYTE_SIZE + text.byteSize();
    }
    Cursor cursor =
        new Cursor(MemorySegment.ofArray(new byte[Math.toIntExact(tailOffset + tail.byteSize())]));
    cursor.putBytes(MAGIC);
    cursor.putInt32(FORMAT_VERSION);
    cursor.putInt32(json.length);
    cursor.putBytes(json);
    cursor.putInt32(extents.size());
    cursor.putInt32(keys.size());
    cursor.putInt64(tail.byteSize());
    cursor.putText(parent);
    for (int i = 0; i < extents.size(); i++) {
      cursor.putInt64(extents.get(i).byteOffset());
      cursor.putInt64(extents.get(i).byteSize());
      cursor.putText(blobs.get(i));
    }
    for (int i = 0; i < keys.size(); i++) {
      cursor.putInt64(keys.get(i).version());
      cursor.putInt64(keys.get(i).committedAt().toEpochMilli());
      cursor.putText(hashes.get(i));
    }
    cursor.putInt32(checksum(cursor.segment.asSlice(0, cursor.position)));
    cursor.putSegment(tail);
    return cursor.segment;
  }

  /// Reads everything except the tail.
  ///
  /// @throws IOException if the blob cannot be read or is not a manifest
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
    int keyCount = cursor.int32();
    long tailByteSize = cursor.int64();
    long tailOffset = blob.byteSize() - tailByteSize;
    if (tailByteSize < 0 || tailOffset < cursor.position) {
      throw new IllegalArgumentException(
          "Expected a tail within the blob but found one of %d bytes".formatted(tailByteSize));
    }
    if (tailOffset > cursor.segment.byteSize()) {
      cursor.segment = readUpTo(blob, tailOffset);
    }
    String parent = cursor.text();
    List<BlobExtent> extents = new ArrayList<>();
    for (int i = 0; i < extentCount; i++) {
      long byteOffset = cursor.int64();
      long byteSize = cursor.int64();
      extents.add(new BlobExtent(cursor.text(), byteOffset, byteSize));
    }
    List<RememberedKey> keys = new ArrayList<>();
    for (int i = 0; i < keyCount; i++) {
      long version = cursor.int64();
      Instant committedAt = Instant.ofEpochMilli(cursor.int64());
      keys.add(new RememberedKey(cursor.text(), version, committedAt));
    }
    int found = checksum(cursor.segment.asSlice(0, cursor.position));
    requireEqual(cursor.int32(), found);
    requireEqual(tailOffset, cursor.position);
    return new Manifest(
        summary, parent.isEmpty() ? null : parent, keys, extents, tailOffset, tailByteSize);
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

  /// A position in a segment, which advances with each read and write.
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

    String text() {
      return text(int32());
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

    void putText(Text text) {
      putInt32(text.utf8.length);
      putBytes(text.utf8);
    }

    void putSegment(MemorySegment source) {
      MemorySegment.copy(source, 0, segment, position, source.byteSize());
      position += source.byteSize();
    }
  }

  private record Text(byte[] utf8) {

    static Text of(String text) {
      return new Text(text.getBytes(StandardCharsets.UTF_8));
    }

    long byteSize() {
      return Integer.BYTES + utf8.length;
    }
  }
}
