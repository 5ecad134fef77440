package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.stereotype.Component;

/// The base of absolute URLs to the service.
@Component
public final class PublicUrls {

  private final List<String> publicUrls;
  private final ListenAddress address;

  PublicUrls(QuiverProperties properties, ListenAddress address) {
    this.publicUrls =
        properties.publicUrls().stream()
            .map(url -> url.toString().replaceFirst("/+$", ""))
            .toList();
    this.address = address;
  }

  /// Returns the prefixes of absolute URLs, such as `http://localhost:8080`: `quiver.public-urls`,
  /// or else what a trusted proxy tells, or the `Host` of the request. `Host` is trusted only on
  /// loopback, where [HostFilter] rejects other names.
  ///
  /// @return the prefixes, empty if unknown
  public List<String> of(HttpServletRequest request) {
    if (!publicUrls.isEmpty()) {
      return publicUrls;
    }
    String host = request.getHeader("Host");
    boolean isChecked = address.isLoopback() || ForwardedRequest.hasHost(request);
    return isChecked && host != null
        ? List.of(request.getScheme() + "://" + host + ForwardedRequest.prefix(request))
        : List.of();
  }
}
