package dev.quiver.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.codec.Codec;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.KeyValue;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.Schema;
import dev.quiver.ipc.Bytes;
import dev.quiver.ipc.FileWriter;
import dev.quiver.ipc.StreamWriter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests metadata within its own limit that exceeds the memory of a small service. It is rejected,
/// and the service continues.
@Tag("long")
class LargeMetadataTest {

  @TempDir private Path folder;

  private static Schema schema(int metadataByteSize) {
    return Schema.of(Field.of("f", true, new ArrowType.Null()))
        .withMetadata(Metadata.of(KeyValue.of("long", "x".repeat(metadataByteSize))));
  }

  @Test
  void rejectsMetadataAboveTheInFlightLimit() throws Exception {
    try (MeteredService service = new MeteredService(folder)) {
      Bytes stream = new Bytes();
      new StreamWriter(stream, schema(55 << 20), Codec.NONE).close();
      Bytes file = new Bytes();
      new FileWriter(file, schema(20 << 20), Codec.NONE).close(Metadata.EMPTY);
      for (Bytes body : new Bytes[] {stream, file}) {
        HttpResponse<byte[]> response = service.send("PUT", "/datasets/large", body.toByteArray());
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(new String(response.body(), StandardCharsets.UTF_8))
            .contains("bytes in flight (quiver.limits.in-flight-bytes) but found");
      }
      Bytes small = new Bytes();
      new StreamWriter(small, schema(1 << 20), Codec.NONE).close();
      assertThat(service.send("PUT", "/datasets/small", small.toByteArray()).statusCode())
          .isEqualTo(201);
    }
  }
}
