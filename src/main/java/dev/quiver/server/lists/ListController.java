package dev.quiver.server.lists;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.CodingPolicy;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.Negotiation;
import dev.quiver.server.pages.PageTemplate;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.RowsFormat;
import dev.quiver.server.resource.StoredFormat;
import dev.quiver.server.resource.StreamedFormat;
import dev.quiver.server.resource.UnsuffixedFormat;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.Responder;
import dev.quiver.server.transfer.StreamingBody;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.catalog.DatasetFilter;
import dev.quiver.store.catalog.DatasetOrder;
import dev.quiver.store.catalog.DatasetQuery;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The list of datasets: as a JSON document of pages, as a table, and as an index for programs that
/// read folders of web servers.
@RestController
final class ListController {

  private final DatasetLists lists;
  private final Responder responder;
  private final RequestLimits limits;

  ListController(DatasetLists lists, Responder responder, QuiverProperties properties) {
    this.lists = lists;
    this.responder = responder;
    this.limits = properties.limits();
  }

  @GetMapping(Paths.DATASETS)
  void list(HttpServletRequest request, HttpServletResponse response) throws IOException {
    StreamedFormat format =
        Negotiation.choose(
            request, response, DatasetPath.READABLE_LISTS, StreamedFormat::mediaType);
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
    for (StreamedFormat format : DatasetPath.READABLE_LISTS) {
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
    if (lists.isLongerThan(request, limit.maximum(), filter)) {
      throw limit.exceeded(
          "datasets in an index", InputLocation.detail("parameter prefix, which narrows it"));
    }
    PageTemplate.HEADERS.forEach(response::setHeader);
    DatasetQuery query = new DatasetQuery(filter, DatasetOrder.BY_NAME, null, Long.MAX_VALUE);
    responder.sendCurrent(
        request,
        response,
        UnsuffixedFormat.HTML.mediaType(),
        CodingPolicy.TEXT,
        new BodySource.ListStream(new DatasetIndex(lists.source(request, query))));
  }

  private void send(HttpServletRequest request, HttpServletResponse response, StreamedFormat format)
      throws IOException {
    if (format == RowsFormat.JSON) {
      BodySource document =
          new BodySource.AdmittedDocument(
              lists.document(request, ListParameters.ofDocument(request)));
      responder.sendCurrent(request, response, Json.MEDIA_TYPE, CodingPolicy.TEXT, document);
      return;
    }
    DatasetQuery query = ListParameters.ofTable(request).query();
    DatasetSource source = lists.source(request, query);
    String name = "datasets" + format.suffix();
    switch (format) {
      case RowsFormat rows -> {
        setDisposition(response, rows.disposition(), name);
        StreamingBody body = new DatasetRowsBody(source, rows, limits.text());
        responder.sendCurrent(
            request, response, rows.mediaType(), CodingPolicy.TEXT, table(query, body));
      }
      case StoredFormat arrow -> {
        setDisposition(response, "attachment", name);
        StreamingBody body = new DatasetArrowBody(source, arrow);
        responder.sendCurrent(
            request, response, arrow.mediaType(), CodingPolicy.NEVER, table(query, body));
      }
    }
  }

  private static void setDisposition(HttpServletResponse response, String type, String name) {
    response.setHeader("Content-Disposition", type + "; filename=\"" + name + "\"");
  }

  /// Returns a table as a body: a sorted one is complete before it is sent, so that it holds no
  /// datasets while it waits for a slow client.
  private static BodySource table(DatasetQuery query, StreamingBody table) {
    return query.order().equals(DatasetOrder.BY_NAME)
        ? new BodySource.ListStream(table)
        : new BodySource.AdmittedDocument(output ->
            table.writeTo(
                BlobSink.reading(bytes -> output.write(bytes.toArray(ValueLayout.JAVA_BYTE)))));
  }
}
