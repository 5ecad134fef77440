package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Empty data buffers of views, which pyarrow writes for short views. In a compressed body they are
/// stored with a length, since Polars panics otherwise.
class EmptyViewBuffersTest {

  private static final List<@Nullable Object> TEXTS =
      Arrays.asList("a", null, "twelve bytes", "a text longer than a view");
  private static final Field LIST =
      new Field(
          "list",
          true,
          new ArrowType.List(),
          null,
          List.of(Field.of("item", true, new ArrowType.Utf8View())),
          Metadata.EMPTY);
  private static final Field ENCODED =
      new Field(
          "encoded",
          true,
          new ArrowType.Utf8View(),
          new DictionaryEncoding(3, new ArrowType.Int(8, true), false),
          List.of(),
          Metadata.EMPTY);
  private static final Schema SCHEMA = Schema.of(LIST, ENCODED);

  private final ArrayBuilder builder =
      new ArrayBuilder(Arena.ofAuto(), Map.of(3L, List.of("short", "a text longer than a view")));

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void storesEmptyViewBuffersWithALengthIfCompressed(Codec codec) throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    data.put(stream(codec));
    try (Arena arena = Arena.ofConfined()) {
      FileReader reader = new FileReader(MemorySegment.ofArray(data.file()), Limits.DEFAULT, arena);
      var dictionary = (DictionaryBatchHeader) reader.dictionaryMessage(0).message().header();
      assertThat(lengths(dictionary.data()).getLast()).isEqualTo(8);
      var batch = (RecordBatchHeader) reader.batchMessage(0).message().header();
      assertThat(lengths(batch)).hasSize(8).element(5).isEqualTo(8L);
      assertThat(batch.variadicBufferCounts()).containsExactly(2L);
      assertThat(Values.of(reader.batch(0).columns().getFirst())).isEqualTo(List.of(TEXTS));
      assertThat(Values.of(reader.batch(0).columns().getLast())).isEqualTo(List.of("short"));
    }
  }

  @Test
  void storesEmptyViewBuffersUnchangedIfUncompressed() throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    byte[] stream = stream(Codec.NONE);
    data.put(stream);
    assertThat(data.stream()).isEqualTo(stream);
  }

  private byte[] stream(Codec codec) throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(SCHEMA);
    ArrayData words = builder.array(Field.of("", true, new ArrowType.Utf8View()), List.of("short"));
    EncodedBody dictionary = encoded(1, List.of(withEmptyBuffer(words)), codec);
    writer.write(
        new DictionaryBatchHeader(3, dictionary.header(), false),
        Metadata.EMPTY,
        dictionary.byteSize());
    dictionary.writeTo(writer);
    ArrayData list = builder.array(LIST, List.of(TEXTS));
    ArrayData emptyFirst =
        new ArrayData(
            LIST, 1, 0, list.buffers(), List.of(withEmptyBuffer(list.children().getFirst())), null);
    ArrayData encoded = builder.array(ENCODED, List.of("short"));
    EncodedBody batch = encoded(1, List.of(emptyFirst, encoded), codec);
    writer.write(batch.header(), Metadata.EMPTY, batch.byteSize());
    batch.writeTo(writer);
    writer.writeEndOfStream();
    return bytes.toByteArray();
  }

  private static ArrayData withEmptyBuffer(ArrayData views) {
    List<MemorySegment> buffers = new ArrayList<>(views.buffers());
    buffers.add(MemorySegment.NULL);
    return new ArrayData(
        views.field(), views.length(), views.nullCount(), buffers, views.children(), null);
  }

  /// Returns a body whose empty buffers have no bytes, whatever the codec.
  private static EncodedBody encoded(long length, List<ArrayData> columns, Codec codec) {
    EncodedBody body = EncodedBody.of(length, columns, codec, Arena.ofAuto());
    List<MemorySegment> buffers =
        body.buffers().stream()
            .map(b -> b == EncodedBody.EMPTY_WITH_LENGTH ? MemorySegment.NULL : b)
            .toList();
    assertThat(buffers.equals(body.buffers())).isEqualTo(codec == Codec.NONE);
    return EncodedBody.of(body.header(), buffers);
  }

  private static List<Long> lengths(RecordBatchHeader header) {
    return header.buffers().stream().map(Buffer::length).toList();
  }
}
