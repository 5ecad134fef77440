package dev.quiver.server.inspect;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.BatchStream;
import dev.quiver.formats.Format;
import dev.quiver.formats.UploadData;
import dev.quiver.server.access.Access;
import dev.quiver.server.access.ListenAddress;
import dev.quiver.server.access.PublicUrls;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.CodingPolicy;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.RequestHead;
import dev.quiver.server.pages.PageTemplate;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.transfer.BodyPart;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.DecodedRequestBody;
import dev.quiver.server.transfer.FixedLengthBody;
import dev.quiver.server.transfer.Responder;
import dev.quiver.server.transfer.ResponseAdmission;
import dev.quiver.server.write.ArrowBodies;
import dev.quiver.server.write.ArrowBody;
import dev.quiver.server.write.UploadFormat;
import dev.quiver.server.write.UploadParameters;
import dev.quiver.sql.query.Queries;
import dev.quiver.store.blob.StorageFullException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Reports what a body would become, and the errors of Arrow data, without storing it. The page
/// sends files of its reader here.
@RestController
public final class InspectController {

  private final InspectOptions options;
  private final Responder responder;
  private final RequestLimits limits;
  private final ResponseAdmission admission;
  private final PublicUrls publicUrls;
  private final ListenAddress address;
  private final Queries queries;
  private final ArrowBodies bodies;

  InspectController(
      InspectOptions options,
      Responder responder,
      QuiverProperties properties,
      ResponseAdmission admission,
      PublicUrls publicUrls,
      ListenAddress address,
      Queries queries,
      ArrowBodies bodies) {
    this.options = options;
    this.responder = responder;
    this.admission = admission;
    this.limits = properties.limits();
    this.publicUrls = publicUrls;
    this.address = address;
    this.queries = queries;
    this.bodies = bodies;
  }

  @GetMapping(Paths.INSPECT)
  void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String site = publicUrls.site(request);
    PageTemplate.HEADERS.forEach(response::setHeader);
    responder.sendText(
        request,
        response,
        Format.HTML.mediaType(),
        () ->
            new InspectPage(site, address.isWritableFor(request), queries.isAvailable()).render());
  }

  @PostMapping(Paths.INSPECT)
  void inspect(HttpServletRequest request, HttpServletResponse response) throws IOException {
    RequestHead head = RequestHead.of(request);
    UploadFormat.Data format = UploadFormat.of(head);
    boolean mayBeCut = UploadParameters.acceptsTruncated(head);
    try (DecodedRequestBody body =
        DecodedRequestBody.of(head, request, limits, options.inFlight())) {
      try (var _ = admission.acquireForBody();
          ArrowBody data =
              bodies.of(body, format, Access.principal(request), FilePreview.ROW_COUNT_MAXIMUM)) {
        if (mayBeCut) {
          data.mayBeCut();
        }
        switch (data.open()) {
          case UploadData.Arrow arrow -> {
            if (!arrow.renames().isEmpty()) {
              throw Problem.badRequest(
                  "Expected a file of another format but found Arrow data at parameter rename",
                  "Leave out rename.");
            }
            try (Report report = report(arrow.body(), arrow.declared())) {
              send(request, response, body, report.parts().toArray(MemorySegment[]::new));
            }
          }
          case UploadData.Batches(BatchStream stream, _) -> {
            byte[] document = Json.render(FilePreview.of(data, stream));
            send(request, response, body, MemorySegment.ofArray(document));
          }
        }
      }
      body.discardRest(response);
    }
  }

  /// Sends a document, which is complete before the status is sent.
  private void send(
      HttpServletRequest request,
      HttpServletResponse response,
      DecodedRequestBody body,
      MemorySegment... document)
      throws IOException {
    body.receiveShortRest();
    body.leaveRest(request, response);
    BodyPart[] parts = Stream.of(document).map(BodyPart.Bytes::new).toArray(BodyPart[]::new);
    responder.sendOnce(
        request,
        response,
        Json.MEDIA_TYPE,
        CodingPolicy.TEXT,
        new BodySource.Ready(FixedLengthBody.of(parts)));
  }

  private Report report(ByteSource body, BodyFormat declared) throws IOException {
    try {
      return Inspector.inspect(body, declared, options);
    } catch (IOException e) {
      // Working memory spills to disk.
      throw StorageFullException.recognized(e);
    }
  }
}
