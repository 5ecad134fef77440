package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// The metrics of response bodies. A property of its own gives this test a service that sends no
/// other bodies.
@TestPropertySource(properties = "quiver.limits.idle-seconds=61")
class BodyMetricsTest extends RunningService {

  private static final int ROWS = 1 << 20;
  private static final String DATASET_URI = "uri=\"/datasets/{dataset}\"";
  private static final String BATCHES_URI = "uri=\"/datasets/{dataset}/batches/{range}\"";

  private double value(String name, String outcome, String uri) throws Exception {
    String start = "quiver_response_body_" + name + "{outcome=\"" + outcome + "\"," + uri + "} ";
    return text(get("/metrics"))
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToDouble(line -> Double.parseDouble(line.substring(start.length())))
        .sum();
  }

  /// A response is counted after its client has received it.
  private void await(String name, String outcome, String uri, double expected) {
    eventually(() -> assertThat(value(name, outcome, uri)).isEqualTo(expected));
  }

  @Test
  void countsCompleteBodiesAndTheirBytes() throws Exception {
    put("/datasets/metered?batches=keep", Streams.numbers(0, ROWS, 10));
    double count = value("seconds_count", "complete", DATASET_URI);
    double bytes = value("bytes_total", "complete", DATASET_URI);
    int size = get("/datasets/metered.arrow").body().length;
    get("/datasets/metered.arrow", "Range", "bytes=5-104");
    head("/datasets/metered.arrow");
    get("/datasets/metered.arrow", "If-None-Match", "*");
    get("/datasets/metered.arrow", "Range", "bytes=999999999-");
    await("seconds_count", "complete", DATASET_URI, count + 2);
    await("bytes_total", "complete", DATASET_URI, bytes + size + 100);
    assertThat(value("seconds_sum", "complete", DATASET_URI)).isPositive();
    double batches = value("bytes_total", "complete", BATCHES_URI);
    int batch = get("/datasets/metered/batches/1").body().length;
    await("bytes_total", "complete", BATCHES_URI, batches + batch);
  }

  @Test
  void countsAbortedBodiesAndTheirBytes() throws Exception {
    put("/datasets/metered-too?batches=keep", Streams.numbers(0, ROWS, ROWS, ROWS, ROWS));
    double count = value("seconds_count", "aborted", DATASET_URI);
    try (RawHttp connection = new RawHttp(port)) {
      connection.send("GET /datasets/metered-too.arrow HTTP/1.1\nHost: localhost\n\n");
      connection.readUntil("ARROW1");
      connection.reset();
      await("seconds_count", "aborted", DATASET_URI, count + 1);
    }
    // The bytes are counted after the response is.
    eventually(() ->
        assertThat(value("bytes_total", "aborted", DATASET_URI)).isBetween(1.0, 4.0 * 4 * ROWS));
  }
}
