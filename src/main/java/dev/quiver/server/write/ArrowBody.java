package dev.quiver.server.write;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.formats.ColumnRenames;
import dev.quiver.formats.DecodedFile;
import dev.quiver.formats.FileOption;
import dev.quiver.formats.FileReport;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.Format;
import dev.quiver.formats.UploadData;
import dev.quiver.sql.query.FileBeginning;
import dev.quiver.sql.query.FileOptions;
import dev.quiver.sql.query.ForeignFiles;
import dev.quiver.sql.query.ForeignRows;
import dev.quiver.sql.query.Queries;
import dev.quiver.sql.query.ReadProgress;
import dev.quiver.sql.query.ResultRows;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.SpooledFile;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.Lineage;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The data of an upload. Once it is opened, a file of another format is received to its end, or as
/// far as its first rows need it, and read; a statement is run. Used by one thread.
public final class ArrowBody implements UploadData.Source, AutoCloseable {

  private final ByteSource body;
  private final @Nullable SpooledFile received;
  private final UploadFormat.Data format;
  private final Queries queries;
  private final ForeignFiles files;
  private final Limit statementLimit;
  private final InFlightBytes inFlight;
  private final Limits limits;
  private final Principal principal;
  private final long rowsNeeded;
  private final ReadProgress progress = new ReadProgress();

  /// The dataset to which the data is appended, whose types the rows of another format get.
  private ForeignFiles.Target target = ForeignFiles.Target.NONE;

  /// The dataset that the data replaces, or null.
  private @Nullable DatasetName replaced;

  /// Null unless text told its format by its bytes.
  private @Nullable Format recognizedText;

  /// Null before it is opened.
  private @Nullable UploadData data;

  /// Null unless the format is undeclared.
  private @Nullable DecodedFile decoded;

  /// Whether only whole records at the beginning of a file of another format are read.
  private boolean isBeginning;

  /// Null unless only the beginning of a file is read.
  private @Nullable FileBeginning beginning;

  /// Null unless the body is a file of another format.
  private @Nullable Foreign foreign;

  /// Null unless the body is a statement.
  private @Nullable ResultRows result;

  /// A file of another format, and its rows.
  private record Foreign(FileOptions options, ForeignRows rows) {}

  /// @param statementLimit the limit on the size of a statement
  /// @param inFlight accounts for the memory of decoders
  /// @param received the file that the body is in, or null if the body is still arriving
  /// @param principal the origin of the data, which needs to read the datasets that a statement
  ///   names
  /// @param rowsNeeded the number of first rows that suffice, or [Long#MAX_VALUE] for all
  ArrowBody(
      ByteSource body,
      @Nullable SpooledFile received,
      UploadFormat.Data format,
      Queries queries,
      ForeignFiles files,
      Limit statementLimit,
      InFlightBytes inFlight,
      Limits limits,
      Principal principal,
      long rowsNeeded) {
    this.body = body;
    this.received = received;
    this.format = format;
    this.queries = queries;
    this.files = files;
    this.statementLimit = statementLimit;
    this.inFlight = inFlight;
    this.limits = limits;
    this.principal = principal;
    this.rowsNeeded = rowsNeeded;
  }

  /// Returns the options of an upload with what is known of its data: its digest, its origin.
  ///
  /// @param digest that of the body
  public UploadOptions described(UploadOptions options, UploadOptions.BodyDigest digest) {
    return options
        .withDigest(() -> isArrow() ? digest.sha256() : null)
        .withLineage(this::lineage)
        .withFileParameters(() -> foreign == null ? null : foreign.rows().parameters());
  }

  /// States the dataset to which the data is appended, before anything is read.
  ///
  /// @param dataset returns the dataset, or null if it does not exist
  void appendedTo(ForeignFiles.Target dataset) {
    target = dataset;
  }

  /// States the dataset that the data replaces, before anything is read.
  void replaces(DatasetName dataset) {
    replaced = dataset;
  }

  /// States that the body may be the beginning of a file, which ends anywhere, before anything is
  /// read.
  public void mayBeCut() {
    isBeginning = true;
  }

  /// Returns whether the body itself is the Arrow data. If nothing else says so, its first bytes
  /// are read.
  public boolean isArrow() throws IOException {
    open();
    return foreign == null && result == null && (decoded == null || !decoded.isCoded());
  }

