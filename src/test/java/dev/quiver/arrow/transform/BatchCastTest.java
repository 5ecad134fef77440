package dev.quiver.arrow.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BatchCastTest {

  private static final Field TEXT = Field.of("read", true, new ArrowType.Utf8());
  private static final Field NUMBER = Field.of("n", true, new ArrowType.Int(64, true));

  private static final Field DICTIONARY =
      Field.of("stored", true, new ArrowType.Utf8())
          .withDictionary(new DictionaryEncoding(0, new ArrowType.Int(8, true), false));

  /// Each batch has a dictionary of its own, in memory of the batch before.
  @Test
  void batchesOfAStreamHaveDictionariesOfTheirOwn() throws IOException {
    Schema from = Schema.of(TEXT);
    Schema to = Schema.of(DICTIONARY);
    BatchCast cast = BatchCast.of(from, to);
    List<List<String>> batches =
        List.of(List.of("a", "a", "b"), List.of("c", "c", "d"), List.of("b", "b", "a"));
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    StreamWriter writer =
        new StreamWriter(
            bytes -> stream.write(bytes.toArray(ValueLayout.JAVA_BYTE)), to, Codec.NONE);
    try (Arena reused = Arena.ofConfined()) {
      MemorySegment memory = reused.allocate(10_000, 64);
      for (List<String> values : batches) {
        memory.fill((byte) 0);
        SegmentAllocator allocator = SegmentAllocator.slicingAllocator(memory);
        RecordBatch batch =
            new RecordBatch(from, 3, List.of(new ArrayBuilder(reused).array(TEXT, values)));
        writer.write(cast.apply(batch, allocator));
      }
    }
    writer.close();
    try (StreamReader reader =
        new StreamReader(
            ByteSource.of(MemorySegment.ofArray(stream.toByteArray())), Limits.DEFAULT)) {
      assertThat(reader.schema()).isEqualTo(to);
      for (List<String> values : batches) {
        RecordBatch batch = Objects.requireNonNull(reader.next());
        assertThat(Values.of(batch.columns().getFirst())).isEqualTo(values);
      }
      assertThat(reader.next()).isNull();
    }
  }

  @Test
  void sharesTheMemoryOfColumnsWithAnotherNameAlone() {
    Field renamed = Field.of("", false, NUMBER.type());
    try (Arena arena = Arena.ofConfined()) {
      RecordBatch batch =
          new RecordBatch(
              Schema.of(NUMBER),
              2,
              List.of(new ArrayBuilder(arena).array(NUMBER, List.of(1L, 2L))));
      RecordBatch cast =
          BatchCast.of(batch.schema(), Schema.of(renamed))
              .apply(
                  batch,
                  (_, _) -> {
                    throw new AssertionError("Expected no allocation");
                  });
      assertThat(cast.schema()).isEqualTo(Schema.of(renamed));
      assertThat(cast.columns().getFirst().field()).isEqualTo(renamed);
      assertThat(cast.columns().getFirst().buffers())
          .isEqualTo(batch.columns().getFirst().buffers());
    }
  }

  @Test
  void rejectsSchemasThatDoNotCast() {
    assertThatThrownBy(() -> BatchCast.of(Schema.of(NUMBER), Schema.of(TEXT)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected a type that n: int64 casts to but found read: utf8");
    assertThatThrownBy(() -> BatchCast.of(Schema.of(TEXT), Schema.of(TEXT, TEXT)))
        .hasMessage("Expected 1 columns but found 2");
  }
}
