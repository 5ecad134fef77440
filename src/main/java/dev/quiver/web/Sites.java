package dev.quiver.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.stereotype.Component;

/// Where clients reach the service, for absolute URLs.
@Component
final class Sites {

  private final List<String> publicUrls;
  private final ListenAddress address;

  Sites(QuiverProperties properties, ListenAddress address) {
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
  List<String> of(HttpServletRequest request) {
    if (!publicUrls.isEmpty()) {
      return publicUrls;
    }
    String host = request.getHeader("Host");
    return address.isLoopback() && host != null ? List.of("http://" + host) : List.of();
  }
}
