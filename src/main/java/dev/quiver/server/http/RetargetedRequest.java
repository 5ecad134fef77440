package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

/// A request with another method, path, and parameters.
public class RetargetedRequest extends HttpServletRequestWrapper {

  private final String method;
  private final String path;
  private final Map<String, String[]> parameters;
  private @Nullable String query;

  /// @param path as a client sends it
  /// @param parameters of the query
  protected RetargetedRequest(
      HttpServletRequest request,
      String method,
      String path,
      @Nullable String query,
      Map<String, String[]> parameters) {
    super(request);
    this.method = method;
    this.path = path;
    this.query = query;
    this.parameters = new LinkedHashMap<>(parameters);
  }

  /// Adds a parameter.
  protected final void add(String name, String value) {
    parameters.put(name, new String[] {value});
    query = (query == null ? "" : query + "&") + name + "=" + value;
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
    String[] values = parameters.get(name);
    return values == null ? null : values[0];
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    return parameters.get(name);
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.enumeration(parameters.keySet());
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    return Collections.unmodifiableMap(parameters);
  }
}
