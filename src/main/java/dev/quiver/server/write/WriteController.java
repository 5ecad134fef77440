package dev.quiver.server.write;

import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.formats.FileReport;
import dev.quiver.server.access.Access;
import dev.quiver.server.access.InteropRequest;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.Preconditions;
import dev.quiver.server.http.RequestHead;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.VersionHeaders;
import dev.quiver.server.transfer.DecodedRequestBody;
import dev.quiver.store.Datasets;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/// Writes of datasets whose bodies arrive with their requests: conditional puts, appends, creations
/// without a given name, deletes and compactions.
@RestController
final class WriteController {

  private final Datasets datasets;
  private final Writes writes;
  private final RequestLimits limits;
  private final InFlightBytes inFlight;

  WriteController(
      Datasets datasets, Writes writes, QuiverProperties properties, InFlightBytes inFlight) {
    this.datasets = datasets;
    this.writes = writes;
    this.limits = properties.limits();
    this.inFlight = inFlight;
  }

  @PutMapping(Paths.DATASET)
  void put(@PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    store(WriteRequest.Kind.PUT, dataset, request, response);
  }

  @PostMapping(Paths.DATASET)
  void append(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    store(WriteRequest.Kind.APPEND, dataset, request, response);
  }

  private void store(
      WriteRequest.Kind kind,
      String dataset,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    RequestHead head = RequestHead.of(request);
    WriteRequest write =
        WriteRequest.ofDataset(kind, dataset, head, Access.of(request), /* ownKey= */ null);
    store(write, head, request, response);
  }

  @PostMapping(Paths.DATASETS)
  void create(HttpServletRequest request, HttpServletResponse response) throws IOException {
    RequestHead head = RequestHead.of(request);
    WriteRequest write =
        WriteRequest.ofUnnamed(
            head, Access.of(request), InteropRequest.dataset(request), /* ownKey= */ null);
    store(write, head, request, response);
  }

  private void store(
      WriteRequest write,
      RequestHead head,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    try (DecodedRequestBody body = DecodedRequestBody.of(head, request, limits, inFlight)) {
      WriteResponse.send(
          request, response, body, writes.store(write, body, /* onFinal= */ () -> {}));
    }
  }

  @DeleteMapping(Paths.DATASET)
  void delete(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Set<String> earlier = Access.of(request).earlierNames();
    DatasetName name = DatasetPath.parseWritten(dataset, request.getMethod(), earlier).name();
    VersionSummary delete =
        datasets.delete(name, Preconditions.of(RequestHead.of(request)).ofWrite(name));
    VersionHeaders.setVersion(response, delete);
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }

  /// Compacts the small appends of a dataset immediately instead of in the background. Ignores the
  /// body.
  @PostMapping(Paths.DATASET + Paths.COMPACT)
  void compact(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    DatasetPath.requireNoVersion(reference);
    DatasetName name = reference.name();
    RequestHead head = RequestHead.of(request);
    boolean isVerbose = UploadParameters.isVerbose(head);
    WriteResult result = datasets.compact(name, Preconditions.of(head).ofWrite(name));
    WriteResponse.send(
        response,
        WriteResponse.of(
            result, Access.permissions(request), /* inferred= */ null, FileReport.NONE, isVerbose));
  }
}
