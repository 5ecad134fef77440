package dev.quiver.web;

import dev.quiver.config.QuiverProperties;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.ingest.UploadOptions;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.IdempotencyKey;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.dataset.version.WriteResult;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.web.filter.InteropRequest;
import dev.quiver.web.problem.Json;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemType;
import dev.quiver.web.request.Boundary;
import dev.quiver.web.request.DecodedRequestBody;
import dev.quiver.web.request.FormParts;
import dev.quiver.web.request.FormUpload;
import dev.quiver.web.request.IdempotencyKeyHeader;
import dev.quiver.web.request.Parameters;
import dev.quiver.web.request.UploadFormat;
import dev.quiver.web.request.UploadParameters;
import dev.quiver.web.resource.Documents;
import dev.quiver.web.resource.Paths;
import dev.quiver.web.response.Responder;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// The list of datasets, and the creation of datasets without a given name.
@RestController
public final class DatasetsController {

  private static final int DEFAULT_LIMIT = 100;
  private static final int MAXIMUM_LIMIT = 1000;

  private final Datasets datasets;
  private final Responder responder;
  private final WriteResponse writeResponse;
  private final QuiverProperties.RequestLimits limits;
  private final InFlightBytes inFlight;

  DatasetsController(
      Datasets datasets,
      Responder responder,
      WriteResponse writeResponse,
      QuiverProperties properties,
      InFlightBytes inFlight) {
    this.datasets = datasets;
    this.responder = responder;
    this.writeResponse = writeResponse;
    this.limits = properties.limits();
    this.inFlight = inFlight;
  }

  @GetMapping(Paths.DATASETS)
  void list(HttpServletRequest request, HttpServletResponse response) throws IOException {
    int limit = (int) Parameters.number(request, "limit", DEFAULT_LIMIT, 1, MAXIMUM_LIMIT);
    DatasetName after = after(request);
    responder.sendText(request, response, Json.MEDIA_TYPE, () -> Json.render(list(after, limit)));
  }

  private Documents.DatasetList list(@Nullable DatasetName after, int limit) throws IOException {
    // One more than requested shows whether there is a next page.
    List<VersionSummary> found = datasets.list(after, limit + 1);
    List<VersionSummary> page = found.subList(0, Math.min(limit, found.size()));
    String next =
        found.size() > limit
            ? Paths.DATASETS + "?limit=" + limit + "&after=" + page.getLast().name()
            : null;
    return new Documents.DatasetList(page.stream().map(Documents.Version::of).toList(), next);
  }

  private static @Nullable DatasetName after(HttpServletRequest request) {
    String after = request.getParameter("after");
    try {
      return after == null ? null : DatasetName.parse(after);
    } catch (IllegalArgumentException e) {
      throw Problem.of(ProblemType.BAD_REQUEST, String.valueOf(e.getMessage())).asException();
    }
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
              ? datasets.create(body, format, options, key)
              : new FormUpload(
                      datasets,
                      new FormParts(body, boundary, limits.form()),
                      InteropRequest.dataset(request))
                  .create(options, key);
      writeResponse.send(request, response, body, result);
    }
  }
}
