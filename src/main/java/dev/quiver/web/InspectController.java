package dev.quiver.web;

import dev.quiver.inspect.InspectOptions;
import dev.quiver.inspect.Inspector;
import dev.quiver.inspect.Report;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.storage.StorageFullException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Tells what is in a body, and what is wrong with it. Nothing is stored.
@RestController
final class InspectController {

  static final String PATH = "/inspect";

  private final InspectOptions options;
  private final Responder responder;
  private final QuiverProperties.RequestLimits limits;
  private final MadeResponses made;

  InspectController(
      InspectOptions options,
      Responder responder,
      QuiverProperties properties,
      MadeResponses made) {
    this.options = options;
    this.responder = responder;
    this.made = made;
    this.limits = properties.limits();
  }

  @PostMapping(PATH)
  void inspect(HttpServletRequest request, HttpServletResponse response) throws IOException {
    BodyFormat format = UploadFormat.of(request);
    // The report is whole before its status is sent.
    try (var _ = made.takeForBody();
        UploadBody body = UploadBody.of(request, limits, options.inFlight());
        Report report = inspect(body, format)) {
      Piece[] pieces = report.parts().stream().map(Piece.Bytes::new).toArray(Piece[]::new);
      responder.sendOnce(request, response, Json.MEDIA_TYPE, CodingPolicy.TEXT, Content.of(pieces));
    }
  }

  private Report inspect(UploadBody body, BodyFormat format) throws IOException {
    try {
      return Inspector.inspect(body, format, options);
    } catch (IOException e) {
      // What is too large for memory went to the disk.
      throw StorageFullException.recognised(e);
    }
  }
}
