package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/// Test data that is not part of this project.
public final class TestData {

  private TestData() {}

  /// Returns the folder of Arrow's official test data that contains `arrow-ipc-stream`. The
  /// environment variable `ARROW_TEST_DATA` names it.
  ///
  /// Without the variable, the calling test is skipped, or fails if `QUIVER_REQUIRE` is `all`.
  public static Path arrowTestData() {
    String folder = System.getenv("ARROW_TEST_DATA");
    if (folder == null || folder.isEmpty()) {
      if ("all".equals(System.getenv("QUIVER_REQUIRE"))) {
        fail("Expected ARROW_TEST_DATA because QUIVER_REQUIRE is all, but it is not set");
      }
      Assumptions.abort("skipped: ARROW_TEST_DATA is not set");
    }
    Path data = Path.of(folder);
    assertThat(data).as("ARROW_TEST_DATA").isDirectory();
    return Files.isDirectory(data.resolve("data")) ? data.resolve("data") : data;
  }
}
