package dev.quiver.server.read;

import dev.quiver.server.access.Access;
import dev.quiver.server.http.Json;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.resource.ParameterParser;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.VersionHeaders;
import dev.quiver.server.transfer.Responder;
import dev.quiver.store.Datasets;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.catalog.VersionListing;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The retained versions of a dataset, newest first, without compactions unless requested.
@RestController
final class VersionsController {

  private static final int DEFAULT_LIMIT = 100;
  private static final int MAXIMUM_LIMIT = 1000;

  private final Datasets datasets;
  private final Responder responder;

  VersionsController(Datasets datasets, Responder responder) {
    this.datasets = datasets;
    this.responder = responder;
  }

  @GetMapping(Paths.DATASET + "/versions")
  void versions(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    DatasetPath.requireNoVersion(reference);
    int limit = (int) ParameterParser.number(request, "limit", DEFAULT_LIMIT, 1, MAXIMUM_LIMIT);
    long before = ParameterParser.number(request, "before", Long.MAX_VALUE, 1, Long.MAX_VALUE);
    boolean compactions = ParameterParser.flag(request, "compactions");
    VersionHeaders.setVersion(response, datasets.summary(reference));
    responder.sendText(
        request,
        response,
        Json.MEDIA_TYPE,
        () ->
            Json.render(
                list(
                    reference.name(),
                    before == Long.MAX_VALUE ? null : before,
                    limit,
                    compactions,
                    Access.permissions(request))));
  }

  private Documents.VersionList list(
      DatasetName name,
      @Nullable Long before,
      int limit,
      boolean compactions,
      Permissions permissions)
      throws IOException {
    List<VersionListing.Entry> found = datasets.versions(name, before, limit + 1, compactions);
    List<VersionListing.Entry> page = found.subList(0, Math.min(limit, found.size()));
    String next =
        found.size() > limit
            ? "%s/versions?limit=%d&before=%d%s"
                .formatted(
                    DatasetPath.of(name),
                    limit,
                    page.getLast().summary().version(),
                    compactions ? "&compactions=true" : "")
            : null;
    return new Documents.VersionList(
        page.stream()
            .map(entry ->
                Documents.Version.of(entry.summary(), permissions.visible(entry.lineage())))
            .toList(),
        next);
  }
}
