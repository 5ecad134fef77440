package dev.quiver.store.catalog;

import dev.quiver.arrow.parallel.Admission.Permit;
import java.io.IOException;

/// The turns in which a list reads its pages, so that lists of any length share the store.
@FunctionalInterface
public interface PageTurns {

  /// The turns of a list that waits for no other.
  PageTurns UNLIMITED = () -> Permit.UNLIMITED;

  /// Waits for the turn to read one page.
  Permit await() throws IOException;
}
