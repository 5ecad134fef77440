package dev.quiver.server.lists;

import dev.quiver.store.catalog.DatasetPages;
import java.io.IOException;

/// The datasets of a list, which are read while it is sent.
@FunctionalInterface
public interface DatasetSource {

  /// Passes the datasets on, page by page.
  void list(DatasetPages pages) throws IOException;
}
