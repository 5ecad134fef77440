package dev.quiver.web.request;

import dev.quiver.columnar.Schema;
import dev.quiver.foreign.ForeignFormat;
import dev.quiver.input.Limits;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.memory.ByteSource;
import dev.quiver.query.execution.SpooledFile;
import dev.quiver.query.file.FileOptions;
import dev.quiver.query.file.ForeignFiles;
import dev.quiver.query.file.ForeignRows;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The data of an upload as Arrow data. A file of another format is received to its end, and read
/// by a worker, once the first byte is asked for. Used by one thread.
public final class ArrowBody implements ByteSource, AutoCloseable {

  private final ByteSource body;
  private final @Nullable SpooledFile received;
  private final UploadFormat format;
  private final ForeignFiles files;
  private final Limits limits;
  private final BooleanSupplier wanted;

  /// Null before the first byte is asked for.
  private @Nullable ByteSource arrow;

  /// Null for Arrow data.
  private @Nullable ForeignRows rows;

  /// @param received the file that the body is in, or null if the body is still arriving
  /// @param wanted returns whether the data is still wanted
  ArrowBody(
      ByteSource body,
      @Nullable SpooledFile received,
      UploadFormat format,
      ForeignFiles files,
      Limits limits,
      BooleanSupplier wanted) {
    this.body = body;
    this.received = received;
    this.format = format;
    this.files = files;
    this.limits = limits;
    this.wanted = wanted;
  }

  /// Returns the declared format of the Arrow data.
  public BodyFormat format() {
    return switch (format) {
      case UploadFormat.Arrow(BodyFormat declared) -> declared;
      case UploadFormat.Foreign _ -> BodyFormat.STREAM;
      case UploadFormat.Undeclared _ -> BodyFormat.UNKNOWN;
    };
  }

  /// Returns whether the body itself is the Arrow data. If nothing else says so, its first bytes
  /// are read.
  public boolean isArrow() throws IOException {
    open();
    return rows == null;
  }

  /// Returns the schema of a file of another format, or null for Arrow data or if nothing was read.
  public @Nullable Schema inferredSchema() {
    return rows == null ? null : rows.schema();
  }

  /// Returns sentences about what the data lacks of a file of another format.
  public List<String> warnings() {
    return rows == null ? List.of() : rows.warnings();
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    return open().read(destination);
  }

  private ByteSource open() throws IOException {
    ByteSource present = arrow;
    if (present == null) {
      present =
          switch (format) {
            case UploadFormat.Arrow _ -> body;
            case UploadFormat.Foreign(FileOptions options) -> foreign(body, options);
            case UploadFormat.Undeclared undeclared -> recognized(undeclared);
          };
      arrow = present;
    }
    return present;
  }

  private ByteSource recognized(UploadFormat.Undeclared undeclared) throws IOException {
    MemorySegment buffer = MemorySegment.ofArray(new byte[ForeignFormat.START_BYTE_SIZE]);
    MemorySegment start = buffer.asSlice(0, body.readFully(buffer));
    ByteSource whole = ByteSource.joined(start, body);
    ForeignFormat found = ForeignFormat.ofStart(start.toArray(ValueLayout.JAVA_BYTE));
    if (found == null) {
      UploadFormat.requireNoOptions(undeclared.options());
      return whole;
    }
    return foreign(whole, UploadFormat.parse(found, undeclared.options()));
  }

  private ByteSource foreign(ByteSource file, FileOptions options) throws IOException {
    ForeignRows read =
        received == null
            ? files.read(file, options, limits, wanted)
            : files.read(received, options, limits, wanted);
    rows = read;
    return read;
  }

  @Override
  public void close() throws IOException {
    if (rows != null) {
      rows.close();
    }
  }
}
