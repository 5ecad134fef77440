package dev.quiver.server.inspect;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.formats.Format;
import dev.quiver.server.access.ListenAddress;
import dev.quiver.server.access.PublicUrls;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.CodingPolicy;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.RequestHead;
import dev.quiver.server.pages.PageTemplate;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.transfer.BodyPart;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.DecodedRequestBody;
import dev.quiver.server.transfer.FixedLengthBody;
import dev.quiver.server.transfer.Responder;
import dev.quiver.server.transfer.ResponseAdmission;
import dev.quiver.server.write.UploadFormat;
import dev.quiver.sql.query.Queries;
import dev.quiver.store.blob.StorageFullException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Reports the contents and the errors of a body without storing it. The page sends files of its
/// reader here.
@RestController
public final class InspectController {

  private final InspectOptions options;
  private final Responder responder;
  private final RequestLimits limits;
  private final ResponseAdmission admission;
  private final PublicUrls publicUrls;
  private final ListenAddress address;
  private final Queries queries;

  InspectController(
      InspectOptions options,
      Responder responder,
      QuiverProperties properties,
      ResponseAdmission admission,
      PublicUrls publicUrls,
      ListenAddress address,
      Queries queries) {
    this.options = options;
    this.responder = responder;
    this.admission = admission;
    this.limits = properties.limits();
    this.publicUrls = publicUrls;
    this.address = address;
    this.queries = queries;
  }

  @GetMapping(Paths.INSPECT)
  void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
    List<String> urls = publicUrls.of(request);
    String site = urls.isEmpty() ? "https://this-service" : urls.getFirst();
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
    BodyFormat format = UploadFormat.arrow(head);
    try (DecodedRequestBody body =
        DecodedRequestBody.of(head, request, limits, options.inFlight())) {
      send(request, response, body, format);
      body.discardRest(response);
    }
  }

  private void send(
      HttpServletRequest request,
      HttpServletResponse response,
      DecodedRequestBody body,
      BodyFormat format)
      throws IOException {
    // The report is complete before the status is sent.
    try (var _ = admission.acquireForBody();
        Report report = inspect(body, format)) {
      body.receiveShortRest();
      body.leaveRest(request, response);
      BodyPart[] parts = report.parts().stream().map(BodyPart.Bytes::new).toArray(BodyPart[]::new);
      BodySource document = new BodySource.Ready(FixedLengthBody.of(parts));
      responder.sendOnce(request, response, Json.MEDIA_TYPE, CodingPolicy.TEXT, document);
    }
  }

  private Report inspect(DecodedRequestBody body, BodyFormat format) throws IOException {
    try {
      return Inspector.inspect(body, format, options);
    } catch (IOException e) {
      // Working memory spills to disk.
      throw StorageFullException.recognized(e);
    }
  }
}
