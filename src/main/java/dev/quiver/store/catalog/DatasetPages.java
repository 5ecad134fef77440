package dev.quiver.store.catalog;

import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.List;

/// A receiver of a list of datasets, page by page.
@FunctionalInterface
public interface DatasetPages {

  void accept(List<VersionSummary> page) throws IOException;
}
