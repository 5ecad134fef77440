package dev.quiver.sql.engine;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A table of record batches that reveals uses of their memory after its end.
///
/// If the memory outlives a batch, it is freed when the table is closed, so that a later access
/// crashes. Otherwise each batch is a copy that is overwritten when it is closed.
final class TestTable implements Table, AutoCloseable {

  private static final byte POISON = (byte) 0xAA;

  private final Arena arena = Arena.ofShared();
  private final Schema schema;
  private final List<RecordBatch> batches = new ArrayList<>();
  private final boolean outlivesClose;

  /// The memory of closed batches, which stays accessible until the table is closed.
  private final Set<Arena> retired = ConcurrentHashMap.newKeySet();

  final AtomicInteger reads = new AtomicInteger();
  final AtomicInteger openBatches = new AtomicInteger();
  final Set<List<Integer>> columnsRead = ConcurrentHashMap.newKeySet();

  TestTable(Schema schema, boolean outlivesClose) {
    this.schema = schema;
    this.outlivesClose = outlivesClose;
  }

  /// Returns a table of one column in batches of `batchLength` rows.
  static TestTable of(
      Field field, List<? extends @Nullable Object> values, int batchLength, boolean outlives) {
    TestTable table = new TestTable(Schema.of(field), outlives);
    for (int i = 0; i < values.size(); i += batchLength) {
      table.add(Map.of(), List.of(values.subList(i, Math.min(values.size(), i + batchLength))));
    }
    return table;
  }

  /// Adds a batch of these columns.
  TestTable add(
      Map<Long, ? extends List<? extends @Nullable Object>> dictionaries,
      List<? extends List<? extends @Nullable Object>> columns) {
    return add(
        new ArrayBuilder(arena, dictionaries)
            .recordBatch(schema, columns.getFirst().size(), columns));
  }

  TestTable add(RecordBatch batch) {
    batches.add(batch);
    return this;
  }

  /// Closes another table with this one, which shares its memory.
  void keep(TestTable other) {
    retired.add(other.arena);
  }

  Arena arena() {
    return arena;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public long rowCount() {
    return batches.stream().mapToLong(RecordBatch::length).sum();
  }

  @Override
  public int batchCount() {
    return batches.size();
  }

  @Override
  public TableBatch read(int batchIndex, int[] columnIndices) {
    reads.incrementAndGet();
    openBatches.incrementAndGet();
    columnsRead.add(IntStream.of(columnIndices).boxed().toList());
    RecordBatch batch = batches.get(batchIndex);
    List<Field> fields = IntStream.of(columnIndices).mapToObj(schema.fields()::get).toList();
    List<ArrayData> columns = IntStream.of(columnIndices).mapToObj(batch.columns()::get).toList();
    Arena copies = Arena.ofShared();
    List<MemorySegment> copied = new ArrayList<>();
    List<ArrayData> given =
        outlivesClose
            ? columns
            : columns.stream()
                .map(column -> column.withBuffers(buffer -> copy(buffer, copies, copied)))
                .toList();
    RecordBatch rows =
        new RecordBatch(Schema.of(fields.toArray(Field[]::new)), batch.length(), given);
    return new TableBatch() {

      private boolean closed;

      @Override
      public RecordBatch rows() {
        return rows;
      }

      @Override
      public boolean outlivesClose() {
        return outlivesClose;
      }

      @Override
      public void close() {
        if (closed) {
          return;
        }
        closed = true;
        openBatches.decrementAndGet();
        copied.forEach(buffer -> buffer.fill(POISON));
        retired.add(copies);
      }
    };
  }

  private static MemorySegment copy(MemorySegment buffer, Arena arena, List<MemorySegment> copied) {
    MemorySegment copy = arena.allocate(Math.max(1, buffer.byteSize()), 64);
    MemorySegment.copy(buffer, 0, copy, 0, buffer.byteSize());
    copied.add(copy);
    return copy.asSlice(0, buffer.byteSize());
  }

  @Override
  public void close() {
    arena.close();
    retired.forEach(Arena::close);
  }
}
