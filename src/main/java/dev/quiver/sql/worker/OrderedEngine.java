package dev.quiver.sql.worker;

import dev.quiver.sql.engine.Engine;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The instance of the engine for statements whose rows have an order. It has one thread, so that
/// it buffers no rows to put them in order. Used by one thread.
///
/// It runs statements while the worker's first instance runs none. The memory limit of each thus
/// bounds both.
final class OrderedEngine {

  private final Supplier<Engine> opener;

  /// Lives until the process ends; null before the first statement.
  private @Nullable Engine engine;

  /// @param opener opens the instance
  OrderedEngine(Supplier<Engine> opener) {
    this.opener = opener;
  }

  /// Opens the instance before its first statement. If that fails, returns another one, whose
  /// threads keep the order, too, but buffer rows. The next statement then tries again.
  ///
  /// @param other the worker's first instance
  Engine openOr(Engine other) {
    Engine opened = engine;
    if (opened == null) {
      try {
        opened = opener.get();
        engine = opened;
      } catch (IllegalStateException e) {
        // The log of the worker.
        System.err.println("A statement runs on the first instance of the engine: " + e);
        return other;
      }
    }
    return opened;
  }
}
