package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Null counts of -1, which readers mistake for 0, are stored as the actual counts. `IngestTest`
/// covers the rest of the stored form.
class UnknownNullCountsTest {

  private static final int LARGE_ROWS = 500_000;

  @TempDir private Path folder;

  /// Bodies larger than one buffer take another code path.
  @ParameterizedTest
  @CsvSource({
    "10,NONE",
    "10,LZ4",
    "10,ZSTD",
    LARGE_ROWS + ",NONE",
    LARGE_ROWS + ",ZSTD",
  })
  void storesTheActualNullCountsOfBatchesAndDictionaries(int rows, Codec codec) throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    List<@Nullable String> colors = new ArrayList<>();
    List<@Nullable Object> numbers = new ArrayList<>();
    List<@Nullable Object> picked = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      colors.add(i % 5 == 4 ? null : "color " + i);
      numbers.add(i % 10 < 3 ? null : (long) (i * 0x9E3779B9));
      picked.add(i % 2 == 0 ? null : "color 0");
    }
    data.put(stream(colors, numbers, picked, codec));
    try (Arena arena = Arena.ofConfined()) {
      FileReader reader = new FileReader(MemorySegment.ofArray(data.file()), Limits.DEFAULT, arena);
      var dictionary = (DictionaryBatchHeader) reader.dictionaryMessage(0).message().header();
      assertThat(dictionary.data().nodes()).containsExactly(new FieldNode(rows, rows / 5));
      var batch = (RecordBatchHeader) reader.batchMessage(0).message().header();
      assertThat(batch.nodes())
          .containsExactly(new FieldNode(rows, rows * 3L / 10), new FieldNode(rows, rows / 2));
      assertThat(batch.compression() == null).isEqualTo(codec == Codec.NONE);
      RecordBatch stored = reader.batch(0);
      assertThat(Values.of(stored.columns().getFirst())).isEqualTo(numbers);
      assertThat(Values.of(stored.columns().getLast())).isEqualTo(picked);
    }
  }

  private static byte[] stream(
      List<@Nullable String> colors,
      List<@Nullable Object> numbers,
      List<@Nullable Object> picked,
      Codec codec)
      throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(SampleStreams.SCHEMA);
    ArrayData values =
        new ArrayBuilder(Arena.ofAuto()).array(Field.of("", true, new ArrowType.Utf8()), colors);
    EncodedBody dictionary = EncodedBody.of(colors.size(), List.of(values), codec, Arena.ofAuto());
    writer.write(
        new DictionaryBatchHeader(7, uncounted(dictionary.header()), false),
        Metadata.EMPTY,
        dictionary.byteSize());
    dictionary.writeTo(writer);
    RecordBatch batch =
        new ArrayBuilder(Arena.ofAuto(), Map.of(7L, List.of("color 0")))
            .recordBatch(SampleStreams.SCHEMA, numbers.size(), List.of(numbers, picked));
    EncodedBody body = EncodedBody.of(numbers.size(), batch.columns(), codec, Arena.ofAuto());
    writer.write(uncounted(body.header()), Metadata.EMPTY, body.byteSize());
    body.writeTo(writer);
    writer.writeEndOfStream();
    return bytes.toByteArray();
  }

  private static RecordBatchHeader uncounted(RecordBatchHeader header) {
    return new RecordBatchHeader(
        header.length(),
        header.nodes().stream().map(node -> new FieldNode(node.length(), -1)).toList(),
        header.buffers(),
        header.compression(),
        header.variadicBufferCounts());
  }
}
