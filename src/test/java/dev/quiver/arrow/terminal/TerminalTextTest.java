package dev.quiver.arrow.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTextTest {

  /// The widths of Unicode Standard Annex #11, and for clusters those of terminals that know them.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | 0",
        "abc | 3",
        "é | 1",
        "e\u0301 | 1",
        "東京 | 4",
        "한국 | 4",
        "\u1112\u1161\u11AB | 2",
        "カナ | 4",
        "ｶﾅ | 2",
        "Ａ！ | 4",
        "'\u3000' | 2",
        "שלום | 4",
        "न\u093F | 2",
        "🏔 | 1",
        "🏔\uFE0F | 2",
        "😀 | 2",
        "👍🏽 | 2",
        "👨\u200D👩\u200D👧 | 2",
        "🇨🇭 | 2",
        "🇨 | 1",
        "❤ | 1",
        "❤\uFE0F | 2",
        "─│… | 3",
      })
  void widthIsThatOnATerminal(String text, int width) {
    assertThat(TerminalText.width(text)).as(text).isEqualTo(width);
    assertThat(TerminalText.escaped(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "abc | 3 | abc",
        "abcd | 3 | ab…",
        "東京都 | 6 | 東京都",
        "東京都 | 5 | 東京…",
        "東京都 | 4 | 東…",
        "東京都 | 2 | …",
        "東京都 | 1 | …",
        "e\u0301e\u0301e\u0301 | 2 | e\u0301…",
        "👨\u200D👩\u200D👧 x y | 4 | 👨\u200D👩\u200D👧 …",
      })
  void cutsBetweenClusters(String text, int maximum, String expected) {
    assertThat(TerminalText.cut(text, maximum)).isEqualTo(expected);
    assertThat(TerminalText.width(expected)).isLessThanOrEqualTo(maximum);
  }

  @Test
  void escapesWhatControlsATerminal() {
    assertThat(TerminalText.escaped("a\nb\tc\r")).isEqualTo("a\\nb\\tc\\r");
    assertThat(TerminalText.escaped("\u001B[31mred\u009B0m\u0007\u007F\0"))
        .isEqualTo("\\u{1B}[31mred\\u{9B}0m\\u{7}\\u{7F}\\u{0}");
    assertThat(TerminalText.escaped("abc\u202Edef\u2066\u200F\u2028\uFEFF\u00AD"))
        .isEqualTo("abc\\u{202E}def\\u{2066}\\u{200F}\\u{2028}\\u{FEFF}\\u{AD}");
    assertThat(TerminalText.escaped("\uD800x")).isEqualTo("\\u{D800}x");
    assertThat(TerminalText.escaped("C:\\n")).isEqualTo("C:\\n");
  }
}
