package dev.quiver.dataset;

import dev.quiver.dataset.UnreliableStore.Fault;
import dev.quiver.dataset.UnreliableStore.Interruption;
import dev.quiver.dataset.UnreliableStore.Moment;
import dev.quiver.storage.StorageFullException;
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

  /// The process ends, as it does when it is killed, at the moment of this number, counted from 1.
  static Fault halt(long number) {
    AtomicLong count = new AtomicLong();
    return _ -> {
      if (count.incrementAndGet() == number) {
        Runtime.getRuntime().halt(HALTED);
      }
    };
  }

  /// Something that breaks at the moment of a number, and tells which moment that was.
  static final class Break implements Fault {

    private final long number;
    private final How how;
    private long count;
    private long putCount;
    private @Nullable Moment first;

    /// @param number counted from 1
    Break(How how, long number) {
      this.how = how;
      this.number = number;
    }

    /// How many puts had their effect.
    long puts() {
      return putCount;
    }

    /// The moment at which it broke, or null when there was none of that number.
    @Nullable Moment first() {
      return first;
    }

    @Override
    public void at(Moment moment) throws IOException {
      count++;
      if (moment.operation() == UnreliableStore.Operation.PUT && moment.after()) {
        putCount++;
      }
      if (count == number) {
        first = moment;
      }
      switch (how) {
        case ONCE -> {
          if (count == number) {
            throw new IOException("Input/output error");
          }
        }
        case FULL -> {
          if (count >= number && moment.operation().writes() && !moment.after()) {
            throw new StorageFullException(new IOException("No space left on device"));
          }
        }
        case CUT -> {
          if (count >= number) {
            throw new IOException("Connection reset");
          }
        }
      }
    }
  }

  /// How a store breaks.
  enum How {
    /// One operation fails; after its effect, only its answer is lost.
    ONCE,
    /// Nothing can be written from then on.
    FULL,
    /// Nothing works from then on.
    CUT
  }

  /// Once, at the first such moment, something else happens, as it does while a process stands
  /// still.
  static Fault pause(Predicate<Moment> moment, Interruption meanwhile) {
    AtomicBoolean paused = new AtomicBoolean();
    return now -> {
      if (moment.test(now) && paused.compareAndSet(false, true)) {
        meanwhile.run();
      }
    };
  }
}
