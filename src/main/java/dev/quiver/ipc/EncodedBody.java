package dev.quiver.ipc;

import static dev.quiver.ipc.Framing.BODY_ALIGNMENT;

import dev.quiver.codec.BufferCodec;
import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.BufferLayout;
import dev.quiver.columnar.BufferRole;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Layout;
import dev.quiver.memory.ByteSink;
import dev.quiver.memory.InputException;
import dev.quiver.memory.Limit;
import dev.quiver.memory.Limits;
import dev.quiver.memory.LittleEndian;
import dev.quiver.memory.Padding;
import dev.quiver.memory.Place;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.memory.UnsupportedInputException;
import dev.quiver.metadata.BodyCompression;
import dev.quiver.metadata.Buffer;
import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.FieldNode;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
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

  private static final long UNLIMITED_BYTE_SIZE = Long.MAX_VALUE / 2;

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
      buffers = new ArrayList<>(buffers.size());
      for (MemorySegment buffer : flattened.buffers) {
        boolean empty = buffer.byteSize() == 0 && viewData.get(buffers.size());
        buffers.add(
            empty ? EMPTY_WITH_LENGTH : compressed(buffer, BodyCodecs.of(codec), allocator));
      }
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

  /// The same buffers in another codec, one after the other, without regard to what they hold.
  ///
  /// @param fields of the columns, or the one of a dictionary
  /// @param header of the body as it is
  /// @param body from us: what its buffers grow to is not limited by any ratio
  /// @param codec of the new body, null for none
  /// @param allocator for the new buffers, which live as long as the body is needed
  /// @param scratch for one buffer at a time; it is reset
  /// @throws InputException when a buffer is not what the header says, or buffers overlap, so that
  ///   a small body could become a large one
  public static EncodedBody recoded(
      List<Field> fields,
      RecordBatchHeader header,
      MemorySegment body,
      @Nullable CompressionType codec,
      SegmentAllocator allocator,
      ScratchMemory scratch,
      Limits limits) {
    long total = header.buffers().stream().mapToLong(Buffer::length).reduce(0, Math::addExact);
    if (total > body.byteSize()) {
      throw new UnsupportedInputException(
          "buffers that do not overlap",
          "buffers of %d bytes in a body of %d".formatted(total, body.byteSize()),
          Place.detail("RecordBatch.buffers"));
    }
    BodyBuffers bodyBuffers =
        new BodyBuffers(
            header,
            body,
            codec == null ? allocator : scratch,
            limits,
            new Unfolding(new Limit(limits.uncompressedRatio().key(), Long.MAX_VALUE)));
    int count = header.buffers().size();
    BitSet viewData = ViewBuffers.positions(fields, header.variadicBufferCounts(), count);
    List<MemorySegment> buffers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      MemorySegment buffer = bodyBuffers.next(UNLIMITED_BYTE_SIZE);
      if (codec != null && buffer.byteSize() == 0) {
        buffer = viewData.get(i) ? EMPTY_WITH_LENGTH : MemorySegment.NULL;
      } else if (codec != null) {
        MemorySegment compressed = compressed(buffer, BodyCodecs.of(codec), scratch);
        buffer = allocator.allocate(compressed.byteSize(), 8).copyFrom(compressed);
        scratch.reset();
      }
      buffers.add(buffer);
    }
    RecordBatchHeader newHeader =
        new RecordBatchHeader(
            header.length(),
            header.nodes(),
            List.of(),
            codec == null ? null : new BodyCompression(codec),
            header.variadicBufferCounts());
    return of(newHeader, buffers);
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

  private static MemorySegment compressed(
      MemorySegment buffer, BufferCodec codec, SegmentAllocator allocator) {
    if (buffer.byteSize() == 0) {
      return buffer;
    }
    int prefix = BodyBuffers.LENGTH_BYTE_SIZE;
    MemorySegment compressed =
        allocator.allocate(prefix + codec.maximumCompressedByteSize(buffer.byteSize()), 8);
    long byteSize = codec.compress(buffer, compressed.asSlice(prefix));
    LittleEndian.setInt64(compressed, 0, buffer.byteSize());
    return compressed.asSlice(0, prefix + byteSize);
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
