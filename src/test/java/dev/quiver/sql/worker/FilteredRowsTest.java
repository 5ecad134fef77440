package dev.quiver.sql.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.Predicate;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.engine.TableBatch;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.blob.LocalRange;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.StoredFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rows that are left out before the engine gets them, of a dataset whose column `key` is compared.
class FilteredRowsTest {

  private static final Schema SCHEMA =
      Schema.of(
          Field.of("id", false, new ArrowType.Int(64, true)),
          Field.of("key", false, new ArrowType.Int(64, true)),
          Field.of("text", false, new ArrowType.Utf8()));

  private static final int BATCH_ROWS = 64;
  private static final int[] ALL_COLUMNS = {0, 1, 2};

  @TempDir private Path folder;

  /// Stores batches of 64 rows.
  ///
  /// @param key returns the key of a row
  /// @param text returns its text
  private DatasetTestFolder put(
      int batches, Codec codec, LongFunction<Long> key, LongFunction<String> text)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      StreamWriter writer =
          new StreamWriter(
              part -> bytes.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)), SCHEMA, codec);
      for (long first = 0; first < (long) batches * BATCH_ROWS; first += BATCH_ROWS) {
        List<Long> ids = LongStream.range(first, first + BATCH_ROWS).boxed().toList();
        writer.write(
            new ArrayBuilder(arena)
                .recordBatch(
                    SCHEMA,
                    BATCH_ROWS,
                    List.of(
                        ids,
                        ids.stream().map(key::apply).toList(),
                        ids.stream().map(text::apply).toList())));
      }
      writer.close();
    }
    DatasetTestFolder data = new DatasetTestFolder(folder);
    data.put(bytes.toByteArray());
    return data;
  }

  /// A use of the rows whose key is 1.
  @FunctionalInterface
  private interface Use {
    void of(FilteredRows rows);
  }

  private static void read(DatasetTestFolder data, boolean validated, Runnable check, Use use)
      throws IOException {
    Predicate predicate =
        new Predicate.Comparison(
            List.of(1),
            Predicate.Operator.EQUAL,
            ByteString.of(new byte[] {1, 0, 0, 0, 0, 0, 0, 0}));
    try (data.datasets;
        Snapshot snapshot = data.open()) {
      StoredFile file = snapshot.summary().file();
      List<StoredTable.Extent> extents = new ArrayList<>();
      for (LocalRange range : snapshot.localRanges()) {
        extents.add(
            new StoredTable.Extent(
                range.file().toAbsolutePath().toString(), range.byteOffset(), range.byteSize()));
      }
      StoredTable table =
          new StoredTable(
              "data",
              file.rows(),
              file.footerOffset(),
              file.footerLength(),
              validated,
              extents,
              false,
              IntStream.range(0, snapshot.batchCount()).toArray(),
              predicate,
              null,
              null,
              ByteString.EMPTY,
              /* microseconds= */ new int[0]);
      try (MappedVersion version =
          MappedVersion.open(table, new MappedPieces(System::nanoTime), new ScannedRows(_ -> {}))) {
        use.of(new FilteredRows(version, predicate, check));
      }
    }
  }

  private static void read(DatasetTestFolder data, Use use) throws IOException {
    read(data, true, () -> {}, use);
  }

  private static long rowCount(FilteredRows rows, int batch) {
    try (TableBatch read = rows.read(batch, ALL_COLUMNS)) {
      return read.rows().length();
    }
  }

  @ParameterizedTest
  @CsvSource({"NONE, true", "LZ4, true", "ZSTD, true", "NONE, false", "LZ4, false"})
  void fewRowsAreTaken(Codec codec, boolean validated) throws IOException {
    DatasetTestFolder data =
        put(2, codec, id -> id == 3 || id == 40 || id == 100 ? 1L : 0L, id -> "text " + id);
    read(
        data,
        validated,
        () -> {},
        rows -> {
          try (TableBatch batch = rows.read(0, ALL_COLUMNS)) {
            assertThat(batch.rows().columns().stream().map(Values::of).toList())
                .isEqualTo(
                    List.of(List.of(3L, 40L), List.of(1L, 1L), List.of("text 3", "text 40")));
          }
          try (TableBatch batch = rows.read(1, new int[] {0, 2})) {
            assertThat(batch.rows().columns().stream().map(Values::of).toList())
                .isEqualTo(List.of(List.of(100L), List.of("text 100")));
          }
        });
  }

  @Test
  void batchWithoutSuchRowsHasItsColumns() throws IOException {
    read(
        put(1, Codec.NONE, _ -> 0L, id -> "text " + id),
        rows -> {
          try (TableBatch batch = rows.read(0, new int[] {0, 2})) {
            assertThat(batch.rows().length()).isZero();
            assertThat(batch.rows().schema().fields())
                .containsExactly(SCHEMA.fields().get(0), SCHEMA.fields().get(2));
          }
        });
  }

  @Test
  void batchesAreReadWholeIfManyRowsPassOrMostColumnsAreCompared() throws IOException {
    // A sixteenth of the first batch passes, and one row more of the second.
    read(
        put(2, Codec.NONE, id -> id < 4 || id >= 64 && id < 69 ? 1L : 0L, id -> "text " + id),
        rows -> {
          assertThat(rowCount(rows, 0)).isEqualTo(4);
          assertThat(rowCount(rows, 1)).isEqualTo(BATCH_ROWS);
          try (TableBatch batch = rows.read(0, new int[] {0, 1})) {
            assertThat(batch.rows().length()).isEqualTo(BATCH_ROWS);
          }
        });
  }

  /// The engine does not know of the memory of copies.
  @Test
  void rowsAreReadWhereTheyAreMappedIfTheirCopyWouldBeLarge() throws IOException {
    String large = "x".repeat(17 << 20);
    // Large and another, two small ones, and large alone, which is not copied.
    List<List<Long>> passing = List.of(List.of(3L, 40L), List.of(4L, 40L), List.of(3L));
    read(
        put(
            3,
            Codec.NONE,
            id -> passing.get((int) (id / BATCH_ROWS)).contains(id % BATCH_ROWS) ? 1L : 0L,
            id -> id % BATCH_ROWS == 3 ? large : "small"),
        rows -> {
          assertThat(rowCount(rows, 0)).isEqualTo(BATCH_ROWS);
          assertThat(rowCount(rows, 1)).isEqualTo(2);
          assertThat(rowCount(rows, 2)).isEqualTo(1);
        });
  }

  @Test
  void fewBatchesAreFilteredAfterSeveralInVain() throws IOException {
    read(
        put(18, Codec.NONE, id -> id < 8 * BATCH_ROWS ? 1L : 0L, id -> "text " + id),
        rows -> {
          for (int batch = 0; batch < 16; batch++) {
            assertThat(rowCount(rows, batch)).as("batch %d", batch).isEqualTo(BATCH_ROWS);
          }
          assertThat(rowCount(rows, 16)).isZero();
          assertThat(rowCount(rows, 17)).isZero();
        });
    read(
        put(8, Codec.NONE, id -> id < 7 * BATCH_ROWS ? 1L : 0L, id -> "text " + id),
        rows -> {
          for (int batch = 0; batch < 7; batch++) {
            assertThat(rowCount(rows, batch)).as("batch %d", batch).isEqualTo(BATCH_ROWS);
          }
          assertThat(rowCount(rows, 7)).isZero();
        });
  }

  @Test
  void readingEndsWithTheStatement() throws IOException {
    read(
        put(1, Codec.NONE, _ -> 0L, id -> "text " + id),
        true,
        () -> {
          throw new IllegalStateException("ended");
        },
        rows -> assertThatThrownBy(() -> rows.read(0, ALL_COLUMNS)).hasMessage("ended"));
  }
}
