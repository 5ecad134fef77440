package dev.quiver.sql.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.sql.execution.SqlException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NestingTest {

  private static final String MAXIMUM = "(".repeat(Nesting.DEPTH_MAXIMUM);

  @ParameterizedTest
  @CsvSource({"(, )", "[, ]", "{a:, }", "abs(, )", "(select , )"})
  void bracketsOfTheLimitPassAndOneMoreDoesNot(String open, String close) {
    String deepest = open.repeat(Nesting.DEPTH_MAXIMUM);
    String closing = close.repeat(Nesting.DEPTH_MAXIMUM);
    assertThatCode(() -> Nesting.check("SELECT " + deepest + "1" + closing + ", (1)"))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> Nesting.check("SELECT\n" + deepest + open))
        .isInstanceOfSatisfying(
            SqlException.Invalid.class,
            e -> {
              assertThat(e.reason()).isEqualTo(SqlException.Reason.INVALID_SQL);
              assertThat(e.line()).isEqualTo(2);
              assertThat(e.position()).isEqualTo(7 + deepest.length() + bracket(open));
            });
  }

  private static int bracket(String open) {
    return Math.max(0, open.indexOf('('));
  }

  /// Each % stands for brackets that are no tokens of their own.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'%'",
        "'a''%'",
        "'\\', '%'",
        "E'\\'%'",
        "e'a''%'",
        "\"%\"",
        "\"a\"\"%\"",
        "`%`",
        "$$%$$",
        "$a1$ $$ %$a1$",
        "$ä$%$ä$",
        "1$$%$$",
        "1e5$$%$$",
        "a\u00A0$$%$$",
        "-- %\n",
        "-- %",
        "1--%\n",
        "/* % */",
        "/* /* */ % */",
        "'%",
        "$$%",
        "/*%"
      })
  void hiddenBracketsAreNotCounted(String text) {
    assertThatCode(() -> Nesting.check(MAXIMUM + text.replace("%", "(")))
        .doesNotThrowAnyException();
  }

  /// Each % stands for a bracket that is a token, though it seems hidden.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'a' % ''",
        "'\\' % ''",
        "xE'\\' % ''",
        "E'\\\\' % ''",
        "\"'\" % \"'\"",
        "a$$ % $$",
        "a1$$ % $$",
        "ä$$ % $$",
        "1a$$ % $$",
        "1e$$ % $$",
        "\u0001$$ % $$",
        "$1 % $1$",
        "$a % $a",
        "$$ $$ % $$ $$",
        "$a$ $$ $a$ % $$",
        "-- a\r % ",
        "-- '\n % '",
        "/* */ % /* */",
        "/* ' */ % '",
        "- - % \n",
        "/ * % */"
      })
  void bracketsBesideQuotesAreCounted(String text) {
    assertThatThrownBy(() -> Nesting.check(MAXIMUM + " " + text.replace("%", "(")))
        .isInstanceOf(SqlException.Invalid.class);
  }
}
