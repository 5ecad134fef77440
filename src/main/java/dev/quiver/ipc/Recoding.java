package dev.quiver.ipc;

import dev.quiver.codec.BufferCodec;
import dev.quiver.columnar.Field;
import dev.quiver.input.InputException;
import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;
import dev.quiver.input.Limits;
import dev.quiver.input.UnsupportedInputException;
import dev.quiver.metadata.BodyCompression;
import dev.quiver.metadata.Buffer;
import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.parallel.TaskQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The buffers of a body on their way to another codec, without regard to what they hold: several
/// at a time, and while whoever began it does something else.
public final class Recoding {

  private static final long UNLIMITED_BYTE_SIZE = Long.MAX_VALUE / 2;

  private final RecordBatchHeader header;
  private final @Nullable CompressionType codec;
  private final SegmentAllocator allocator;
  private final BufferTasks tasks;
  private final List<Supplier<MemorySegment>> results;
  private @Nullable InputException failure;

  private Recoding(
      RecordBatchHeader header,
      @Nullable CompressionType codec,
      SegmentAllocator allocator,
      TaskQueue lane) {
    this.header = header;
    this.codec = codec;
    this.allocator = allocator;
    this.tasks = new BufferTasks(lane);
    this.results = new ArrayList<>(header.buffers().size());
  }

  /// Begins to bring a body into a codec. Buffers that are in it already stay as they are.
  ///
  /// @param fields of the columns, or the one of a dictionary
  /// @param header of the body as it is
  /// @param body from us: what its buffers grow to is not limited by any ratio
  /// @param codec of the new body, null for none
  /// @param allocator for the new buffers, as large as they may become, and what they are
  ///   decompressed to before; these and the body must live until the new body is written, or the
  ///   lane is closed
  public static Recoding begin(
      List<Field> fields,
      RecordBatchHeader header,
      MemorySegment body,
      @Nullable CompressionType codec,
      SegmentAllocator allocator,
      Limits limits,
      TaskQueue lane) {
    Recoding recoding = new Recoding(header, codec, allocator, lane);
    try {
      recoding.addAll(fields, body, limits);
    } catch (InputException e) {
      // What is wrong with a frame before it is told first.
      recoding.failure = e;
    }
    recoding.tasks.addLast();
    return recoding;
  }

  /// The new body, when all of it is there.
  ///
  /// @throws InputException when a buffer is not what the header says, or buffers overlap, so that
  ///   a small body could become a large one
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
            codec == null ? null : new BodyCompression(codec),
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
    boolean stay = codec != null && codec == BodyCodecs.typeOf(header);
    DecompressionBudget unfolding =
        new DecompressionBudget(new Limit(limits.decompressionRatio().key(), Long.MAX_VALUE));
    try (BodyBuffers buffers = new BodyBuffers(header, body, allocator, limits, unfolding)) {
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

  /// @param empty what a buffer without content is, if it is compressed
  private void add(BodyBuffers.Encoded buffer, MemorySegment empty) {
    BufferCodec encoder = codec == null ? null : BodyCodecs.of(codec);
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
