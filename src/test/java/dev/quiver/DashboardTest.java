package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The dashboard and the alerts, whose queries name only metrics that exist. `MetricsTest` holds
/// the table with their names to the service.
class DashboardTest {

  private static final Path DASHBOARD = Path.of("src/docs/grafana.json");
  private static final Path ALERTS = Path.of("src/docs/alerts.yaml");
  private static final Path DOCUMENT = Path.of("src/docs/operations.md");
  private static final Pattern NAME =
      Pattern.compile("\\b(?:quiver|http|jvm|process|disk|tomcat)_[a-z_]+");
  private static final Pattern TIMER_SUFFIX = Pattern.compile("(_seconds)_(?:count|sum|max)$");

  /// Metrics of Spring Boot that `EndpointsTest` finds in the service.
  private static final Set<String> OF_SPRING_BOOT =
      Set.of(
          "http_server_requests_seconds",
          "jvm_memory_used_bytes",
          "jvm_memory_max_bytes",
          "process_cpu_usage");

  private static Set<String> metrics(String query) {
    return NAME.matcher(query)
        .results()
        .map(MatchResult::group)
        .map(name -> TIMER_SUFFIX.matcher(name).replaceFirst("$1"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> known() throws IOException {
    Set<String> known = new TreeSet<>(DocumentedMetrics.inTheTable());
    assertThat(known).hasSizeGreaterThan(30);
    known.addAll(OF_SPRING_BOOT);
    return known;
  }

  private static void assertKnown(List<String> queries) throws IOException {
    Set<String> known = known();
    for (String query : queries) {
      assertThat(metrics(query)).as(query).isNotEmpty();
      assertThat(known).as(query).containsAll(metrics(query));
      assertThat(query.chars().filter(character -> character == '(').count())
          .as(query)
          .isEqualTo(query.chars().filter(character -> character == ')').count());
    }
  }

  @Test
  void everyQueryOfTheDashboardNamesMetricsThatExist() throws IOException {
    JsonNode dashboard = JsonMapper.shared().readTree(Files.readAllBytes(DASHBOARD));
    assertThat(dashboard.findValuesAsString("type")).contains("timeseries");
    assertKnown(dashboard.findValuesAsString("expr"));
    assertThat(
            dashboard
                .get("panels")
                .valueStream()
                .filter(panel -> panel.get("type").asString().equals("row"))
                .map(row -> row.get("title").asString()))
        .containsExactly(
            "Traffic",
            "Errors",
            "Latency",
            "Writes",
            "Queries and workers",
            "Store",
            "Memory",
            "Garbage");
  }

  @Test
  void everyAlertNamesMetricsThatExistAndAnEntryOfTheRunBook() throws IOException {
    JsonNode file = JsonMapper.shared().valueToTree(new Yaml().load(Files.readString(ALERTS)));
    List<String> queries = new ArrayList<>();
    String document = Files.readString(DOCUMENT);
    for (JsonNode rule : file.at("/groups/0/rules")) {
      queries.add(rule.get("expr").asString());
      String summary = rule.at("/annotations/summary").asString();
      String entry = summary.substring(summary.indexOf("See: ") + 5, summary.length() - 1);
      assertThat(document).contains("\n### " + entry + "\n");
    }
    assertThat(queries).hasSizeGreaterThan(5);
    assertKnown(queries);
  }
}
