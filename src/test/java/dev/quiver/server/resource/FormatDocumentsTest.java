package dev.quiver.server.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.formats.FileCoding;
import dev.quiver.formats.Format;
import dev.quiver.store.version.DatasetName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    return Format.READ.stream().filter(format -> format.family() != Format.Family.ARROW);
  }

  @ParameterizedTest
  @MethodSource("filesWithoutArrowData")
  void pageOfUploadsPreviewsTheFormat(Format format) throws IOException {
    String script = script("file-preview.js");
    assertThat(format.mediaTypes()).anyMatch(type -> script.contains("type: '" + type + "'"));
    List<Pattern> suffixes =
        Pattern.compile("suffix: /(.*?)/i")
            .matcher(script)
            .results()
            .map(found -> Pattern.compile(found.group(1)))
            .toList();
    assertThat(format.suffixes())
        .allSatisfy(suffix ->
            assertThat(suffixes).anyMatch(pattern -> pattern.matcher("x" + suffix).find()));
  }

  static Stream<String> suffixes() {
    return Stream.concat(
        Format.SUFFIXED.stream().flatMap(format -> format.suffixes().stream()),
        Stream.of(".html", ".avro", ".zip", ".gz", ".zst", ".log", ".2026", ".arrowx"));
  }

  /// A name may not end in a suffix, so the page leaves it out or changes it.
  @ParameterizedTest
  @MethodSource("suffixes")
  void pageOfUploadsKnowsTheSuffixesOfFormatsAndThoseNoNameMayHave(String suffix)
      throws IOException {
    boolean isOfFormat =
        Format.SUFFIXED.stream().anyMatch(format -> format.suffixes().contains(suffix));
    boolean isOfCoding = !FileCoding.withoutSuffix("x" + suffix).equals("x" + suffix);
    assertThat(withoutSuffix("x" + suffix))
        .isEqualTo(isOfFormat || isOfCoding ? "x" : "x" + suffix);
    assertThat(withoutSuffix("x" + suffix + ".gz")).isEqualTo(isOfFormat ? "x" : "x" + suffix);
    assertThat(pattern("RESERVED").matcher("x" + suffix).find()).isEqualTo(isReserved(suffix));
  }

  private static String withoutSuffix(String name) throws IOException {
    return pattern("SUFFIX").matcher(name).replaceFirst("");
  }

  private static boolean isReserved(String suffix) {
    try {
      var _ = DatasetName.parseNew("x" + suffix);
      return false;
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  /// Returns an expression of the script of uploads, whose syntax Java shares.
  private static Pattern pattern(String name) throws IOException {
    Matcher found =
        Pattern.compile("const " + name + " = /(.*)/i;").matcher(script("upload-client.js"));
    assertThat(found.find()).as(name).isTrue();
    return Pattern.compile(found.group(1));
  }

  private static String script(String name) throws IOException {
    try (Stream<Path> files = Files.walk(PAGES)) {
      return Files.readString(files.filter(file -> file.endsWith(name)).findFirst().orElseThrow());
    }
  }
}
