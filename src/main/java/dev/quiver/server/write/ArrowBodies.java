package dev.quiver.server.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LimitedSource;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.sql.query.FileOptions;
import dev.quiver.sql.query.ForeignFiles;
import dev.quiver.sql.query.Queries;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.SpooledFile;
import java.io.IOException;
import org.springframework.stereotype.Component;

/// The data of uploads as Arrow data, whatever format they have.
@Component
public final class ArrowBodies {

  private final Queries queries;
  private final ForeignFiles files;
  private final RequestLimits limits;
  private final Limit statementLimit;
  private final InFlightBytes inFlight;

  ArrowBodies(
      Queries queries, ForeignFiles files, QuiverProperties properties, InFlightBytes inFlight) {
    this.inFlight = inFlight;
    this.queries = queries;
    this.files = files;
    this.limits = properties.limits();
    this.statementLimit = properties.sql().text();
  }

  /// Returns data that is in the body of a request. Nothing of it is read yet.
  ///
  /// @param principal the origin of the data
  public ArrowBody of(ByteSource data, UploadFormat.Data format, Principal principal) {
    return of(data, format, principal, Long.MAX_VALUE);
  }

  /// Returns data that is in the body of a request, of which the first rows suffice. Nothing of it
  /// is read yet.
  ///
  /// @param principal the origin of the data
  /// @param rows the number of these rows, or [Long#MAX_VALUE] for all. Of other data than a
  ///   statement, the rest of the body may stay unread
  public ArrowBody of(ByteSource data, UploadFormat.Data format, Principal principal, long rows) {
    return new ArrowBody(
        data,
        /* received= */ null,
        format,
        queries,
        files,
        statementLimit,
        inFlight,
        limits.arrow(),
        principal,
        rows);
  }

  /// Returns data that was received already.
  ///
  /// @param content the content of `received`
  /// @param principal the origin of the data
  public ArrowBody of(
      SpooledFile received,
      SpooledFile.Content content,
      UploadFormat.Data format,
      Principal principal) {
    return new ArrowBody(
        content,
        received,
        format,
        queries,
        files,
        statementLimit,
        inFlight,
        limits.arrow(),
        principal,
        Long.MAX_VALUE);
  }

  /// Limits the bytes of data that is received before it is read: of a statement, to those that one
  /// may have, and of a file, to those that its format allows.
  public ByteSource limited(UploadFormat.Data format, ByteSource data) {
    return switch (format) {
      case UploadFormat.Sql _ -> new LimitedSource(data, statementLimit, "bytes of a statement");
      case UploadFormat.Foreign(FileOptions options) -> options.checked(data);
      case UploadFormat.Arrow _, UploadFormat.Undeclared _ -> data;
    };
  }

  /// Rejects data that was received, as far as that takes no time: a statement that cannot be run.
  public void check(UploadFormat.Data format, SpooledFile received, Principal principal)
      throws IOException {
    if (format instanceof UploadFormat.Sql) {
      try (SpooledFile.Content content = received.open()) {
        String sql = SqlRequest.text(content, statementLimit);
        queries.check(sql, principal);
      }
    }
  }

  /// Rejects a format that this service cannot read, before the data is received.
  public void requireReadable(UploadFormat.Data format) {
    if (format instanceof UploadFormat.Sql) {
      queries.requireAvailable();
    }
  }
}
