package dev.quiver.arrow.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The choice of the batches that are coalesced. `TransformedDataTest` checks that their rows stay
/// the same.
class BatchCoalescerTest {

  private static final Field TEXT = Field.of("t", true, new ArrowType.Utf8());
  private static final Field NULLS = Field.of("item", true, new ArrowType.Null());
  private static final long UNLIMITED = Long.MAX_VALUE / 2;

  private final Arena arena = Arena.ofConfined();
  private final List<BatchCoalescer.Run> runs = new ArrayList<>();

  @AfterEach
  void close() {
    arena.close();
  }

  @Test
  void coalescesBatchesUpToTheMaximumSize() {
    BatchCoalescer<RuntimeException> coalescer = coalescer(3 * 16);
    assertThat(coalescer.size()).isZero();
    // Two offsets and eight bytes each, without their padding.
    assertThat(fits(coalescer, texts("eight by"))).isTrue();
    assertThat(fits(coalescer, texts("eight by"))).isTrue();
    assertThat(fits(coalescer, texts("eight by"))).isTrue();
    assertThat(fits(coalescer, texts("eight by"))).isFalse();
    RecordBatch emitted = onlyRun().concatenated(arena);
    assertThat(emitted.length()).isEqualTo(3);
    assertThat(Values.of(emitted.columns().getFirst()))
        .isEqualTo(List.of("eight by", "eight by", "eight by"));
    assertThat(fits(coalescer, texts("eight by"))).isTrue();
  }

  @Test
  void emitsASingleBatchUnchanged() {
    BatchCoalescer<RuntimeException> coalescer = coalescer(1);
    RecordBatch batch = withMetadata(texts("larger than that"));
    assertThat(fits(coalescer, batch)).isTrue();
    coalescer.flush();
    assertThat(onlyRun().concatenated(arena)).isSameAs(batch);
    assertThat(coalescer.size()).isZero();
    coalescer.flush();
    assertThat(runs).hasSize(1);
  }

  @Test
  void keepsABatchWithCustomMetadataApart() {
    BatchCoalescer<RuntimeException> coalescer = coalescer(UNLIMITED);
    coalescer.add(texts("a"), Codec.NONE, 0);
    assertThat(fits(coalescer, withMetadata(texts("b")))).isFalse();
    assertThat(fits(coalescer, texts("c"))).isFalse();
  }

  @Test
  void keepsBatchesOfDifferentCodecsApart() {
    BatchCoalescer<RuntimeException> coalescer = coalescer(UNLIMITED);
    coalescer.add(texts("a"), Codec.ZSTD, 0);
    coalescer.add(texts("b"), Codec.ZSTD, 0);
    coalescer.add(texts("c"), Codec.LZ4, 0);
    assertThat(onlyRun().codec()).isEqualTo(Codec.ZSTD);
    assertThat(onlyRun().batches()).hasSize(2);
  }

  @Test
  void keepsBatchesOfDifferentSchemasApart() {
    BatchCoalescer<RuntimeException> coalescer = coalescer(UNLIMITED);
    coalescer.add(texts("a"), Codec.NONE, 0);
    assertThat(fits(coalescer, nulls(1))).isFalse();
  }

  @Test
  void limitsTheMetadataOfCoalescedMessages() {
    BatchCoalescer<RuntimeException> coalescer = new BatchCoalescer<>(UNLIMITED, 100, runs::add);
    coalescer.add(texts("a"), Codec.NONE, 50);
    coalescer.add(texts("b"), Codec.NONE, 50);
    assertThat(runs).isEmpty();
    coalescer.add(texts("c"), Codec.NONE, 1);
    assertThat(onlyRun().batches()).hasSize(2);
    coalescer.add(texts("d"), Codec.NONE, 99);
    assertThat(coalescer.size()).isEqualTo(2);
  }

  @Test
  void keepsBatchesOfDifferentDictionariesApart() {
    RecordBatch nulls = encoded(null, (Object) null);
    RecordBatch one = encoded("a", "a");
    RecordBatch other = encoded("b", "b");
    BatchCoalescer<RuntimeException> coalescer = coalescer(UNLIMITED);
    coalescer.add(nulls, Codec.NONE, 0);
    assertThat(fits(coalescer, one)).isTrue();
    assertThat(fits(coalescer, nulls)).isTrue();
    assertThat(fits(coalescer, one)).isTrue();
    assertThat(fits(coalescer, other)).isFalse();
    assertThat(Values.of(onlyRun().concatenated(arena).columns().getFirst()))
        .isEqualTo(Arrays.asList(null, "a", null, "a"));
  }

  @Test
  void limitsRowsByTheTypeOfRunEnds() {
    Field runs =
        Field.of(
            "r",
            true,
            new ArrowType.RunEndEncoded(),
            Field.of("run_ends", false, new ArrowType.Int(16, true)),
            TEXT);
    RecordBatch maximum = batch(runs, Collections.nCopies(Short.MAX_VALUE - 1, "a"));
    RecordBatch one = batch(runs, List.of("a"));
    BatchCoalescer<RuntimeException> coalescer = coalescer(UNLIMITED);
    coalescer.add(maximum, Codec.NONE, 0);
    assertThat(fits(coalescer, one)).isTrue();
    assertThat(fits(coalescer, one)).isFalse();
    assertThat(onlyRun().concatenated(arena).length()).isEqualTo(Short.MAX_VALUE);
  }

  @Test
  void limitsChildSlotsByTheTypeOfOffsets() {
    assertLimitsChildSlots(new ArrowType.List(), false);
    assertLimitsChildSlots(new ArrowType.Map(false), false);
    assertLimitsChildSlots(new ArrowType.ListView(), false);
    assertLimitsChildSlots(new ArrowType.Union(UnionMode.DENSE, List.of(0)), false);
    assertLimitsChildSlots(new ArrowType.LargeList(), true);
    assertLimitsChildSlots(new ArrowType.LargeListView(), true);
  }

