package dev.quiver.store.file;

import dev.quiver.arrow.ipc.BatchFields;
import dev.quiver.arrow.ipc.BatchFields.BufferUse;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.Field;
import dev.quiver.store.file.MessageLayout.FieldLayout;
import dev.quiver.store.file.MessageLayout.StoredBuffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A reader of the layouts of a version's dictionaries and record batches, in the order of its
/// file.
public final class MessageLayouts {

  /// The number of buffers after which a list of layouts ends.
  static final int BUFFER_COUNT = 20_000;

  private final StoredVersion version;
  private final List<Block> dictionaries;
  private final List<Block> batches;
  private final DictionaryFields dictionaryFields;

  public MessageLayouts(StoredVersion version) {
    this.version = version;
    this.dictionaries = version.footer().dictionaries();
    this.batches = version.footer().recordBatches();
    this.dictionaryFields = DictionaryFields.of(version.schema());
  }

  /// Returns at most `count` layouts from index `from` on; empty past the last one.
  ///
  /// If the messages have very many buffers, the list is shorter, but not empty: each compressed
  /// buffer takes a read.
  public List<MessageLayout> read(long from, int count) throws IOException {
    List<MessageLayout> layouts = new ArrayList<>();
    long messageCount = (long) dictionaries.size() + batches.size();
    long end = Math.min(messageCount, Math.min(from, messageCount) + count);
    long bufferCount = 0;
    for (long i = from; i < end && bufferCount < BUFFER_COUNT; i++) {
      MessageLayout layout = read((int) i);
      for (FieldLayout field : layout.fields()) {
        bufferCount += field.buffers().size();
      }
      layouts.add(layout);
    }
    return layouts;
  }

  private MessageLayout read(int index) throws IOException {
    boolean isDictionary = index < dictionaries.size();
    Block block = isDictionary ? dictionaries.get(index) : batches.get(index - dictionaries.size());
    Message message = version.message(block, index).message();
    MessageHeader header = message.header();
    if (header instanceof DictionaryBatchHeader dictionary) {
      Field values = Objects.requireNonNull(dictionaryFields.values(dictionary.id()));
      RecordBatchHeader data = dictionary.data();
      BatchFields fields = BatchFields.of(message.version(), List.of(values), data);
      return layout(index, dictionary.id(), block, data, fields);
    }
    RecordBatchHeader batch = (RecordBatchHeader) header;
    BatchFields fields = BatchFields.of(message.version(), version.schema().fields(), batch);
    return layout(index, null, block, batch, fields);
  }

  private MessageLayout layout(
      int index,
      @Nullable Long dictionary,
      Block block,
      RecordBatchHeader header,
      BatchFields fields)
      throws IOException {
    List<FieldLayout> described = new ArrayList<>();
    for (int i = 0; i < fields.nodes().size(); i++) {
      BatchFields.NodeField field = fields.nodes().get(i);
      described.add(
          new FieldLayout(field.column(), field.path(), header.nodes().get(i), new ArrayList<>(3)));
    }
    for (int i = 0; i < fields.buffers().size(); i++) {
      BufferUse use = fields.buffers().get(i);
      StoredBuffer buffer = buffer(use, header, header.buffers().get(i), block);
      described.get(use.node()).buffers().add(buffer);
    }
    return new MessageLayout(
        index, dictionary, block, header.length(), BodyCodecs.of(header), described);
  }

  private StoredBuffer buffer(BufferUse use, RecordBatchHeader header, Buffer buffer, Block block)
      throws IOException {
    long bodyOffset = block.offset() + block.metaDataLength();
    boolean hasPrefix = StoredVersion.hasPrefix(header, buffer);
    long declared = hasPrefix ? version.declaredByteSize(buffer, bodyOffset) : -1;
    long storedByteSize = hasPrefix ? buffer.length() - Long.BYTES : buffer.length();
    boolean compressed = declared >= 0;
    return new StoredBuffer(
        use.role(),
        bodyOffset + buffer.offset(),
        buffer.length(),
        compressed ? declared : storedByteSize,
        compressed);
  }
}
