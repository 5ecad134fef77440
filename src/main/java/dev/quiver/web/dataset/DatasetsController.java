package dev.quiver.web.dataset;

import dev.quiver.dataset.ingest.UploadOptions;
import dev.quiver.dataset.version.IdempotencyKey;
import dev.quiver.web.access.Access;
import dev.quiver.web.request.Boundary;
import dev.quiver.web.request.IdempotencyKeyHeader;
import dev.quiver.web.request.Upload;
import dev.quiver.web.request.UploadFormat;
import dev.quiver.web.request.UploadParameters;
import dev.quiver.web.resource.Paths;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// The creation of datasets without a given name.
@RestController
public final class DatasetsController {

  private final Uploads uploads;

  DatasetsController(Uploads uploads) {
    this.uploads = uploads;
  }

  @PostMapping(Paths.DATASETS)
  void create(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Boundary boundary = Boundary.of(request);
    UploadOptions options = UploadParameters.of(request);
    IdempotencyKey key = IdempotencyKeyHeader.of(request);
    if (boundary != null) {
      uploads.receiveForm(request, response, boundary, options, key);
      return;
    }
    UploadFormat format = UploadFormat.ofStored(request);
    Upload upload = Upload.unnamed(options, key);
    Access.of(request).requireWritable(upload.name(), /* generated= */ true);
    uploads.receive(request, response, upload, format);
  }
}
