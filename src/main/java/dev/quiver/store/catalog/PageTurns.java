package dev.quiver.store.catalog;

import java.io.IOException;

/// The turns in which a list reads its pages, so that lists of any length share the store.
@FunctionalInterface
public interface PageTurns {

  /// The turns of a list that waits for no other.
  PageTurns UNLIMITED = () -> () -> {};

  /// Waits for the turn to read one page.
  Turn await() throws IOException;

  /// The permission to read one page, until it is closed.
  @FunctionalInterface
  interface Turn extends AutoCloseable {

    @Override
    void close();
  }
}
