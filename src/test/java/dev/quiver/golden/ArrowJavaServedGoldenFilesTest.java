package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that Arrow Java reads every golden stream and file with the values of its JSON, in every
/// format and codec that the service returns. [ServedGoldenFilesTest] tests our own reader.
@Tag("arrow-java")
class ArrowJavaServedGoldenFilesTest extends ServedGoldenFiles {

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#all")
  void arrowJavaReadsServedGoldenFiles(GoldenCase golden) throws Exception {
    IntegrationJson json = golden.json();
    String reason = ArrowJavaGoldenFilesTest.BEYOND_ARROW_JAVA.get(golden.name());
    for (Representation representation : wholeRepresentations(golden)) {
      if (reason == null) {
        assertReads(representation, json);
      } else {
        assertThatThrownBy(() -> assertReads(representation, json))
            .as(
                "Arrow Java now reads %s, remove the exception: %s",
                representation.description(), reason);
      }
    }
  }

  /// Every known failure of Arrow Java is tested with a golden file.
  @Test
  void everyKnownFailureHasAGoldenCase() {
    assertThat(GoldenCase.all().map(GoldenCase::name))
        .containsAll(ArrowJavaGoldenFilesTest.BEYOND_ARROW_JAVA.keySet());
  }

  private static void assertReads(Representation representation, IntegrationJson json)
      throws IOException {
    var batches =
        representation.isFile()
            ? ArrowJava.readFile(representation.body(), json.schema())
            : ArrowJava.readStream(representation.body(), json.schema());
    assertThat(batches).as(representation.description()).isEqualTo(json.batches());
  }
}
