package dev.quiver.server.write;

import dev.quiver.server.access.Access;
import dev.quiver.server.http.IdempotencyKeyHeader;
import dev.quiver.server.resource.Paths;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.write.UploadOptions;
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