  @Test
  void limitsRowsToThirtyTwoBits() {
    BatchCoalescer<RuntimeException> coalescer = coalescer(UNLIMITED);
    coalescer.add(nulls(Integer.MAX_VALUE - 1L), Codec.NONE, 0);
    assertThat(fits(coalescer, nulls(1))).isTrue();
    assertThat(fits(coalescer, nulls(1))).isFalse();
    assertThat(onlyRun().concatenated(arena).length()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void limitsSlotsOfChildrenToSixtyFourBits() {
    int maximum = Integer.MAX_VALUE;
    Field inner = Field.of("item", true, new ArrowType.FixedSizeList(maximum), NULLS);
    Field outer = Field.of("f", true, new ArrowType.FixedSizeList(maximum), inner);
    long slots = (long) maximum * maximum;
    ArrayData nulls = new ArrayData(NULLS, slots, slots, List.of(), List.of(), null);
    List<MemorySegment> noValidity = List.of(MemorySegment.NULL);
    ArrayData lists = new ArrayData(inner, maximum, 0, noValidity, List.of(nulls), null);
    ArrayData column = new ArrayData(outer, 1, 0, noValidity, List.of(lists), null);
    RecordBatch batch = new RecordBatch(Schema.of(outer), 1, List.of(column));
    BatchCoalescer<RuntimeException> coalescer = coalescer(UNLIMITED);
    coalescer.add(batch, Codec.NONE, 0);
    assertThat(fits(coalescer, batch)).isTrue();
    assertThat(fits(coalescer, batch)).isFalse();
    assertThat(onlyRun().concatenated(arena).length()).isEqualTo(2);
  }

  /// Adds three arrays of one slot each, which refers to half as many child slots as 32 bits can
  /// address.
  private void assertLimitsChildSlots(ArrowType type, boolean large) {
    int half = Integer.MAX_VALUE / 2;
    runs.clear();
    BatchCoalescer<RuntimeException> coalescer = coalescer(UNLIMITED);
    coalescer.add(batchOfChildSlots(type, large, half), Codec.NONE, 0);
    assertThat(fits(coalescer, batchOfChildSlots(type, large, half + 1))).as("%s", type).isTrue();
    assertThat(fits(coalescer, batchOfChildSlots(type, large, half)))
        .as("%s", type)
        .isEqualTo(large);
    coalescer.flush();
    assertThat(runs.getFirst().concatenated(arena).length()).isEqualTo(large ? 3 : 2);
  }

  private BatchCoalescer<RuntimeException> coalescer(long byteSize) {
    return new BatchCoalescer<>(byteSize, UNLIMITED, runs::add);
  }

  /// Adds a batch and returns whether it joins the waiting ones.
  private static boolean fits(BatchCoalescer<RuntimeException> coalescer, RecordBatch batch) {
    int waiting = coalescer.size();
    coalescer.add(batch, Codec.NONE, 0);
    return coalescer.size() == waiting + 1;
  }

  private BatchCoalescer.Run onlyRun() {
    assertThat(runs).hasSize(1);
    return runs.getFirst();
  }

  private RecordBatch batchOfChildSlots(ArrowType type, boolean large, int count) {
    Field field = Field.of("f", true, type, NULLS);
    int byteWidth = large ? 8 : 4;
    MemorySegment zero = arena.allocate(byteWidth);
    MemorySegment size = arena.allocate(byteWidth);
    LittleEndian.setInt32(size, 0, count);
    MemorySegment offsets = arena.allocate(2L * byteWidth);
    LittleEndian.setInt32(offsets, byteWidth, count);
    MemorySegment last = arena.allocate(4);
    LittleEndian.setInt32(last, 0, count - 1);
    List<MemorySegment> buffers =
        switch (type) {
          case ArrowType.Union _ -> List.of(arena.allocate(1), last);
          case ArrowType.ListView _, ArrowType.LargeListView _ ->
              List.of(MemorySegment.NULL, zero, size);
          default -> List.of(MemorySegment.NULL, offsets);
        };
    ArrayData child = new ArrayData(NULLS, count, count, List.of(), List.of(), null);
    ArrayData column = new ArrayData(field, 1, 0, buffers, List.of(child), null);
    return new RecordBatch(Schema.of(field), 1, List.of(column));
  }

  private static RecordBatch nulls(long length) {
    ArrayData column = new ArrayData(NULLS, length, length, List.of(), List.of(), null);
    return new RecordBatch(Schema.of(NULLS), length, List.of(column));
  }

  private RecordBatch encoded(@Nullable String dictionary, @Nullable Object... values) {
    Field field = TEXT.withDictionary(new DictionaryEncoding(0, new ArrowType.Int(8, true), false));
    ArrayBuilder builder =
        dictionary == null
            ? new ArrayBuilder(arena)
            : new ArrayBuilder(arena, Map.of(0L, List.of(dictionary)));
    ArrayData column = builder.array(field, Arrays.asList(values));
    return new RecordBatch(Schema.of(field), values.length, List.of(column));
  }

  private RecordBatch texts(String... texts) {
    return batch(TEXT, List.of(texts));
  }

  private RecordBatch batch(Field field, List<? extends @Nullable Object> values) {
    return new ArrayBuilder(arena).recordBatch(Schema.of(field), values.size(), List.of(values));
  }

  private static RecordBatch withMetadata(RecordBatch batch) {
    Metadata metadata = Metadata.of(KeyValue.of("key", "value"));
    return new RecordBatch(batch.schema(), batch.length(), batch.columns(), metadata);
  }
}
