package dev.quiver.sql.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.sql.worker.Failure;
import dev.quiver.sql.worker.FailureKind;
import dev.quiver.store.blob.StorageFullException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatementFailureTest {

  private static RuntimeException failure(String message) {
    return StatementFailure.of(new Failure(FailureKind.OTHER, message, null, -1, 0), "", 0);
  }

  @Test
  void fullDiskOfAWorkerIsAFullStore() {
    assertThat(failure("IO Error: Could not write file \"…\": No space left on device"))
        .isInstanceOf(UncheckedIOException.class)
        .hasCauseInstanceOf(StorageFullException.class);
  }

  @Test
  void hidesOtherFailuresOfTheEngine() {
    assertThat(failure("IO Error: Could not write file \"…\": Input/output error"))
        .isInstanceOf(SqlException.EngineFailure.class)
        .hasMessage("Expected a result but found a failure of the engine");
  }

  /// A client that tries again would fail again, so it must not be told to.
  @Test
  void failuresInsideTheEngineAreNoLostWorkers() {
    for (FailureKind kind : List.of(FailureKind.FATAL, FailureKind.OTHER)) {
      Failure failure = new Failure(kind, "INTERNAL Error: Expected vector", null, -1, 0);
      assertThat(StatementFailure.of(failure, "", 0))
          .isInstanceOf(SqlException.EngineFailure.class)
          .hasMessage("Expected a result but found a failure of the engine");
    }
  }

  @Test
  void keepsTheHintOfTheEngine() {
    for (FailureKind kind : List.of(FailureKind.CONVERSION, FailureKind.UNSUPPORTED_TYPE)) {
      RuntimeException failure =
          StatementFailure.of(new Failure(kind, "Expected 1 but found 2", "Send 1.", -1, 0), "", 0);
      assertThat(((SqlException) failure).hint()).isEqualTo("Send 1.");
    }
  }
}
