package dev.quiver.web.request;

import dev.quiver.config.QuiverProperties;
import dev.quiver.config.RequestLimits;
import dev.quiver.memory.ByteSource;
import dev.quiver.query.Queries;
import dev.quiver.query.file.ForeignFiles;
import dev.quiver.web.connector.ConnectionWatch;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

/// The data of uploads as Arrow data, whatever format they have.
@Component
public final class ArrowBodies {

  private final ForeignFiles files;
  private final RequestLimits limits;

  ArrowBodies(Queries queries, QuiverProperties properties) {
    this.files = queries.files();
    this.limits = properties.limits();
  }

  /// Returns data that is in the body of a request. Nothing of it is read yet.
  public ArrowBody of(HttpServletRequest request, ByteSource data, UploadFormat format) {
    return new ArrowBody(
        data, format, files, limits.arrow(), () -> !ConnectionWatch.isClosedByClient(request));
  }
}
