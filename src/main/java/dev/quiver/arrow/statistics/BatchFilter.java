package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.RangeSet.Range;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A [Predicate] for the batches of one schema. All comparisons of a column become one set of
/// values, which an array is tested for once. Used by one thread.
public final class BatchFilter {

  private final List<ColumnFilter<?>> columns;
  private final int[] indices;

  private BatchFilter(List<ColumnFilter<?>> columns) {
    this.columns = columns;
    this.indices =
        columns.stream().mapToInt(column -> column.path.getFirst()).sorted().distinct().toArray();
  }

  /// @throws IllegalArgumentException if a column is missing, or if its type has no such comparison
  public static BatchFilter of(Predicate predicate, Schema schema) {
    return of(predicate, schema, RangeKernels.chosen());
  }

  static BatchFilter of(Predicate predicate, Schema schema, RangeKernels kernels) {
    Map<List<Integer>, ColumnFilter<?>> columns = new LinkedHashMap<>();
    BlockMemory memory = new BlockMemory();
    List<LeafColumn> leaves = LeafColumn.of(schema);
    add(
        predicate,
        path ->
            columns.computeIfAbsent(
                path, _ -> ColumnFilter.of(path, schema, leaves, memory, kernels)));
    return new BatchFilter(List.copyOf(columns.values()));
  }

  private interface Columns {
    ColumnFilter<?> at(List<Integer> path);
  }

  private static void add(Predicate predicate, Columns columns) {
    switch (predicate) {
      case Predicate.Conjunction(var parts) -> parts.forEach(part -> add(part, columns));
      case Predicate.Comparison(var path, var operator, var literal) ->
          columns.at(path).compare(operator, literal);
      case Predicate.In(var path, var literals) -> columns.at(path).requireIn(literals);
      case Predicate.NotIn(var path, var literals) -> columns.at(path).requireNotIn(literals);
      case Predicate.Outside(var path, var low, var high) ->
          columns.at(path).requireOutside(low, high);
      case Predicate.Prefix(var path, var prefix) -> columns.at(path).requirePrefix(prefix);
      case Predicate.NullTest(var path, boolean isNull) -> columns.at(path).requireNull(isNull);
    }
  }

  /// Returns the indices of the columns that are compared, in ascending order.
  public int[] columns() {
    return indices.clone();
  }

  /// Returns the approximate heap that [#select] takes: a bit for each row, and a byte for each
  /// value of a dictionary.
  ///
  /// @param batch the [#columns] of a batch
  public static long heapByteSize(RecordBatch batch) {
    return batch.length() / Byte.SIZE + dictionaryLengths(batch.columns());
  }

  private static long dictionaryLengths(List<ArrayData> columns) {
    long count = 0;
    for (ArrayData column : columns) {
      count += column.dictionary() == null ? 0 : column.dictionary().length();
      count += dictionaryLengths(column.children());
    }
    return count;
  }

  /// Returns the rows of a batch that the predicate selects.
  ///
  /// @param batch the [#columns] of a batch, whose values are valid
  public RowSet select(RecordBatch batch) {
    RowSet rows = RowSet.all(batch.length());
    for (ColumnFilter<?> column : columns) {
      int index = Arrays.binarySearch(indices, column.path.getFirst());
      column.retain(batch.columns().get(index), rows.words());
      if (rows.isEmpty()) {
        break;
      }
    }
    return rows;
  }

  /// Returns false only if the predicate selects no row of a batch.
  ///
  /// @param rows the number of rows of the batch
  /// @param statistics its statistics
  public boolean mayMatch(long rows, BatchStatistics statistics) {
    return rows > 0 && columns.stream().allMatch(column -> column.mayMatch(rows, statistics));
  }

  /// The condition on one column: the keys of its values, and whether null passes.
  private static final class ColumnFilter<K extends Comparable<K>> {

    private static final int NO_LEAF = -1;

    private final List<Integer> path;
    private final Field field;
    private final int leaf;
    private final @Nullable ValueKeys<K> keys;
    private final BlockMemory memory;
    private final RangeKernels kernels;
    private final RangeSet<K> all;
    private RangeSet<K> set;
    private boolean passesNulls = true;
    private @Nullable ColumnMatcher matcher;

    private ColumnFilter(
        List<Integer> path,
        Field field,
        int leaf,
        @Nullable ValueKeys<K> keys,
        BlockMemory memory,
        RangeKernels kernels) {
      this.path = path;
      this.field = field;
      this.leaf = leaf;
      this.keys = keys;
      this.memory = memory;
      this.kernels = kernels;
      this.all = keys == null ? RangeSet.all() : RangeSet.of(keys.domain());
      this.set = all;
    }

