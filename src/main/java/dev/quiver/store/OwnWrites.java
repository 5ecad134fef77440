package dev.quiver.store;

import dev.quiver.store.version.VersionSummary;
import java.util.function.Consumer;

/// The versions that are written without a request for them: compactions after appends, and
/// deletions of datasets that have expired.
public final class OwnWrites {

  private volatile Consumer<VersionSummary> observer = _ -> {};

  /// Sets the observer of each, which is called in the thread that wrote it.
  public void observeBy(Consumer<VersionSummary> observer) {
    this.observer = observer;
  }

  void tell(VersionSummary written) {
    observer.accept(written);
  }
}
