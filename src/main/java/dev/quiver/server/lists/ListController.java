package dev.quiver.server.lists;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.formats.Format;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.CodingPolicy;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.Negotiation;
import dev.quiver.server.pages.PageTemplate;
import dev.quiver.server.resource.ParameterParser;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.TextParameters;
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
import java.util.Objects;
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
    Format format = Negotiation.choose(request, response, Format.STREAMED, Format::mediaType);
    send(request, response, format);
  }

  @GetMapping(Paths.DATASETS + Paths.IN_STREAMED_FORMAT)
  void suffixed(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String suffix = request.getServletPath().substring(Paths.DATASETS.length());
    send(request, response, Objects.requireNonNull(Format.ofSuffix(suffix)));
  }

  @GetMapping(Paths.INDEX)
  void index(HttpServletRequest request, HttpServletResponse response) throws IOException {
    DatasetFilter filter = ListParameters.ofIndex(request);
    Limit limit = limits.index();
    if (lists.isLongerThan(limit.maximum(), filter)) {
      throw limit.exceeded(
          "datasets in an index", InputLocation.detail("parameter prefix, which narrows it"));
    }
    PageTemplate.HEADERS.forEach(response::setHeader);
    DatasetQuery query = new DatasetQuery(filter, DatasetOrder.BY_NAME, null, Long.MAX_VALUE);
    responder.sendCurrent(
        request,
        response,
        Format.HTML.mediaType(),
        CodingPolicy.TEXT,
        new BodySource.ListStream(new DatasetIndex(lists.source(query))));
  }

  private void send(HttpServletRequest request, HttpServletResponse response, Format format)
      throws IOException {
    if (format != Format.TABLE) {
      ParameterParser.reject(request, "width", "a table of characters");
    }
    if (format == Format.JSON) {
      BodySource document =
          new BodySource.AdmittedDocument(lists.document(ListParameters.ofDocument(request)));
      responder.sendCurrent(request, response, Json.MEDIA_TYPE, CodingPolicy.TEXT, document);
      return;
    }
    DatasetQuery query = ListParameters.ofTable(request).query();
    DatasetSource source = lists.source(query);
    response.setHeader(
        "Content-Disposition",
        "%s; filename=\"datasets%s\"".formatted(format.disposition(), format.suffix()));
    StreamingBody body =
        switch (format.family()) {
          case TEXT -> new DatasetRowsBody(source, format, limits.text());
          case TABLE ->
              new DatasetTerminalTable(source, TextParameters.table(request, limits.table()));
          default -> new DatasetArrowBody(source, format);
        };
    responder.sendCurrent(
        request,
        response,
        format.mediaType(),
        format.family() == Format.Family.ARROW ? CodingPolicy.NEVER : CodingPolicy.TEXT,
        table(query, body));
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
