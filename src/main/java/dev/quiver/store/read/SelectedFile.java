package dev.quiver.store.read;

import dev.quiver.arrow.ipc.BodyLayout;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.file.SnapshotBytes;
import dev.quiver.store.version.ByteRange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The IPC file of a selection: its layout, and any range of its bytes.
///
/// The layout is computed by writing the file to a sink that only counts. That reads only metadata,
/// apart from batches and dictionaries that are encoded anew, of which the sizes suffice if these
/// are found without their values.
final class SelectedFile implements AutoCloseable {

  private static final MemorySegment ZEROS =
      MemorySegment.ofArray(new byte[Framing.BODY_ALIGNMENT]).asReadOnly();

  /// The number of values above which a layout does not have the indices of those used: 128 KiB.
  private static final long REMEMBERED_VALUES_MAXIMUM = 16 << 10;

  private final SelectedMessages messages;
  private final @Nullable ReducedDictionaries reduced;
  private final Path scratchFolder;
  private @Nullable EncodedBatches encodedBatches;

  /// @param reduced null if dictionaries are written as stored
  SelectedFile(
      SelectedMessages messages, @Nullable ReducedDictionaries reduced, Path scratchFolder) {
    this.messages = messages;
    this.reduced = reduced;
    this.scratchFolder = scratchFolder;
  }

  /// Computes the layout.
  ///
  /// @throws CancelledException if all clients that wait for it have left
  SelectedFileLayout layout() throws IOException {
    WantedWork work = new WantedWork();
    Map<Long, long[]> usedIndices =
        reduced == null ? null : reduced.read(work).indices(REMEMBERED_VALUES_MAXIMUM);
    RangeSink output = RangeSink.counting();
    writeHead(output);
    List<Block> dictionaries = new ArrayList<>();
    for (int i = 0; i < messages.dictionaries().size(); i++) {
      dictionaries.add(writeDictionary(i, output));
    }
    List<Block> batches = new ArrayList<>();
    int count = messages.batchCount();
    try (EncodedBatches.InOrder encoded = encodedBatches().inOrder(0, count, true)) {
      for (int i = 0; i < count; i++) {
        work.beginBatch(!messages.hasStoredBuffers(i));
        batches.add(writeBatch(i, output, encoded::write));
      }
    }
    output.write(Framing.endOfStream());
    Footer footer = messages.footerAt(dictionaries, batches);
    ByteArrayOutputStream tail = new ByteArrayOutputStream();
    MessageWriter writer =
        new MessageWriter(segment -> tail.writeBytes(segment.toArray(LittleEndian.INT8)));
    writer.writeFooter(footer);
    return new SelectedFileLayout(
        footer.dictionaries(),
        footer.recordBatches(),
        output.position(),
        tail.toByteArray(),
        usedIndices);
  }

  /// Writes a range of the file.
  ///
  /// @throws IOException if the stored data has changed since the layout was computed
  void write(SelectedFileLayout layout, ByteRange range, BlobSink sink) throws IOException {
    RangeSink output = new RangeSink(range, sink);
    if (range.byteOffset() < layout.messagesOffset()) {
      writeHead(output);
    }
    if (range.byteOffset() < layout.batchesOffset()) {
      writeDictionaries(layout, output);
    }
    writeBatches(layout, output, layout.firstBatchAfter(range.byteOffset()));
    output.moveTo(layout.footerOffset() - Framing.PREFIX_BYTE_SIZE);
    output.write(Framing.endOfStream());
    output.write(MemorySegment.ofArray(layout.tail()));
  }

  @Override
  public void close() throws IOException {
    if (encodedBatches != null) {
      encodedBatches.close();
    }
  }

  private EncodedBatches encodedBatches() {
    EncodedBatches present = encodedBatches;
    if (present == null) {
      present = new EncodedBatches(messages, reduced, scratchFolder);
      encodedBatches = present;
    }
    return present;
  }

  private void writeHead(RangeSink output) throws IOException {
    MessageWriter writer = new MessageWriter(output);
    writer.writeFileHeader();
    messages.writeSchema(writer);
  }

