package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.validate.Rule;
import dev.quiver.server.config.ConfigurationKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The tables of the documents, which list every key with its default, and every rule.
///
/// `DefaultsTest` covers `application.yml`, `ArchitectureTest` the package table. The client suite,
/// `src/test/clients`, runs the commands of the documents.
class DocumentTablesTest {

  private static final Path CONFIGURATION = Path.of("src/docs/configuration.md");
  private static final Path TYPES = Path.of("src/docs/formats-and-types.md");
  private static final String KEY_TABLE_HEAD = "| key | default | what it is |";
  private static final String RULE_TABLE_HEAD = "| rule | level | what it says |";
  private static final Pattern KEY_ROW =
      Pattern.compile("\\| `([^`]+)` \\| (?:`([^`]+)`|none) \\|[^|]+\\|");

  @Test
  void configurationTablesListEveryKeyWithItsDefault() throws IOException {
    Map<String, String> keys = new TreeMap<>();
    for (String line : rows(CONFIGURATION, KEY_TABLE_HEAD)) {
      Matcher row = KEY_ROW.matcher(line);
      assertThat(row.matches()).as(line).isTrue();
      String value = row.group(2) == null ? "" : row.group(2);
      assertThat(keys.put(row.group(1), value)).as("second row of " + row.group(1)).isNull();
    }
    assertThat(keys)
        .containsEntry("quiver.storage.path", "./data")
        .containsExactlyInAnyOrderEntriesOf(ConfigurationKeys.defaults());
  }

  @Test
  void ruleTableListsEveryRuleWithItsLinkLevelAndDescription() throws IOException {
    assertThat(rows(TYPES, RULE_TABLE_HEAD))
        .containsExactlyElementsOf(
            Arrays.stream(Rule.values())
                .map(rule ->
                    "| [`%s`](%s) | `%s` | %s |"
                        .formatted(rule, rule.link(), rule.level(), rule.description()))
                .toList());
  }

  /// Returns the rows of all tables with this head.
  private static List<String> rows(Path document, String head) throws IOException {
    List<String> lines = Files.readAllLines(document);
    assertThat(lines).contains(head);
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).equals(head)) {
        lines.stream().skip(i + 2L).takeWhile(line -> line.startsWith("|")).forEach(rows::add);
      }
    }
    return rows;
  }
}
