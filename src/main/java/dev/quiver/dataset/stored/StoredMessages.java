package dev.quiver.dataset.stored;

import dev.quiver.dataset.file.MessageSource;
import dev.quiver.input.InputException;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.Framing;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.MessageDecoder;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The messages of a version, each read at the position of its block.
public record StoredMessages(SnapshotBytes bytes) implements MessageSource {

  @Override
  public EncapsulatedMessage message(Block block, long index) throws IOException {
    MemorySegment metadata =
        bytes.read(block.offset(), block.metaDataLength()).asSlice(Framing.PREFIX_BYTE_SIZE);
    return new EncapsulatedMessage(
        index,
        block.offset(),
        Framing.PREFIX_BYTE_SIZE,
        block.metaDataLength(),
        metadata,
        MessageDecoder.decode(metadata, BatchIndex.STORED));
  }

  @Override
  public MemorySegment body(Block block, Arena arena, ScratchMemory memory) throws IOException {
    long start = block.offset() + block.metaDataLength();
    return bytes.load(start, block.bodyLength(), arena, memory);
  }

  /// Returns the exception for stored data that cannot be decoded. The data was valid when it was
  /// ingested, so this is a server error and not the client's.
  public static IOException damaged(InputException e) {
    return new IOException("Stored data is damaged", e);
  }
}
