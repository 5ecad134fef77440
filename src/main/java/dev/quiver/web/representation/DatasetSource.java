package dev.quiver.web.representation;

import dev.quiver.dataset.listing.DatasetPages;
import java.io.IOException;

/// The datasets of a list, which are read while it is sent.
@FunctionalInterface
public interface DatasetSource {

  /// Passes the datasets on, page by page.
  void list(DatasetPages pages) throws IOException;
}
