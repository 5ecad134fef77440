package dev.quiver.server;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.arrow.transform.InvalidColumnsException;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.parquet.ParquetExport;
import dev.quiver.formats.parquet.UnrepresentableTypeException;
import dev.quiver.server.http.Preconditions;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.PublicPath;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.store.blob.StorageFullException;
import dev.quiver.store.blob.StoreUnavailableException;
import dev.quiver.store.catalog.WriterFullException;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DamagedDatasetException;
import dev.quiver.store.version.DatasetException;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReplacedException;
import dev.quiver.store.version.InvalidVersionException;
import dev.quiver.store.version.PreconditionFailedException;
import dev.quiver.store.version.SchemaMismatchException;
import dev.quiver.store.write.MissingEndOfStreamException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// Hints about failures of the packages below, as far as they do not depend on the request.
final class FailureHints {

  private static final String OPERATOR_KEY = "quiver.";

  private FailureHints() {}

  /// Returns a sentence that says what the client can do, or null if nothing helps.
  static @Nullable String of(Exception failure) {
    return switch (failure) {
      case InputException e -> of(e);
      case InvalidDataException _ -> inPrefix("Post the data to %s/inspect for all findings.");
      case MissingEndOfStreamException _ ->
          "Close the writer of the stream before the body ends, or store what arrives by"
              + " truncated=accept.";
      case InvalidColumnsException e -> e.hint();
      case InvalidOptionException e -> e.hint();
      case UnrepresentableTypeException e ->
          "Leave out the column by columns=, or ask for .arrow, which has every type.";
      case DatasetException e -> of(e);
      case DamagedBlobException _ ->
          "Store the data again, or let the operator restore the blob from a copy of the store.";
      case WriterFullException e ->
          "Delete datasets that you wrote, or let the operator raise %s."
              .formatted(e.limit().name());
      case StorageFullException _ -> "Let the operator free space, and send the request again.";
      case StoreUnavailableException _, OverloadedException _, CancelledException _ ->
          Problem.RETRY_HINT;
      case UncheckedIOException e when e.getCause() != null -> of(e.getCause());
      case SqlException.WorkerUnavailable _ ->
          "Send the request again, and tell whoever runs the service the requestId if it fails each"
              + " time.";
      case SqlException.TooLarge e ->
          "Read fewer rows or columns, or let the operator raise %s.".formatted(e.limit().name());
      case SqlException.Timeout _ ->
          "Read fewer rows or columns, or let the operator raise the limit that the detail names.";
      case SqlException.EngineFailure _, SqlException.WorkerLost _ -> Problem.REPORT_HINT;
      case SqlException.Unavailable _ ->
          "Read datasets without SQL, or let the operator run the service on a system that has it.";
      default -> null;
    };
  }

  private static @Nullable String of(InputException failure) {
    return switch (failure) {
      case TooLargeInputException e -> of(e.limit());
      case TruncatedInputException _ -> "Send the data again, to its end.";
      case MalformedInputException _ -> inPrefix("Post the data to %s/inspect for all findings.");
      case UnsupportedInputException _ ->
          inPrefix(
              "Write the data in another way: %s/docs/formats-and-types has what is supported.");
    };
  }

  private static @Nullable String of(Limit limit) {
    if (limit.equals(ParquetExport.METADATA)) {
      return "Ask for .arrow, which keeps metadata of any size.";
    }
    return limit.name().startsWith(OPERATOR_KEY)
        ? "Send or ask for less, or let the operator raise %s.".formatted(limit.name())
        : null;
  }

  private static @Nullable String of(DatasetException failure) {
    return switch (failure) {
      case DatasetNotFoundException e ->
          e.latest() == null
              ? null
              : e.isSince()
                  ? "The latest version is %d: write since=%1$d.".formatted(e.latest())
                  : latest(e.latest(), inPrefix("%s/datasets/") + e.dataset() + "@" + e.latest());
      case DatasetGoneException e ->
          e.oldest() == null
              ? inPrefix("%s/datasets lists the datasets that there are.")
              : "Ask for version %d or a later one, or leave the version or since out."
                  .formatted(e.oldest());
      case DatasetReplacedException e ->
          "Read the whole dataset without since, and its next rows by since=%d or later."
              .formatted(e.replacement());
      case PreconditionFailedException e -> Preconditions.hint(e.dataset(), e.found());
      case DamagedDatasetException _, InvalidVersionException _ ->
          "Store the data again as a new version.";
      // Its problem has its own.
      case SchemaMismatchException _ -> null;
    };
  }

  /// Returns a hint with the path of the latest version.
  static String latest(long version, String path) {
    return "The latest version is %d: ask for %s.".formatted(version, path);
  }

  private static String inPrefix(String hint) {
    return hint.formatted(PublicPath.prefix());
  }
}
