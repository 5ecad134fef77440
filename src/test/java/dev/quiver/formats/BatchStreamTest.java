package dev.quiver.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BatchStreamTest {

  private static final Schema SCHEMA = Schema.of(Field.of("a", true, new ArrowType.Int(64, true)));

  private final List<RecordBatch> batches = List.of(batch(3), batch(1_000), batch(0));
  private final List<Long> checked = new ArrayList<>();
  private int ends;

  private static RecordBatch batch(int length) {
    List<@Nullable Object> values = new ArrayList<>();
    LongStream.range(0, length).forEach(values::add);
    return new ArrayBuilder(Arena.ofAuto(), Map.of()).recordBatch(SCHEMA, length, List.of(values));
  }

  private byte[] bytes() throws IOException {
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, SCHEMA, Codec.NONE);
    for (RecordBatch batch : batches) {
      writer.write(batch);
    }
    writer.close();
    return bytes.toByteArray();
  }

  /// Returns a stream that is checked only while its file is open.
  private BatchStream stream() throws IOException {
    Iterator<RecordBatch> rest = batches.iterator();
    FileBatchReader reader =
        new FileBatchReader() {
          @Override
          public @Nullable RecordBatch next() {
            return rest.hasNext() ? rest.next() : null;
          }

          @Override
          public void close() {}
        };
    return new BatchStream(
        SCHEMA,
        reader,
        /* valid= */ false,
        byteSize -> {
          assertThat(ends).isZero();
          checked.add(byteSize);
        },
        () -> ends++);
  }

  @Test
  void isReadAsTheStreamOfItsBatches() throws IOException {
    byte[] expected = bytes();
    BatchStream stream = stream();
    byte[] read = new byte[expected.length];
    for (int i = 0; i < read.length; i += 7) {
      MemorySegment part = MemorySegment.ofArray(read).asSlice(i, Math.min(7, read.length - i));
      assertThat(stream.readFully(part)).isEqualTo(part.byteSize());
    }
    assertThat(read).isEqualTo(expected);
    assertThat(stream.read(MemorySegment.ofArray(new byte[1]))).isEqualTo(-1);
    assertThat(stream.skip(1)).isEqualTo(-1);
    assertThat(checked).isSorted().hasSize(3).last().isEqualTo(expected.length - 8L);
    stream.close();
    assertThat(ends).isOne();
  }

  @Test
  void bodiesAreSkippedForTheBatchesThemselves() throws IOException {
    BatchStream stream = stream();
    MessageReader messages = new MessageReader(stream, Limits.DEFAULT);
    messages.readSchema();
    for (RecordBatch batch : batches) {
      EncapsulatedMessage message = messages.next();
      assertThat(message).isNotNull();
      assertThat(stream.batch()).isSameAs(batch);
    }
    assertThat(messages.next()).isNull();
    assertThat(messages.endOfStreamSeen()).isTrue();
    assertThat(messages.position()).isEqualTo(bytes().length);
    assertThat(ends).isOne();
  }

  @Test
  void nothingIsReadOnceItIsClosed() throws IOException {
    BatchStream stream = stream();
    assertThat(stream.skip(1)).isOne();
    stream.close();
    stream.close();
    assertThat(stream.read(MemorySegment.ofArray(new byte[1]))).isEqualTo(-1);
    assertThat(ends).isOne();
  }
}
