package dev.quiver.server.read;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.server.access.Access;
import dev.quiver.server.access.Links;
import dev.quiver.server.access.PublicUrls;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.CacheControl;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.resource.Paths;
import dev.quiver.store.Datasets;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Makes links to a dataset, or to a version of it. Ignores the body.
@RestController
final class LinkController {

  private static final Duration DEFAULT_EXPIRES = Duration.ofHours(1);

  private final Datasets datasets;
  private final Links links;
  private final PublicUrls publicUrls;
  private final Duration maximum;
  private final Duration standard;

  LinkController(
      Datasets datasets, Links links, PublicUrls publicUrls, QuiverProperties properties) {
    this.datasets = datasets;
    this.links = links;
    this.publicUrls = publicUrls;
    this.maximum = properties.auth().linkExpires();
    this.standard = maximum.compareTo(DEFAULT_EXPIRES) < 0 ? maximum : DEFAULT_EXPIRES;
  }

  @PostMapping(Paths.DATASET + Paths.LINKS)
  void make(
      @PathVariable String dataset,
      @RequestParam @Nullable String expires,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    datasets.summary(reference);
    Duration duration = expires == null ? standard : duration(expires);
    if (duration == null || duration.toSeconds() < 1 || duration.compareTo(maximum) > 0) {
      throw Problem.badRequest(
          "Expected a duration from 1s to %ds (quiver.auth.link-expires) but found %s at parameter expires"
              .formatted(
                  maximum.toSeconds(), Excerpt.of(String.valueOf(expires), Problem.QUOTE_LENGTH)));
    }
    Instant end = Instant.now().plus(duration).truncatedTo(ChronoUnit.SECONDS);
    String link = links.make(reference, Access.of(request).principal(), end);
    List<String> bases = publicUrls.of(request);
    String url =
        (bases.isEmpty() ? PublicPath.prefix() : bases.getFirst())
            + Paths.INDEX
            + reference
            + "?"
            + Paths.LINK_PARAMETER
            + "="
            + link;
    byte[] document = Json.render(new Documents.Link(url, end));
    response.setStatus(HttpStatus.CREATED.value());
    response.setHeader(CacheControl.NAME, CacheControl.NO_STORE);
    response.setContentType(Json.MEDIA_TYPE);
    response.setContentLength(document.length);
    response.getOutputStream().write(document);
  }

  private static @Nullable Duration duration(String text) {
    try {
      return DurationStyle.detectAndParse(text, ChronoUnit.SECONDS);
    } catch (IllegalArgumentException | ArithmeticException e) {
      return null;
    }
  }
}
