package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.Arrow;
import dev.quiver.arrow.Arrow.Compression;
import dev.quiver.arrow.ArrowFile;
import dev.quiver.arrow.ArrowReader;
import dev.quiver.arrow.ArrowWriter;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that Arrow Java reads what the façade writes, and that the façade reads what Arrow Java
/// writes.
@Tag("arrow-java")
@Tag("random")
class ArrowJavaFacadeTest {

  @TempDir private Path folder;

  @Test
  void arrowJavaAndTheFacadeReadEachOther() throws IOException {
    for (int seed : Trials.seeds(100)) {
      try (Arena arena = Arena.ofConfined()) {
        RandomData data = new RandomData(seed);
        Schema all = data.schema(4);
        Schema schema =
            all.withFields(
                all.fields().stream()
                    .filter(field -> ArrowJavaLimit.reason(field) == null)
                    .toList());
        Written written = Written.of(schema, data, new int[] {6, 0, 11}, arena);
        check(written, Compression.values()[seed % 3], "seed " + seed);
      }
    }
  }

  private void check(Written written, Compression compression, String description)
      throws IOException {
    Schema schema = written.schema();
    List<List<List<@Nullable Object>>> expected = written.expected().batches();
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (ArrowWriter toStream = Arrow.writeStream(stream, schema, compression);
        ArrowWriter toFile = Arrow.writeFile(file, schema, compression)) {
      for (RecordBatch batch : written.batches()) {
        toStream.write(batch);
        toFile.write(batch);
      }
      toStream.finish();
      toFile.finish();
    }
    MemorySegment ourStream = Decoded.Sink.copy(stream.toByteArray());
    assertThat(ArrowJava.readStream(ourStream, schema)).as(description).isEqualTo(expected);
    assertThat(ArrowJava.readFile(Decoded.Sink.copy(file.toByteArray()), schema))
        .as(description)
        .isEqualTo(expected);
    if (!schema.fields().stream().allMatch(ArrowJavaLimit::writes)) {
      return;
    }
    Codec codec = Codec.valueOf(compression.name());
    byte[] theirStream = ArrowJava.rewriteAsStream(ourStream, codec).toArray(LittleEndian.INT8);
    try (ArrowReader reader = Arrow.read(new ByteArrayInputStream(theirStream))) {
      assertThat(values(reader)).as(description).isEqualTo(expected);
    }
    byte[] theirFile = ArrowJava.rewriteAsFile(ourStream, codec).toArray(LittleEndian.INT8);
    try (ArrowFile reader = Arrow.open(Files.write(folder.resolve("file.arrow"), theirFile))) {
      assertThat(values(reader)).as(description).isEqualTo(expected);
    }
  }

  private static List<List<List<@Nullable Object>>> values(ArrowReader reader) {
    List<List<List<@Nullable Object>>> values = new ArrayList<>();
    reader.forEach(batch -> values.add(Decoded.values(batch)));
    return values;
  }
}
