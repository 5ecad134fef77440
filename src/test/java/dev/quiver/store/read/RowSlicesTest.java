package dev.quiver.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.SampleStreams;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Work on slices of rows: which rows each slice has, and the order and the end of the results.
class RowSlicesTest {

  private static final int LARGE = 300_000;

  @TempDir private Path folder;
  private DatasetTestFolder data;

  /// Rows, counted from the first selected one.
  private record Rows(long start, long end, @Nullable Integer first, String color) {}

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
  }

  private static Rows rows(
      dev.quiver.arrow.array.RecordBatch batch, long from, long to, long before) {
    Array.FixedWidth numbers = (Array.FixedWidth) Array.of(batch.columns().getFirst());
    Array.DictionaryEncoded colors = (Array.DictionaryEncoded) Array.of(batch.columns().get(1));
    Array.VariableBinary values = (Array.VariableBinary) colors.dictionary();
    long index = colors.index(from);
    long start = LittleEndian.getInt32(values.offsets(), 4 * index);
    long end = LittleEndian.getInt32(values.offsets(), 4 * index + 4);
    byte[] color = values.values().asSlice(start, end - start).toArray(LittleEndian.INT8);
    Integer number =
        numbers.isNull(from) ? null : (Integer) LittleEndian.getInt32(numbers.values(), 4 * from);
    return new Rows(before, before + to - from, number, new String(color));
  }

  private static void assertFollowing(List<Rows> slices, long count) {
    long row = 0;
    for (Rows slice : slices) {
      assertThat(slice.start()).isEqualTo(row);
      assertThat(slice.end()).isGreaterThan(row);
      row = slice.end();
    }
    assertThat(row).isEqualTo(count);
  }

  @ParameterizedTest
  @EnumSource
  void passesOnTheResultsOfAllRowsInOrder(Codec codec) throws IOException {
    int[] batches = IntStream.range(0, 60).map(i -> i == 20 ? LARGE : i % 4 * 1_000).toArray();
    data.put(SampleStreams.stream(codec, batches));
    try (Snapshot snapshot = data.open()) {
      SelectedVersion selected = snapshot.select(new Selection(List.of(), 1_500, 400_000));
      List<Rows> slices = new ArrayList<>();
      assertThat(selected.forEachSlice(RowSlicesTest::rows, slices::add)).isTrue();
      assertFollowing(slices, selected.rows());
      // Batches 1, 2 and 3 have 1000, 2000 and 3000 rows, each with the numbers from 0.
      assertThat(slices.get(0).first()).isEqualTo(500);
      assertThat(slices.get(0).color()).isEqualTo("blue");
      assertThat(slices.get(1)).isEqualTo(new Rows(1_500, 4_500, 0, "red"));
      long largest =
          slices.stream().mapToLong(slice -> slice.end() - slice.start()).max().orElse(0);
      assertThat(largest).isLessThanOrEqualTo(1 << 16);
    }
    try (var files = Files.list(data.store.scratchFolder())) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void endsWhenNoMoreResultsAreWanted() throws IOException {
    data.put(SampleStreams.stream(Codec.ZSTD, LARGE, LARGE, LARGE));
    try (Snapshot snapshot = data.open()) {
      SelectedVersion selected = snapshot.select(Selection.ALL);
      List<Rows> slices = new ArrayList<>();
      boolean complete =
          selected.forEachSlice(
              RowSlicesTest::rows,
              slice -> {
                slices.add(slice);
                return slices.size() < 2;
              });
      assertThat(complete).isFalse();
      assertThat(slices).hasSize(2);
      // The snapshot can still be read.
      assertThat(selected.forEachSlice(RowSlicesTest::rows, _ -> true)).isTrue();
    }
  }

  @Test
  void failureOfASliceIsThrown() throws IOException {
    data.put(SampleStreams.stream(LARGE));
    try (Snapshot snapshot = data.open()) {
      SelectedVersion selected = snapshot.select(Selection.ALL);
      IOException failure = new IOException("full");
      List<Rows> slices = new ArrayList<>();
      assertThatThrownBy(() ->
              selected.forEachSlice(
                  (batch, from, to, before) -> {
                    if (before > 0) {
                      throw failure;
                    }
                    return rows(batch, from, to, before);
                  },
                  slices::add))
          .isSameAs(failure);
      assertThat(slices).hasSize(1);
    }
  }

  @Test
  void selectionWithoutRowsHasNoSlices() throws IOException {
    data.put(SampleStreams.stream(5));
    try (Snapshot snapshot = data.open()) {
      SelectedVersion selected = snapshot.select(new Selection(List.of(), 5, 10));
      assertThat(selected.forEachSlice(RowSlicesTest::rows, _ -> false)).isTrue();
    }
  }

  /// Each thread would need memory for all columns.
  @Test
  void oneThreadWorksOnAWideTable() throws IOException {
    Field[] fields =
        IntStream.range(0, 5_000)
            .mapToObj(i -> Field.of("column " + i, true, new ArrowType.Int(32, true)))
            .toArray(Field[]::new);
    Bytes stream = new Bytes();
    StreamWriter writer = new StreamWriter(stream, Schema.of(fields), Codec.NONE);
    ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto());
    List<Integer> values = IntStream.range(0, 200).boxed().toList();
    List<List<Integer>> columns = IntStream.range(0, 5_000).mapToObj(_ -> values).toList();
    writer.write(builder.recordBatch(Schema.of(fields), 200, columns));
    writer.close();
    data.put(stream.toByteArray());
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    try (Snapshot snapshot = data.open()) {
      List<Long> rows = new ArrayList<>();
      snapshot
          .select(Selection.ALL)
          .forEachSlice(
              (_, from, to, _) -> {
                threads.add(Thread.currentThread());
                return to - from;
              },
              rows::add);
      assertThat(rows).containsExactly(64L, 64L, 64L, 8L);
    }
    assertThat(threads).containsExactly(Thread.currentThread());
  }
}
