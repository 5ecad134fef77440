package dev.quiver.sql.query;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.formats.DecodedFile;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.csv.CsvOptions;
import dev.quiver.formats.csv.CsvStart;
import dev.quiver.formats.json.JsonStart;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The whole records at the beginning of a file of text that may end anywhere, without its coding.
/// Used by one thread.
public final class FileBeginning implements ByteSource, AutoCloseable {

  /// The decoded bytes that are looked at.
  private static final int BYTE_SIZE_MAXIMUM = 4 << 20;

  private final ByteSource records;
  private final InFlightBytes.@Nullable Charge charge;

  private FileBeginning(ByteSource records, InFlightBytes.@Nullable Charge charge) {
    this.records = records;
    this.charge = charge;
  }

  /// Reads the beginning of a file. One whose format needs its end stays as it is.
  ///
  /// @param inFlight accounts for its memory
  /// @param limits on the bytes for each coded one
  public static FileBeginning of(
      ByteSource file, FileOptions format, InFlightBytes inFlight, Limits limits)
      throws IOException {
    if (format instanceof FileOptions.Excel || format instanceof FileOptions.Parquet) {
      return new FileBeginning(file, /* charge= */ null);
    }
    InFlightBytes.Charge charge = inFlight.open();
    try {
      // The buffer, the text, the records, and another form of the text in between.
      charge.take(4L * BYTE_SIZE_MAXIMUM, InputLocation.UNKNOWN);
      byte[] text = read(file, inFlight, limits);
      byte[] records =
          format instanceof FileOptions.Csv(CsvOptions options, _)
              ? CsvStart.wholeRecords(text, options)
              : JsonStart.wholeRecords(text);
      return new FileBeginning(ByteSource.of(MemorySegment.ofArray(records)), charge);
    } catch (IOException | RuntimeException | Error e) {
      charge.close();
      throw e;
    }
  }

  private static byte[] read(ByteSource file, InFlightBytes inFlight, Limits limits)
      throws IOException {
    byte[] text = new byte[BYTE_SIZE_MAXIMUM];
    int byteSize = 0;
    try (DecodedFile decoded = new DecodedFile(file, inFlight, limits)) {
      while (byteSize < text.length) {
        long count = decoded.read(MemorySegment.ofArray(text).asSlice(byteSize));
        if (count < 0) {
          break;
        }
        byteSize += (int) count;
      }
    } catch (TruncatedInputException | ForeignDataException e) {
      // A coded file ends too early as well.
      if (byteSize == 0) {
        throw e;
      }
    }
    return Arrays.copyOf(text, byteSize);
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    return records.read(destination);
  }

  @Override
  public void close() {
    if (charge != null) {
      charge.close();
    }
  }
}
