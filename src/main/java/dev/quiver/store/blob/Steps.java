package dev.quiver.store.blob;

import dev.quiver.arrow.parallel.Cancellation;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// The steps of requests, which their traces show: requests to a bucket, waits and statements.
///
/// Nothing is recorded without a recorder. A step belongs to the request of its thread; work that a
/// request gives to another thread is [carried][#carried(Runnable)] there, with its [Cancellation].
public final class Steps {

  private static volatile @Nullable Recorder recorder;

  /// A receiver of steps. Shared by threads.
  public interface Recorder {

    /// Records a step of this thread's request that has ended just now.
    ///
    /// @param attributes neither text of the client nor secrets
    void record(String name, long nanos, Map<String, String> attributes);

    /// Returns work for another thread whose steps belong to this thread's request.
    <T> Callable<T> carried(Callable<T> work);
  }

  private Steps() {}

  /// @param next the recorder of all steps from now on; null for none
  public static void recordTo(@Nullable Recorder next) {
    recorder = next;
  }

  /// Records a step that has ended just now.
  public static void record(String name, long nanos, Map<String, String> attributes) {
    Recorder present = recorder;
    if (present != null) {
      present.record(name, nanos, attributes);
    }
  }

  /// Returns work for another thread whose steps belong to this thread's request, and which ends
  /// early if that does.
  public static Runnable carried(Runnable work) {
    Runnable bound = Cancellation.current().carried(work);
    Recorder present = recorder;
    if (present == null) {
      return bound;
    }
    Callable<Boolean> carried =
        present.carried(() -> {
          bound.run();
          return true;
        });
    return () -> {
      try {
        carried.call();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    };
  }

  /// Returns work for another thread whose steps belong to this thread's request, and which ends
  /// early if that does.
  public static <T> Callable<T> carried(Callable<T> work) {
    Callable<T> bound = Cancellation.current().carried(work);
    Recorder present = recorder;
    return present == null ? bound : present.carried(bound);
  }
}
