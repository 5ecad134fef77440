package dev.quiver.server.admin;

import dev.quiver.store.Datasets;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.catalog.EarlierNames;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

/// Finds the [EarlierNames], and warns of them. The names of a folder are read before the first
/// request. Those of a remote store, which may take minutes, are read in the background.
@Component
final class EarlierNamesReport implements SmartInitializingSingleton, DisposableBean {

  private static final Logger LOG = LoggerFactory.getLogger(EarlierNamesReport.class);

  private static final int LISTED_NAMES_MAXIMUM = 10;

  private final EarlierNames names;
  private final boolean isRemote;
  private final Thread search;
  private volatile boolean isStopped;

  EarlierNamesReport(Datasets datasets, BlobStore store) {
    this.names = datasets.listing().earlierNames();
    this.isRemote = store.isRemote();
    this.search = Thread.ofPlatform().name("earlier-names").daemon().unstarted(this::find);
  }

  @Override
  public void afterSingletonsInstantiated() {
    if (isRemote) {
      search.start();
    } else {
      find();
    }
  }

  @Override
  public void destroy() {
    isStopped = true;
    search.interrupt();
  }

  private void find() {
    try {
      List<String> found = names.find();
      if (!found.isEmpty()) {
        LOG.warn(
            "Expected names without the suffix of a representation but found {}{}, which earlier"
                + " versions stored; /datasets/NAME means the dataset and not a representation"
                + " until you store it under another name and delete it",
            String.join(", ", found.subList(0, Math.min(found.size(), LISTED_NAMES_MAXIMUM))),
            found.size() > LISTED_NAMES_MAXIMUM
                ? " and %,d more".formatted(found.size() - LISTED_NAMES_MAXIMUM)
                : "");
      }
    } catch (IOException | RuntimeException e) {
      if (!isStopped) {
        LOG.warn("Names that are reserved now are unknown, since names cannot be read", e);
      }
    }
  }
}
