package dev.quiver.formats;

import dev.quiver.arrow.memory.ByteSource;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/// The only file in a ZIP archive, decoded as the archive arrives. Folders do not count, nor do
/// files that systems add, whose names begin with a dot or with `__MACOSX`. Used by one thread.
final class ZipEntrySource implements ByteSource, AutoCloseable {

  /// The entries after which no file is looked for.
  private static final int ENTRY_COUNT_MAXIMUM = 1_000;

  private static final int CHUNK_BYTE_SIZE = 64 << 10;

  /// The encoding of names that are not marked as UTF-8, in which any bytes are text.
  private static final Charset NAMES = Charset.forName("IBM437");

  private final ZipInputStream archive;
  private final byte[] chunk = new byte[CHUNK_BYTE_SIZE];
  private final String name;
  private int entryCount;
  private boolean ended;

  /// @throws ForeignDataException if there is no file
  ZipEntrySource(ByteSource coded) throws IOException {
    this.archive = new ZipInputStream(stream(coded), NAMES);
    String first = next();
    if (first == null) {
      throw ForeignDataException.of("Expected a file in the ZIP archive but found none");
    }
    this.name = first;
  }

  private static InputStream stream(ByteSource source) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return length == 0
            ? 0
            : (int) source.read(MemorySegment.ofArray(bytes).asSlice(offset, length));
      }
    };
  }

  /// Returns the name of the file, with those of its folders.
  String name() {
    return name;
  }

  /// Returns the name of the next file, or null if absent.
  private @Nullable String next() throws IOException {
    try {
      ZipEntry entry = archive.getNextEntry();
      while (entry != null) {
        if (++entryCount > ENTRY_COUNT_MAXIMUM) {
          throw ForeignDataException.of(
              "Expected at most %,d entries in a ZIP archive but found more"
                  .formatted(ENTRY_COUNT_MAXIMUM));
        }
        String path = entry.getName();
        String file = path.substring(path.lastIndexOf('/') + 1);
        if (!entry.isDirectory() && !file.startsWith(".") && !path.startsWith("__MACOSX/")) {
          return path;
        }
        entry = archive.getNextEntry();
      }
      return null;
    } catch (ZipException e) {
      throw invalid(e);
    }
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    if (ended) {
      return -1;
    }
    int count;
    try {
      count = archive.read(chunk, 0, (int) Math.min(chunk.length, destination.byteSize()));
    } catch (ZipException e) {
      throw invalid(e);
    }
    if (count >= 0) {
      MemorySegment.copy(MemorySegment.ofArray(chunk), 0, destination, 0, count);
      return count;
    }
    ended = true;
    String other = next();
    if (other != null) {
      throw ForeignDataException.of(
              "Expected a ZIP archive with one file but found %s and %s"
                  .formatted(
                      ForeignDataException.excerpt(name), ForeignDataException.excerpt(other)))
          .withHint("Send each file by itself.");
    }
    return -1;
  }

  private static ForeignDataException invalid(ZipException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("encrypted")
        ? ForeignDataException.of("Expected a ZIP archive but found an encrypted one")
            .withHint("Send the file without a password.")
        : ForeignDataException.of("Expected a ZIP archive but found a damaged one");
  }

  @Override
  public void close() throws IOException {
    archive.close();
  }
}
