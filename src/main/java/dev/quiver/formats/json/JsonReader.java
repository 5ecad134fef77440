package dev.quiver.formats.json;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.transform.Cast;
import dev.quiver.arrow.transform.Casts;
import dev.quiver.arrow.transform.InvalidCastException;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.FileBatchReader;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.json.JsonFile.JsonColumns;
import dev.quiver.formats.json.JsonFile.JsonColumns.Column;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;

/// The rows of a JSON file, read once, as record batches. Used by one thread.
public final class JsonReader implements FileBatchReader {

  private final JsonContent content;
  private final Limits limits;
  private final JsonColumns columns;
  private final Schema schema;
  private final List<Cast> casts;
  private final JsonBlocks<RecordBatch> blocks;

  /// The rows that are still to be read.
  private long rest;

  /// @param scanner closed with this
  JsonReader(
      JsonContent content,
      Limits limits,
      JsonColumns columns,
      Schema schema,
      JsonScanner scanner,
      CpuPool pool,
      Path scratchFolder,
      long rows) {
    this.content = content;
    this.limits = limits;
    this.columns = columns;
    this.schema = schema;
    this.casts = Casts.of(columns.schema(), schema);
    this.blocks = new JsonBlocks<>(scanner, pool, () -> new Rows(scratchFolder));
    this.rest = rows;
  }

  @Override
  public @Nullable RecordBatch next() throws IOException {
    if (rest <= 0) {
      return null;
    }
    RecordBatch batch = blocks.next();
    rest -= batch == null ? 0 : batch.length();
    return batch;
  }

  @Override
  public void close() throws IOException {
    blocks.close();
  }

  /// The rows of a block at a time, and their memory.
  private final class Rows implements JsonBlocks.BlockReader<RecordBatch> {

    private final ScratchMemory memory;
    private final JsonStructBuilder record;

    /// The offset of each record in the block.
    private int[] offsets = new int[JsonBuilder.CAPACITY_MINIMUM];

    Rows(Path scratchFolder) {
      this.memory = ScratchMemory.shared(scratchFolder);
      List<JsonBuilder> children = new ArrayList<>();
      for (Field child : columns.record().children()) {
        children.add(JsonBuilder.of(child, !columns.stated().contains(child.name())));
      }
      this.record = new JsonStructBuilder(columns.record(), children);
    }

    @Override
    public RecordBatch read(JsonBlock block) throws IOException {
      memory.reset();
      record.reset();
      try (JsonTokens tokens = new JsonTokens(block, limits)) {
        try {
          build(tokens);
        } catch (JacksonException e) {
          throw JsonErrors.of(content, tokens, e);
        } catch (JsonErrors.InvalidTextException e) {
          throw JsonErrors.of(content, block, e);
        } catch (JsonErrors.InvalidValueException e) {
          throw JsonErrors.of(content, block, e);
        }
      }
      ArrayData records = record.build(memory);
      List<ArrayData> arrays = new ArrayList<>();
      for (int i = 0; i < casts.size(); i++) {
        Column column = columns.columns().get(i);
        ArrayData array = records.children().get(column.child());
        if (column.property() >= 0) {
          array = array.children().get(column.property());
        }
        arrays.add(cast(casts.get(i), named(array, column.field()), block));
      }
      return new RecordBatch(schema, record.length, arrays);
    }

    private void build(JsonTokens tokens) {
      JsonToken token = tokens.next();
      if (tokens.block().isArray) {
        token = tokens.next();
      }
      while (token == JsonToken.START_OBJECT) {
        if (record.length == offsets.length) {
          offsets = Arrays.copyOf(offsets, 2 * offsets.length);
        }
        offsets[record.length] = tokens.offset() - 1;
        record.add(tokens, token);
        token = tokens.next();
      }
    }

    private ArrayData cast(Cast cast, ArrayData array, JsonBlock block) throws IOException {
      try {
        return cast.apply(array, memory);
      } catch (InvalidCastException e) {
        int row = (int) Casts.firstInvalid(cast, array, memory);
        throw ForeignDataException.of(
            e.sentence(),
            content.position(block.byteOffset(offsets[row])).line(),
            e.column(),
            e.value());
      }
    }

    @Override
    public void close() throws IOException {
      memory.close();
    }
  }

  private static ArrayData named(ArrayData array, Field field) {
    return array.field().equals(field)
        ? array
        : new ArrayData(
            field, array.length(), array.nullCount(), array.buffers(), array.children(), null);
  }
}
