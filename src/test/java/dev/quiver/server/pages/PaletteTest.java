package dev.quiver.server.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The colours of the pages: their contrast by WCAG 2.2, and the distance in Oklab between the
/// series of charts, as people with each kind of colour vision see them.
class PaletteTest {

  private static final Path PAGE = Path.of("src/main/resources/dev/quiver/server/pages/page");
  private static final Pattern COLOUR =
      Pattern.compile("(--[\\w-]+): light-dark\\((#\\w+), (#\\w+)\\);");
  private static final Pattern DEFINED = Pattern.compile("(--[\\w-]+):");
  private static final Pattern USED = Pattern.compile("(?:var\\(|colour\\(')(--[\\w-]+)[)']");
  private static final List<String> SURFACES = List.of("--ground", "--page", "--raised");
  private static final List<String> SERIES =
      IntStream.rangeClosed(1, 8).mapToObj(i -> "--series-" + i).toList();

  /// The contrast of text by success criterion 1.4.3, and of marks by 1.4.11.
  private static final double TEXT = 4.5;

  private static final double MARK = 3;

  /// The least distance of two series, and of two among the first four. Colours side by side differ
  /// visibly from about 0.02 on.
  private static final double SERIES_DISTANCE = 0.075;

  private static final double FIRST_SERIES_DISTANCE = 0.12;

