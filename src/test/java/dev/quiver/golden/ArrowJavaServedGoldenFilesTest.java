package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Arrow Java finds in every golden stream and file what its JSON says, as whatever and in
/// whichever codec the service gives it. What we find in it is in [ServedGoldenFilesTest].
@Tag("arrow-java")
class ArrowJavaServedGoldenFilesTest extends ServedGoldenFiles {

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#all")
  void arrowJavaReadsWhatIsServed(GoldenCase golden) throws Exception {
    IntegrationJson json = golden.json();
    String reason = ArrowJavaGoldenFilesTest.BEYOND_ARROW_JAVA.get(golden.name());
    for (Answer answer : wholeAnswers(golden)) {
      if (reason == null) {
        assertReads(answer, json);
      } else {
        assertThatThrownBy(() -> assertReads(answer, json))
            .as("Arrow Java reads %s, where before %s", answer.what(), reason);
      }
    }
  }

  /// What Arrow Java fails at is tried with a golden file each.
  @Test
  void everyExceptionIsOneOfAGoldenCase() {
    assertThat(GoldenCase.all().map(GoldenCase::name))
        .containsAll(ArrowJavaGoldenFilesTest.BEYOND_ARROW_JAVA.keySet());
  }

  private static void assertReads(Answer answer, IntegrationJson json) throws IOException {
    var batches =
        answer.isFile()
            ? ArrowJava.readFile(answer.body(), json.schema())
            : ArrowJava.readStream(answer.body(), json.schema());
    assertThat(batches).as(answer.what()).isEqualTo(json.batches());
  }
}
