package dev.quiver.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.formats.parquet.PageLimits;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.store.log.JobOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/// The keys of the configuration. Errors and limits name them, but no lower layer knows them.
class QuiverPropertiesTest {

  private static final Path SOURCES = Path.of("src/main/java/dev/quiver");

  /// The tier that knows keys, and the classes that wire it.
  private static final Set<String> UPPER =
      Set.of("server", "Quiver.java", "QuiverConfiguration.java");

  private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
  private static final Pattern KEY = Pattern.compile("(?<!dev\\.)\\bquiver\\.[a-z]");

  /// A key of the metadata of an Arrow file.
  private static final String FILE_METADATA = "\"quiver.record_batch_cum_len\"";

  private static QuiverProperties properties(Map<String, String> configuration) {
    return new Binder(new MapConfigurationPropertySource(configuration))
        .bindOrCreate("quiver", QuiverProperties.class);
  }

  @Test
  void sqlTakesTheSmallestValues() {
    QuiverProperties smallest =
        properties(
            Map.of(
                "quiver.sql.workers", "1",
                "quiver.sql.queue", "0",
                "quiver.sql.queue-wait", "0s",
                "quiver.sql.timeout", "1ms",
                "quiver.sql.memory", "64MB",
                "quiver.sql.result-bytes", "1B",
                "quiver.sql.text-bytes", "1B",
                "quiver.sql.datasets", "1",
                "quiver.files.memory", "64MB",
                "quiver.spool.bytes", "0B"));
    SqlOptions options = smallest.sqlOptions(1L << 40, 1L << 30, 64);
    assertThat(options.pool().memory().maximum()).isEqualTo(64L << 20);
    assertThat(options.pool().threadCount()).isOne();
    assertThat(options.pool().timeout().maximum()).isEqualTo(1);
    assertThat(options.filePool().memory().maximum()).isEqualTo(64L << 20);
    assertThat(options.filePool().threadCount()).isOne();
  }

  @Test
  void listsTakeTheSmallestValue() {
    SqlOptions options =
        properties(Map.of("quiver.sql.catalog", "1")).sqlOptions(1L << 30, 1L << 30, 1);
    assertThat(options.catalog()).isEqualTo(new Limit("quiver.sql.catalog", 1));
  }

  @Test
  void workbooksTakeTheSmallestValue() {
    SqlOptions options =
        properties(Map.of("quiver.files.workbook-bytes", "0B")).sqlOptions(1L << 30, 1L << 30, 1);
    assertThat(options.workbook()).isEqualTo(new Limit("quiver.files.workbook-bytes", 0));
  }

  @Test
  void pagesTakeTheSmallestValue() {
    SqlOptions options =
        properties(Map.of("quiver.files.page-bytes", "1B")).sqlOptions(1L << 30, 1L << 30, 1);
    assertThat(options.pages()).isEqualTo(PageLimits.of(new Limit("quiver.files.page-bytes", 1)));
  }

  @Test
  void jobsTakeTheSmallestValues() {
    JobOptions options =
        properties(
                Map.of(
                    "quiver.jobs.running", "1",
                    "quiver.jobs.queued", "0",
                    "quiver.jobs.retention", "0s",
                    "quiver.jobs.lost-after", "1ms"))
            .jobs()
            .options();
    assertThat(options)
        .isEqualTo(
            new JobOptions(
                new Limit("quiver.jobs.running", 1),
                new Limit("quiver.jobs.queued", 0),
                Duration.ZERO,
                Duration.ofMillis(1)));
  }

