package dev.quiver.server;

import dev.quiver.server.access.InteropRequest;
import dev.quiver.server.config.Interop;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.write.SqlRequest;
import dev.quiver.server.write.UploadFormat;
import jakarta.servlet.http.HttpServletRequest;
import java.util.stream.Stream;

/// The value of `Accept-Post` (Linked Data Platform 1.0, §7.1): the media types that a resource
/// accepts in a POST.
public final class AcceptPost {

  private AcceptPost() {}

  public static String of(HttpServletRequest request) {
    if (Paths.isSql(request.getServletPath())) {
      return SqlRequest.ACCEPTED;
    }
    if (Stream.of(Paths.CONVERT, Paths.INSPECT).anyMatch(request.getServletPath()::equals)) {
      return UploadFormat.ACCEPTED;
    }
    boolean forms =
        request.getServletPath().equals(Paths.DATASETS)
            || InteropRequest.posted(request) == Interop.Convention.POST_MULTIPART;
    return forms ? UploadFormat.STORABLE + ", " + UploadFormat.FORM : UploadFormat.STORABLE;
  }

  /// Returns whether a POST to the resource has a body.
  static boolean appliesTo(HttpServletRequest request) {
    String path = request.getServletPath();
    return Stream.of(Paths.COMPACT, Paths.VERIFY, Paths.LINKS).noneMatch(path::endsWith);
  }
}
