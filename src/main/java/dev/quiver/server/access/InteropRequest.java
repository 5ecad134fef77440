package dev.quiver.server.access;

import dev.quiver.formats.Format;
import dev.quiver.server.config.Interop;
import dev.quiver.server.http.AcceptEncoding;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.store.version.DatasetName;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;
import org.springframework.web.util.WebUtils;

/// Wraps a request of a convention as the equivalent request for one of our resources.
public final class InteropRequest extends HttpServletRequestWrapper {

  private final Map<String, String> headers = new HashMap<>();

  private final String method;
  private final String path;
  private final Map<String, String[]> added = new LinkedHashMap<>();
  private Interop.@Nullable Convention posted;
  private @Nullable DatasetName dataset;
  private @Nullable String query;

  private InteropRequest(HttpServletRequest request, String method, String path) {
    super(request);
    this.method = method;
    this.path = path;
    this.query = request.getQueryString();
  }

  static InteropRequest of(HttpServletRequest request, Interop interop) {
    String dataset = DatasetPath.of(interop.dataset());
    String stream = dataset + Format.STREAM.suffix();
    String method = request.getMethod();
    return switch (interop.convention()) {
      // Some example clients cannot decompress buffers.
      case SIMPLE -> new InteropRequest(request, method, stream).withParameter("codec", "none");
      case RANGE -> new InteropRequest(request, method, stream);
      case COMPRESSED -> new InteropRequest(request, method, dataset).withEagerCoding();
      case INDIRECT -> new InteropRequest(request, method, dataset + "/partitions");
      case MULTIPART ->
          new InteropRequest(request, method, dataset)
              .withHeader("Accept", Format.MULTIPART_MIXED.mediaType());
      case POST_SIMPLE -> new InteropRequest(request, "PUT", dataset);
      case POST_MULTIPART ->
          new InteropRequest(request, method, Paths.DATASETS).withDataset(interop.dataset());
    };
  }

  /// Returns a request to the path of a convention with a method that the convention does not have.
  static InteropRequest ofOtherMethod(HttpServletRequest request) {
    return new InteropRequest(request, request.getMethod(), request.getRequestURI());
  }

  /// Returns the dataset for the form of a convention, or null for any other request.
  public static @Nullable DatasetName dataset(HttpServletRequest request) {
    InteropRequest interop = WebUtils.getNativeRequest(request, InteropRequest.class);
    return interop == null ? null : interop.dataset;
  }

  /// Returns the convention for a POST to the path of a request, or null if none applies.
  public static Interop.@Nullable Convention posted(HttpServletRequest request) {
    InteropRequest interop = WebUtils.getNativeRequest(request, InteropRequest.class);
    return interop == null ? null : interop.posted;
  }

  private InteropRequest withDataset(DatasetName name) {
    dataset = name;
    return this;
  }

  /// @param convention that of a POST to the path of the request
  InteropRequest withPosted(Interop.Convention convention) {
    posted = convention;
    return this;
  }

  private InteropRequest withParameter(String name, String value) {
    added.put(name, new String[] {value});
    query = (query == null ? "" : query + "&") + name + "=" + value;
    return this;
  }

  private InteropRequest withHeader(String name, String value) {
    headers.put(name.toLowerCase(Locale.ROOT), value);
    return this;
  }

  /// Prefers a content coding as the example does: whenever one is allowed, and on HTTP/1.1 even
  /// without `Accept-Encoding`. Other requests get gzipped Arrow data only if the client accepts
  /// nothing else.
  private InteropRequest withEagerCoding() {
    String accept = super.getHeader("Accept");
    boolean listsBufferCodecs = accept != null && accept.contains("codecs");
    Map<String, Double> listed = AcceptEncoding.of((HttpServletRequest) getRequest()).qualities();
    boolean eager =
        super.getHeader("Accept-Encoding") == null
            ? getProtocol().equals("HTTP/1.1")
            : listed.getOrDefault("gzip", 0.0) > 0 && !listed.containsKey("zstd");
    return eager && !listsBufferCodecs ? withHeader("Accept-Encoding", "gzip, identity;q=0") : this;
  }

  @Override
  public String getMethod() {
    return method;
  }

  @Override
  public String getRequestURI() {
    return path;
  }

  @Override
  public StringBuffer getRequestURL() {
    StringBuffer url = super.getRequestURL();
    url.setLength(url.length() - super.getRequestURI().length());
    return url.append(path);
  }

  @Override
  public String getServletPath() {
    return UriUtils.decode(path, StandardCharsets.UTF_8);
  }

  @Override
  public @Nullable String getQueryString() {
    return query;
  }

  @Override
  public @Nullable String getParameter(String name) {
    String[] values = getParameterValues(name);
    return values == null ? null : values[0];
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    String[] values = added.get(name);
    return values == null ? super.getParameterValues(name) : values;
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.enumeration(getParameterMap().keySet());
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    Map<String, String[]> parameters = new LinkedHashMap<>(super.getParameterMap());
    parameters.putAll(added);
    return Collections.unmodifiableMap(parameters);
  }

  @Override
  public @Nullable String getHeader(String name) {
    String set = headers.get(name.toLowerCase(Locale.ROOT));
    return set == null ? super.getHeader(name) : set;
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    String set = headers.get(name.toLowerCase(Locale.ROOT));
    return set == null ? super.getHeaders(name) : Collections.enumeration(List.of(set));
  }

  @Override
  public Enumeration<String> getHeaderNames() {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(Collections.list(super.getHeaderNames()));
    names.addAll(headers.keySet());
    return Collections.enumeration(new ArrayList<>(names));
  }
}
