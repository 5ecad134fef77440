package dev.quiver.web.filter;

import dev.quiver.config.QuiverProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.stereotype.Component;

/// Where clients reach the service, for absolute URLs.
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

  /// What paths are put after, such as `http://localhost:8080`: `quiver.public-urls`, or else what
  /// the client calls the service. That is right only on loopback, where other names are refused.
  ///
  /// @return no site when neither tells
  public List<String> of(HttpServletRequest request) {
    if (!publicUrls.isEmpty()) {
      return publicUrls;
    }
    String host = request.getHeader("Host");
    return address.isLoopback() && host != null ? List.of("http://" + host) : List.of();
  }
}
