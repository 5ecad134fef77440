package dev.quiver.web;

import dev.quiver.dataset.DatasetException;
import dev.quiver.dataset.DatasetReference;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.Snapshot;
import dev.quiver.dataset.VersionSummary;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// `GET /`: what is here and how to use it, for people.
@RestController
final class PageController {

  private static final Logger LOG = LoggerFactory.getLogger(PageController.class);

  private static final int DATASET_LIMIT = 100;

  private final Datasets datasets;
  private final QuiverProperties properties;
  private final ListenAddress address;
  private final String style;
  private final String contentSecurityPolicy;

  PageController(Datasets datasets, QuiverProperties properties, ListenAddress address)
      throws IOException {
    this.datasets = datasets;
    this.properties = properties;
    this.address = address;
    this.style = resource("page.css");
    this.contentSecurityPolicy =
        "default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            .formatted(sha256(style));
  }

  @GetMapping("/")
  void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setContentType("text/html;charset=UTF-8");
    response.setHeader("Content-Security-Policy", contentSecurityPolicy);
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Cache-Control", "no-cache");
    if (request.getMethod().equals("HEAD")) {
      return;
    }
    byte[] body = render(request).getBytes(StandardCharsets.UTF_8);
    response.setContentLengthLong(body.length);
    response.getOutputStream().write(body);
  }

  private String render(HttpServletRequest request) throws IOException {
    List<VersionSummary> found = datasets.list(null, DATASET_LIMIT + 1);
    List<VersionSummary> shown = found.subList(0, Math.min(DATASET_LIMIT, found.size()));
    Page page =
        new Page(
            site(request), shown, found.size() > DATASET_LIMIT, address.isWritable(), preview());
    return page.render(style);
  }

  private @Nullable Preview preview() {
    DatasetReference sample = DatasetReference.parse(Page.SAMPLE);
    try (Snapshot snapshot = datasets.open(sample)) {
      return Preview.of(snapshot);
    } catch (DatasetException absent) {
      return null;
    } catch (IOException e) {
      LOG.error("The sample is not shown, since it cannot be read", e);
      return null;
    }
  }

  /// A loopback service knows that its `Host` is right, since others are refused. Elsewhere it is
  /// whatever the client says.
  private String site(HttpServletRequest request) {
    if (!properties.publicUrls().isEmpty()) {
      return properties.publicUrls().getFirst().toString().replaceFirst("/+$", "");
    }
    String host = request.getHeader("Host");
    return address.isLoopback() && host != null ? "http://" + host : "https://this-service";
  }

  private static String resource(String name) throws IOException {
    try (InputStream resource = PageController.class.getResourceAsStream(name)) {
      return new String(
          Objects.requireNonNull(resource, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
