package dev.quiver.server.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.server.http.ProblemException;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.sql.worker.Parameter.Type;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Statements as JSON documents.
class SqlDocumentTest {

  private static SqlRequest parse(String document) {
    return SqlDocument.parse(document.replace('\'', '"'), List.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'a' | VARCHAR | a",
        "true | BOOLEAN | true",
        "null | NULL | ''",
        "5 | BIGINT | 5",
        "-9223372036854775808 | BIGINT | -9223372036854775808",
        "9223372036854775808 | DECIMAL | 9223372036854775808",
        "0.10 | DECIMAL | 0.10",
        "99999999999999999999999999999999999999 | DECIMAL | 99999999999999999999999999999999999999",
        "100000000000000000000000000000000000000 | DOUBLE | 1.0E38",
        "1e5 | DOUBLE | 100000.0",
        "1e-50 | DOUBLE | 1.0E-50",
      },
      quoteCharacter = '`')
  void valuesHaveTheTypesOfJson(String value, Type type, @Nullable String text) {
    String expected = text == null || text.equals("''") ? "" : text;
    assertThat(parse("{'sql': 'x', 'parameters': [%s]}".formatted(value)).parameters())
        .containsExactly(new Parameter("", type, expected));
    assertThat(parse("{'sql': 'x', 'parameters': {'n': %s}}".formatted(value)).parameters())
        .containsExactly(new Parameter("n", type, expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5 | PT5S",
        "0.25 | PT0.25S",
        "'5' | PT5S",
        "'90s' | PT1M30S",
        "'15m' | PT15M",
        "'7d' | PT168H",
      },
      quoteCharacter = '`')
  void timeoutIsADuration(String timeout, Duration expected) {
    assertThat(parse("{'sql': 'x', 'timeout': %s}".formatted(timeout)).timeout())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "'soon'", "true", "[]", "{}", "''", "'99999999999999999d'"})
  void timeoutIsPositive(String timeout) {
    assertThatThrownBy(() -> parse("{'sql': 'x', 'timeout': %s}".formatted(timeout)))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("Expected a positive duration such as \"90s\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | a text but found none at the member sql",
        "{'sql': 5} | a text but found none at the member sql",
        "{'sql': 'x', 'sql': 'y'} | JSON but found a syntax error",
        "{'sql': 'x'} {} | JSON but found a syntax error",
        "{'sql': 'x', 'parameters': 5} | an array or an object at the member parameters",
        "{'sql': 'x', 'parameters': [{}]} | a text, a number, a boolean, null or an array of these",
        "{'sql': 'x', 'parameters': [1e400]} | a number within the range of DOUBLE",
      },
      quoteCharacter = '`')
  void otherDocumentsAreBad(String document, String detail) {
    assertThatThrownBy(() -> parse(document))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("Expected " + detail);
  }

  @Test
  void parametersAreInTheBodyOrInTheQuery() {
    List<Parameter> inQuery = List.of(new Parameter("a", Type.VARCHAR, "1"));
    assertThat(SqlDocument.parse("{\"sql\":\"x\"}", inQuery).parameters()).isEqualTo(inQuery);
    assertThatThrownBy(() -> SqlDocument.parse("{\"sql\":\"x\",\"parameters\":[1]}", inQuery))
        .hasMessageContaining("in the body or the query but found both");
  }
}
