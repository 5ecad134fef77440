package dev.quiver.dataset;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.EncodedBody;
import dev.quiver.ipc.Framing;
import dev.quiver.ipc.RecordBatchReader;
import dev.quiver.memory.Limits;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.Message;
import dev.quiver.metadata.MessageDecoder;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.BlobUpload;
import dev.quiver.transform.DictionaryUnifier;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Batches of an upload that are written again, since a dictionary outgrew the type of their
/// indices after they were written.
final class WidenedBatches {

  private final BlobUpload upload;
  private final DictionaryUnifier unifier;
  private final Limits limits;
  private final BlobStore store;

  /// @param upload where they were written
  WidenedBatches(BlobUpload upload, DictionaryUnifier unifier, Limits limits, BlobStore store) {
    this.upload = upload;
    this.unifier = unifier;
    this.limits = limits;
    this.store = store;
  }

  /// Writes batches once more.
  ///
  /// @param schema that they were written with
  /// @param blocks where they are
  void write(Schema schema, List<Block> blocks, CanonicalWriter destination) throws IOException {
    RecordBatchReader reader = new RecordBatchReader(schema, limits);
    boolean same = schema.equals(unifier.schema());
    try (ScratchMemory memory = new ScratchMemory(store.scratchFolder())) {
      for (Block block : blocks) {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment bytes = upload.map(block.offset(), block.end() - block.offset(), arena);
          MemorySegment body = bytes.asSlice(block.metaDataLength());
          EncapsulatedMessage message = message(block, bytes);
          if (same) {
            destination.begin(message);
            destination.write(body);
          } else {
            write(message, reader.readBatch(message, body, memory), destination, memory);
          }
        }
        memory.reset();
      }
    }
  }

  private void write(
      EncapsulatedMessage message,
      RecordBatch batch,
      CanonicalWriter destination,
      ScratchMemory memory)
      throws IOException {
    RecordBatchHeader header = (RecordBatchHeader) message.message().header();
    CompressionType codec = StoredCodec.AS_IT_CAME.of(header);
    List<ArrayData> columns = unifier.widened(batch.columns(), memory);
    destination.writeBatch(
        EncodedBody.of(batch.length(), columns, codec, memory), batch.customMetadata());
  }

  private EncapsulatedMessage message(Block block, MemorySegment bytes) {
    MemorySegment metadata =
        bytes.asSlice(Framing.PREFIX_BYTE_SIZE, block.metaDataLength() - Framing.PREFIX_BYTE_SIZE);
    Message message = MessageDecoder.decode(metadata, limits);
    return new EncapsulatedMessage(
        0, block.offset(), Framing.PREFIX_BYTE_SIZE, block.metaDataLength(), metadata, message);
  }
}
