package dev.quiver.server.write;

import dev.quiver.server.http.MediaTypes;
import dev.quiver.server.http.QueryString;
import dev.quiver.server.http.RequestHead;
import dev.quiver.store.log.ResumableUpload;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;

/// The first request of an upload in parts, which states all but the body. Its head is that of a
/// request whose body would have arrived at once.
final class FirstRequest {

  /// The headers that the first request fixes, in lower case.
  private static final Set<String> FIXED =
      Set.of(
          "accept",
          "content-encoding",
          "content-type",
          "idempotency-key",
          "if-match",
          "if-modified-since",
          "if-none-match",
          "if-unmodified-since",
          "prefer",
          "repr-digest");

  /// The position of the name of a dataset among the segments and separators of a path.
  private static final int DATASET_ELEMENT = 3;

  private FirstRequest() {}

  /// Returns the target and the headers of a request that count once the body is whole.
  static ResumableUpload.Request of(HttpServletRequest request) {
    List<ResumableUpload.Header> headers = new ArrayList<>();
    for (String name : FIXED) {
      for (String value : Collections.list(request.getHeaders(name))) {
        boolean unknownType =
            name.equals("content-type")
                && value.toLowerCase(Locale.ROOT).startsWith(MediaTypes.PARTIAL_UPLOAD);
        if (!unknownType) {
          headers.add(new ResumableUpload.Header(name, value));
        }
      }
    }
    String query = request.getQueryString();
    return new ResumableUpload.Request(
        request.getMethod(), request.getRequestURI() + (query == null ? "" : "?" + query), headers);
  }

  /// Returns the head of the request with all of the body.
  ///
  /// @param byteSize the size of the body
  static RequestHead head(ResumableUpload.Request first, long byteSize) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (ResumableUpload.Header header : first.headers()) {
      headers.computeIfAbsent(header.name(), _ -> new ArrayList<>()).add(header.value());
    }
    return new RequestHead(
        first.method(), path(first), QueryString.parameters(query(first)), headers, byteSize);
  }

  /// Returns the path as the client sent it, without the query.
  static String path(ResumableUpload.Request first) {
    int mark = first.target().indexOf('?');
    return mark < 0 ? first.target() : first.target().substring(0, mark);
  }

  /// Returns the query as the client sent it, or null if absent.
  private static @Nullable String query(ResumableUpload.Request first) {
    int mark = first.target().indexOf('?');
    return mark < 0 ? null : first.target().substring(mark + 1);
  }

  /// Returns the decoded segment of the path that names a dataset, or null if absent.
  static @Nullable String datasetSegment(ResumableUpload.Request first) {
    List<PathContainer.Element> elements = PathContainer.parsePath(path(first)).elements();
    return elements.size() > DATASET_ELEMENT
            && elements.get(DATASET_ELEMENT) instanceof PathSegment segment
        ? segment.valueToMatch()
        : null;
  }
}
