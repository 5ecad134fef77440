package dev.quiver.web.dataset;

import dev.quiver.config.QuiverProperties;
import dev.quiver.config.RequestLimits;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.ingest.UploadOptions;
import dev.quiver.dataset.version.IdempotencyKey;
import dev.quiver.dataset.version.WriteResult;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.web.filter.InteropRequest;
import dev.quiver.web.request.Boundary;
import dev.quiver.web.request.DecodedRequestBody;
import dev.quiver.web.request.FormParts;
import dev.quiver.web.request.FormUpload;
import dev.quiver.web.request.IdempotencyKeyHeader;
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

  private final Datasets datasets;
  private final WriteResponse writeResponse;
  private final RequestLimits limits;
  private final InFlightBytes inFlight;

  DatasetsController(
      Datasets datasets,
      WriteResponse writeResponse,
      QuiverProperties properties,
      InFlightBytes inFlight) {
    this.datasets = datasets;
    this.writeResponse = writeResponse;
    this.limits = properties.limits();
    this.inFlight = inFlight;
  }

  @PostMapping(Paths.DATASETS)
  void create(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Boundary boundary = Boundary.of(request);
    BodyFormat format = boundary == null ? UploadFormat.of(request) : BodyFormat.UNKNOWN;
    UploadOptions options = UploadParameters.of(request);
    IdempotencyKey key = IdempotencyKeyHeader.of(request);
    try (DecodedRequestBody body = DecodedRequestBody.of(request, limits, inFlight)) {
      WriteResult result =
          boundary == null
              ? datasets.create(body, format, options.withSha256(body.sha256()), key)
              : new FormUpload(
                      datasets,
                      new FormParts(body, boundary, limits.form()),
                      InteropRequest.dataset(request))
                  .create(options, key);
      writeResponse.send(request, response, body, result);
    }
  }
}
