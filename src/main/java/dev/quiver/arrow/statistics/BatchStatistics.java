package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.ColumnStatistics.Bound;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Statistics of a record batch.
///
/// ```
/// Batch  --> Column*
/// Column --> Flags [NullCount] [Bound, the minimum] [Bound, the maximum]
/// Flags  --> int8: 1 if the nulls are counted, 2 if the bounds are known, 4 if there is a minimum,
///            8 if it is exact, 16 if there is a maximum, 32 if it is exact, 64 if a value is NaN,
///            128 if all timestamps in nanoseconds with a zone are whole microseconds
/// NullCount --> groups of 7 bits, lowest first, each but the last with the highest bit set
/// Bound  --> ByteSize:int8 byte*
/// ```
///
/// @param columns in the order of [LeafColumn#of]
public record BatchStatistics(List<ColumnStatistics> columns) {

  private static final int HAS_NULL_COUNT = 1;
  private static final int IS_BOUNDED = 1 << 1;
  private static final int HAS_MINIMUM = 1 << 2;
  private static final int IS_MINIMUM_EXACT = 1 << 3;
  private static final int HAS_MAXIMUM = 1 << 4;
  private static final int IS_MAXIMUM_EXACT = 1 << 5;
  private static final int HAS_NAN = 1 << 6;
  private static final int IS_WHOLE_MICROSECONDS = 1 << 7;

  private static final int GROUP_BITS = 7;

  public BatchStatistics {
    columns = List.copyOf(columns);
  }

  /// Returns the statistics of several batches in one.
  ///
  /// @param schema the schema of the batches
  /// @param parts one or more
  public static BatchStatistics merged(Schema schema, List<BatchStatistics> parts) {
    List<LeafColumn> leaves = LeafColumn.of(schema);
    BatchStatistics first = parts.getFirst();
    List<ColumnStatistics> merged = new ArrayList<>();
    for (int i = 0; i < first.columns.size(); i++) {
      ValueKeys<?> keys = ValueKeys.of(leaves.get(i).values().type());
      ColumnStatistics column = first.columns.get(i);
      for (BatchStatistics part : parts.subList(1, parts.size())) {
        column = column.merged(part.columns.get(i), keys == null ? null : keys.order());
      }
      merged.add(column);
    }
    return new BatchStatistics(merged);
  }

  /// Returns the statistics of the same batch with more columns behind its own.
  public BatchStatistics followedBy(BatchStatistics added) {
    return new BatchStatistics(
        Stream.concat(columns.stream(), added.columns.stream())
            .limit(LeafColumn.COUNT_MAXIMUM)
            .toList());
  }

  public byte[] write() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    columns.forEach(column -> write(column, bytes));
    return bytes.toByteArray();
  }

  /// @throws IllegalArgumentException if these are not the bytes of statistics
  public static BatchStatistics read(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<ColumnStatistics> columns = new ArrayList<>();
    try {
      while (buffer.hasRemaining()) {
        columns.add(column(buffer));
      }
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("Expected more statistics but found their end", e);
    }
    return new BatchStatistics(columns);
  }

  private static void write(ColumnStatistics column, ByteArrayOutputStream bytes) {
    Bound minimum = column.minimum();
    Bound maximum = column.maximum();
    bytes.write(
        (column.nullCount() >= 0 ? HAS_NULL_COUNT : 0)
            | (column.bounded() ? IS_BOUNDED : 0)
            | (minimum != null ? HAS_MINIMUM : 0)
            | (minimum != null && minimum.exact() ? IS_MINIMUM_EXACT : 0)
            | (maximum != null ? HAS_MAXIMUM : 0)
            | (maximum != null && maximum.exact() ? IS_MAXIMUM_EXACT : 0)
            | (column.hasNan() ? HAS_NAN : 0)
            | (column.isWholeMicroseconds() ? IS_WHOLE_MICROSECONDS : 0));
    if (column.nullCount() >= 0) {
      long rest = column.nullCount();
      for (; rest >>> GROUP_BITS != 0; rest >>>= GROUP_BITS) {
        bytes.write((int) rest | 1 << GROUP_BITS);
      }
      bytes.write((int) rest);
    }
    write(minimum, bytes);
    write(maximum, bytes);
  }

  private static void write(@Nullable Bound bound, ByteArrayOutputStream bytes) {
    if (bound != null) {
      bytes.write(bound.value().byteSize());
      bytes.writeBytes(bound.value().toByteArray());
    }
  }

  private static ColumnStatistics column(ByteBuffer buffer) {
    int flags = buffer.get();
    return new ColumnStatistics(
        (flags & HAS_NULL_COUNT) == 0 ? ColumnStatistics.UNKNOWN : nullCount(buffer),
        (flags & IS_BOUNDED) != 0,
        (flags & HAS_MINIMUM) == 0 ? null : bound(buffer, (flags & IS_MINIMUM_EXACT) != 0),
        (flags & HAS_MAXIMUM) == 0 ? null : bound(buffer, (flags & IS_MAXIMUM_EXACT) != 0),
        (flags & HAS_NAN) != 0,
        (flags & IS_WHOLE_MICROSECONDS) != 0);
  }

  private static long nullCount(ByteBuffer buffer) {
    long count = 0;
    int shift = 0;
    byte group;
    do {
      group = buffer.get();
      count |= (long) (group & (1 << GROUP_BITS) - 1) << shift;
      shift += GROUP_BITS;
    } while (group < 0);
    return count;
  }

  private static Bound bound(ByteBuffer buffer, boolean exact) {
    byte[] value = new byte[Byte.toUnsignedInt(buffer.get())];
    buffer.get(value);
    return new Bound(ByteString.of(value), exact);
  }
}
