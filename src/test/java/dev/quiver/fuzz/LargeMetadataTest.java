package dev.quiver.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
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
