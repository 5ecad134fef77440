package dev.quiver.web;

import dev.quiver.config.QuiverProperties;
import dev.quiver.config.RequestLimits;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.listing.DatasetFilter;
import dev.quiver.dataset.listing.DatasetOrder;
import dev.quiver.dataset.listing.DatasetQuery;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;
import dev.quiver.web.http.CodingPolicy;
import dev.quiver.web.http.Negotiation;
import dev.quiver.web.problem.Json;
import dev.quiver.web.representation.DatasetArrowBody;
import dev.quiver.web.representation.DatasetIndex;
import dev.quiver.web.representation.DatasetRowsBody;
import dev.quiver.web.representation.DatasetSource;
import dev.quiver.web.representation.PageTemplate;
import dev.quiver.web.request.ListParameters;
import dev.quiver.web.resource.DatasetFormat;
import dev.quiver.web.resource.DatasetPath;
import dev.quiver.web.resource.Documents;
import dev.quiver.web.resource.Paths;
import dev.quiver.web.resource.RowsFormat;
import dev.quiver.web.resource.StoredFormat;
import dev.quiver.web.resource.UnsuffixedFormat;
import dev.quiver.web.response.BodySource;
import dev.quiver.web.response.Responder;
import dev.quiver.web.response.StreamingBody;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The list of datasets: as a JSON document of pages, as a table, and as an index for programs that
/// read folders of web servers.
@RestController
final class ListController {

  private final Datasets datasets;
  private final Responder responder;
  private final RequestLimits limits;

  ListController(Datasets datasets, Responder responder, QuiverProperties properties) {
    this.datasets = datasets;
    this.responder = responder;
    this.limits = properties.limits();
  }

  @GetMapping(Paths.DATASETS)
  void list(HttpServletRequest request, HttpServletResponse response) throws IOException {
    DatasetFormat format =
        Negotiation.choose(request, response, DatasetPath.READABLE_LISTS, DatasetFormat::mediaType);
    send(request, response, format);
  }

  @GetMapping({
    Paths.DATASETS + ".json",
    Paths.DATASETS + ".jsonl",
    Paths.DATASETS + ".csv",
    Paths.DATASETS + ".tsv",
    Paths.DATASETS + ".arrow",
    Paths.DATASETS + ".arrows"
  })
  void suffixed(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String suffix = request.getServletPath().substring(Paths.DATASETS.length());
    for (DatasetFormat format : DatasetPath.READABLE) {
      if (format.suffix().equals(suffix)) {
        send(request, response, format);
        return;
      }
    }
    throw new IllegalStateException("Expected the suffix of a format but found " + suffix);
  }

  @GetMapping(Paths.INDEX)
  void index(HttpServletRequest request, HttpServletResponse response) throws IOException {
    DatasetFilter filter = ListParameters.ofIndex(request);
    Limit limit = limits.index();
    if (datasets.isLongerThan(limit.maximum(), filter)) {
      throw limit.exceeded(
          "datasets in an index", InputLocation.detail("parameter prefix, which narrows it"));
    }
    PageTemplate.HEADERS.forEach(response::setHeader);
    DatasetQuery query = new DatasetQuery(filter, DatasetOrder.BY_NAME, null, Long.MAX_VALUE);
    send(
        request,
        response,
        UnsuffixedFormat.HTML.mediaType(),
        CodingPolicy.TEXT,
        new DatasetIndex(source(query)));
  }

  private void send(HttpServletRequest request, HttpServletResponse response, DatasetFormat format)
      throws IOException {
    if (format == RowsFormat.JSON) {
      ListParameters parameters = ListParameters.ofDocument(request);
      responder.sendText(
          request, response, Json.MEDIA_TYPE, () -> Json.render(document(parameters)));
      return;
    }
    DatasetSource source = source(ListParameters.ofTable(request).query());
    String name = "datasets" + format.suffix();
    switch (format) {
      case RowsFormat rows -> {
        setDisposition(response, rows.disposition(), name);
        StreamingBody body = new DatasetRowsBody(source, rows, limits.text());
        send(request, response, rows.mediaType(), CodingPolicy.TEXT, body);
      }
      case StoredFormat arrow -> {
        setDisposition(response, "attachment", name);
        StreamingBody body = new DatasetArrowBody(source, arrow);
        send(request, response, arrow.mediaType(), CodingPolicy.NEVER, body);
      }
    }
  }

  private static void setDisposition(HttpServletResponse response, String type, String name) {
    response.setHeader("Content-Disposition", type + "; filename=\"" + name + "\"");
  }

  private void send(
      HttpServletRequest request,
      HttpServletResponse response,
      String mediaType,
      CodingPolicy codings,
      StreamingBody body)
      throws IOException {
    responder.sendCurrent(request, response, mediaType, codings, new BodySource.Ready(body));
  }

  private DatasetSource source(DatasetQuery query) {
    return pages -> datasets.list(query, limits.sorted(), pages);
  }

  private Documents.DatasetList document(ListParameters parameters) throws IOException {
    DatasetQuery query = parameters.query();
    List<VersionSummary> found = new ArrayList<>();
    // One more than requested shows whether there is a next page.
    source(query.withLimit(query.limit() + 1)).list(found::addAll);
    List<VersionSummary> page = found.subList(0, (int) Math.min(query.limit(), found.size()));
    return new Documents.DatasetList(
        page.stream().map(Documents.Version::of).toList(),
        parameters.total() ? datasets.count(query.filter()) : null,
        found.size() > page.size() ? parameters.next(page.getLast()) : null);
  }
}
