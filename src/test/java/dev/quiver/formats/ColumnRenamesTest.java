package dev.quiver.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnRenamesTest {

  private static ColumnRenames parse(String... values) {
    return ColumnRenames.parse(Map.of("rename", List.of(values)));
  }

  private static Schema schema(String... names) {
    return Schema.of(
        Stream.of(names)
            .map(name -> Field.of(name, /* nullable= */ true, new ArrowType.Utf8()))
            .toArray(Field[]::new));
  }

  private static List<String> names(Schema schema) {
    return schema.fields().stream().map(Field::name).toList();
  }

  @Test
  void namesMayBeQuotedAndRepeated() {
    assertThat(parse("a:b,c d:e.f", "\"g,\"\"h\"\":\":\"i:j\"", "\"\":k").names())
        .isEqualTo(Map.of("a", "b", "c d", "e.f", "g,\"h\":", "i:j", "", "k"));
    assertThat(ColumnRenames.parse(Map.of())).isSameAs(ColumnRenames.NONE);
  }

  @Test
  void valuesAreReadAgain() {
    ColumnRenames renames = parse("\"a,b\":\"\"\"c\"", "\"\":\"d:e\"", "f:g\"h");
    assertThat(ColumnRenames.parse(Map.of("rename", renames.values()))).isEqualTo(renames);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "a:",
        ":b",
        "a:b:c",
        "a:b,",
        ",a:b",
        "\"a:b",
        "\"a\"x:b",
        "a:\"\"",
        "a:b,,c:d"
      })
  void othersAreRejected(String value) {
    assertThatThrownBy(() -> parse(value))
        .isInstanceOf(InvalidOptionException.class)
        .hasMessageStartingWith("Expected old:new")
        .hasMessageEndingWith("at parameter rename");
  }

  @Test
  void aNameIsRenamedOnce() {
    assertThatThrownBy(() -> parse("a:b", "a:c"))
        .hasMessage("Expected each name once but found \"a\" at parameter rename");
  }

  @Test
  void columnsKeepTheirOrder() {
    assertThat(names(parse("a:b,b:a").apply(schema("a", "b", "c")))).containsExactly("b", "a", "c");
    assertThat(names(parse("b:d").apply(schema("a", "a", "b")))).containsExactly("a", "a", "d");
  }

  @ParameterizedTest
  @CsvSource({
    "x:y, 'Expected the name of a column, such as \"a\", but found \"x\"'",
    "a:b, 'Expected a name that one column has, not 2, but found \"a\"'",
    "b:c, 'Expected a new name that no other column has but found \"c\"'"
  })
  void columnsThatCannotBeRenamedAreRejected(String renames, String message) {
    assertThatThrownBy(() -> parse(renames).apply(schema("a", "a", "b", "c")))
        .isInstanceOf(InvalidOptionException.class)
        .hasMessage(message + " at parameter rename");
  }

  /// The column a of the dataset cannot come from the upload, whose own is renamed.
  @Test
  void datasetsGetTheNamesOfTheUpload() {
    assertThat(names(parse("old:new").inverse(schema("x", "new")))).containsExactly("x", "old");
    assertThat(names(parse("a:b").inverse(schema("a", "b")))).containsExactly("a");
    assertThat(names(parse("a:b,b:a").inverse(schema("a", "b")))).containsExactly("b", "a");
  }
}
