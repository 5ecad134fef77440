package dev.quiver.store.read;

import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.LruCache;
import dev.quiver.arrow.parallel.SharedTasks;
import java.io.IOException;

/// The layouts of selections by their ids, bounded by bytes. Requests that need an unknown one at
/// the same time share its computation, which ends early if all their clients leave. Shared by
/// threads.
public final class SelectedLayouts {

  private final LruCache<String, SelectedFileLayout> known;
  private final SharedTasks<String, SelectedFileLayout> tasks = new SharedTasks<>();
  private final Admission largeTurns = Admission.ofPatient(1);

  /// Returns an empty cache.
  public SelectedLayouts(long byteSizeMaximum) {
    this.known = new LruCache<>(byteSizeMaximum);
  }

  /// Returns the layout of a selection.
  ///
  /// @param id the id of the version and the selection
  /// @param large true to compute one such layout at a time
  /// @throws CancelledException if this request does not want it anymore
  SelectedFileLayout get(String id, boolean large, LruCache.Loader<SelectedFileLayout> computation)
      throws IOException {
    SelectedFileLayout present = known.get(id);
    if (present != null) {
      return present;
    }
    return tasks.get(id, _ -> large ? computeInTurn(id, computation) : compute(id, computation));
  }

  private SelectedFileLayout computeInTurn(
      String id, LruCache.Loader<SelectedFileLayout> computation) throws IOException {
    try (Permit _ = largeTurns.enterPatiently()) {
      return compute(id, computation);
    }
  }

  private SelectedFileLayout compute(String id, LruCache.Loader<SelectedFileLayout> computation)
      throws IOException {
    // Another request may have computed it since this one looked.
    return known.get(
        id, /* heavy= */ false, computation, layout -> layout.memoryByteSize() + id.length());
  }

  /// Returns the approximate number of bytes that all layouts take.
  long byteSize() {
    return known.weight();
  }
}
