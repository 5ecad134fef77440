package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.type.ArrowTypes;
import dev.quiver.arrow.type.Field;
import dev.quiver.golden.Coverage.Cell;
import dev.quiver.golden.Coverage.Format;
import dev.quiver.golden.Coverage.Portion;
import dev.quiver.golden.Coverage.Position;
import dev.quiver.golden.Coverage.Reader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Tests the table of types and oracles in `src/docs/formats-and-types.md` against what the tests
/// do with golden files, Arrow Java and other parsers. The client suite tests the entries about
/// clients.
///
/// An uppercase letter stands for all kinds of a type, a lowercase one for some.
class SupportTableTest {

  private static final Path DOCUMENT = Path.of("src/docs/formats-and-types.md");
  private static final String TABLE_HEAD = "| type | read | write | validate | render |";
  private static final String LETTERS = "GJT";

  @Test
  void supportTableMatchesTheTests() throws IOException {
    Set<ArrayKind> golden = new HashSet<>();
    GoldenCase.all().forEach(example -> collect(example.json().schema().fields(), golden));
    Map<String, List<ArrayKind>> kinds =
        ArrayKind.ALL.stream()
            .collect(
                Collectors.groupingBy(
                    SupportTableTest::typeName, LinkedHashMap::new, Collectors.toList()));
    Map<String, List<String>> expected = new LinkedHashMap<>();
    kinds.forEach((type, ofType) -> {
      String files = letter('G', ofType, golden::contains);
      String written = letter('J', ofType, kind -> covered(kind, Reader.QUIVER_OF_ARROW_JAVA));
      String read = letter('J', ofType, kind -> covered(kind, Reader.ARROW_JAVA));
      expected.put(type, List.of(files + written, read, files, files + 'T'));
    });

    assertThat(documentTable()).isEqualTo(expected);
    assertThat(kinds).as("every Arrow type, and dictionaries").hasSize(ArrowTypes.all().length + 1);
  }

  private static void collect(List<Field> fields, Set<ArrayKind> kinds) {
    for (Field field : fields) {
      kinds.add(ArrayKind.of(field));
      kinds.add(ArrayKind.of(field.withDictionary(null)));
      collect(field.children(), kinds);
    }
  }

  private static String typeName(ArrayKind kind) {
    Field field = kind.field("f", true, new RandomData(0));
    return field.dictionary() == null ? field.type().getClass().getSimpleName() : "Dictionary";
  }

  private static boolean covered(ArrayKind kind, Reader reader) {
    // Every kind supports empty arrays and whole batches.
    Cell cell =
        new Cell(
            kind, Position.COLUMN, NullShape.EMPTY, Portion.WHOLE, Codec.NONE, Format.FILE, reader);
    return !new Coverage(CoverageMatrixTest.WAIVERS).isWaived(cell);
  }

  private static String letter(char letter, List<ArrayKind> kinds, Predicate<ArrayKind> holds) {
    if (kinds.stream().allMatch(holds)) {
      return String.valueOf(letter);
    }
    boolean some = kinds.stream().anyMatch(holds);
    return some ? String.valueOf(Character.toLowerCase(letter)) : "";
  }

  /// Returns the table of the document, reduced to the letters that this test checks.
  private static Map<String, List<String>> documentTable() throws IOException {
    List<String> lines = Files.readAllLines(DOCUMENT);
    assertThat(lines).contains(TABLE_HEAD);
    Map<String, List<String>> table = new LinkedHashMap<>();
    lines.stream()
        .skip(lines.indexOf(TABLE_HEAD) + 2)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
        .forEach(cells ->
            table.put(
                cells.get(1).replace("`", ""),
                cells.subList(2, cells.size()).stream()
                    .map(SupportTableTest::checkedLetters)
                    .toList()));
    return table;
  }

  private static String checkedLetters(String cell) {
    return cell.chars()
        .filter(letter -> LETTERS.indexOf(Character.toUpperCase(letter)) >= 0)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }
}
