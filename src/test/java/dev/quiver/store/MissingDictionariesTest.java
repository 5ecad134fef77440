package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Streams with two dictionaries in the schema, and without record batches. pyarrow reads them only
/// with both dictionaries or with neither.
class MissingDictionariesTest {

  private static final Field TEXT = Field.of("", true, new ArrowType.Utf8());
  private static final Schema SCHEMA = Schema.of(encoded("a", 1), encoded("b", 2));

  @TempDir private Path folder;
  private DatasetTestFolder data;

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
  }

  @Test
  void addsTheMissingOneOfTwoDictionaries() throws IOException {
    assertThat(storedIds(2)).containsExactly(2L, 1L);
  }

  @Test
  void keepsAStreamWithoutDictionaries() throws IOException {
    assertThat(storedIds()).isEmpty();
    assertThat(data.stream()).isEqualTo(stream());
  }

  private List<Long> storedIds(long... ids) throws IOException {
    data.put(stream(ids));
    try (Snapshot snapshot = data.open()) {
      return List.copyOf(snapshot.dictionaries().keySet());
    }
  }

  private static byte[] stream(long... ids) throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(SCHEMA);
    for (long id : ids) {
      ArrayData values = new ArrayBuilder(Arena.ofAuto()).array(TEXT, List.of("red"));
      EncodedBody body = EncodedBody.of(1, List.of(values), Codec.NONE, Arena.ofAuto());
      DictionaryBatchHeader header = new DictionaryBatchHeader(id, body.header(), false);
      writer.write(header, Metadata.EMPTY, body.byteSize());
      body.writeTo(writer);
    }
    writer.writeEndOfStream();
    return bytes.toByteArray();
  }

  private static Field encoded(String name, long id) {
    return Field.of(name, true, new ArrowType.Utf8())
        .withDictionary(new DictionaryEncoding(id, new ArrowType.Int(8, true), false));
  }
}
