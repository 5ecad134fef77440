package dev.quiver.arrow.ipc;

import dev.quiver.arrow.codec.BufferCodec;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.TaskQueue;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A running conversion of a body's buffers to another codec, regardless of their content. Several
/// buffers are converted at a time, concurrently with the caller.
public final class Recoding {

  private static final long UNLIMITED_BYTE_SIZE = Long.MAX_VALUE / 2;

  private final RecordBatchHeader header;
  private final Codec codec;
  private final SegmentAllocator allocator;
  private final BufferTasks tasks;
  private final List<Supplier<MemorySegment>> results;
  private @Nullable InputException failure;

  private Recoding(
      RecordBatchHeader header, Codec codec, SegmentAllocator allocator, TaskQueue queue) {
    this.header = header;
    this.codec = codec;
    this.allocator = allocator;
    this.tasks = new BufferTasks(queue);
    this.results = new ArrayList<>(header.buffers().size());
  }

  /// Starts to convert a body to a codec. Buffers that already use it stay unchanged.
  ///
  /// @param fields the fields of the columns, or the one of a dictionary
  /// @param header the current header of the body
  /// @param body a trusted body: no ratio limits the size of its decompressed buffers
  /// @param codec the codec of the new body
  /// @param allocator for new buffers at their maximum size, and for decompressed content. This
  ///   memory and the body must live until the new body is written, or `queue` is closed.
  public static Recoding begin(
      List<Field> fields,
      RecordBatchHeader header,
      MemorySegment body,
      Codec codec,
      SegmentAllocator allocator,
      Limits limits,
      TaskQueue queue) {
    Recoding recoding = new Recoding(header, codec, allocator, queue);
    try {
      recoding.addAll(fields, body, limits);
    } catch (InputException e) {
      // Errors in earlier frames are reported first.
      recoding.failure = e;
    }
    recoding.tasks.addLast();
    return recoding;
  }

  /// Returns the new body once it is complete.
  ///
  /// @throws InputException if a buffer contradicts the header, or if buffers overlap so that a
  ///   small body could become a large one
  public EncodedBody finish() {
    tasks.await();
    if (failure != null) {
      throw failure;
    }
    return EncodedBody.of(
        new RecordBatchHeader(
            header.length(),
            header.nodes(),
            List.of(),
            BodyCodecs.compression(codec),
            header.variadicBufferCounts()),
        results.stream().map(Supplier::get).toList());
  }

  private void addAll(List<Field> fields, MemorySegment body, Limits limits) {
    int count = header.buffers().size();
    long total = header.buffers().stream().mapToLong(Buffer::length).reduce(0, Math::addExact);
    if (total > body.byteSize()) {
      throw new UnsupportedInputException(
          "buffers that do not overlap",
          "buffers of %d bytes in a body of %d".formatted(total, body.byteSize()),
          InputLocation.detail("RecordBatch.buffers"));
    }
    BitSet viewData = ViewBuffers.positions(fields, header.variadicBufferCounts(), count);
    boolean stay = codec != Codec.NONE && codec == BodyCodecs.of(header);
    DecompressionBudget budget =
        new DecompressionBudget(new Limit(limits.decompressionRatio().name(), Long.MAX_VALUE));
    try (BodyBuffers buffers = new BodyBuffers(header, body, allocator, limits, budget)) {
      for (int i = 0; i < count; i++) {
        MemorySegment empty = viewData.get(i) ? EncodedBody.EMPTY_WITH_LENGTH : MemorySegment.NULL;
        if (stay) {
          MemorySegment stored = buffers.nextStored();
          add(stored.byteSize() == 0 ? empty : stored);
        } else {
          add(buffers.nextEncoded(UNLIMITED_BYTE_SIZE), empty);
        }
      }
    }
  }

  /// @param empty the compressed form of an empty buffer
  private void add(BodyBuffers.Encoded buffer, MemorySegment empty) {
    BufferCodec encoder = codec.bufferCodec();
    CompressedBuffer compressed = buffer.compressed();
    if (encoder != null && buffer.contentByteSize() == 0) {
      add(empty);
    } else if (compressed != null) {
      add(BufferTask.of(compressed, encoder, allocator));
    } else if (encoder != null) {
      add(BufferTask.of(buffer.bytes(), encoder, allocator));
    } else {
      add(buffer.bytes());
    }
  }

  private void add(MemorySegment buffer) {
    results.add(() -> buffer);
  }

  private void add(BufferTask task) {
    tasks.add(task);
    results.add(task::result);
  }
}
