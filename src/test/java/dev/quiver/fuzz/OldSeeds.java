package dev.quiver.fuzz;

import dev.quiver.columnar.ArrayBuilder;
import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.KeyValue;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.Schema;
import dev.quiver.golden.Written;
import dev.quiver.ipc.Bytes;
import dev.quiver.ipc.EncodedBody;
import dev.quiver.ipc.LegacyFraming;
import dev.quiver.ipc.MessageWriter;
import dev.quiver.ipc.Version4;
import dev.quiver.memory.LittleEndian;
import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Streams as old releases wrote them.
final class OldSeeds {

  private static final int COUNT = 12;

  private OldSeeds() {}

  static List<byte[]> streams() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    for (int seed = 100; seed < 100 + COUNT; seed++) {
      try (Arena arena = Arena.ofConfined()) {
        byte[] stream = Written.random(seed, 1, arena).stream(null).toArray(LittleEndian.INT8);
        seeds.add(LegacyFraming.of(stream));
        seeds.add(Version4.of(stream));
      }
    }
    seeds.add(experimentallyCompressed(CompressionType.LZ4_FRAME, "lz4"));
    seeds.add(experimentallyCompressed(CompressionType.ZSTD, "zstd"));
    return seeds;
  }

  /// The codec in the metadata of the message, as in 0.17.
  private static byte[] experimentallyCompressed(CompressionType codec, String name)
      throws IOException {
    Field field = Field.of("n", true, new ArrowType.Int(64, true));
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeSchema(Schema.of(field));
    List<@Nullable Object> values = new ArrayList<>(Collections.nCopies(50, 7L));
    ArrayData array = new ArrayBuilder(Arena.ofAuto()).array(field, values);
    EncodedBody body = EncodedBody.of(array.length(), List.of(array), codec, Arena.ofAuto());
    RecordBatchHeader header =
        new RecordBatchHeader(
            body.header().length(),
            body.header().nodes(),
            body.header().buffers(),
            null,
            List.of());
    messages.write(
        header, Metadata.of(KeyValue.of("ARROW:experimental_compression", name)), body.byteSize());
    body.writeTo(messages);
    messages.writeEndOfStream();
    return Version4.of(bytes.toByteArray());
  }
}
