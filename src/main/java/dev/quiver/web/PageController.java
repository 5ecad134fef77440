package dev.quiver.web;

import dev.quiver.dataset.DatasetException;
import dev.quiver.dataset.DatasetReference;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.Snapshot;
import dev.quiver.dataset.VersionSummary;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
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
  private final Responder responder;
  private final Sites sites;
  private final ListenAddress address;

  PageController(Datasets datasets, Responder responder, Sites sites, ListenAddress address) {
    this.datasets = datasets;
    this.responder = responder;
    this.sites = sites;
    this.address = address;
  }

  @GetMapping("/")
  void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
    PageFrame.HEADERS.forEach(response::setHeader);
    responder.sendText(request, response, PageFrame.MEDIA_TYPE, () -> page(site(request)).render());
  }

  private Page page(String site) throws IOException {
    List<VersionSummary> found = datasets.list(null, DATASET_LIMIT + 1);
    List<VersionSummary> shown = found.subList(0, Math.min(DATASET_LIMIT, found.size()));
    boolean more = found.size() > DATASET_LIMIT;
    return new Page(site, shown, more, address.isWritable(), address.isGuarded(), preview());
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

  private String site(HttpServletRequest request) {
    List<String> where = sites.of(request);
    return where.isEmpty() ? "https://this-service" : where.getFirst();
  }
}
