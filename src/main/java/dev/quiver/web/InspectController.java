package dev.quiver.web;

import dev.quiver.config.QuiverProperties;
import dev.quiver.inspect.InspectOptions;
import dev.quiver.inspect.Inspector;
import dev.quiver.inspect.Report;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.storage.StorageFullException;
import dev.quiver.web.http.CodingPolicy;
import dev.quiver.web.problem.Json;
import dev.quiver.web.request.DecodedRequestBody;
import dev.quiver.web.request.UploadFormat;
import dev.quiver.web.resource.Paths;
import dev.quiver.web.response.BodyPart;
import dev.quiver.web.response.FixedLengthBody;
import dev.quiver.web.response.Responder;
import dev.quiver.web.response.ResponseAdmission;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Tells what is in a body, and what is wrong with it. Nothing is stored.
@RestController
public final class InspectController {

  private final InspectOptions options;
  private final Responder responder;
  private final QuiverProperties.RequestLimits limits;
  private final ResponseAdmission made;

  InspectController(
      InspectOptions options,
      Responder responder,
      QuiverProperties properties,
      ResponseAdmission made) {
    this.options = options;
    this.responder = responder;
    this.made = made;
    this.limits = properties.limits();
  }

  @PostMapping(Paths.INSPECT)
  void inspect(HttpServletRequest request, HttpServletResponse response) throws IOException {
    BodyFormat format = UploadFormat.of(request);
    // The report is whole before its status is sent.
    try (var _ = made.takeForBody();
        DecodedRequestBody body = DecodedRequestBody.of(request, limits, options.inFlight());
        Report report = inspect(body, format)) {
      BodyPart[] pieces = report.parts().stream().map(BodyPart.Bytes::new).toArray(BodyPart[]::new);
      responder.sendOnce(
          request, response, Json.MEDIA_TYPE, CodingPolicy.TEXT, FixedLengthBody.of(pieces));
    }
  }

  private Report inspect(DecodedRequestBody body, BodyFormat format) throws IOException {
    try {
      return Inspector.inspect(body, format, options);
    } catch (IOException e) {
      // What is too large for memory went to the disk.
      throw StorageFullException.recognised(e);
    }
  }
}
