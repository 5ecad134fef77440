package dev.quiver.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.type.Field;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/// The schema and rows of Parquet files, which are read with one thread and with two.
abstract class ParquetFixture {

  private static final Limits LIMITS = Limits.DEFAULT;
  private static final Limit HEAP = new Limit("page-bytes", 64 << 20);
  private static final Limit ROW_BYTES = new Limit("decompression-ratio", 8_000_000);

  private static final CpuPool TWO = new CpuPool(2);

  @TempDir Path folder;

  private static void requireRowBytes(long byteSize) {
    ROW_BYTES.check(byteSize, "bytes of rows", InputLocation.UNKNOWN);
  }

  ParquetContents open(byte[] file) throws IOException {
    return open(file, () -> {});
  }

  ParquetContents open(byte[] file, Runnable cancellationCheck) throws IOException {
    return open(file, HEAP, cancellationCheck);
  }

  ParquetContents open(byte[] file, Limit heap, Runnable cancellationCheck) throws IOException {
    return open(file, PageMemory.of(heap), cancellationCheck);
  }

  ParquetContents open(byte[] file, PageMemory memory, Runnable cancellationCheck)
      throws IOException {
    Path path = Files.write(folder.resolve("file.parquet"), file);
    return ParquetContents.open(
        path, LIMITS, memory, ParquetFixture::requireRowBytes, folder, cancellationCheck);
  }

  void forEach(byte[] file, Consumer<RecordBatch> consumer) throws IOException {
    forEach(open(file), consumer);
  }

  void forEach(ParquetContents contents, Consumer<RecordBatch> consumer) throws IOException {
    forEach(contents, TWO, consumer);
  }

  private void forEach(ParquetContents contents, CpuPool pool, Consumer<RecordBatch> consumer)
      throws IOException {
    try (ParquetReader reader = contents.read(pool, folder)) {
      RecordBatch batch = reader.next();
      while (batch != null) {
        consumer.accept(batch);
        batch = reader.next();
      }
    }
  }

  List<List<@Nullable Object>> rows(ParquetBytes file) throws IOException {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    ParquetContents contents = open(file.end());
    forEach(contents, TWO, batch -> rows.addAll(Values.rows(batch)));
    List<List<@Nullable Object>> same = new ArrayList<>();
    forEach(contents, CpuPool.SINGLE, batch -> same.addAll(Values.rows(batch)));
    assertThat(same).isEqualTo(rows);
    return rows;
  }

  List<@Nullable Object> column(ParquetBytes file, int index) throws IOException {
    List<@Nullable Object> values = new ArrayList<>();
    rows(file).forEach(row -> values.add(row.get(index)));
    return values;
  }

  List<Long> batchLengths(ParquetBytes file) throws IOException {
    List<Long> lengths = new ArrayList<>();
    forEach(file.end(), batch -> lengths.add(batch.length()));
    return lengths;
  }

  List<String> types(ParquetBytes file) throws IOException {
    return open(file.end()).schema().fields().stream().map(Field::toString).toList();
  }

  static ByteString binary(String text) {
    return ByteString.of(text);
  }
}