  @Test
  void workersShareTheMachine() {
    QuiverProperties defaults = properties(Map.of());
    SqlOptions options = defaults.sqlOptions(24L << 30, 6L << 30, 8);
    assertThat(options.pool().memory().maximum()).isEqualTo(2L << 30);
    assertThat(options.pool().threadCount()).isEqualTo(8);
    assertThat(options.filePool().threadCount()).isEqualTo(4);
    assertThat(options.pages().share().maximum()).isEqualTo(768L << 20);
    assertThat(options.pages().whole().maximum()).isEqualTo(3_456L << 20);
    SqlOptions small = defaults.sqlOptions(512L << 20, 96L << 20, 1);
    assertThat(small.pool().memory().maximum()).isEqualTo(64L << 20);
    assertThat(small.pool().threadCount()).isEqualTo(1);
    assertThat(small.pages().share().maximum()).isEqualTo(24L << 20);
    assertThat(small.pages().whole().maximum()).isEqualTo(24L << 20);
    PageLimits medium = defaults.sqlOptions(1L << 30, 512L << 20, 1).pages();
    assertThat(medium.share().maximum()).isEqualTo(64L << 20);
    assertThat(medium.whole().maximum()).isEqualTo(288L << 20);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "quiver.retention.count | 0 | 1 or more | 0",
        "quiver.where.timeout | 0s | 1ms or more | PT0S",
        "quiver.where.memory | 0B | 1 or more | 0",
        "quiver.retention.age | -1s | a duration of 0 or more | PT-1S",
        "quiver.storage.grace-period | 0s | a positive duration | PT0S",
        "quiver.compaction.extents | -1 | 0 or more | -1",
        "quiver.compaction.batches | -2 | 0 or more | -2",
        "quiver.ingest.batch-bytes | 0B | 1 or more | 0",
        "quiver.sql.workers | 0 | 1 or more | 0",
        "quiver.sql.queue | -1 | 0 or more | -1",
        "quiver.sql.queue-wait | -1s | a duration of 0 or more | PT-1S",
        "quiver.sql.timeout | 0s | 1ms or more | PT0S",
        "quiver.sql.memory | 67108863B | 0, or 64MB or more | 67108863",
        "quiver.sql.threads | -1 | 0 or more | -1",
        "quiver.sql.result-bytes | 0B | 1 or more | 0",
        "quiver.sql.text-bytes | 0B | 1 or more | 0",
        "quiver.sql.datasets | 0 | 1 or more | 0",
        "quiver.sql.catalog | 0 | 1 or more | 0",
        "quiver.jobs.running | 0 | 1 or more | 0",
        "quiver.jobs.queued | -1 | 0 or more | -1",
        "quiver.jobs.retention | -1s | a duration of 0 or more | PT-1S",
        "quiver.jobs.lost-after | 0s | 1ms or more | PT0S",
        "quiver.scrub.period | -1s | a duration of 0 or more | PT-1S",
        "quiver.scrub.bytes-per-second | 0B | 1 or more bytes | 0B",
        "quiver.limits.verify-seconds | 0 | 1 or more | 0",
        "quiver.files.workers | 0 | 1 or more | 0",
        "quiver.files.queue | -1 | 0 or more | -1",
        "quiver.files.timeout | 0s | 1ms or more | PT0S",
        "quiver.files.memory | 67108863B | 64MB or more | 67108863",
        "quiver.files.threads | -1 | 0 or more | -1",
        "quiver.files.page-bytes | -1B | 0 or more | -1",
        "quiver.files.workbook-bytes | -1B | 0 or more | -1",
        "quiver.spool.bytes | -1B | 0 or more | -1",
        "quiver.ingest.level | domain | layout, offsets or values | domain",
      })
  void rejectsValuesByTheirKey(String key, String value, String expected, String found) {
    assertThatThrownBy(() -> properties(Map.of(key, value)))
        .rootCause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected %s but found %s at %s", expected, found, key);
  }

  @Test
  void namesLimitsByTheirKeys() {
    RequestLimits limits = properties(Map.of()).limits();
    Limits arrow = limits.arrow();
    Set<String> keys = ConfigurationKeys.defaults().keySet();
    List<String> names =
        Stream.of(
                arrow.metadataBytes(),
                arrow.bodyBytes(),
                arrow.batchRows(),
                arrow.fields(),
                arrow.depth(),
                arrow.dictionaryBytes(),
                arrow.decompressionRatio(),
                arrow.uploadBatches(),
                limits.uploadDictionaries(),
                limits.request(),
                limits.form(),
                limits.report(),
                limits.text(),
                limits.storage(),
                limits.generated(),
                limits.inFlight())
            .map(limit -> limit.name())
            .toList();
    assertThat(names).doesNotHaveDuplicates();
    assertThat(keys).containsAll(names);
  }

  @Test
  void noLowerLayerKnowsAConfigurationKey() throws IOException {
    List<String> found = new ArrayList<>();
    int files = 0;
    try (Stream<Path> sources = Files.walk(SOURCES)) {
      for (Path file : sources.filter(path -> path.toString().endsWith(".java")).toList()) {
        if (UPPER.contains(SOURCES.relativize(file).getName(0).toString())) {
          continue;
        }
        files++;
        for (String line : Files.readAllLines(file)) {
          Matcher literals = LITERAL.matcher(line.strip().startsWith("//") ? "" : line);
          while (literals.find()) {
            String literal = literals.group();
            if (KEY.matcher(literal).find() && !literal.equals(FILE_METADATA)) {
              found.add(SOURCES.relativize(file) + ": " + literal);
            }
          }
        }
      }
    }
    assertThat(files).isGreaterThan(200);
    assertThat(found).as("configuration keys in lower tiers").isEmpty();
  }
}
