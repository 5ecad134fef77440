package dev.quiver.benchmarks;

import static java.util.Objects.requireNonNull;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.codec.BufferCodec;
import dev.quiver.arrow.codec.Lz4Frame;
import dev.quiver.arrow.codec.Zstandard;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.statistics.BatchFilter;
import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.arrow.statistics.Predicate;
import dev.quiver.arrow.statistics.RowSet;
import dev.quiver.arrow.statistics.StatisticsCalculator;
import dev.quiver.arrow.text.Renderer;
import dev.quiver.arrow.text.TextFormat;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.validate.Finding;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// Benchmarks of the loops that visit every byte or slot.
///
/// An operation is a byte, so operations per nanosecond are gigabytes per second. In benchmarks
/// that write text, an operation is a row, so operations per microsecond are millions of rows per
/// second.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Kernels {

  private static final int BYTES = 4 << 20;
  private static final int ROWS = 10_000;

  /// Ascending offsets, for the validation level that checks nothing else.
  @State(Scope.Benchmark)
  public static class Offsets {
    private final RecordBatch batch =
        Columns.batch(new Columns().letters("letter", BYTES / Integer.BYTES - 1));
  }

  /// Valid UTF-8 text.
  @State(Scope.Benchmark)
  public static class Text {
    private final RecordBatch ascii =
        Columns.batch(new Columns().text("ascii", Columns.ASCII, BYTES));
    private final RecordBatch mixed =
        Columns.batch(new Columns().text("mixed", Columns.MIXED, BYTES));
  }

  /// Random bits, and a destination for a copy at another bit position.
  @State(Scope.Benchmark)
  public static class Bits {
    private static final long BITS = 8L * BYTES - 64;

    private final MemorySegment source =
        new Columns().integers("numbers", BYTES / Long.BYTES, Long.MAX_VALUE).buffers().get(1);
    private final MemorySegment destination = Columns.allocate(BYTES);
  }

  /// A column with nulls. A slice copies the validity bitmap unless it starts at a byte boundary.
  @State(Scope.Benchmark)
  public static class Sliced {
    private static final int LENGTH = 8 * BYTES / 16;

    private final ArrayData column = new Columns().integers("numbers", LENGTH, 1000);
  }

  /// A buffer of text, plain and compressed.
  @State(Scope.Benchmark)
  public static class Compressed {
    @Param({"zstd", "lz4"})
    public String name = "zstd";

    private final MemorySegment plain =
        new Columns().text("ascii", Columns.ASCII, BYTES).buffer(BufferRole.DATA);
    private final MemorySegment restored = Columns.allocate(BYTES);
    private final MemorySegment compressed =
        Columns.allocate(Lz4Frame.INSTANCE.maximumCompressedByteSize(BYTES));

    private BufferCodec codec() {
      return name.equals("zstd") ? Zstandard.INSTANCE : Lz4Frame.INSTANCE;
    }
  }

  /// A lazily compressed buffer as the input of decompression.
  @State(Scope.Benchmark)
  public static class Restored {
    private long byteSize;

    private MemorySegment of(Compressed buffer) {
      if (byteSize == 0) {
        byteSize = buffer.codec().compress(buffer.plain, buffer.compressed);
      }
      return buffer.compressed.asSlice(0, byteSize);
    }
  }

  /// Rows of an integer, a number with two decimals and a text.
  @State(Scope.Benchmark)
  public static class Rows {
    private static final Limit NONE = new Limit("bytes", Long.MAX_VALUE);

    private final Columns columns = new Columns();
    private final RecordBatch batch =
        Columns.batch(
            columns.integers("id", ROWS, 1L << 40),
            columns.decimals("value", ROWS),
            columns.letters("letter", ROWS));

    private long write(TextFormat format) throws IOException {
      long[] byteSize = {0};
      var renderer =
          Renderer.begin(
              format,
              TextOptions.DEFAULT,
              batch.schema(),
              piece -> byteSize[0] += piece.byteSize(),
              NONE);
      renderer.write(batch);
      renderer.end();
      return byteSize[0];
    }
  }

  @Benchmark
  @OperationsPerInvocation(BYTES)
  public List<Finding> validateOffsets(Offsets offsets) {
    return Validator.validate(offsets.batch, Level.OFFSETS);
  }

  @Benchmark
  @OperationsPerInvocation(BYTES)
  public List<Finding> validateAscii(Text text) {
    return Validator.validate(text.ascii, Level.VALUES);
  }

  @Benchmark
  @OperationsPerInvocation(BYTES)
  public List<Finding> validateMixedText(Text text) {
    return Validator.validate(text.mixed, Level.VALUES);
  }

  /// A column, a condition that selects a tenth of its rows, and its statistics.
  @State(Scope.Benchmark)
  public static class Filtered {
    @Param({"integers", "text"})
    public String values = "integers";

    private final StatisticsCalculator calculator = new StatisticsCalculator(_ -> List.of());
    private @Nullable RecordBatch batch;
    private @Nullable BatchFilter filter;

    @Setup
    public void setUp() {
      Columns columns = new Columns();
      boolean isText = values.equals("text");
      RecordBatch made =
          Columns.batch(
              isText
                  ? columns.text("ascii", Columns.ASCII, BYTES)
                  : columns.integers("numbers", BYTES / Long.BYTES, 1000));
      byte[] limit = isText ? new byte[] {'h', 'b'} : new byte[] {100, 0, 0, 0, 0, 0, 0, 0};
      Predicate below =
          new Predicate.Comparison(
              List.of(0), Predicate.Operator.LESS, ByteString.of(limit));
      batch = made;
      filter = BatchFilter.of(below, made.schema());
    }
  }

  @Benchmark
  @OperationsPerInvocation(BYTES)
  public RowSet select(Filtered filtered) {
    return requireNonNull(filtered.filter).select(requireNonNull(filtered.batch));
  }

  @Benchmark
  @OperationsPerInvocation(BYTES)
  public BatchStatistics calculateStatistics(Filtered filtered) {
    RecordBatch batch = requireNonNull(filtered.batch);
    return filtered.calculator.of(batch.length(), batch.columns());
  }

  @Benchmark
  @OperationsPerInvocation(BYTES)
  public long countBits(Bits bits) {
    return Bitmaps.countSet(bits.source, 3, Bits.BITS);
  }

  @Benchmark
  @OperationsPerInvocation(BYTES)
  public MemorySegment copyBits(Bits bits) {
    Bitmaps.copy(bits.source, 3, bits.destination, 0, Bits.BITS);
    return bits.destination;
  }

  /// Counts only the bytes of half the validity bitmap, since nothing else is copied.
  @Benchmark
  @OperationsPerInvocation(BYTES / 32)
  public long slice(Sliced sliced) {
    try (var arena = Arena.ofConfined()) {
      return Slices.slice(sliced.column, 3, Sliced.LENGTH / 2, arena).nullCount();
    }
  }

  @Benchmark
  @OperationsPerInvocation(BYTES)
  public long compress(Compressed buffer) {
    return buffer.codec().compress(buffer.plain, buffer.compressed);
  }

  @Benchmark
  @OperationsPerInvocation(BYTES)
  public MemorySegment decompress(Compressed buffer, Restored restored) {
    buffer.codec().decompress(restored.of(buffer), buffer.restored);
    return buffer.restored;
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public long jsonLines(Rows rows) throws IOException {
    return rows.write(TextFormat.JSON_LINES);
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public long csv(Rows rows) throws IOException {
    return rows.write(TextFormat.CSV);
  }
}
