package dev.quiver.ipc;

import static dev.quiver.ipc.Framing.BODY_ALIGNMENT;

import dev.quiver.codec.BufferCodec;
import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.BufferLayout;
import dev.quiver.columnar.BufferRole;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Layout;
import dev.quiver.memory.ByteSink;
import dev.quiver.memory.Padding;
import dev.quiver.metadata.BodyCompression;
import dev.quiver.metadata.Buffer;
import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.FieldNode;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.parallel.CpuPool;
import dev.quiver.parallel.TaskQueue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A body that we lay out: its header, and its buffers, each to start on a multiple of 64 bytes.
///
/// @param header nodes and buffers as the body will have them
/// @param buffers what each buffer holds, compressed where the header says so
/// @param byteSize bytes of the body, padding included
public record EncodedBody(RecordBatchHeader header, List<MemorySegment> buffers, long byteSize) {

  /// A buffer without bytes in a compressed body, and its length of -1: not compressed.
  public static final MemorySegment EMPTY_WITH_LENGTH =
      MemorySegment.ofArray(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1}).asReadOnly();

  private static final MemorySegment ZEROS =
      MemorySegment.ofArray(new byte[BODY_ALIGNMENT]).asReadOnly();

  /// Lays out the buffers of a header anew, as they are.
  ///
  /// @param header whose nodes, compression and counts hold for the new body too
  /// @param buffers in the order of the header's
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

  /// Lays out arrays, compressing each buffer, also one that gets larger by it: left as it is, it
  /// would start 8 bytes after a multiple of 64, where Polars does not read decimals. An empty data
  /// buffer of views has a length too: see [ViewBuffers].
  ///
  /// @param length rows
  /// @param codec null for none
  /// @param allocator for compressed buffers, which live as long as the body is needed
  public static EncodedBody of(
      long length,
      List<ArrayData> columns,
      @Nullable CompressionType codec,
      SegmentAllocator allocator) {
    Flattened flattened = new Flattened();
    columns.forEach(flattened::add);
    List<MemorySegment> buffers = flattened.buffers;
    if (codec != null) {
      List<Field> fields = columns.stream().map(ArrayData::field).toList();
      BitSet viewData =
          ViewBuffers.positions(fields, flattened.variadicBufferCounts, buffers.size());
      buffers = compressed(buffers, viewData, BodyCodecs.of(codec), allocator);
    }
    RecordBatchHeader header =
        new RecordBatchHeader(
            length,
            flattened.nodes,
            List.of(),
            codec == null ? null : new BodyCompression(codec),
            flattened.variadicBufferCounts);
    return of(header, buffers);
  }

  /// The nodes of arrays, parents before children, with the nulls counted where nobody has.
  ///
  /// @param columns which are valid
  public static List<FieldNode> nodes(List<ArrayData> columns) {
    Flattened flattened = new Flattened();
    columns.forEach(flattened::add);
    return List.copyOf(flattened.nodes);
  }

  /// Writes the buffers and the zeros between and after them.
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
      List<MemorySegment> buffers, BitSet viewData, BufferCodec codec, SegmentAllocator allocator) {
    List<Supplier<MemorySegment>> results = new ArrayList<>(buffers.size());
    try (TaskQueue lane = CpuPool.PROCESS.queue()) {
      BufferTasks tasks = new BufferTasks(lane);
      for (MemorySegment buffer : buffers) {
        if (buffer.byteSize() == 0) {
          boolean empty = viewData.get(results.size());
          results.add(() -> empty ? EMPTY_WITH_LENGTH : buffer);
        } else {
          BufferTask task = BufferTask.of(buffer, codec, allocator);
          tasks.add(task);
          results.add(task::result);
        }
      }
      tasks.await();
    }
    return results.stream().map(Supplier::get).toList();
  }

  /// Arrays as the lists of a record batch header, parents before children.
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

    /// The null count, counted if nobody has: the specification knows no -1, and a reader may take
    /// it for none.
    private static long nullCount(ArrayData array) {
      return array.nullCount() == -1 ? array.countNulls(0, array.length()) : array.nullCount();
    }

    /// Offsets of no slots are written as a single zero: readers are known to crash on no bytes.
    private static MemorySegment withOffset(MemorySegment buffer, BufferLayout layout) {
      return layout.role() == BufferRole.OFFSETS && buffer.byteSize() == 0
          ? ONE_ZERO_OFFSET.asSlice(0, layout.bitWidth() >>> 3)
          : buffer;
    }
  }
}
