package dev.quiver.arrow.ipc;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/// A writer of schema, dictionaries and batches, common to streams and files. It records their
/// positions.
final class BatchWriter {

  private final MessageWriter messages;
  private final Codec codec;
  private final DictionaryWriter dictionaries;
  private final List<Block> dictionaryBlocks = new ArrayList<>();
  private final List<Block> batchBlocks = new ArrayList<>();

  BatchWriter(MessageWriter messages, Schema schema, Codec codec, boolean replacesDictionaries)
      throws IOException {
    this.messages = messages;
    this.codec = codec;
    this.dictionaries = new DictionaryWriter(schema, codec, replacesDictionaries);
    messages.writeSchema(schema);
  }

  void write(RecordBatch batch) throws IOException {
    dictionaryBlocks.addAll(dictionaries.write(batch.columns(), messages));
    try (Arena arena = Arena.ofConfined()) {
      EncodedBody body = EncodedBody.of(batch.length(), batch.columns(), codec, arena);
      batchBlocks.add(messages.writeRecordBatch(body, batch.customMetadata()));
    }
  }

  List<Block> dictionaryBlocks() {
    return dictionaryBlocks;
  }

  List<Block> batchBlocks() {
    return batchBlocks;
  }
}