  private void writeDictionaries(SelectedFileLayout layout, RangeSink output) throws IOException {
    List<Block> dictionaries = layout.dictionaries();
    for (int i = 0; i < dictionaries.size(); i++) {
      Block expected = dictionaries.get(i);
      output.moveTo(expected.offset());
      requireSame(expected, writeDictionary(i, output));
    }
  }

  private void writeBatches(SelectedFileLayout layout, RangeSink output, int from)
      throws IOException {
    List<Block> batches = layout.recordBatches();
    int to = from;
    while (to < batches.size() && !output.isDoneAt(batches.get(to).offset())) {
      to++;
    }
    // A single batch may belong to the next range, too.
    boolean isAlone = to - from == 1;
    try (EncodedBatches.InOrder encoded =
        encodedBatches().inOrder(from, isAlone ? from : to, false)) {
      for (int i = from; i < to; i++) {
        int batch = i;
        Block expected = batches.get(batch);
        output.moveTo(expected.offset());
        Encoding encoding =
            isAlone ? writer -> encodedBatches().write(batch, writer) : encoded::write;
        requireSame(expected, writeBatch(batch, output, encoding));
      }
    }
  }

  private Block writeDictionary(int index, RangeSink output) throws IOException {
    if (reduced == null) {
      return copy(messages.dictionaries().get(index), output);
    }
    long offset = output.position();
    Block written =
        new MessageWriter(output)
            .writeDictionary(messages.dictionary(index).id(), reduced.body(index));
    return new Block(offset, written.metaDataLength(), written.bodyLength());
  }

  /// Copies a stored message.
  private Block copy(Block stored, RangeSink output) throws IOException {
    long offset = output.position();
    output.copy(messages.bytes(), stored.offset(), stored.byteSize());
    return new Block(offset, stored.metaDataLength(), stored.bodyLength());
  }

  /// Writes a batch that is encoded anew.
  @FunctionalInterface
  private interface Encoding {
    Block write(MessageWriter writer) throws IOException;
  }

  private Block writeBatch(int batch, RangeSink output, Encoding encoding) throws IOException {
    if (messages.isStored(batch)) {
      return copy(messages.block(batch), output);
    }
    long offset = output.position();
    MessageWriter writer = new MessageWriter(output);
    Block written =
        messages.hasStoredBuffers(batch)
            ? writeBuffers(batch, writer, output)
            : encoding.write(writer);
    return new Block(offset, written.metaDataLength(), written.bodyLength());
  }

  /// Writes a batch that has the selected buffers of a stored one.
  private Block writeBuffers(int batch, MessageWriter writer, RangeSink output) throws IOException {
    Message message = message(batch);
    RecordBatchHeader header = (RecordBatchHeader) message.header();
    BodyLayout layout = BodyLayout.of(header);
    Block written = writer.write(layout.header(), message.customMetadata(), layout.byteSize());
    Block stored = messages.block(batch);
    long bodyOffset = stored.offset() + stored.metaDataLength();
    for (Buffer buffer : header.buffers()) {
      if (buffer.length() > 0) {
        requireWithin(buffer, stored);
        output.copy(messages.bytes(), bodyOffset + buffer.offset(), buffer.length());
        output.write(ZEROS.asSlice(0, Padding.missing(buffer.length(), Framing.BODY_ALIGNMENT)));
      }
    }
    return written;
  }

  private Message message(int batch) throws IOException {
    try {
      return messages.message(batch).message();
    } catch (InputException e) {
      throw SnapshotBytes.damaged(e);
    }
  }

  private static void requireWithin(Buffer buffer, Block stored) throws IOException {
    if (buffer.offset() > stored.bodyLength() - buffer.length()) {
      throw new IOException(
          "Stored data is damaged: %s in a body of %d bytes"
              .formatted(buffer, stored.bodyLength()));
    }
  }

  private static void requireSame(Block expected, Block written) throws IOException {
    if (!written.equals(expected)) {
      throw new IOException("Expected %s as laid out but found %s".formatted(expected, written));
    }
  }
}
