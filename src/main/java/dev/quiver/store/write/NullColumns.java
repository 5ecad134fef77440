package dev.quiver.store.write;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.statistics.StatisticsCalculator;
import dev.quiver.arrow.transform.ExactCasts;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.BatchStream;
import dev.quiver.store.file.BatchRewriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;

/// The columns that existing rows get, all of nulls.
final class NullColumns {

  /// A column from which any other casts.
  private static final Field NONE = Field.of("", /* nullable= */ true, new ArrowType.Null());

  /// The bytes of a dataset without compression to which the ratio applies: its nulls take space.
  private static final long UNCOMPRESSED_BYTES = 100;

  private final List<Field> fields;
  private final StatisticsCalculator statistics;
  private final long byteSize;
  private final boolean isCompressed;
  private final Limits limits;
  private long allocatedByteSize;

  /// @param fields nullable ones
  /// @param dictionaries the values of the dictionaries by id
  /// @param byteSize the size of the data, which limits the size of the columns: a few bytes of a
  ///   schema can state values of a gigabyte
  /// @param isCompressed whether all columns are compressed, so that nulls take little space
  NullColumns(
      List<Field> fields,
      LongFunction<List<ArrayData>> dictionaries,
      long byteSize,
      boolean isCompressed,
      Limits limits) {
    this.fields = List.copyOf(fields);
    this.statistics = new StatisticsCalculator(dictionaries);
    this.byteSize = byteSize;
    this.isCompressed = isCompressed;
    this.limits = limits;
  }

  /// Returns the columns of a batch.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if they are too large
  BatchRewriter.Added of(long length, SegmentAllocator allocator) {
    ArrayData source = new ArrayData(NONE, length, length, List.of(), List.of(), null);
    List<ArrayData> columns = new ArrayList<>();
    for (Field field : fields) {
      columns.add(
          Objects.requireNonNull(ExactCasts.nulls(field))
              .apply(source, (size, alignment) -> allocate(size, alignment, allocator)));
    }
    return new BatchRewriter.Added(columns, statistics.of(length, columns));
  }

  private MemorySegment allocate(long size, long alignment, SegmentAllocator allocator) {
    allocatedByteSize += size;
    BatchStream.requireRatio(allocatedByteSize, byteSize, limits);
    if (!isCompressed) {
      limits
          .decompressionRatio()
          .checkRatio(
              allocatedByteSize,
              byteSize / UNCOMPRESSED_BYTES,
              "bytes of nulls in new columns per %d bytes of the dataset"
                  .formatted(UNCOMPRESSED_BYTES),
              InputLocation.UNKNOWN);
    }
    return allocator.allocate(size, alignment);
  }
}
