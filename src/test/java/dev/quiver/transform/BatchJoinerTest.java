package dev.quiver.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.columnar.ArrayBuilder;
import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.DictionaryEncoding;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.KeyValue;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.columnar.UnionMode;
import dev.quiver.columnar.Values;
import dev.quiver.memory.LittleEndian;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Proves which batches are joined and which stay apart. That the rows are the same is in
/// `TransformedDataTest`.
class BatchJoinerTest {

  private static final Field TEXT = Field.of("t", true, new ArrowType.Utf8());
  private static final Field NULLS = Field.of("item", true, new ArrowType.Null());
  private static final long EVERYTHING = Long.MAX_VALUE / 2;

  private final Arena arena = Arena.ofConfined();

  @AfterEach
  void close() {
    arena.close();
  }

  @Test
  void batchesAreJoinedUpToTheSize() {
    BatchJoiner joiner = new BatchJoiner(3 * 16);
    assertThat(joiner.isEmpty()).isTrue();
    // Two offsets and eight bytes each, whatever they are padded to.
    assertThat(joiner.add(texts("eight by"))).isTrue();
    assertThat(joiner.add(texts("eight by"))).isTrue();
    assertThat(joiner.add(texts("eight by"))).isTrue();
    assertThat(joiner.add(texts("eight by"))).isFalse();
    RecordBatch joined = joiner.join(arena);
    assertThat(joined.length()).isEqualTo(3);
    assertThat(Values.of(joined.columns().getFirst()))
        .isEqualTo(List.of("eight by", "eight by", "eight by"));
    assertThat(joiner.isEmpty()).isTrue();
    assertThat(joiner.add(texts("eight by"))).isTrue();
  }

  @Test
  void aSingleBatchStaysAsItIs() {
    BatchJoiner joiner = new BatchJoiner(1);
    RecordBatch batch = withMetadata(texts("larger than that"));
    assertThat(joiner.add(batch)).isTrue();
    assertThat(joiner.join(arena)).isSameAs(batch);
  }

  @Test
  void aBatchWhoseMessageHadMetadataStaysAlone() {
    BatchJoiner joiner = new BatchJoiner(EVERYTHING);
    joiner.add(texts("a"));
    assertThat(joiner.add(withMetadata(texts("b")))).isFalse();
    joiner.join(arena);
    joiner.add(withMetadata(texts("b")));
    assertThat(joiner.add(texts("c"))).isFalse();
  }

  @Test
  void anotherDictionaryStaysApartAndNoneIsAny() {
    RecordBatch nulls = encoded(null, (Object) null);
    RecordBatch one = encoded("a", "a");
    RecordBatch other = encoded("b", "b");
    BatchJoiner joiner = new BatchJoiner(EVERYTHING);
    joiner.add(nulls);
    assertThat(joiner.add(one)).isTrue();
    assertThat(joiner.add(nulls)).isTrue();
    assertThat(joiner.add(other)).isFalse();
    assertThat(joiner.add(one)).isTrue();
    assertThat(Values.of(joiner.join(arena).columns().getFirst()))
        .isEqualTo(Arrays.asList(null, "a", null, "a"));
  }

  @Test
  void runEndsKeepToTheirType() {
    Field runs =
        Field.of(
            "r",
            true,
            new ArrowType.RunEndEncoded(),
            Field.of("run_ends", false, new ArrowType.Int(16, true)),
            TEXT);
    RecordBatch most = batch(runs, Collections.nCopies(Short.MAX_VALUE - 1, "a"));
    RecordBatch one = batch(runs, List.of("a"));
    BatchJoiner joiner = new BatchJoiner(EVERYTHING);
    joiner.add(most);
    assertThat(joiner.add(one)).isTrue();
    assertThat(joiner.add(one)).isFalse();
    assertThat(joiner.join(arena).length()).isEqualTo(Short.MAX_VALUE);
  }

  @Test
  void offsetsKeepToTheirType() {
    assertOffsetsKeepToTheirType(new ArrowType.List(), false);
    assertOffsetsKeepToTheirType(new ArrowType.Map(false), false);
    assertOffsetsKeepToTheirType(new ArrowType.ListView(), false);
    assertOffsetsKeepToTheirType(new ArrowType.Union(UnionMode.DENSE, List.of(0)), false);
    assertOffsetsKeepToTheirType(new ArrowType.LargeList(), true);
    assertOffsetsKeepToTheirType(new ArrowType.LargeListView(), true);
  }

  @Test
  void rowsKeepToThirtyTwoBits() {
    BatchJoiner joiner = new BatchJoiner(EVERYTHING);
    joiner.add(nulls(Integer.MAX_VALUE - 1L));
    assertThat(joiner.add(nulls(1))).isTrue();
    assertThat(joiner.add(nulls(1))).isFalse();
    assertThat(joiner.join(arena).length()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void slotsOfChildrenKeepToSixtyFourBits() {
    int most = Integer.MAX_VALUE;
    Field inner = Field.of("item", true, new ArrowType.FixedSizeList(most), NULLS);
    Field outer = Field.of("f", true, new ArrowType.FixedSizeList(most), inner);
    long slots = (long) most * most;
    ArrayData nulls = new ArrayData(NULLS, slots, slots, List.of(), List.of(), null);
    List<MemorySegment> noValidity = List.of(MemorySegment.NULL);
    ArrayData lists = new ArrayData(inner, most, 0, noValidity, List.of(nulls), null);
    ArrayData column = new ArrayData(outer, 1, 0, noValidity, List.of(lists), null);
    RecordBatch batch = new RecordBatch(Schema.of(outer), 1, List.of(column));
    BatchJoiner joiner = new BatchJoiner(EVERYTHING);
    joiner.add(batch);
    assertThat(joiner.add(batch)).isTrue();
    assertThat(joiner.add(batch)).isFalse();
    assertThat(joiner.join(arena).length()).isEqualTo(2);
  }

  /// Two arrays whose one slot, each, refers to half of what 32 bits count, and then a third.
  private void assertOffsetsKeepToTheirType(ArrowType type, boolean large) {
    int half = Integer.MAX_VALUE / 2;
    BatchJoiner joiner = new BatchJoiner(EVERYTHING);
    joiner.add(referring(type, large, half));
    assertThat(joiner.add(referring(type, large, half + 1))).as("%s", type).isTrue();
    assertThat(joiner.add(referring(type, large, half))).as("%s", type).isEqualTo(large);
    assertThat(joiner.join(arena).length()).isEqualTo(large ? 3 : 2);
  }

  private RecordBatch referring(ArrowType type, boolean large, int count) {
    Field field = Field.of("f", true, type, NULLS);
    int byteWidth = large ? 8 : 4;
    MemorySegment zero = arena.allocate(byteWidth);
    MemorySegment counted = arena.allocate(byteWidth);
    LittleEndian.setInt32(counted, 0, count);
    MemorySegment zeroAndCounted = arena.allocate(2L * byteWidth);
    LittleEndian.setInt32(zeroAndCounted, byteWidth, count);
    MemorySegment last = arena.allocate(4);
    LittleEndian.setInt32(last, 0, count - 1);
    List<MemorySegment> buffers =
        switch (type) {
          case ArrowType.Union _ -> List.of(arena.allocate(1), last);
          case ArrowType.ListView _, ArrowType.LargeListView _ ->
              List.of(MemorySegment.NULL, zero, counted);
          default -> List.of(MemorySegment.NULL, zeroAndCounted);
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
    Metadata metadata = Metadata.of(KeyValue.of("of", "message"));
    return new RecordBatch(batch.schema(), batch.length(), batch.columns(), metadata);
  }
}
