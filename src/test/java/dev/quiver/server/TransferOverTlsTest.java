package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Quiver;
import dev.quiver.TlsKeys;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/// Encrypted responses pass through Tomcat, which encrypts them.
@SpringBootTest(classes = Quiver.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@Import(DirectByteCounter.class)
@TestPropertySource(
    properties = {
      "server.ssl.key-store=${test.folder}/keys.p12",
      "server.ssl.key-store-password=changeit"
    })
class TransferOverTlsTest extends TemporaryStore {

  private static final Path KEYS = TlsKeys.make(FOLDER.resolve("keys.p12"));

  @Autowired private DirectByteCounter directBytes;
  @Autowired private MeterRegistry registry;
  @LocalServerPort private int port;

  private static HttpClient client() throws Exception {
    return HttpClient.newBuilder()
        .sslContext(TlsKeys.clientContext(KEYS))
        .version(HttpClient.Version.HTTP_1_1)
        .build();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("https://localhost:" + port + path));
  }

  /// The record of a handshake has 16 KiB, and a byte arrives now and then.
  @Tag("long")
  @Test
  void closesAConnectionWhoseHandshakeDrips() throws Exception {
    try (RawHttp connection = new RawHttp(port)) {
      connection.sendExactly("\u0016\u0003\u0001\u0040\u0000\u0001\u0000\u003f\u00fc");
      assertThat(connection.dripUntilClosed("x")).doesNotContain("HTTP");
    }
  }

  @Test
  void encryptedResponsesContainTheStoredBytes() throws Exception {
    try (HttpClient client = client()) {
      byte[] stream = Streams.numbers(0, 256 << 10, 256 << 10);
      HttpRequest put =
          request("/datasets/tls?batches=keep").PUT(BodyPublishers.ofByteArray(stream)).build();
      assertThat(client.send(put, BodyHandlers.ofString()).statusCode()).isEqualTo(201);
      directBytes.clear();
      byte[] file =
          client.send(request("/datasets/tls.arrow").build(), BodyHandlers.ofByteArray()).body();
      byte[] again =
          client.send(request("/datasets/tls.arrows").build(), BodyHandlers.ofByteArray()).body();
      assertThat(again).isEqualTo(Arrays.copyOfRange(file, 8, 8 + again.length));
      assertThat(file.length).isGreaterThan(2 << 20);
      assertThat(directBytes.next()).isZero();
      assertThat(directBytes.next()).isZero();
    }
  }

  @Test
  void eventsAreEncrypted() throws Exception {
    try (HttpClient client = client()) {
      HttpRequest put =
          request("/datasets/tls-events")
              .PUT(BodyPublishers.ofByteArray(Streams.numbers(0, 3)))
              .build();
      assertThat(client.send(put, BodyHandlers.discarding()).statusCode()).isEqualTo(201);
      HttpRequest listen = request("/datasets/tls-events/events").build();
      try (Stream<String> lines = client.send(listen, BodyHandlers.ofLines()).body()) {
        Iterator<String> ids = lines.filter(line -> line.startsWith("id: ")).iterator();
        assertThat(ids.next()).isEqualTo("id: 1");
        client.send(put, BodyHandlers.discarding());
        assertThat(ids.next()).isEqualTo("id: 2");
      }
      eventually(
          () -> assertThat(registry.get("quiver.waiting.requests").gauge().value()).isZero());
    }
  }
}
