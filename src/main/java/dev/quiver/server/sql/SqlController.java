package dev.quiver.server.sql;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.terminal.TerminalTable;
import dev.quiver.formats.Format;
import dev.quiver.server.access.Access;
import dev.quiver.server.access.ListenAddress;
import dev.quiver.server.access.PublicUrls;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.CodingPolicy;
import dev.quiver.server.http.Negotiation;
import dev.quiver.server.http.RequestHead;
import dev.quiver.server.http.RequestOrigin;
import dev.quiver.server.http.VaryHeader;
import dev.quiver.server.pages.PageTemplate;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.transfer.Body;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.DecodedRequestBody;
import dev.quiver.server.transfer.FileBody;
import dev.quiver.server.transfer.Responder;
import dev.quiver.server.transfer.ResponseAdmission;
import dev.quiver.server.transfer.WorkbookFiles;
import dev.quiver.server.write.SqlRequest;
import dev.quiver.sql.execution.ResultBatches;
import dev.quiver.sql.query.ParquetFiles;
import dev.quiver.sql.query.Queries;
import dev.quiver.sql.query.Query;
import dev.quiver.sql.query.ReadProgress;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Statements: one SELECT over the stored datasets, whose result is sent while it is computed.
@RestController
final class SqlController {

  /// The versions that a statement read, such as `flights@3, sample@1`.
  private static final String VERSIONS = "Quiver-Versions";

  /// The formats of results for readers without a program, in order of preference.
  private static final List<Format> READABLE_FIRST = Format.preferring(Format.JSON, Format.OFFERED);

  private final Queries queries;
  private final WorkbookFiles workbookFiles;
  private final ParquetFiles parquetFiles;
  private final Responder responder;
  private final ResponseAdmission admission;
  private final InFlightBytes inFlight;
  private final RequestLimits limits;
  private final SqlMetrics metrics;
  private final RunningStatements statements;
  private final Limit statementLimit;
  private final PublicUrls publicUrls;
  private final ListenAddress address;

  SqlController(
      Queries queries,
      WorkbookFiles workbookFiles,
      ParquetFiles parquetFiles,
      Responder responder,
      ResponseAdmission admission,
      InFlightBytes inFlight,
      SqlMetrics metrics,
      RunningStatements statements,
      QuiverProperties properties,
      PublicUrls publicUrls,
      ListenAddress address) {
    this.queries = queries;
    this.workbookFiles = workbookFiles;
    this.parquetFiles = parquetFiles;
    this.responder = responder;
    this.admission = admission;
    this.inFlight = inFlight;
    this.metrics = metrics;
    this.statements = statements;
    this.limits = properties.limits();
    this.statementLimit = properties.sql().text();
    this.publicUrls = publicUrls;
    this.address = address;
  }

  @GetMapping({Paths.SQL, Paths.SQL + Paths.IN_ANY_FORMAT})
  void get(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (isOfPage(request) || RequestOrigin.isLinkedFromElsewhere(request)) {
      show(request, response);
      return;
    }
    Format format = format(request, response);
    SqlRequest sql = SqlRequest.ofQuery(request);
    ResultOptions options = ResultOptions.of(request, format, limits.table());
    String id = StatementId.of(request);
    run(
        request,
        response,
        id,
        sql,
        format,
        options,
        (result, body) ->
            responder.sendComputed(
                request,
                response,
                format.mediaType(),
                CodingPolicy.of(format),
                result.tag(),
                result.expiresAt(),
                body));
  }

  /// Sends a result.
  @FunctionalInterface
  private interface Sending {

    void send(SqlResult result, BodySource.Computed body) throws IOException;
  }

  /// Opens a statement, describes its result, and counts how it ends.
  ///
  /// @param id the name of the statement, or null
  private void run(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable String id,
      SqlRequest sql,
      Format format,
      ResultOptions options,
      Sending sending)
      throws IOException {
    ReadProgress progress = new ReadProgress();
    try (var _ = statements.begin(Access.of(request).principal(), id, progress)) {
      metrics.record(() -> {
        try (Query query = queries.open(sql.sql(), Access.principal(request));
            FileBody file = new FileBody()) {
          SqlResult result = new SqlResult(sql, query, format, options);
          describe(response, result);
          sending.send(result, body(result, progress, file, response));
        }
      });
    }
  }

  /// Shows the page of statements, with the one of a link instead of its result.
  private void show(HttpServletRequest request, HttpServletResponse response) throws IOException {
    queries.requireAvailable();
    VaryHeader.add(response, "Accept");
    PageTemplate.HEADERS.forEach(response::setHeader);
    SqlPage page =
        new SqlPage(publicUrls.site(request), linked(request), address.isWritableFor(request));
    responder.sendText(request, response, Format.HTML.mediaType(), page::render);
  }

