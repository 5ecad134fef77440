package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.config.ConfigurationKeys;
import dev.quiver.validate.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The README's configuration table has every key with its default, and its table of rules every
/// rule. `application.yml` is in DefaultsTest, the package table in ArchitectureTest; the README's
/// commands are run by the client suite, `src/test/clients`.
class ReadmeTest {

  private static final String TABLE_HEAD = "| key | default | what it is |";
  private static final String RULE_TABLE_HEAD = "| rule | level | what it says |";
  private static final Pattern TABLE_ROW =
      Pattern.compile("\\| `([^`]+)` \\| (?:`([^`]+)`|none) \\|[^|]+\\|");

  @Test
  void everyKeyIsInTheReadmeWithItsDefault() throws IOException {
    assertThat(readmeTable())
        .containsEntry("quiver.storage.path", "./data")
        .containsExactlyInAnyOrderEntriesOf(ConfigurationKeys.defaults());
  }

  @Test
  void everyRuleIsInTheReadmeWithItsLinkLevelAndSentence() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("README.md"));
    assertThat(lines).contains(RULE_TABLE_HEAD);
    assertThat(
            lines.stream()
                .skip(lines.indexOf(RULE_TABLE_HEAD) + 2)
                .takeWhile(line -> line.startsWith("|")))
        .containsExactlyElementsOf(
            Arrays.stream(Rule.values())
                .map(rule ->
                    "| [`%s`](%s) | `%s` | %s |"
                        .formatted(rule, rule.link(), rule.level(), rule.description()))
                .toList());
  }

  private static Map<String, String> readmeTable() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("README.md"));
    assertThat(lines).contains(TABLE_HEAD);
    Map<String, String> table = new TreeMap<>();
    lines.stream()
        .skip(lines.indexOf(TABLE_HEAD) + 2)
        .takeWhile(line -> line.startsWith("|"))
        .forEach(line -> {
          Matcher row = TABLE_ROW.matcher(line);
          assertThat(row.matches()).as(line).isTrue();
          table.put(row.group(1), row.group(2) == null ? "" : row.group(2));
        });
    return table;
  }
}
