package dev.quiver.server;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.TestPropertySource;

/// A service that stores uploads unsynced and does not check values. It serves the bytes unchanged
/// and reports invalid values when they are read.
@TestPropertySource(
    properties = {
      "quiver.sample=false",
      "quiver.storage.sync=false",
      "quiver.ingest.level=offsets"
    })
class TrustedProducersTest extends RunningService {

  private static final Schema SCHEMA = Schema.of(Field.of("text", false, new ArrowType.Utf8()));

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void reportsInvalidValuesWhenTheyAreRead(CapturedOutput log) throws Exception {
    byte[] stream = invalid();
    assertThat(put("/datasets/a?batches=keep", stream).statusCode()).isEqualTo(201);
    assertThat(get("/datasets/a.arrows").body()).isEqualTo(stream);
    HttpResponse<byte[]> response = get("/datasets/a.json");
    assertThat(response.statusCode()).isEqualTo(500);
    assertThat(json(response).get("type").asString())
        .isEqualTo("urn:quiver:problem:invalid-version");
    String detail =
        "Expected UTF-8 but found 0xff in byte 0 at slots[0], record batch 0, field text of"
            + " a@1, which was stored at level OFFSETS";
    assertThat(json(response).get("detail").asString()).isEqualTo(detail);
    assertThat(log.getOut().lines().filter(line -> line.contains(detail)))
        .singleElement(as(STRING))
        .contains(" WARN ");
  }

  @Test
  void windowsOfDictionaryEncodedDataAreValid() throws Exception {
    put("/datasets/trusted?batches=keep", Streams.table(Codec.ZSTD, 30, 20));
    for (String dictionaries : List.of("all", "used")) {
      for (String codec : List.of("", "&codec=none")) {
        String url = "/datasets/trusted.arrows?offset=28&limit=4&dictionaries=" + dictionaries;
        HttpResponse<byte[]> window = get(url + codec);
        assertThat(window.statusCode()).as(text(window)).isEqualTo(200);
        assertThat(Streams.rowsOfBatches(window.body())).containsExactly(2L, 2L);
      }
    }
  }

  private static byte[] invalid() throws IOException {
    RecordBatch batch =
        new ArrayBuilder(Arena.ofAuto()).recordBatch(SCHEMA, 1, List.of(List.of("a")));
    LittleEndian.setInt8(batch.columns().getFirst().buffers().getLast(), 0, (byte) 0xFF);
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, SCHEMA, Codec.NONE);
    writer.write(batch);
    writer.close();
    return bytes.toByteArray();
  }
}
