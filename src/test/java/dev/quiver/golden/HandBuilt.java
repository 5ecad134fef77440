package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A batch with explicit nodes and buffers, which may be anywhere in the body.
final class HandBuilt {

  private final Stored stored;
  private final Schema schema;
  private final long rowCount;
  private final List<FieldNode> nodes = new ArrayList<>();
  private final List<Buffer> buffers = new ArrayList<>();
  private final List<Long> variadicBufferCounts = new ArrayList<>();
  private byte[] body = new byte[0];

  HandBuilt(Stored stored, Schema schema, long rowCount) {
    this.stored = stored;
    this.schema = schema;
    this.rowCount = rowCount;
  }

  HandBuilt node(long length, long nullCount) {
    nodes.add(new FieldNode(length, nullCount));
    return this;
  }

  /// Adds a buffer and writes these bytes into it.
  HandBuilt buffer(int offset, byte[] bytes) {
    int end = Math.max(body.length, offset + bytes.length);
    body = Arrays.copyOf(body, (int) Padding.padded(end, 8));
    System.arraycopy(bytes, 0, body, offset, bytes.length);
    return region(offset, bytes.length);
  }

  /// Adds a buffer over bytes that other buffers wrote, or over none.
  HandBuilt region(long offset, long length) {
    buffers.add(new Buffer(offset, length));
    return this;
  }

  HandBuilt none() {
    return region(0, 0);
  }

  HandBuilt variadic(long count) {
    variadicBufferCounts.add(count);
    return this;
  }

  MemorySegment stream() throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    MessageWriter messages = new MessageWriter(sink);
    messages.writeSchema(schema);
    writeBatch(messages);
    messages.writeEndOfStream();
    return sink.written();
  }

  MemorySegment file() throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    MessageWriter messages = new MessageWriter(sink);
    messages.writeFileHeader();
    messages.writeSchema(schema);
    Block block = writeBatch(messages);
    messages.writeEndOfStream();
    messages.writeFooter(
        new Footer(MetadataVersion.V5, schema, List.of(), List.of(block), Metadata.EMPTY));
    return sink.written();
  }

  private Block writeBatch(MessageWriter messages) throws IOException {
    RecordBatchHeader header =
        new RecordBatchHeader(rowCount, nodes, buffers, null, variadicBufferCounts);
    Block block = messages.write(header, Metadata.EMPTY, body.length);
    messages.write(MemorySegment.ofArray(body));
    return block;
  }

  /// Asserts that a stream and a file of the batch have these values, are valid, and can be stored.
  void assertHolds(List<List<@Nullable Object>> columns) throws IOException {
    Decoded expected = new Decoded(schema, List.of(columns));
    Decoded.ofStream(stream()).assertHolds(expected, "stream");
    Decoded.ofFile(file()).assertHolds(expected, "file");
    Decoded.forEachBatchOfStream(stream(), this::assertValid);
    stored.assertKeeps("stored stream", stream(), expected);
    stored.assertKeeps("stored file", file(), expected);
  }

  /// Asserts the same as [#assertHolds], also for Arrow Java.
  void assertHoldsForAll(List<List<@Nullable Object>> columns) throws IOException {
    assertHolds(columns);
    assertThat(ArrowJava.readStream(stream(), schema)).containsExactly(columns);
    assertThat(ArrowJava.readFile(file(), schema)).containsExactly(columns);
  }

  private void assertValid(RecordBatch batch) {
    assertThat(batch.length()).isEqualTo(rowCount);
    Validation.assertValid(batch);
  }

  static byte[] int32s(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(values);
    return bytes.array();
  }

  static byte[] int64s(long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    return bytes.array();
  }
}