  private static SqlPage.@Nullable Linked linked(HttpServletRequest request) {
    String suffix = suffix(request);
    String sql = SqlRequest.find(request);
    return sql == null
        ? null
        : new SqlPage.Linked(
            sql,
            "%s%s?%s"
                .formatted(
                    Paths.SQL,
                    suffix.isEmpty() ? Format.JSON.suffix() : suffix,
                    request.getQueryString()));
  }

  /// Returns whether a GET is for the page: from a tab of a browser, without a suffix.
  private static boolean isOfPage(HttpServletRequest request) {
    return suffix(request).isEmpty() && isOfBrowser(request);
  }

  private static String suffix(HttpServletRequest request) {
    return request.getServletPath().substring(Paths.SQL.length());
  }

  @PostMapping({Paths.SQL, Paths.SQL + Paths.IN_ANY_FORMAT})
  void post(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Format format = format(request, response);
    ResultOptions options = ResultOptions.of(request, format, limits.table());
    String id = StatementId.of(request);
    RequestHead head = RequestHead.of(request);
    try (var _ = admission.acquireForBody()) {
      SqlRequest sql;
      try (DecodedRequestBody body = DecodedRequestBody.of(head, request, limits, inFlight)) {
        sql = SqlRequest.ofBody(head, body, statementLimit);
      }
      run(
          request,
          response,
          id,
          sql,
          format,
          options,
          (_, body) ->
              responder.sendOnce(
                  request, response, format.mediaType(), CodingPolicy.of(format), body));
    }
  }

  /// @param file keeps the file of the response until it is sent, if it has one
  private BodySource.Computed body(
      SqlResult result, ReadProgress progress, FileBody file, HttpServletResponse response) {
    SqlRequest sql = result.sql();
    ResultOptions options = result.options();
    return new BodySource.Computed(
        () -> {
          ResultBatches batches =
              result.query().run(options.prefix(), sql.parameters(), sql.timeout(), progress);
          return switch (result.format().family()) {
            case TABLE -> {
              TerminalTable.Form form = Objects.requireNonNull(options.table());
              yield counted(ResultTable.of(batches, options.text(), form), batches, response);
            }
            case ARROW, TEXT ->
                new ResultBody(
                    batches,
                    result.format(),
                    options.codec().of(Codec.NONE),
                    options.text(),
                    limits.text());
            case EXCEL ->
                counted(
                    workbookFiles.once(file, rows(batches, options), response), batches, response);
            case PARQUET ->
                counted(
                    file.own(parquetFiles.write(batches, result.query().principal())),
                    batches,
                    response);
            case PAGE, MULTIPART -> throw result.format().unexpected();
          };
        },
        () -> result.query().bind(options.prefix(), sql.parameters()));
  }

  /// Returns a body that was made of all rows of a result, and sets the header with their number.
  private static Body counted(Body body, ResultBatches read, HttpServletResponse response) {
    response.setHeader("Arrow-Row-Count", Long.toString(read.rowCount()));
    return body;
  }

  private static WorkbookFiles.Rows rows(ResultBatches batches, ResultOptions options) {
    return new WorkbookFiles.Rows(
        options.name().value(),
        options.text(),
        batches.schema(),
        sink -> {
          for (RecordBatch batch = batches.next(); batch != null; batch = batches.next()) {
            sink.write(batch);
          }
        });
  }

  private static void describe(HttpServletResponse response, SqlResult result) {
    String versions = result.versions();
    if (!versions.isEmpty()) {
      response.setHeader(VERSIONS, versions);
    }
    Format format = result.format();
    response.setHeader(
        "Content-Disposition",
        "%s; filename=\"%s%s\""
            .formatted(format.disposition(), result.options().name().value(), format.suffix()));
  }

  /// Returns whether the client would rather have a page. A tab of a browser shows JSON as well.
  private static boolean isOfBrowser(HttpServletRequest request) {
    return Negotiation.prefers(request, "text/html", Format.STREAM.mediaType());
  }

  private static Format format(HttpServletRequest request, HttpServletResponse response) {
    String suffix = suffix(request);
    if (suffix.isEmpty()) {
      List<Format> offers = isOfBrowser(request) ? READABLE_FIRST : Format.OFFERED;
      return Negotiation.choose(request, response, offers, Format::mediaType);
    }
    return Objects.requireNonNull(Format.ofSuffix(suffix));
  }
}
