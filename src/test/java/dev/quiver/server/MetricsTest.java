package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.DocumentedMetrics;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// The metrics of a service, compared with the table of `src/docs/operations.md`. Their values are
/// those of a service that does nothing else.
@TestPropertySource(properties = "quiver.limits.idle-seconds=62")
class MetricsTest extends RunningService {

  private double value(String sample) throws Exception {
    return text(get("/metrics"))
        .lines()
        .filter(line -> line.startsWith(sample + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(sample.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("Expected " + sample + " but found none"));
  }

  @Test
  void tableOfTheDocumentListsExactlyTheMetrics() throws Exception {
    // Some appear with their first event.
    get("/datasets/sample.csv");
    get("/sql.json?q=SELECT%201");
    put(
        "/datasets/metrics-invalid",
        Streams.slot(new ArrowType.Utf8(), new byte[] {'a', (byte) 0xFF}));
    String envelope = "{\"data\":[{\"number\":1}],\"total\":1}";
    put("/datasets/metrics-found.json", envelope.getBytes(StandardCharsets.UTF_8));
    Schema narrow = Schema.of(Field.of("number", true, new ArrowType.Int(8, true)));
    post("/datasets/metrics-found", Streams.of(narrow, List.of(2L)));
    put(
        "/datasets/metrics-skipped.csv?csv.rows=skip",
        "a,b\n1,2\n3\n".getBytes(StandardCharsets.UTF_8));
    Set<String> documented = new TreeSet<>(DocumentedMetrics.inTheTable());
    documented.removeAll(DocumentedMetrics.OF_BUCKETS);
    eventually(() -> assertThat(DocumentedMetrics.in(text(get("/metrics")))).isEqualTo(documented));
  }

  @Test
  void countsStoredUploadsAndTheirRows() throws Exception {
    double uploads = value("quiver_uploads_total");
    double rows = value("quiver_uploads_rows_total");
    put("/datasets/counted", Streams.numbers(0, 10));
    post("/datasets/counted", Streams.numbers(0, 5));
    put("/datasets/counted", new byte[10]);
    assertThat(value("quiver_uploads_total")).isEqualTo(uploads + 2);
    assertThat(value("quiver_uploads_rows_total")).isEqualTo(rows + 15);
  }

  @Test
  void tellsOfWorkersAndTheirMemory() throws Exception {
    assertThat(get("/sql.json?q=SELECT%201").statusCode()).isEqualTo(200);
    assertThat(value("quiver_sql_workers")).isPositive();
    if (System.getProperty("os.name").equals("Linux")) {
      assertThat(value("quiver_sql_workers_memory_bytes")).isGreaterThan(1 << 20);
    }
    assertThat(value("quiver_sql_workers_failed_total")).isZero();
  }

  @Test
  void countsJobsByTheirEnd() throws Exception {
    double done = value("quiver_jobs_ended_total{state=\"done\"}");
    double failed = value("quiver_jobs_ended_total{state=\"failed\"}");
    put("/datasets/metrics-job", Streams.numbers(0, 3), "Prefer", "respond-async");
    put("/datasets/metrics-job", new byte[100], "Prefer", "respond-async");
    eventually(() -> {
      assertThat(value("quiver_jobs_ended_total{state=\"done\"}")).isEqualTo(done + 1);
      assertThat(value("quiver_jobs_ended_total{state=\"failed\"}")).isEqualTo(failed + 1);
    });
  }

  @Test
  void tellsOfLimitsAndDisks() throws Exception {
    assertThat(value("quiver_in_flight_maximum_bytes")).isPositive();
    assertThat(value("quiver_spool_maximum_bytes")).isBetween(9e9, 11e9);
    assertThat(value("quiver_disk_free_bytes{folder=\"store\"}")).isPositive();
    assertThat(value("quiver_disk_free_bytes{folder=\"spool\"}")).isPositive();
  }
}
