package dev.quiver.server.read;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.formats.Format;
import dev.quiver.server.access.Access;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.events.WaitingRequests;
import dev.quiver.server.http.Negotiation;
import dev.quiver.server.http.PreferredWait;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.TextParameters;
import dev.quiver.server.resource.VersionHeaders;
import dev.quiver.server.transfer.FileBody;
import dev.quiver.server.transfer.Representation;
import dev.quiver.server.transfer.Responder;
import dev.quiver.server.transfer.WorkbookFiles;
import dev.quiver.sql.query.Conditions;
import dev.quiver.sql.query.ParquetFiles;
import dev.quiver.sql.query.Queries;
import dev.quiver.store.Datasets;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Reads of the data of a dataset, whole or by range, in the requested format.
@RestController
@RequestMapping(Paths.DATASET)
final class DatasetController {

  private final Datasets datasets;
  private final Responder responder;
  private final TextFiles textFiles;
  private final WorkbookFiles workbookFiles;
  private final WaitingRequests waitingRequests;
  private final Conditions conditions;
  private final ParquetFiles parquetFiles;
  private final Limit tableRows;
  private final boolean queryable;

  DatasetController(
      Datasets datasets,
      Responder responder,
      TextFiles textFiles,
      WorkbookFiles workbookFiles,
      WaitingRequests waitingRequests,
      Conditions conditions,
      ParquetFiles parquetFiles,
      QuiverProperties properties,
      Queries queries) {
    this.datasets = datasets;
    this.responder = responder;
    this.textFiles = textFiles;
    this.workbookFiles = workbookFiles;
    this.waitingRequests = waitingRequests;
    this.conditions = conditions;
    this.parquetFiles = parquetFiles;
    this.tableRows = properties.limits().table();
    this.queryable = queries.isAvailable();
  }

  @GetMapping
  void get(@PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Access access = Access.of(request);
    access.requireCurrent();
    DatasetPath path = DatasetPath.parse(dataset, access.earlierNames());
    Long since = ReadParameters.since(request);
    boolean mayWait = since != null && path.reference().version() == null;
    PreferredWait wait = mayWait ? waitingRequests.preferred(request) : PreferredWait.NONE;
    try (Snapshot snapshot = open(path.reference(), since, wait);
        FileBody file = new FileBody()) {
      boolean waits = snapshot.isEmpty() && wait.seconds() > 0;
      if (!waits) {
        setHeaders(path, snapshot, mayWait ? wait : null, request, response);
      }
      // A request that fails whatever the next version has does not wait for it.
      Representation representation = represent(path, snapshot, file, request, response);
      if (waits) {
        Instant latest = access.end();
        if (waitingRequests.await(request, response, wait, latest, snapshot.summary())) {
          return;
        }
        setHeaders(path, snapshot, wait, request, response);
      }
      responder.send(request, response, representation);
    }
  }

  /// @param wait null for a request that cannot wait
  private static void setHeaders(
      DatasetPath path,
      Snapshot snapshot,
      @Nullable PreferredWait wait,
      HttpServletRequest request,
      HttpServletResponse response) {
    if (wait != null) {
      wait.setHeaders(response);
    }
    VersionHeaders.set(request, response, path.reference(), snapshot.summary());
  }

  /// Negotiates a representation, without its body.
  private Representation represent(
      DatasetPath path,
      Snapshot snapshot,
      FileBody file,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    VersionRepresentations versions = new VersionRepresentations(path.reference(), snapshot);
    Format suffixed = path.format();
    Format format =
        suffixed == null
            ? Negotiation.choose(request, response, Format.NEGOTIATED, Format::mediaType)
            : suffixed;
    ReadParameters parameters = matching(ReadParameters.of(request, format), request, snapshot);
    return switch (format.family()) {
      case ARROW ->
          suffixed == null
              ? negotiated(format, versions, parameters, request, response)
              : versions.arrow(format, parameters);
      case TEXT -> versions.rows(format, parameters, textFiles, file);
      case TABLE ->
          new TableRepresentations(versions)
              .table(parameters, TextParameters.table(request, tableRows));
      case EXCEL ->
          new FileRepresentations(versions).workbook(parameters, workbookFiles, file, response);
      case PARQUET ->
          new FileRepresentations(versions)
              .parquet(parameters, parquetFiles, Access.principal(request), file);
      case PAGE -> versions.page(parameters, Access.permissions(request), queryable);
      case MULTIPART ->
          versions.mixed(
              negotiated(Format.STREAM, versions, parameters, request, response),
              parameters,
              footnotes(request));
    };
  }

  private Snapshot open(DatasetReference reference, @Nullable Long since, PreferredWait wait)
      throws IOException {
    return since != null && wait.seconds() > 0
        ? datasets.openWatched(reference, since)
        : datasets.open(reference, since);
  }

  /// Evaluates the condition of a request, if it has one.
  private ReadParameters matching(
      ReadParameters parameters, HttpServletRequest request, Snapshot snapshot) throws IOException {
    return parameters.matching(
        snapshot, condition -> conditions.matches(snapshot, condition, Access.principal(request)));
  }

  private static Representation negotiated(
      Format format,
      VersionRepresentations versions,
      ReadParameters parameters,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    NegotiatedCodec codec =
        NegotiatedCodec.choose(request, response, format, versions.snapshot().summary());
    return versions.arrow(format, parameters, codec);
  }

  /// Returns whether the request has the parameter `include_footnotes`, which the Arrow project's
  /// example of multipart responses uses.
  private static boolean footnotes(HttpServletRequest request) {
    return request.getParameter("include_footnotes") != null;
  }
}
