package dev.quiver.server.write;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.formats.Format;
import dev.quiver.server.access.Access;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.AcceptEncoding;
import dev.quiver.server.http.CodingPolicy;
import dev.quiver.server.http.Negotiation;
import dev.quiver.server.http.RequestHead;
import dev.quiver.server.http.VaryHeader;
import dev.quiver.server.read.FileRepresentations;
import dev.quiver.server.read.NegotiatedCodec;
import dev.quiver.server.read.ReadParameters;
import dev.quiver.server.read.TableRepresentations;
import dev.quiver.server.read.VersionRepresentations;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.TextParameters;
import dev.quiver.server.transfer.DecodedRequestBody;
import dev.quiver.server.transfer.FileBody;
import dev.quiver.server.transfer.Representation;
import dev.quiver.server.transfer.Responder;
import dev.quiver.server.transfer.ResponseAdmission;
import dev.quiver.server.transfer.WorkbookFiles;
import dev.quiver.sql.query.ParquetFiles;
import dev.quiver.store.Datasets;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Converts a body to the format of `Accept` without storing it.
@RestController
public final class ConvertController {

  /// The name under which clients save the response.
  private static final DatasetReference NAME = DatasetReference.parse("converted");

  private final Datasets datasets;
  private final Responder responder;
  private final RequestLimits limits;
  private final InFlightBytes inFlight;
  private final ArrowBodies bodies;
  private final Limit textLimit;
  private final ResponseAdmission admission;
  private final WorkbookFiles workbookFiles;
  private final ParquetFiles parquetFiles;

  ConvertController(
      Datasets datasets,
      Responder responder,
      QuiverProperties properties,
      InFlightBytes inFlight,
      ArrowBodies bodies,
      ResponseAdmission admission,
      WorkbookFiles workbookFiles,
      ParquetFiles parquetFiles) {
    this.workbookFiles = workbookFiles;
    this.parquetFiles = parquetFiles;
    this.datasets = datasets;
    this.responder = responder;
    this.admission = admission;
    this.limits = properties.limits();
    this.inFlight = inFlight;
    this.bodies = bodies;
    this.textLimit = limits.text();
  }

  @PostMapping(Paths.CONVERT)
  void convert(HttpServletRequest request, HttpServletResponse response) throws IOException {
    // The headers are validated before the body is read, so that a client need not send it in vain.
    Format format = Negotiation.choose(request, response, Format.OFFERED, Format::mediaType);
    ReadParameters parameters = ReadParameters.of(request, format);
    VaryHeader.add(response, "Accept-Encoding");
    AcceptEncoding.of(request).choose(codings(format, parameters.codec()), false);
    RequestHead head = RequestHead.of(request);
    UploadFormat.Data bodyFormat = UploadFormat.of(head);
    try (DecodedRequestBody body = DecodedRequestBody.of(head, request, limits, inFlight)) {
      send(request, response, body, bodyFormat, format, parameters);
      body.discardRest(response);
    }
  }

  private void send(
      HttpServletRequest request,
      HttpServletResponse response,
      DecodedRequestBody body,
      UploadFormat.Data bodyFormat,
      Format format,
      ReadParameters parameters)
      throws IOException {
    long rows = parameters.selection().firstRows();
    try (var _ = admission.acquireForBody();
        ArrowBody data = bodies.of(body, bodyFormat, Access.principal(request), rows);
        Snapshot snapshot = datasets.convert(data);
        FileBody file = new FileBody()) {
      body.receiveShortRest();
      body.leaveRest(request, response);
      VersionRepresentations versions = new VersionRepresentations(NAME, snapshot);
      Representation converted =
          switch (format.family()) {
            case ARROW -> {
              NegotiatedCodec codec =
                  NegotiatedCodec.choose(request, response, format, snapshot.summary());
              yield versions.arrow(format, parameters, codec);
            }
            case TEXT -> versions.rows(format, parameters, textLimit);
            case TABLE ->
                new TableRepresentations(versions)
                    .table(parameters, TextParameters.table(request, limits.table()));
            case EXCEL ->
                new FileRepresentations(versions)
                    .workbookOnce(parameters, workbookFiles, file, response);
            case PARQUET ->
                new FileRepresentations(versions)
                    .parquetOnce(parameters, parquetFiles, Access.principal(request), file);
            case PAGE, MULTIPART -> throw format.unexpected();
          };
      responder.sendOnce(request, response, converted.without("Link"));
    }
  }

  /// Returns the content codings that are possible as far as the headers tell. Once the body is
  /// known, `Accept` may still select a buffer codec.
  private static CodingPolicy codings(Format format, RequestedCodec requested) {
    return requested.of(Codec.NONE) == Codec.NONE ? CodingPolicy.of(format) : CodingPolicy.NEVER;
  }
}
