package dev.quiver;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.quiver.server.admin.TraceConfiguration;
import dev.quiver.store.blob.S3ProxyServer;
import io.micrometer.tracing.Tracer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/// Traces as a collector receives them, in the Protocol Buffers form of OTLP.
@Tag("long")
class TracesTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";
  private static final String SECRET = "a-secret-of-the-statement";

  @TempDir private Path folder;
  private final List<byte[]> received = new CopyOnWriteArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer collector;

  /// A span as it was sent.
  private record Span(String trace, String id, String parent, String name, String text) {}

  @BeforeEach
  void collect() throws IOException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          received.add(exchange.getRequestBody().readAllBytes());
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
  }

  @AfterEach
  void end() {
    collector.stop(0);
    client.close();
  }

  private ConfigurableApplicationContext start(String... arguments) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--server.port=0",
                "--quiver.storage.path=" + folder.resolve("store"),
                "--quiver.spool.path=" + folder.resolve("spool")));
    all.addAll(List.of(arguments));
    return Quiver.application().run(all.toArray(String[]::new));
  }

  private HttpResponse<String> get(ConfigurableApplicationContext service, String path)
      throws Exception {
    String port = service.getEnvironment().getRequiredProperty("local.server.port");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("traceparent", "00-" + TRACE + "-" + PARENT + "-01")
            .header("X-Request-Id", "of-this-test")
            .method("GET", BodyPublishers.noBody())
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Test
  void requestsStatementsAndRequestsToTheBucketAreSpansOfOneTrace() throws Exception {
    String sql = "SELECT count(*) FROM sample WHERE '" + SECRET + "' <> ''";
    try (ConfigurableApplicationContext service =
        start(
            "--" + TraceConfiguration.ENDPOINT + "=" + collectorUrl(),
            "--management.tracing.sampling.probability=1",
            "--management.opentelemetry.tracing.export.schedule-delay=100ms",
            "--quiver.storage.s3.bucket=" + S3ProxyServer.newBucket(),
            "--quiver.storage.s3.endpoint=" + S3ProxyServer.endpoint(),
            "--quiver.storage.s3.path-style=true",
            "--quiver.storage.cache-path=" + folder.resolve("cache"))) {
      String query = URLEncoder.encode(sql, StandardCharsets.UTF_8);
      assertThat(get(service, "/sql?q=" + query).statusCode()).isEqualTo(200);
      assertThat(get(service, "/datasets/sample.json").statusCode()).isEqualTo(200);
      eventually(() ->
          assertThat(spans())
              .extracting(Span::name)
              .contains(
                  "http get /sql",
                  "http get /datasets/{dataset}",
                  "worker wait",
                  "worker",
                  "store GET"));
    }
    List<Span> spans = spans();
    Span statement = named(spans, "http get /sql");
    assertThat(statement.parent()).isEqualTo(PARENT);
    assertThat(statement.text()).contains("of-this-test");
    assertThat(named(spans, "worker").parent()).isEqualTo(statement.id());
    assertThat(named(spans, "worker wait").parent()).isEqualTo(statement.id());
    assertThat(spans)
        .filteredOn(span -> span.name().startsWith("store "))
        .extracting(Span::parent)
        .isSubsetOf(statement.id(), named(spans, "http get /datasets/{dataset}").id());
    assertThat(spans).extracting(Span::trace).containsOnly(TRACE);
    assertThat(spans).extracting(Span::text).noneMatch(text -> text.contains(SECRET));
  }

  @Test
  void nothingIsTracedWithoutACollector() throws Exception {
    try (ConfigurableApplicationContext service = start()) {
      assertThat(get(service, "/datasets/sample.json").statusCode()).isEqualTo(200);
      assertThat(service.getBeanProvider(Tracer.class).stream()).isEmpty();
    }
  }

  /// A collector that does not respond takes nothing from the service but its spans.
  @Test
  void requestsGoOnWithoutTheirCollector() throws Exception {
    String url = collectorUrl();
    collector.stop(0);
    try (ConfigurableApplicationContext service =
        start(
            "--" + TraceConfiguration.ENDPOINT + "=" + url,
            "--management.opentelemetry.tracing.export.schedule-delay=10ms")) {
      for (int i = 0; i < 20; i++) {
        assertThat(get(service, "/datasets/sample.json").statusCode()).isEqualTo(200);
      }
    }
  }

  private String collectorUrl() {
    return "http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/traces";
  }

  private static Span named(List<Span> spans, String name) {
    return spans.stream().filter(span -> span.name().equals(name)).findFirst().orElseThrow();
  }

  /// Returns the spans of all requests:
  /// `ExportTraceServiceRequest.resource_spans.scope_spans.spans`.
  private List<Span> spans() {
    List<Span> spans = new ArrayList<>();
    for (byte[] body : received) {
      for (byte[] resource : fields(body, 1)) {
        for (byte[] scope : fields(resource, 2)) {
          fields(scope, 2).forEach(span -> spans.add(span(span)));
        }
      }
    }
    return spans;
  }

  private static Span span(byte[] span) {
    HexFormat hex = HexFormat.of();
    List<byte[]> parent = fields(span, 4);
    return new Span(
        hex.formatHex(fields(span, 1).getFirst()),
        hex.formatHex(fields(span, 2).getFirst()),
        parent.isEmpty() ? "" : hex.formatHex(parent.getFirst()),
        new String(fields(span, 5).getFirst(), StandardCharsets.UTF_8),
        new String(span, StandardCharsets.ISO_8859_1));
  }

  /// Returns the values of a field of a message of Protocol Buffers that have a length.
  private static List<byte[]> fields(byte[] message, int number) {
    List<byte[]> values = new ArrayList<>();
    int[] position = {0};
    while (position[0] < message.length) {
      long tag = variable(message, position);
      switch ((int) (tag & 7)) {
        case 0 -> variable(message, position);
        case 1 -> position[0] += Long.BYTES;
        case 2 -> {
          int byteSize = (int) variable(message, position);
          byte[] value = new byte[byteSize];
          System.arraycopy(message, position[0], value, 0, byteSize);
          position[0] += byteSize;
          if (tag >>> 3 == number) {
            values.add(value);
          }
        }
        case 5 -> position[0] += Integer.BYTES;
        default -> throw new IllegalArgumentException("Expected a field but found " + tag);
      }
    }
    return values;
  }

  private static long variable(byte[] message, int[] position) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = message[Objects.checkIndex(position[0]++, message.length)];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
