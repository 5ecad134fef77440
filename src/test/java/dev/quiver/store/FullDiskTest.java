package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A disk that is really full. Requests that need more space get a 507, and others still succeed.
///
/// The folder of the service is a small file system in memory, mounted for this process alone.
@Tag("long")
class FullDiskTest {

  private static final int DISK_BYTES = 8 << 20;

  /// Rows of twice as many bytes.
  private static final int ROWS = 2 << 20;

  private static final Schema SCHEMA =
      Schema.of(Field.of("zero", false, new ArrowType.Int(64, true)));

  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void rejectsOnlyRequestsThatNeedMoreThanTheFreeSpace() throws Exception {
    assumeTrue(canMount(), "this system does not let unprivileged users mount a folder");
    byte[] large = stream(Codec.NONE, ROWS);
    byte[] largeFile = file(ROWS);
    // More than the budget of native memory, which is a quarter of the heap.
    byte[] compressed = stream(Codec.ZSTD, 4 * ROWS);
    assertThat(compressed).hasSizeLessThan(100_000);
    byte[] small = stream(Codec.NONE, 1000);
    try (ServiceProcess service = new ServiceProcess(launcher("exec \"$@\""), folder)) {
      String origin = service.origin();
      for (String resource : List.of("POST /inspect", "POST /convert", "PUT /datasets/large")) {
        for (byte[] body : List.of(large, largeFile, compressed)) {
          HttpResponse<byte[]> response = send(origin, resource, body);
          assertThat(response.statusCode())
              .as("%s of %d bytes", resource, body.length)
              .isEqualTo(507);
          assertThat(new String(response.body(), StandardCharsets.UTF_8))
              .contains("\"type\":\"urn:quiver:problem:storage-full\"")
              .contains("\"detail\":\"Expected space left in the store but found none\"");
        }
      }
      assertThat(send(origin, "POST /inspect", small).statusCode()).isEqualTo(200);
      assertThat(send(origin, "POST /convert", small).body()).isEqualTo(small);
      assertThat(send(origin, "PUT /datasets/small", small).statusCode()).isEqualTo(201);
    }
  }

  /// A delete writes a manifest before anything can be freed. Each takes a page of the disk.
  @Test
  void deletesDatasetsOnAFullDisk() throws Exception {
    assumeTrue(canMount(), "this system does not let unprivileged users mount a folder");
    int count = 20;
    try (ServiceProcess service = new ServiceProcess(launcher("exec \"$@\""), folder)) {
      String origin = service.origin();
      for (int i = 0; i < count; i++) {
        send(origin, "PUT /datasets/deleted-" + i, stream(Codec.NONE, 10));
      }
      assertThat(send(origin, "GET /health", new byte[0]).statusCode()).isEqualTo(200);
      int fillers = 0;
      for (int rows = ROWS; rows > 0; ) {
        byte[] body = stream(Codec.NONE, rows);
        int status = send(origin, "PUT /datasets/filler-" + fillers++, body).statusCode();
        rows = status == 507 ? rows / 2 : rows;
      }
      HttpResponse<byte[]> health = send(origin, "GET /health", new byte[0]);
      assertThat(health.statusCode()).isEqualTo(503);
      assertThat(new String(health.body(), StandardCharsets.UTF_8))
          .contains("\"status\":\"OUT_OF_SERVICE\"");

      for (int i = 0; i < count; i++) {
        assertThat(send(origin, "GET /datasets/deleted-" + i, new byte[0]).statusCode())
            .isEqualTo(200);
        assertThat(send(origin, "DELETE /datasets/deleted-" + i, new byte[0]).statusCode())
            .isEqualTo(204);
      }
    }
  }

  private boolean canMount() throws InterruptedException {
    try {
      return new ProcessBuilder(launcher("true")).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private List<String> launcher(String command) {
    String mount = "mount -t tmpfs -o size=%d quiver \"$0\" && ".formatted(DISK_BYTES);
    return List.of(
        "unshare", "--map-root-user", "--mount", "sh", "-c", mount + command, folder.toString());
  }

  private HttpResponse<byte[]> send(String origin, String resource, byte[] body)
      throws IOException, InterruptedException {
    String[] parts = resource.split(" ");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(origin + parts[1]))
            .method(parts[0], BodyPublishers.ofByteArray(body))
            .build();
    return client.send(request, BodyHandlers.ofByteArray());
  }

  private static byte[] stream(Codec codec, int rows) throws IOException {
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, SCHEMA, codec);
    writer.write(zeros(rows));
    writer.close();
    return bytes.toByteArray();
  }

  private static byte[] file(int rows) throws IOException {
    Bytes bytes = new Bytes();
    FileWriter writer = new FileWriter(bytes, SCHEMA, Codec.NONE);
    writer.write(zeros(rows));
    writer.close(Metadata.EMPTY);
    return bytes.toByteArray();
  }

  private static RecordBatch zeros(int rows) {
    List<MemorySegment> buffers =
        List.of(MemorySegment.NULL, MemorySegment.ofArray(new long[rows]));
    ArrayData zeros = new ArrayData(SCHEMA.fields().getFirst(), rows, 0, buffers, List.of(), null);
    return new RecordBatch(SCHEMA, rows, List.of(zeros));
  }
}