    static ColumnFilter<?> of(
        List<Integer> path,
        Schema schema,
        List<LeafColumn> leaves,
        BlockMemory memory,
        RangeKernels kernels) {
      Field field = field(path, schema);
      int leaf = NO_LEAF;
      for (int i = 0; i < leaves.size(); i++) {
        leaf = leaves.get(i).indices().equals(path) ? i : leaf;
      }
      Field values = values(field);
      if (values.type() instanceof ArrowType.Union) {
        throw new IllegalArgumentException("Expected no union but found " + field);
      }
      return create(path, field, leaf, ValueKeys.of(values.type()), memory, kernels);
    }

    private static <K extends Comparable<K>> ColumnFilter<K> create(
        List<Integer> path,
        Field field,
        int leaf,
        @Nullable ValueKeys<K> keys,
        BlockMemory memory,
        RangeKernels kernels) {
      return new ColumnFilter<>(path, field, leaf, keys, memory, kernels);
    }

    private static Field values(Field field) {
      return new LeafColumn(FieldPath.of(field), List.of(0), field).values();
    }

    private static Field field(List<Integer> path, Schema schema) {
      List<Field> fields = schema.fields();
      Field field = null;
      for (int index : path) {
        if (index < 0 || index >= fields.size()) {
          throw new IllegalArgumentException(
              "Expected a column of %s but found the path %s".formatted(fields, path));
        }
        field = fields.get(index);
        fields = field.storageType() instanceof ArrowType.Struct ? field.children() : List.of();
      }
      return Objects.requireNonNull(field, "an empty path");
    }

    private ValueKeys<K> keys() {
      if (keys == null) {
        throw new IllegalArgumentException("Expected values with an order but found " + field);
      }
      return keys;
    }

    void compare(Predicate.Operator operator, ByteString literal) {
      Range<K> equal = keys().of(literal);
      RangeSet<K> passing =
          switch (operator) {
            case EQUAL, NOT_DISTINCT -> RangeSet.of(equal);
            case NOT_EQUAL, DISTINCT -> RangeSet.of(equal).complement();
            case LESS -> RangeSet.of(new Range<>(null, equal.low()));
            case LESS_OR_EQUAL -> RangeSet.of(new Range<>(null, equal.high()));
            case GREATER -> RangeSet.of(new Range<>(equal.high(), null));
            case GREATER_OR_EQUAL -> RangeSet.of(new Range<>(equal.low(), null));
          };
      require(passing, operator == Predicate.Operator.DISTINCT);
    }

    void requireIn(List<ByteString> literals) {
      require(RangeSet.union(literals.stream().map(keys()::of).toList()), false);
    }

    void requireNotIn(List<ByteString> literals) {
      require(RangeSet.union(literals.stream().map(keys()::of).toList()).complement(), false);
    }

    void requireOutside(ByteString low, ByteString high) {
      RangeSet<K> inside = RangeSet.of(new Range<>(keys().of(low).low(), keys().of(high).high()));
      require(inside.complement(), false);
    }

    void requirePrefix(ByteString prefix) {
      require(RangeSet.of(keys().startingWith(prefix)), false);
    }

    void requireNull(boolean isNull) {
      require(isNull ? RangeSet.none() : all, isNull);
    }

    private void require(RangeSet<K> passing, boolean nulls) {
      set = set.intersection(passing);
      passesNulls &= nulls;
      matcher = null;
    }

    private boolean isAll() {
      return set.equals(all);
    }

    void retain(ArrayData column, long[] selected) {
      ArrayData array = column;
      List<MemorySegment> parents = new ArrayList<>();
      for (int index : path.subList(1, path.size())) {
        parents.add(array.validity());
        array = array.children().get(index);
      }
      ColumnMatcher present = matcher;
      if (present == null) {
        present = ColumnMatcher.of(field, keys, set, isAll(), passesNulls, memory, kernels);
        matcher = present;
      }
      present.retain(array, column.length(), selected, parents.toArray(MemorySegment[]::new));
    }

    boolean mayMatch(long rows, BatchStatistics statistics) {
      if (set.isEmpty() && !passesNulls) {
        return false;
      }
      if (leaf < 0 || leaf >= statistics.columns().size()) {
        return true;
      }
      ColumnStatistics column = statistics.columns().get(leaf);
      if (passesNulls && column.nullCount() != 0) {
        return true;
      }
      if (column.nullCount() == rows || set.isEmpty()) {
        return false;
      }
      ValueKeys<K> known = keys;
      if (!column.bounded() || known == null) {
        return true;
      }
      K nan = known.nan();
      if (column.hasNan() && nan != null && set.contains(nan)) {
        return true;
      }
      ColumnStatistics.Bound minimum = column.minimum();
      ColumnStatistics.Bound maximum = column.maximum();
      return minimum != null
          && set.intersects(
              new Range<>(
                  known.of(minimum.value()).low(),
                  maximum == null ? null : known.of(maximum.value()).high()));
    }
  }
}
