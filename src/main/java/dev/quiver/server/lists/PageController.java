package dev.quiver.server.lists;

import dev.quiver.formats.Format;
import dev.quiver.server.access.Access;
import dev.quiver.server.access.ListenAddress;
import dev.quiver.server.access.PublicUrls;
import dev.quiver.server.http.Negotiation;
import dev.quiver.server.http.VaryHeader;
import dev.quiver.server.pages.PageTemplate;
import dev.quiver.server.read.Preview;
import dev.quiver.server.transfer.Responder;
import dev.quiver.sql.query.Queries;
import dev.quiver.store.Datasets;
import dev.quiver.store.VisibleDatasets;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// `GET /`: the home page, with the datasets and instructions, as a page for a browser and as text
/// for a terminal.
@RestController
final class PageController {

  private static final Logger LOG = System.getLogger(PageController.class.getName());

  private static final int DATASET_LIMIT = 100;

  private final Datasets datasets;
  private final Responder responder;
  private final PublicUrls publicUrls;
  private final ListenAddress address;
  private final Queries queries;

  PageController(
      Datasets datasets,
      Responder responder,
      PublicUrls publicUrls,
      ListenAddress address,
      Queries queries) {
    this.datasets = datasets;
    this.responder = responder;
    this.publicUrls = publicUrls;
    this.address = address;
    this.queries = queries;
  }

  @GetMapping("/")
  void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
    VaryHeader.add(response, "Accept");
    // Clients without a wish, as curl, are not browsers.
    if (!Negotiation.prefers(request, Format.HTML.mediaType(), Format.TABLE.mediaType())) {
      responder.sendText(request, response, Format.TABLE.mediaType(), () -> text(request).render());
      return;
    }
    PageTemplate.HEADERS.forEach(response::setHeader);
    responder.sendText(request, response, Format.HTML.mediaType(), () -> page(request).render());
  }

  private HomePage page(HttpServletRequest request) throws IOException {
    VisibleDatasets visible = new VisibleDatasets(datasets, Access.permissions(request));
    List<VersionSummary> found = visible.list(DATASET_LIMIT + 1);
    List<VersionSummary> shown = found.subList(0, Math.min(DATASET_LIMIT, found.size()));
    boolean more = found.size() > DATASET_LIMIT;
    return new HomePage(
        publicUrls.site(request),
        shown,
        more,
        address.isWritableFor(request),
        address.requiresToken(),
        queries.isAvailable(),
        preview(visible));
  }

  private HomeText text(HttpServletRequest request) throws IOException {
    VisibleDatasets visible = new VisibleDatasets(datasets, Access.permissions(request));
    return new HomeText(
        publicUrls.site(request),
        visible.list(HomeText.DATASET_COUNT_MAXIMUM + 1),
        address.isWritableFor(request),
        request.getHeader("Authorization") != null,
        address.requiresToken(),
        queries.isAvailable());
  }

  private static @Nullable Preview preview(VisibleDatasets visible) {
    DatasetReference sample = DatasetReference.parse(HomePage.SAMPLE);
    try (Snapshot snapshot = visible.open(sample)) {
      return Preview.of(snapshot);
    } catch (DatasetException absent) {
      return null;
    } catch (IOException e) {
      FailureLog.log(LOG, Level.ERROR, "The preview of the sample dataset failed", e);
      return null;
    }
  }
}
