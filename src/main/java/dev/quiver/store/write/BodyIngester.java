package dev.quiver.store.write;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.ReusedMemory;
import dev.quiver.arrow.transform.BodyForm;
import dev.quiver.arrow.transform.CanonicalBody;
import dev.quiver.arrow.transform.DictionaryUnifier;
import dev.quiver.arrow.type.Field;
import dev.quiver.store.blob.BlobSpool;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.file.CanonicalWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// A reader and writer of whole bodies. Unchanged bodies are written as they arrive, the others in
/// their canonical form.
///
/// Each body reuses the memory of the previous one, so it is still in the cache when it is
/// validated and written. A body too large for that is read into a mapped file, so memory is
/// bounded for any body size. A large body that stays unchanged is read from the file that it is
/// written to.
final class BodyIngester {

  /// The number of body bytes written at a time, few enough to still be in the cache.
  private static final long PART_BYTE_SIZE = 1 << 20;

  private final Limits limits;
  private final BlobStore store;
  private final BlobUpload upload;
  private final CanonicalWriter writer;
  private final RecordBatchReader reader;
  private final DictionaryUnifier unifier;
  private final RequestedCodec codec;
  private final ReusedMemory memory;

  BodyIngester(
      IngestContext context,
      Ingest.Destination destination,
      RecordBatchReader reader,
      DictionaryUnifier unifier) {
    this.limits = context.limits();
    this.store = context.store();
    this.upload = destination.upload();
    this.writer = destination.writer();
    this.reader = reader;
    this.unifier = unifier;
    this.codec = context.uploadOptions().codec();
    this.memory = context.bodyMemory();
  }

  /// Returns the memory for a message's body if it fits, valid until the next body is read.
  MemorySegment memory(EncapsulatedMessage message) {
    long byteSize = message.message().bodyLength();
    return memory.of(byteSize <= ReusedMemory.MAXIMUM_BYTE_SIZE ? byteSize : 0);
  }

  /// Returns the form in which to write a body.
  ///
  /// @param fields the fields of the body's arrays
  BodyForm form(EncapsulatedMessage message, RecordBatchHeader header, List<Field> fields) {
    return codec(header) == BodyCodecs.of(header)
        ? BodyForm.of(message.message(), header, fields, reader.swapsBodies(), unifier)
        : BodyForm.REENCODED;
  }

  /// Reads a body.
  ///
  /// @param buffer the memory for a body that fits
  /// @param arena the lifetime of a body that does not
  MemorySegment read(
      EncapsulatedMessage message, ByteSource body, MemorySegment buffer, Arena arena)
      throws IOException {
    long byteSize = message.message().bodyLength();
    MemorySegment inMemory = body.take(byteSize);
    if (inMemory != null) {
      return inMemory;
    }
    if (byteSize <= buffer.byteSize()) {
      return readFully(body, buffer.asSlice(0, byteSize));
    }
    try (BlobSpool spool = store.spool()) {
      copy(body, byteSize, spool);
      return spool.map(0, byteSize, arena);
    }
  }

  /// Reads a body, and writes the message with it unchanged.
  ///
  /// @param buffer the memory for a body that fits
  /// @param arena the lifetime of a body that does not
  MemorySegment copy(
      EncapsulatedMessage message, ByteSource body, MemorySegment buffer, Arena arena)
      throws IOException {
    long byteSize = message.message().bodyLength();
    writer.begin(message);
    MemorySegment inMemory = body.take(byteSize);
    if (inMemory != null) {
      writer.write(inMemory);
      return inMemory;
    }
    if (byteSize > buffer.byteSize()) {
      long start = writer.position();
      copy(body, byteSize, writer);
      return upload.map(start, byteSize, arena);
    }
    MemorySegment whole = buffer.asSlice(0, byteSize);
    for (long start = 0; start < byteSize; start += PART_BYTE_SIZE) {
      MemorySegment part = whole.asSlice(start, Math.min(PART_BYTE_SIZE, byteSize - start));
      writer.write(readFully(body, part));
    }
    return whole;
  }

  /// Writes a message whose body has been read.
  ///
  /// @param columns its arrays, as they arrived
  /// @param body used unless the form is [BodyForm#REENCODED]
  /// @param allocator the allocator of rewritten arrays
  void write(
      EncapsulatedMessage message,
      RecordBatchHeader header,
      List<ArrayData> columns,
      MemorySegment body,
      BodyForm form,
      SegmentAllocator allocator)
      throws IOException {
    switch (form) {
      case VERBATIM -> {
        writer.begin(message);
        writer.write(body);
      }
      case REALIGNED ->
          writer.write(
              message, CanonicalBody.realigned(header, columns, body, limits, message.place()));
      case REENCODED -> {
        CanonicalBody.requireBounded(
            header, message.message().bodyLength(), limits, message.place());
        List<ArrayData> rewritten = unifier.rewritten(columns, allocator);
        writer.write(message, EncodedBody.of(header.length(), rewritten, codec(header), allocator));
      }
    }
  }

  /// Returns the codec in which a body with this header is stored.
  private Codec codec(RecordBatchHeader header) {
    return codec.of(BodyCodecs.of(header));
  }

  private void copy(ByteSource body, long byteSize, ByteSink destination) throws IOException {
    MemorySegment chunk = memory.of(0);
    long remaining = byteSize;
    while (remaining > 0) {
      MemorySegment part = chunk.asSlice(0, Math.min(chunk.byteSize(), remaining));
      destination.write(readFully(body, part));
      remaining -= part.byteSize();
    }
  }

  private static MemorySegment readFully(ByteSource body, MemorySegment destination)
      throws IOException {
    if (body.readFully(destination) < destination.byteSize()) {
      throw new IllegalStateException("The body ended before its declared end");
    }
    return destination;
  }
}
