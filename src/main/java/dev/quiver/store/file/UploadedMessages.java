package dev.quiver.store.file;

import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.version.BlobStatistics;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// The messages of an upload, at the positions where they were written.
public record UploadedMessages(BlobUpload upload, BlobStatistics statistics, Limits limits)
    implements MessageSource {

  /// Returns the messages that a writer has written to an upload.
  public static UploadedMessages of(BlobUpload upload, CanonicalWriter writer, Limits limits) {
    return new UploadedMessages(upload, writer.statistics(), limits);
  }

  /// Returns the messages of a file that was written to an upload.
  public static UploadedMessages of(BlobUpload upload, WrittenFile file, Limits limits) {
    return new UploadedMessages(upload, file.sidecar().statistics(), limits);
  }

  @Override
  public @Nullable BatchStatistics statistics(Block block) {
    return statistics.of(block.offset());
  }

  @Override
  public EncapsulatedMessage message(Block block, long index) throws IOException {
    byte[] bytes;
    try (Arena arena = Arena.ofConfined()) {
      bytes =
          upload
              .map(block.offset(), block.metaDataLength(), arena)
              .asSlice(Framing.PREFIX_BYTE_SIZE)
              .toArray(ValueLayout.JAVA_BYTE);
    }
    MemorySegment metadata = MemorySegment.ofArray(bytes);
    return new EncapsulatedMessage(
        index,
        block.offset(),
        Framing.PREFIX_BYTE_SIZE,
        block.metaDataLength(),
        metadata,
        MessageDecoder.decode(metadata, limits));
  }

  @Override
  public MemorySegment body(Block block, Arena arena, ScratchMemory memory) throws IOException {
    return block.bodyLength() == 0
        ? MemorySegment.NULL
        : upload.map(block.offset() + block.metaDataLength(), block.bodyLength(), arena);
  }
}
