package dev.quiver.arrow.ipc;

import static dev.quiver.arrow.ipc.Framing.BODY_ALIGNMENT;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.codec.BufferCodec;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.parallel.TaskQueue;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;

/// A body that we write: its header, and its buffers, each at a multiple of 64 bytes.
///
/// @param header the nodes and buffers of the new body
/// @param buffers the content of each buffer, compressed if the header says so
/// @param byteSize bytes of the body, padding included
public record EncodedBody(RecordBatchHeader header, List<MemorySegment> buffers, long byteSize) {

  /// An empty buffer in a compressed body: only its length of -1, which means uncompressed.
  public static final MemorySegment EMPTY_WITH_LENGTH =
      MemorySegment.ofArray(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1}).asReadOnly();

  private static final MemorySegment ZEROS =
      MemorySegment.ofArray(new byte[BODY_ALIGNMENT]).asReadOnly();

  /// Lays out the buffers of a header anew, with unchanged content.
  ///
  /// @param header its nodes, compression and counts apply to the new body too
  /// @param buffers in the order of the header
  public static EncodedBody of(RecordBatchHeader header, List<MemorySegment> buffers) {
    List<Buffer> lengths =
        buffers.stream().map(buffer -> new Buffer(0, buffer.byteSize())).toList();
    BodyLayout layout =
        BodyLayout.of(
            new RecordBatchHeader(
                header.length(),
                header.nodes(),
                lengths,
                header.compression(),
                header.variadicBufferCounts()));
    return new EncodedBody(layout.header(), List.copyOf(buffers), layout.byteSize());
  }

  /// Lays out arrays, compressing every buffer even if it grows. An uncompressed one would start 8
  /// bytes after a multiple of 64, where Polars cannot read decimals. An empty data buffer of views
  /// has a length too: see [ViewBuffers].
  ///
  /// @param length rows
  /// @param allocator for compressed buffers, which live until the body is written
  public static EncodedBody of(
      long length, List<ArrayData> columns, Codec codec, SegmentAllocator allocator) {
    Flattened flattened = new Flattened();
    columns.forEach(flattened::add);
    List<MemorySegment> buffers = flattened.buffers;
    BufferCodec encoder = codec.bufferCodec();
    if (encoder != null) {
      List<Field> fields = columns.stream().map(ArrayData::field).toList();
      BitSet viewData =
          ViewBuffers.positions(fields, flattened.variadicBufferCounts, buffers.size());
      buffers = compressed(buffers, viewData, encoder, allocator);
    }
    RecordBatchHeader header =
        new RecordBatchHeader(
            length,
            flattened.nodes,
            List.of(),
            BodyCodecs.compression(codec),
            flattened.variadicBufferCounts);
    return of(header, buffers);
  }

  /// Returns the nodes of arrays, parents before children, with unknown null counts computed.
  ///
  /// @param columns valid arrays
  public static List<FieldNode> nodes(List<ArrayData> columns) {
    Flattened flattened = new Flattened();
    columns.forEach(flattened::add);
    return List.copyOf(flattened.nodes);
  }

  /// Writes the buffers with zeros between and after them.
  public void writeTo(ByteSink sink) throws IOException {
    for (MemorySegment buffer : buffers) {
      sink.write(buffer);
      int padding = Padding.missing(buffer.byteSize(), BODY_ALIGNMENT);
      if (padding > 0) {
        sink.write(ZEROS.asSlice(0, padding));
      }
    }
  }

  /// Compresses all buffers, on several processors if they are large.
  private static List<MemorySegment> compressed(
      List<MemorySegment> buffers,
      BitSet viewData,
      BufferCodec encoder,
      SegmentAllocator allocator) {
    List<Supplier<MemorySegment>> results = new ArrayList<>(buffers.size());
    try (TaskQueue queue = CpuPool.PROCESS.queue()) {
      BufferTasks tasks = new BufferTasks(queue);
      for (MemorySegment buffer : buffers) {
        if (buffer.byteSize() == 0) {
          boolean empty = viewData.get(results.size());
          results.add(() -> empty ? EMPTY_WITH_LENGTH : buffer);
        } else {
          BufferTask task = BufferTask.of(buffer, encoder, allocator);
          tasks.add(task);
          results.add(task::result);
        }
      }
      tasks.await();
    }
    return results.stream().map(Supplier::get).toList();
  }

  /// Arrays flattened into the lists of a record batch header, parents before children.
  private static final class Flattened {

    private static final MemorySegment ONE_ZERO_OFFSET =
        MemorySegment.ofArray(new byte[Long.BYTES]).asReadOnly();

    private final List<FieldNode> nodes = new ArrayList<>();
    private final List<MemorySegment> buffers = new ArrayList<>();
    private final List<Long> variadicBufferCounts = new ArrayList<>();

    void add(ArrayData array) {
      Layout layout = array.layout();
      nodes.add(new FieldNode(array.length(), nullCount(array)));
      for (int i = 0; i < array.buffers().size(); i++) {
        MemorySegment buffer = array.buffers().get(i);
        boolean own = i < layout.buffers().size();
        buffers.add(own ? withOffset(buffer, layout.buffers().get(i)) : buffer);
      }
      if (layout.variadic()) {
        variadicBufferCounts.add((long) array.variadicBuffers().size());
      }
      array.children().forEach(this::add);
    }

    /// Returns the null count, computed if unknown. The specification does not define -1, and a
    /// reader may treat it as no nulls.
    private static long nullCount(ArrayData array) {
      return array.nullCount() == -1 ? array.countNulls(0, array.length()) : array.nullCount();
    }

    /// Writes the offsets of an empty array as a single zero because some readers crash on an empty
    /// buffer.
    private static MemorySegment withOffset(MemorySegment buffer, BufferLayout layout) {
      return layout.role() == BufferRole.OFFSETS && buffer.byteSize() == 0
          ? ONE_ZERO_OFFSET.asSlice(0, layout.bitWidth() >>> 3)
          : buffer;
    }
  }
}
