package dev.quiver.sql.worker;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.engine.TableBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The rows of a version in other types, such as integers in place of durations. Their memory is
/// the same, but for the offsets of lists that were of one size.
final class RetypedRows extends VersionRows {

  /// The dictionaries in the other types, by the version's dictionaries. The engine's copy of a
  /// dictionary is found by its identity.
  private final Map<ArrayData, ArrayData> dictionaries = new IdentityHashMap<>();

  /// @param schema with the columns of the version, in types of the same layouts, or in large lists
  /// @throws IllegalArgumentException if it has another number of columns
  RetypedRows(MappedVersion version, Schema schema) {
    super(version, schema);
    int count = version.schema().fields().size();
    if (schema.fields().size() != count) {
      throw new IllegalArgumentException(
          "Expected %d columns but found %d".formatted(count, schema.fields().size()));
    }
  }

  /// A file has the rows in their order.
  @Override
  public boolean isOrdered() {
    return true;
  }

  @Override
  public TableBatch read(int batchIndex, int[] columnIndices) {
    List<Field> fields = IntStream.of(columnIndices).mapToObj(schema().fields()::get).toList();
    return derived(
        batchIndex,
        columnIndices,
        (batch, arena) -> {
          List<ArrayData> columns = new ArrayList<>();
          for (int i = 0; i < fields.size(); i++) {
            columns.add(retyped(batch.rows().columns().get(i), fields.get(i), arena));
          }
          RecordBatch rows =
              new RecordBatch(schema().withFields(fields), batch.rows().length(), columns);
          // The values of texts stay in the batch; only offsets differ.
          return new DerivedBatch(rows, batch, arena, batch.outlivesClose());
        });
  }

  private ArrayData retyped(ArrayData array, Field field, Arena arena) {
    List<ArrayData> children = new ArrayList<>();
    for (int i = 0; i < array.children().size(); i++) {
      children.add(retyped(array.children().get(i), field.children().get(i), arena));
    }
    ArrayData dictionary = array.dictionary();
    return new ArrayData(
        field,
        array.length(),
        array.nullCount(),
        buffers(array, field, arena),
        children,
        dictionary == null ? null : dictionary(dictionary, field.withDictionary(null)));
  }

  private static List<MemorySegment> buffers(ArrayData array, Field field, Arena arena) {
    if (!(array.field().storageType() instanceof ArrowType.FixedSizeList(int listSize))
        || !(field.storageType() instanceof ArrowType.LargeList)) {
      return array.buffers();
    }
    MemorySegment offsets =
        arena.allocate((array.length() + 1) * Long.BYTES, /* byteAlignment= */ Long.BYTES);
    for (long i = 0; i <= array.length(); i++) {
      LittleEndian.setInt64(offsets, i * Long.BYTES, i * listSize);
    }
    return List.of(array.buffers().getFirst(), offsets);
  }

  private ArrayData dictionary(ArrayData dictionary, Field field) {
    synchronized (dictionaries) {
      ArrayData present = dictionaries.get(dictionary);
      if (present == null) {
        // It lives as long as the table.
        present = retyped(dictionary, field, Arena.ofAuto());
        dictionaries.put(dictionary, present);
      }
      return present;
    }
  }
}
