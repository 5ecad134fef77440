package dev.quiver.store;

import dev.quiver.store.UnreliableStore.Fault;
import dev.quiver.store.UnreliableStore.Interruption;
import dev.quiver.store.UnreliableStore.Moment;
import dev.quiver.store.blob.StorageFullException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The faults of an [UnreliableStore].
final class Faults {

  /// The exit status of a process that was halted.
  static final int HALTED = 86;

  private Faults() {}

  /// Returns a fault that halts the process, as if it were killed, at the moment of this number,
  /// counted from 1.
  static Fault halt(long number) {
    AtomicLong count = new AtomicLong();
    return _ -> {
      if (count.incrementAndGet() == number) {
        Runtime.getRuntime().halt(HALTED);
      }
    };
  }

  /// A failure at a given moment, which it records.
  static final class Break implements Fault {

    private final Mode mode;
    private final Predicate<Moment> chosen;
    private long count;
    private long putCount;
    private @Nullable Moment first;

    /// @param number the number of the moment, counted from 1
    Break(Mode mode, long number) {
      this.mode = mode;
      this.chosen = _ -> count == number;
    }

    /// @param chosen the moment is the first of these
    Break(Mode mode, Predicate<Moment> chosen) {
      this.mode = mode;
      this.chosen = chosen;
    }

    /// Returns the number of puts that took effect.
    long puts() {
      return putCount;
    }

    /// Returns the moment of the first failure, or null if the operation had fewer moments.
    @Nullable Moment first() {
      return first;
    }

    @Override
    public void at(Moment moment) throws IOException {
      count++;
      if (moment.operation() == UnreliableStore.Operation.PUT && moment.after()) {
        putCount++;
      }
      boolean isFirst = first == null && chosen.test(moment);
      if (isFirst) {
        first = moment;
      }
      switch (mode) {
        case ONCE -> {
          if (isFirst) {
            throw new IOException("Input/output error");
          }
        }
        case FULL -> {
          if (first != null && moment.operation().writes() && !moment.after()) {
            throw new StorageFullException(new IOException("No space left on device"));
          }
        }
        case DISCONNECTED -> {
          if (first != null) {
            throw new IOException("Connection reset");
          }
        }
      }
    }
  }

  /// The mode of a failure.
  enum Mode {
    /// One operation fails. If it already took effect, only its response is lost.
    ONCE,
    /// From then on, every write fails.
    FULL,
    /// From then on, every operation fails.
    DISCONNECTED
  }

  /// Returns a fault that runs an action once, at the first such moment, as if the process paused
  /// there.
  static Fault pause(Predicate<Moment> moment, Interruption action) {
    AtomicBoolean paused = new AtomicBoolean();
    return now -> {
      if (moment.test(now) && paused.compareAndSet(false, true)) {
        action.run();
      }
    };
  }
}
