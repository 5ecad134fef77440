package dev.quiver.server.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.formats.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Every format is in each list of formats that is written by hand.
class FormatDocumentsTest {

  private static final Path PAGES = Path.of("src/main/resources/dev/quiver/server/pages");

  @ParameterizedTest
  @FieldSource("dev.quiver.formats.Format#SUFFIXED")
  void openApiDescribesDatasetsAndResultsInTheFormat(Format format) throws IOException {
    assertDescribed(Paths.DATASET, format);
    assertDescribed(Paths.SQL, format);
  }

  @ParameterizedTest
  @FieldSource("dev.quiver.formats.Format#STREAMED")
  void openApiDescribesListsInTheFormat(Format format) throws IOException {
    assertDescribed(Paths.DATASETS, format);
  }

  private static void assertDescribed(String path, Format format) throws IOException {
    List<String> lines = Files.readAllLines(PAGES.resolve("openapi.yaml"));
    String described = "  " + path + format.suffix() + ":";
    assertThat(lines).contains(described);
    assertThat(
            lines.stream()
                .skip(lines.indexOf(described) + 1)
                .takeWhile(line -> !line.startsWith("  /")))
        .anyMatch(line -> line.contains(format.mediaTypes().getFirst() + ":"));
  }

  static Stream<Format> filesWithoutArrowData() {
    return Format.SUFFIXED.stream().filter(format -> format.family() != Format.Family.ARROW);
  }

  @ParameterizedTest
  @MethodSource("filesWithoutArrowData")
  void pageOfUploadsPreviewsTheFormat(Format format) throws IOException {
    try (Stream<Path> files = Files.walk(PAGES)) {
      Path script =
          files.filter(file -> file.endsWith("file-preview.js")).findFirst().orElseThrow();
      assertThat(Files.readString(script))
          .contains("type: '" + format.mediaTypes().getFirst() + "'");
    }
  }
}
