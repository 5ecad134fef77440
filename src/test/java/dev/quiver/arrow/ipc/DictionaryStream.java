package dev.quiver.arrow.ipc;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A builder of messages for one dictionary-encoded column, in any order.
public final class DictionaryStream {

  private final Bytes bytes = new Bytes();
  private final MessageWriter messages = new MessageWriter(bytes);
  private final Schema schema;
  private final DictionaryFields fields;
  private final List<Block> dictionaries = new ArrayList<>();
  private final List<Block> batches = new ArrayList<>();

  public DictionaryStream(Field column) throws IOException {
    this.schema = Schema.of(column);
    this.fields = DictionaryFields.of(schema);
    messages.writeFileHeader();
    messages.writeSchema(schema);
  }

  /// Writes a dictionary of these values.
  ///
  /// @param inner the values of the dictionaries that these values refer to
  public void dictionary(long id, boolean delta, List<?> values, Map<Long, List<?>> inner)
      throws IOException {
    Field field = Objects.requireNonNull(fields.values(id));
    ArrayData array = new ArrayBuilder(Arena.ofAuto(), inner).array(field, values);
    EncodedBody body = EncodedBody.of(array.length(), List.of(array), Codec.NONE, Arena.ofAuto());
    dictionaries.add(
        messages.write(
            new MessageHeader.DictionaryBatchHeader(id, body.header(), delta),
            Metadata.EMPTY,
            body.byteSize()));
    body.writeTo(messages);
  }

  public void dictionary(long id, boolean delta, List<?> values) throws IOException {
    dictionary(id, delta, values, Map.of());
  }

  /// Writes a batch of these indices; a negative one means null.
  public void batch(int... indices) throws IOException {
    Field column = schema.fields().getFirst();
    DictionaryEncoding encoding = Objects.requireNonNull(column.dictionary());
    List<@Nullable Object> values = new ArrayList<>();
    Arrays.stream(indices).forEach(index -> values.add(index < 0 ? null : (Object) (long) index));
    ArrayData array =
        new ArrayBuilder(Arena.ofAuto())
            .array(Field.of(column.name(), true, encoding.indexType()), values);
    EncodedBody body = EncodedBody.of(array.length(), List.of(array), Codec.NONE, Arena.ofAuto());
    batches.add(messages.writeRecordBatch(body, Metadata.EMPTY));
  }

  /// Returns the values of each batch, as read from a stream.
  List<List<?>> read() throws IOException {
    byte[] all = bytes.toByteArray();
    byte[] stream = Arrays.copyOfRange(all, Framing.FILE_HEADER_BYTE_SIZE, all.length);
    List<List<?>> values = new ArrayList<>();
    try (StreamReader reader =
        new StreamReader(new Bytes().bytes(stream).source(), Limits.DEFAULT)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        values.add(Values.of(batch.columns().getFirst()));
      }
    }
    return values;
  }

  public byte[] stream() {
    byte[] all = bytes.toByteArray();
    return Arrays.copyOfRange(all, Framing.FILE_HEADER_BYTE_SIZE, all.length);
  }

  /// Ends the file; nothing may be written afterwards.
  public byte[] file() throws IOException {
    messages.writeFooter(
        new Footer(MetadataVersion.V5, schema, dictionaries, batches, Metadata.EMPTY));
    return bytes.toByteArray();
  }

  /// Ends the file and returns the values of each batch.
  List<List<?>> readFile() throws IOException {
    FileReader reader =
        new FileReader(MemorySegment.ofArray(file()), Limits.DEFAULT, Arena.ofAuto());
    List<List<?>> values = new ArrayList<>();
    for (int i = 0; i < reader.batchCount(); i++) {
      values.add(Values.of(reader.batch(i).columns().getFirst()));
    }
    return values;
  }
}
