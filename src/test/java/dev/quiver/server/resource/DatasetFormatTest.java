package dev.quiver.server.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.quiver.store.version.DatasetName;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every format with a suffix appears wherever formats are listed.
class DatasetFormatTest {

  private static final Path OPENAPI =
      Path.of("src/main/resources/dev/quiver/server/pages/openapi.yaml");

  static List<DatasetFormat> formats() {
    return DatasetPath.READABLE;
  }

  @ParameterizedTest
  @MethodSource("formats")
  void formatIsNegotiated(DatasetFormat format) {
    assertThat(DatasetPath.NEGOTIATED).contains(format);
  }

  static Set<String> suffixes() {
    return DatasetPath.BY_SUFFIX.keySet();
  }

  @ParameterizedTest
  @MethodSource("suffixes")
  void datasetNameCannotEndWithASuffix(String suffix) {
    assertThatIllegalArgumentException().isThrownBy(() -> DatasetName.parse("x" + suffix));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DatasetName.parse("x" + suffix.toUpperCase(Locale.ROOT)));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void documentsLinkToTheFormat(DatasetFormat format) {
    String name = ((Enum<?>) format).name().replace("_", "");
    assertThat(
            Arrays.stream(Documents.Links.class.getRecordComponents())
                .map(RecordComponent::getName))
        .anyMatch(name::equalsIgnoreCase);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void openApiDescribesTheFormat(DatasetFormat format) throws IOException {
    String path = "  /datasets/{dataset}" + format.suffix() + ":";
    assertThat(Files.readAllLines(OPENAPI).contains(path)).as(path).isTrue();
  }
}
