package dev.quiver.formats;

import dev.quiver.arrow.codec.GzipSource;
import dev.quiver.arrow.codec.ZstandardSource;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.InFlightBytes;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// A file without the coding around it, if it has one. Used by one thread.
public final class DecodedFile implements ByteSource, AutoCloseable {

  private final Limits limits;
  private final ByteSource source;
  private final AutoCloseable decoder;
  private final @Nullable String name;
  private final boolean isCoded;
  private long codedByteSize;
  private long byteSize;

  /// Reads the first bytes of a file.
  ///
  /// @param file closed by its owner
  /// @param inFlight accounts for decoding memory
  /// @param limits on the bytes for each coded one
  /// @throws ForeignDataException if an archive has no file
  public DecodedFile(ByteSource file, InFlightBytes inFlight, Limits limits) throws IOException {
    this.limits = limits;
    MemorySegment start = FileCoding.readStart(file);
    ByteSource whole = ByteSource.joined(start, file);
    ByteSource counted =
        destination -> {
          long count = whole.read(destination);
          codedByteSize += Math.max(0, count);
          return count;
        };
    FileCoding coding = FileCoding.ofStart(start.toArray(ValueLayout.JAVA_BYTE));
    this.isCoded = coding != null;
    switch (coding) {
      case null -> {
        source = whole;
        decoder = () -> {};
        name = null;
      }
      case GZIP -> {
        GzipSource gzip = new GzipSource(counted);
        source = gzip;
        decoder = gzip;
        name = null;
      }
      case ZSTANDARD -> {
        ZstandardSource zstandard = new ZstandardSource(counted, inFlight);
        source = zstandard;
        decoder = zstandard;
        name = null;
      }
      case ZIP -> {
        ZipEntrySource zip = new ZipEntrySource(counted);
        source = zip;
        decoder = zip;
        name = zip.name();
      }
    }
  }

  /// Returns the name that the file has in its archive, or null if unknown.
  public @Nullable String name() {
    return name;
  }

  /// Returns whether the file had a coding.
  public boolean isCoded() {
    return isCoded;
  }

  /// @throws dev.quiver.arrow.memory.TooLargeInputException if there is too much for what was coded
  @Override
  public long read(MemorySegment destination) throws IOException {
    long count;
    try {
      count = source.read(destination);
    } catch (EOFException e) {
      throw ForeignDataException.of(
          "Expected the end of the ZIP archive but found that of the file");
    }
    if (isCoded) {
      byteSize += Math.max(0, count);
      limits
          .decompressionRatio()
          .checkRatio(
              byteSize,
              codedByteSize,
              "decoded bytes per byte of the file so far",
              InputLocation.UNKNOWN);
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    try {
      decoder.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
