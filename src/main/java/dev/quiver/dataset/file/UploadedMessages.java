package dev.quiver.dataset.file;

import dev.quiver.dataset.manifest.BlobStatistics;
import dev.quiver.input.Limits;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.Framing;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.MessageDecoder;
import dev.quiver.statistics.BatchStatistics;
import dev.quiver.storage.BlobUpload;
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
