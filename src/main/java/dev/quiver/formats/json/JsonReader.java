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
import dev.quiver.formats.OptionValues;
import dev.quiver.formats.TextTypes;
import dev.quiver.formats.json.JsonFile.JsonColumns;
import dev.quiver.formats.json.JsonFile.JsonColumns.Column;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/// The rows of a JSON file, read once, as record batches. Used by one thread.
public final class JsonReader implements FileBatchReader {

  /// The slots of all fields that the batches of all blocks have at most.
  private static final int SLOT_COUNT_MAXIMUM = 2_000_000;

  /// The fields of all blocks that are read at a time, unless it is one block. Each field of a
  /// block takes memory, however few rows the block has.
  private static final int FIELD_COUNT_MAXIMUM = 10_000;

  private final JsonContent content;
  private final Limits limits;
  private final JsonColumns columns;
  private final Schema schema;
  private final boolean isAppended;
  private final List<Cast> casts;
  private final JsonBlocks<RecordBatch> blocks;

  /// The rows of a batch at most, so that absent keys take no more memory than present ones may.
  private final int rowCountMaximum;

  /// The rows that are still to be read.
  private long rest;

  /// @param isAppended whether columns have types of a dataset
  /// @param scanner closed with this
  JsonReader(
      JsonContent content,
      Limits limits,
      JsonColumns columns,
      Schema schema,
      boolean isAppended,
      JsonScanner scanner,
      CpuPool pool,
      Path scratchFolder,
      long rows) {
    this.content = content;
    this.limits = limits;
    this.columns = columns;
    this.schema = schema;
    this.isAppended = isAppended;
    this.casts = Casts.of(columns.schema(), schema);
    int blockCount = blockCount(JsonBuilder.fieldCount(columns.record()));
    this.rowCountMaximum = rowCountMaximum(columns, schema);
    this.blocks =
        new JsonBlocks<>(content, scanner, pool, blockCount, () -> new Rows(scratchFolder));
    this.rest = rows;
  }

  /// Returns the number of blocks that are read at a time: fewer if each takes more memory.
  static int blockCount(int fieldCount) {
    return Math.clamp(FIELD_COUNT_MAXIMUM / fieldCount, 1, JsonBlocks.COUNT_MAXIMUM);
  }

  /// Returns the rows that a batch has at most.
  static int rowCountMaximum(JsonColumns columns, Schema schema) {
    int fieldCount = JsonBuilder.fieldCount(columns.record());
    return Math.min(
        TextTypes.rowCountMaximum(schema),
        Math.max(1, SLOT_COUNT_MAXIMUM / blockCount(fieldCount) / fieldCount));
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
    private final JsonBuilders builders = new JsonBuilders();
    private final JsonStructBuilder record;

    /// The offset of each record in the block.
    private int[] offsets = new int[JsonBuilder.CAPACITY_MINIMUM];

    /// The tokens of a block whose last part was not read, or null.
    private @Nullable JsonTokens tokens;

    Rows(Path scratchFolder) {
      this.memory = ScratchMemory.shared(scratchFolder);
      this.record = new JsonStructBuilder(columns.record(), builders);
    }

    @Override
    public boolean hasMore() {
      return tokens != null;
    }

    @Override
    public RecordBatch read(JsonBlock block) throws IOException {
      memory.reset();
      record.reset();
      builders.reset();
      JsonTokens current = tokens;
      if (current == null) {
        current = new JsonTokens(block, limits);
        if (block.isArray) {
          current.next();
        }
      }
      tokens = null;
      try {
        tokens = build(current) ? current : null;
      } catch (JsonErrors.InvalidTextException e) {
        throw JsonErrors.of(block, e);
      } catch (JsonErrors.InvalidValueException e) {
        throw JsonErrors.of(block, e.withHint(hint(e.column())));
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

    /// Builds the next rows of a block, at most as many as a batch has.
    ///
    /// @return whether there may be more
    private boolean build(JsonTokens current) {
      while (record.length < rowCountMaximum && !builders.isFull()) {
        JsonToken token = current.next();
        if (token != JsonToken.START_OBJECT) {
          return false;
        }
        if (record.length == offsets.length) {
          offsets = Arrays.copyOf(offsets, 2 * offsets.length);
        }
        offsets[record.length] = current.offset() - 1;
        builders.beginRecord(current.block());
        record.add(current, token);
      }
      return true;
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

  private String hint(String column) {
    return isAppended
        ? ForeignDataException.APPENDED_VALUE_HINT
        : "The parameter %stypes=%s reads the column as text."
            .formatted(
                JsonOptions.PREFIX,
                OptionValues.typed(
                    ForeignDataException.excerpt(column.split("\\.", 2)[0]), "utf8"));
  }

  private static ArrayData named(ArrayData array, Field field) {
    return array.field().equals(field)
        ? array
        : new ArrayData(
            field, array.length(), array.nullCount(), array.buffers(), array.children(), null);
  }
}
