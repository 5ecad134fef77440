package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.blob.S3ProxyServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two services on one bucket, each with a cache of its own. A write to one is visible to the next
/// read from the other, and killing one loses nothing.
@Tag("long")
class ReplicasTest {

  /// More than one part of a multipart upload.
  private static final int UPLOADED_BYTE_SIZE = 24 << 20;

  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();
  private String bucket = "";

  @BeforeAll
  static void startTheStore() {
    S3ProxyServer.endpoint();
  }

  @Test
  void replicasActAsOneService() throws Exception {
    bucket = S3ProxyServer.newBucket();
    try (ReplicaProcess one = start("one");
        ReplicaProcess other = start("other")) {
      String here = one.origin();
      String there = other.origin();
      assertEachReadsWhatTheOtherWrote(here, there);
      byte[] before = read(there, "numbers.arrow");
      uploadUntilKilled(here, one);
      assertThat(read(there, "numbers.arrow")).isEqualTo(before);
      assertThat(status("GET", there + "/datasets/large", new byte[0])).isEqualTo(404);
      assertThat(status("POST", there + "/datasets/numbers", SampleStreams.stream(7)))
          .isEqualTo(200);
      try (ReplicaProcess again = start("one")) {
        String restarted = again.origin();
        assertThat(read(restarted, "numbers.arrow")).isEqualTo(read(there, "numbers.arrow"));
        assertThat(rows(restarted, "numbers")).isEqualTo(rows(there, "numbers"));
        assertThat(status("PUT", restarted + "/datasets/large", SampleStreams.stream(3)))
            .isEqualTo(201);
        assertThat(rows(there, "large")).isEqualTo(3);
      }
    }
  }

  private void assertEachReadsWhatTheOtherWrote(String here, String there) throws Exception {
    long rows = 0;
    for (int i = 1; i <= 10; i++) {
      String writer = i % 2 == 0 ? here : there;
      String reader = i % 2 == 0 ? there : here;
      int status = status("POST", writer + "/datasets/numbers", SampleStreams.stream(i));
      assertThat(status).isEqualTo(i == 1 ? 201 : 200);
      rows += i;
      assertThat(rows(reader, "numbers")).isEqualTo(rows);
      assertThat(rows(reader, "numbers@" + i)).isEqualTo(rows);
      assertThat(read(reader, "numbers.arrow")).isEqualTo(read(writer, "numbers.arrow"));
    }
    status("PUT", here + "/datasets/gone", SampleStreams.stream(2));
    assertThat(rows(there, "gone")).isEqualTo(2);
    assertThat(status("DELETE", there + "/datasets/gone", new byte[0])).isEqualTo(204);
    assertThat(status("GET", here + "/datasets/gone", new byte[0])).isEqualTo(410);
    assertThat(status("PUT", here + "/datasets/gone", SampleStreams.stream(4))).isEqualTo(201);
    assertThat(rows(there, "gone")).isEqualTo(4);
  }

  /// Sends the first part of an upload and kills the service.
  private static void uploadUntilKilled(String origin, ReplicaProcess service) throws Exception {
    byte[] stream = SampleStreams.stream(UPLOADED_BYTE_SIZE / 5);
    byte[] part = Arrays.copyOf(stream, UPLOADED_BYTE_SIZE / 2);
    URI uri = URI.create(origin);
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      OutputStream output = socket.getOutputStream();
      output.write(
          """
          PUT /datasets/large HTTP/1.1
          Host: localhost
          Content-Type: application/vnd.apache.arrow.stream
          Content-Length: %d

          """
              .formatted(stream.length)
              .replace("\n", "\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      output.write(part);
      output.flush();
      service.kill();
    }
  }

  private ReplicaProcess start(String name) throws IOException {
    return ReplicaProcess.start(0, bucket, folder.resolve(name));
  }

  private long rows(String origin, String dataset) throws Exception {
    HttpResponse<Void> response =
        client.send(
            HttpRequest.newBuilder(URI.create(origin + "/datasets/" + dataset + ".arrow"))
                .HEAD()
                .build(),
            BodyHandlers.discarding());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.headers().firstValueAsLong("Arrow-Row-Count").orElseThrow();
  }

  private byte[] read(String origin, String dataset) throws Exception {
    HttpResponse<byte[]> response =
        client.send(
            HttpRequest.newBuilder(URI.create(origin + "/datasets/" + dataset)).build(),
            BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  private int status(String method, String uri, byte[] body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(uri))
            .method(method, BodyPublishers.ofByteArray(body))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }
}
