package dev.quiver.web.request;

import dev.quiver.config.QuiverProperties;
import dev.quiver.config.RequestLimits;
import dev.quiver.input.Limit;
import dev.quiver.memory.ByteSource;
import dev.quiver.query.Queries;
import dev.quiver.query.execution.SpooledFile;
import dev.quiver.web.connector.ConnectionWatch;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/// The data of uploads as Arrow data, whatever format they have.
@Component
public final class ArrowBodies {

  private final Queries queries;
  private final RequestLimits limits;
  private final Limit statementLimit;

  ArrowBodies(Queries queries, QuiverProperties properties) {
    this.queries = queries;
    this.limits = properties.limits();
    this.statementLimit = properties.sql().text();
  }

  /// Returns data that is in the body of a request. Nothing of it is read yet.
  public ArrowBody of(HttpServletRequest request, ByteSource data, UploadFormat format) {
    return new ArrowBody(
        data,
        /* received= */ null,
        format,
        queries,
        statementLimit,
        limits.arrow(),
        () -> !ConnectionWatch.isClosedByClient(request));
  }

  /// Returns data that was received already.
  ///
  /// @param content the content of `received`
  /// @param wanted returns whether the data is still wanted
  public ArrowBody of(
      SpooledFile received,
      SpooledFile.Content content,
      UploadFormat format,
      BooleanSupplier wanted) {
    return new ArrowBody(
        content, received, format, queries, statementLimit, limits.arrow(), wanted);
  }

  /// Rejects a format that this service cannot read, before the data is received.
  public void requireReadable(UploadFormat format) {
    switch (format) {
      case UploadFormat.Foreign _ -> queries.files().requireAvailable();
      case UploadFormat.Sql _ -> queries.requireAvailable();
      case UploadFormat.Arrow _, UploadFormat.Undeclared _ -> {}
    }
  }
}
