package dev.quiver.arrow.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The ranges of rows into which a batch is split. `TransformedDataTest` checks that the rows stay
/// the same.
class BatchSplitterTest {

  private static final Schema NUMBERS =
      Schema.of(Field.of("n", false, new ArrowType.Int(64, true)));
  private static final Schema TEXTS = Schema.of(Field.of("t", false, new ArrowType.Utf8()));
  private static final Schema VIEWS = Schema.of(Field.of("v", false, new ArrowType.Utf8View()));

  private final Arena arena = Arena.ofConfined();

  @AfterEach
  void close() {
    arena.close();
  }

  @Test
  void doesNotSplitASmallBatch() {
    assertThat(BatchSplitter.split(numbers(144), 800)).containsExactly(new RowRange(0, 144));
    assertThat(BatchSplitter.split(numbers(0), 800)).containsExactly(new RowRange(0, 0));
    assertThat(BatchSplitter.split(new RecordBatch(Schema.of(), 1_000_000, List.of()), 8))
        .containsExactly(new RowRange(0, 1_000_000));
  }

  @Test
  void splitsRowsOfEqualSizeEvenly() {
    assertThat(BatchSplitter.split(numbers(160), 800))
        .containsExactly(new RowRange(0, 80), new RowRange(80, 80));
    List<RowRange> ranges = BatchSplitter.split(numbers(10_000), 8_000);
    assertThat(ranges).hasSize(10).allMatch(range -> range.length() == 1000);
    assertCovers(ranges, 10_000);
  }

  @Test
  void separatesALargeRowFromSmallOnes() {
    List<String> texts = new ArrayList<>(Collections.nCopies(1000, "a text"));
    texts.set(500, "x".repeat(200_000));
    RecordBatch batch = new ArrayBuilder(arena).recordBatch(TEXTS, 1000, List.of(texts));

    List<RowRange> ranges = BatchSplitter.split(batch, 4_000);

    assertCovers(ranges, 1000);
    assertThat(ranges).hasSizeLessThan(16);
    assertThat(ranges.stream().filter(range -> range.byteSize(batch) > 6_000))
        .hasSize(1)
        .allMatch(range -> range.length() < 10);
  }

  /// Every row refers to the same text, which each part would repeat.
  @Test
  void limitsTheRepetitionOfBytesThatRowsShare() {
    RecordBatch one =
        new ArrayBuilder(arena).recordBatch(VIEWS, 1, List.of(List.of("x".repeat(60_000))));
    ArrayData column = one.columns().getFirst();
    MemorySegment views = arena.allocate(16 * 10_000);
    IntStream.range(0, 10_000)
        .forEach(i -> views.asSlice(16L * i).copyFrom(column.buffers().get(1)));
    ArrayData shared =
        new ArrayData(
            column.field(),
            10_000,
            0,
            List.of(MemorySegment.NULL, views, column.variadicBuffers().getFirst()),
            List.of(),
            null);
    RecordBatch batch = new RecordBatch(VIEWS, 10_000, List.of(shared));
    long whole = RowRange.all(batch).byteSize(batch);

    List<RowRange> ranges = BatchSplitter.split(batch, 8_000);

    assertCovers(ranges, 10_000);
    assertThat(ranges.stream().mapToLong(range -> range.byteSize(batch)).sum())
        .isLessThanOrEqualTo(2 * whole);
    assertThat(BatchSplitter.split(batch, 100_000).size()).isEqualTo(3);
  }

  @Test
  void everyPartKeepsTheCustomMetadata() {
    RecordBatch batch = numbers(160);
    Metadata metadata = Metadata.of(KeyValue.of("key", "value"));
    batch = new RecordBatch(batch.schema(), 160, batch.columns(), metadata);
    RecordBatch part = new RowRange(80, 80).of(batch, arena);
    assertThat(part.customMetadata()).isEqualTo(metadata);
    assertThat(part.columns().getFirst().buffers().get(1).address())
        .isEqualTo(batch.columns().getFirst().buffers().get(1).address() + 640);
  }

  private RecordBatch numbers(int count) {
    return new ArrayBuilder(arena)
        .recordBatch(NUMBERS, count, List.of(IntStream.range(0, count).boxed().toList()));
  }

  private static void assertCovers(List<RowRange> ranges, long length) {
    long next = 0;
    for (RowRange range : ranges) {
      assertThat(range.offset()).isEqualTo(next);
      next += range.length();
    }
    assertThat(next).isEqualTo(length);
  }
}