  /// The light that cones see, in linear sRGB: all of them, none for long waves, none for medium
  /// waves, after Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of
  /// Color Vision Deficiency" (2009).
  private static final Map<String, double[][]> VISION =
      Map.of(
          "trichromat",
          new double[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          "protanope",
          new double[][] {
            {0.152286, 1.052583, -0.204868},
            {0.114503, 0.786281, 0.099216},
            {-0.003882, -0.048116, 1.051998}
          },
          "deuteranope",
          new double[][] {
            {0.367322, 0.860646, -0.227968},
            {0.280085, 0.672501, 0.047413},
            {-0.011820, 0.042940, 0.968881}
          });

  private static final double[][] LMS = {
    {0.4122214708, 0.5363325363, 0.0514459929},
    {0.2119034982, 0.6806995451, 0.1073969566},
    {0.0883024619, 0.2817188376, 0.6299787005}
  };
  private static final double[][] OKLAB = {
    {0.2104542553, 0.7936177850, -0.0040720468},
    {1.9779984951, -2.4285922050, 0.4505937099},
    {0.0259040371, 0.7827717662, -0.8086757660}
  };
  private static final double[] LUMINANCE = {0.2126, 0.7152, 0.0722};

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void textsHaveContrast(String scheme) throws IOException {
    Map<String, double[]> colours = colours(scheme);
    for (String text : List.of("--text", "--quiet", "--accent", "--bad", "--good")) {
      for (String surface : SURFACES) {
        assertContrast(colours, text, surface, TEXT);
      }
    }
    for (String text : List.of("--text", "--quiet", "--accent")) {
      assertContrast(colours, text, "--chosen", TEXT);
    }
    // The label of a primary button.
    assertContrast(colours, "--page", "--accent", TEXT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void marksHaveContrast(String scheme) throws IOException {
    Map<String, double[]> colours = colours(scheme);
    for (String mark : Stream.concat(SERIES.stream(), Stream.of("--mark", "--accent")).toList()) {
      for (String surface : List.of("--ground", "--page")) {
        assertContrast(colours, mark, surface, MARK);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void seriesDifferForEachKindOfColourVision(String scheme) throws IOException {
    Map<String, double[]> colours = colours(scheme);
    for (Map.Entry<String, double[][]> vision : VISION.entrySet()) {
      for (int i = 0; i < SERIES.size(); i++) {
        for (int j = 0; j < i; j++) {
          assertThat(
                  distance(
                      seen(colours, SERIES.get(i), vision.getValue()),
                      seen(colours, SERIES.get(j), vision.getValue())))
              .as("%s and %s, %s, %s", SERIES.get(i), SERIES.get(j), scheme, vision.getKey())
              .isGreaterThan(i < 4 ? FIRST_SERIES_DISTANCE : SERIES_DISTANCE);
        }
      }
    }
  }

  @Test
  void everyColourThatIsUsedIsDefined() throws IOException {
    TreeSet<String> used = new TreeSet<>();
    // Scripts set the positions of what they draw.
    TreeSet<String> defined = new TreeSet<>(List.of("--level", "--number-width"));
    for (String text : texts()) {
      USED.matcher(text).results().map(found -> found.group(1)).forEach(used::add);
      DEFINED.matcher(text).results().map(found -> found.group(1)).forEach(defined::add);
    }
    assertThat(used).contains("--page", "--series-1", "--land").isSubsetOf(defined);
  }

  @Test
  void contrastIsThatOfTheStandard() {
    assertThat(contrast(linear("#fff"), linear("#000000"))).isEqualTo(21);
    assertThat(contrast(linear("#777777"), linear("#ffffff"))).isBetween(4.47, 4.48);
  }

  private static void assertContrast(
      Map<String, double[]> colours, String mark, String surface, double least) {
    assertThat(contrast(colour(colours, mark), colour(colours, surface)))
        .as("%s on %s", mark, surface)
        .isGreaterThanOrEqualTo(least);
  }

  private static Map<String, double[]> colours(String scheme) throws IOException {
    Map<String, double[]> colours = new TreeMap<>();
    int group = scheme.equals("light") ? 2 : 3;
    String palette = Files.readString(PAGE.resolve("lib/page.css"));
    for (MatchResult found : COLOUR.matcher(palette).results().toList()) {
      colours.put(found.group(1), linear(found.group(group)));
    }
    assertThat(colours).containsKeys(SERIES.toArray(String[]::new));
    return colours;
  }

  private static double[] colour(Map<String, double[]> colours, String name) {
    return Objects.requireNonNull(colours.get(name), name);
  }

  private static List<String> texts() throws IOException {
    try (Stream<Path> files = Files.walk(PAGE)) {
      List<Path> own =
          files
              .filter(path -> path.toString().matches(".*\\.(css|js)"))
              .filter(path -> !path.startsWith(PAGE.resolve("vendor")))
              .toList();
      return own.stream().map(PaletteTest::text).toList();
    }
  }

  private static String text(Path path) {
    try {
      return Files.readString(path, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns red, green and blue in linear light.
  private static double[] linear(String hex) {
    String digits = hex.length() == 4 ? hex.replaceAll("(\\w)", "$1$1") : hex;
    return IntStream.of(1, 3, 5)
        .mapToDouble(i -> Integer.parseInt(digits.substring(i, i + 2), 16) / 255.0)
        .map(part -> part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4))
        .toArray();
  }

  private static double contrast(double[] one, double[] other) {
    double a = sum(LUMINANCE, one) + 0.05;
    double b = sum(LUMINANCE, other) + 0.05;
    return Math.max(a, b) / Math.min(a, b);
  }

  /// Returns the coordinates in Oklab of a colour as an eye sees it.
  private static double[] seen(Map<String, double[]> colours, String name, double[][] vision) {
    double[] light =
        Arrays.stream(times(vision, colour(colours, name)))
            .map(part -> Math.clamp(part, 0.0, 1.0))
            .toArray();
    return times(OKLAB, Arrays.stream(times(LMS, light)).map(Math::cbrt).toArray());
  }

  private static double distance(double[] one, double[] other) {
    return Math.sqrt(IntStream.range(0, 3).mapToDouble(i -> Math.pow(one[i] - other[i], 2)).sum());
  }

  private static double[] times(double[][] matrix, double[] vector) {
    return Arrays.stream(matrix).mapToDouble(row -> sum(row, vector)).toArray();
  }

  private static double sum(double[] weights, double[] parts) {
    return IntStream.range(0, parts.length).mapToDouble(i -> weights[i] * parts[i]).sum();
  }
}