  /// Returns the schema of a file of another format or of a result, or null for Arrow data or if
  /// nothing was read.
  public @Nullable Schema inferredSchema() {
    if (result != null) {
      return result.schema();
    }
    return foreign == null ? null : foreign.rows().schema();
  }

  /// Returns the format of a file of another format, or null for other data or if nothing was read.
  public @Nullable Format foreignFormat() {
    return foreign == null ? null : foreign.options().format();
  }

  /// Returns the options by which a file of another format is read, those that were found included.
  public List<FileOption> fileOptions() {
    return foreign == null ? List.of() : foreign.rows().options();
  }

  /// Returns the statement that computed the data, or null if none did or it did not run.
  public @Nullable Lineage lineage() {
    return result == null ? null : result.lineage();
  }

  /// Returns what there is to tell of a file of another format, once its rows were read.
  public FileReport report() {
    if (foreign == null) {
      return FileReport.NONE;
    }
    FileReport report = foreign.rows().report();
    return recognizedText == null ? report : report.withFound("format", recognizedText.camelCase());
  }

  /// Returns the rows that a file of another format says to have, or null if unknown.
  public @Nullable Long rowCount() {
    return foreign == null ? null : foreign.rows().rowCount();
  }

  /// Returns how many rows a statement reads, which any thread may ask while it runs.
  public ReadProgress progress() {
    return progress;
  }

  /// Returns the failure of a write because of invalid data. If that was read from a file of
  /// another format, it is the file that is invalid.
  public RuntimeException failure(InvalidDataException e) {
    return foreign == null
        ? e
        : ForeignDataException.of(e.sentence(), null, e.place().field(), null);
  }

  @Override
  public UploadData open() throws IOException {
    UploadData present = data;
    if (present == null) {
      present =
          switch (format) {
            case UploadFormat.Arrow(BodyFormat declared, ColumnRenames renames) ->
                new UploadData.Arrow(body, declared, rowsNeeded, renames);
            case UploadFormat.Foreign(FileOptions options) -> foreign(body, options);
            case UploadFormat.Sql(List<Parameter> parameters) -> result(parameters);
            case UploadFormat.Undeclared undeclared -> recognized(undeclared);
          };
      data = present;
    }
    return present;
  }

  @Override
  public @Nullable Consumer<@Nullable Schema> replacementCheck() {
    Format text = recognizedText;
    DatasetName dataset = replaced;
    Schema schema = inferredSchema();
    return text != null
            && dataset != null
            && schema != null
            && format instanceof UploadFormat.Undeclared undeclared
            && !undeclared.mayReplace()
        ? latest ->
            RecognizedWrite.requireSameColumns(
                dataset, latest, schema, RecognizedWrite.way(undeclared, dataset, text))
        : null;
  }

  private UploadData recognized(UploadFormat.Undeclared undeclared) throws IOException {
    DecodedFile file = new DecodedFile(body, inFlight, limits);
    decoded = file;
    RecognizedBody found = RecognizedBody.of(file, undeclared);
    Format format = found.format();
    if (format == null) {
      UploadFormat.requireNoOptions(undeclared.options());
      return new UploadData.Arrow(
          found.source(),
          BodyFormat.UNKNOWN,
          rowsNeeded,
          UploadFormat.renames(undeclared.options()));
    }
    recognizedText = found.isText() ? format : null;
    return foreign(found.source(), UploadFormat.parse(format, undeclared.options()));
  }

  private UploadData foreign(ByteSource file, FileOptions options) throws IOException {
    ByteSource content = file;
    if (isBeginning) {
      beginning = FileBeginning.of(file, options, inFlight, limits);
      content = beginning;
    }
    ForeignRows read =
        received == null
            ? files.read(content, options, limits, principal, target, rowsNeeded)
            : files.read(received, options, limits, principal, target);
    foreign = new Foreign(options, read);
    return read.data();
  }

  private UploadData result(List<Parameter> parameters) throws IOException {
    String sql = SqlRequest.text(body, statementLimit);
    ResultRows begun =
        received == null
            ? queries.rows(sql, parameters, principal, limits)
            : queries.rows(sql, parameters, principal, limits, progress);
    result = begun;
    return new UploadData.Arrow(begun, BodyFormat.STREAM);
  }

  @Override
  public void close() throws IOException {
    // A resource that is null is skipped.
    try (DecodedFile _ = decoded;
        FileBeginning _ = beginning;
        ForeignRows _ = foreign == null ? null : foreign.rows();
        ResultRows _ = result) {
      // All end.
    }
  }
}
