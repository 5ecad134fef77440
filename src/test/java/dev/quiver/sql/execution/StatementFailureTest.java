package dev.quiver.sql.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.sql.worker.Failure;
import dev.quiver.sql.worker.FailureKind;
import dev.quiver.store.blob.StorageFullException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class StatementFailureTest {

  private static RuntimeException failure(String message) {
    return StatementFailure.of(new Failure(FailureKind.OTHER, message, -1, 0), "", 0);
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
}
