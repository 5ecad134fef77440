package dev.quiver.web.dataset;

import dev.quiver.config.QuiverProperties;
import dev.quiver.config.RequestLimits;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.ingest.UploadOptions;
import dev.quiver.dataset.version.IdempotencyKey;
import dev.quiver.dataset.version.WriteResult;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.web.filter.InteropRequest;
import dev.quiver.web.request.ArrowBodies;
import dev.quiver.web.request.ArrowBody;
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
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// The creation of datasets without a given name.
@RestController
public final class DatasetsController {

  private final Datasets datasets;
  private final WriteResponse writeResponse;
  private final RequestLimits limits;
  private final InFlightBytes inFlight;
  private final ArrowBodies bodies;

  DatasetsController(
      Datasets datasets,
      WriteResponse writeResponse,
      QuiverProperties properties,
      InFlightBytes inFlight,
      ArrowBodies bodies) {
    this.datasets = datasets;
    this.writeResponse = writeResponse;
    this.limits = properties.limits();
    this.inFlight = inFlight;
    this.bodies = bodies;
  }

  @PostMapping(Paths.DATASETS)
  void create(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Boundary boundary = Boundary.of(request);
    UploadOptions options = UploadParameters.of(request);
    IdempotencyKey key = IdempotencyKeyHeader.of(request);
    if (boundary != null) {
      createFromForm(boundary, options, key, request, response);
      return;
    }
    UploadFormat format = UploadFormat.of(request);
    try (DecodedRequestBody body = DecodedRequestBody.of(request, limits, inFlight);
        ArrowBody arrow = bodies.of(request, body, format)) {
      UploadOptions digested = options.withDigest(() -> arrow.isArrow() ? body.sha256() : null);
      WriteResult result = datasets.create(arrow, arrow.format(), digested, key);
      writeResponse.send(request, response, body, result, arrow);
    }
  }

  private void createFromForm(
      Boundary boundary,
      UploadOptions options,
      @Nullable IdempotencyKey key,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    try (DecodedRequestBody body = DecodedRequestBody.of(request, limits, inFlight);
        FormUpload form =
            new FormUpload(
                datasets,
                new FormParts(body, boundary, limits.form()),
                InteropRequest.dataset(request),
                bodies,
                request)) {
      WriteResult result = form.create(options, key);
      writeResponse.send(request, response, body, result, form.data());
    }
  }
}
