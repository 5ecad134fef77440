package dev.quiver.formats.parquet.column;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A check whether the caller still wants the file. Shared by threads.
///
/// The caller gets the exceptions of the check unchanged. On their way they are wrapped, so that
/// they differ from the exceptions that damaged data causes.
public final class CancellationCheck {

  private final Runnable check;

  public CancellationCheck(Runnable check) {
    this.check = check;
  }

  /// A part of the reading, which runs the check.
  public interface Work<R extends @Nullable Object> {
    R run() throws IOException;
  }

  /// Runs the check. Its exception passes [#rethrow] on its way to the caller.
  public void run() {
    try {
      check.run();
    } catch (RuntimeException e) {
      throw new CancelledException(e);
    }
  }

  /// Returns the result of the work, or throws what the check threw meanwhile.
  public static <R extends @Nullable Object> R rethrow(Work<R> work) throws IOException {
    try {
      return work.run();
    } catch (CancelledException e) {
      throw e.reason;
    }
  }

  /// An exception of the check.
  private static final class CancelledException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final RuntimeException reason;

    CancelledException(RuntimeException reason) {
      super(reason);
      this.reason = reason;
    }
  }
}
