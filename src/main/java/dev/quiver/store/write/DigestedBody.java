package dev.quiver.store.write;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.store.blob.BlobSpool;
import dev.quiver.store.file.WrittenFile;
import dev.quiver.store.version.StoredFile;
import dev.quiver.store.version.UploadDigest;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/// A body sent with its SHA-256, which stays with the version if its file or its stream is that
/// body, byte for byte.
///
/// This follows from how the version was written. Each message was copied to its place in the
/// upload, and the ends of files are compared. Two streams of the same messages and length can
/// differ in four bytes only, in the end-of-stream marker, and a CRC-32C always keeps them apart.
///
/// For other differences, equal lengths and checksums prove nothing: data can be made for which
/// they agree, and a client would reject what it then received. The checksum is still compared at
/// the commit, so that a mistake here costs a digest and not a download.
final class DigestedBody implements ByteSource {

  private final ByteSource body;
  private final String sha256;
  private final CRC32C checksum = new CRC32C();
  private long byteSize;
  private boolean ended;

  /// @param sha256 the digest that `body` verifies at its end
  DigestedBody(ByteSource body, String sha256) {
    this.body = body;
    this.sha256 = sha256;
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    long count = body.read(destination);
    if (count > 0) {
      Crc32c.update(checksum, destination.asSlice(0, count));
      byteSize += count;
    }
    ended |= count < 0;
    return count;
  }

  /// Returns what was written of this body, a stream, with its digest if that holds.
  WrittenFile digestedStream(WrittenFile written) {
    long streamByteSize = written.version().file().footerOffset() - Framing.FILE_HEADER_BYTE_SIZE;
    return isVerbatim(written, streamByteSize)
        ? written.withDigest(digest(UploadDigest.Form.STREAM))
        : written;
  }

  /// Returns what was written of this body, a file, with its digest if that holds.
  ///
  /// @param file the bytes of the body
  /// @param blob the blob of the written file
  WrittenFile digestedFile(WrittenFile written, MemorySegment file, BlobSpool blob)
      throws IOException {
    return isVerbatim(written, written.version().file().byteSize()) && hasEndOf(file, written, blob)
        ? written.withDigest(digest(UploadDigest.Form.FILE))
        : written;
  }

  private boolean isVerbatim(WrittenFile written, long writtenByteSize) {
    return written.verbatim() && ended && writtenByteSize == byteSize;
  }

  private static boolean hasEndOf(MemorySegment file, WrittenFile written, BlobSpool blob)
      throws IOException {
    StoredFile stored = written.version().file();
    long start = stored.footerOffset() - Framing.PREFIX_BYTE_SIZE;
    MemorySegment tail = written.version().tail();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment end =
          tail.byteSize() > 0 ? tail : blob.map(start, stored.byteSize() - start, arena);
      return file.asSlice(start).mismatch(end) < 0;
    }
  }

  private UploadDigest digest(UploadDigest.Form form) {
    return new UploadDigest(form, (int) checksum.getValue(), sha256);
  }
}
