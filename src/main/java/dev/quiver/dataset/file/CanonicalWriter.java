package dev.quiver.dataset.file;

import static dev.quiver.ipc.Framing.FILE_HEADER_BYTE_SIZE;
import static dev.quiver.ipc.Framing.PREFIX_BYTE_SIZE;

import dev.quiver.codec.Codec;
import dev.quiver.columnar.Endianness;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.Schema;
import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.StoredFile;
import dev.quiver.ipc.BodyCodecs;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.EncodedBody;
import dev.quiver.ipc.MessageReader;
import dev.quiver.ipc.MessageWriter;
import dev.quiver.memory.ByteSink;
import dev.quiver.memory.Padding;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.Footer;
import dev.quiver.metadata.MessageCompleteness;
import dev.quiver.metadata.MessageHeader;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.metadata.MetadataVersion;
import dev.quiver.validate.Level;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Writes the one form in which data is stored, and remembers what its footer needs.
///
/// ```
/// File --> "ARROW1" 00 00 Schema Dictionary* RecordBatch* Dictionary* EndOfStream
///          Footer FooterByteSize:int32 "ARROW1"
/// ```
///
/// Each id has one dictionary, the last that was written: those before are dead bytes that the
/// footer does not name. Where a stream has another order than the file, [#finish] says which.
/// Everything before the footer starts on a multiple of 8. Metadata that is V5, complete and strict
/// is copied as it came, byte for byte, together with its body when that is canonical.
public final class CanonicalWriter implements ByteSink {

  private static final int ALIGNMENT = 8;

  private final String key;
  private final BooleanSupplier hasEnd;
  private final MessageWriter messages;
  private final Map<Long, Block> dictionaries = new LinkedHashMap<>();
  private final List<Block> recordBatches = new ArrayList<>();
  private final CumulativeRows rows = new CumulativeRows();
  private final Map<Long, Codec> dictionaryCodecs = new HashMap<>();
  private final Set<Codec> batchCodecs = EnumSet.noneOf(Codec.class);
  private Codec codec = Codec.NONE;
  private int schemaMetaDataLength;

  /// @param key of the blob that is written to `sink`
  public CanonicalWriter(String key, ByteSink sink) throws IOException {
    this(key, sink, () -> false);
  }

  /// @param key of the blob that is written to `sink`
  /// @param hasEnd whether the blob has an end of a file, whatever is written: asked at the end
  public CanonicalWriter(String key, ByteSink sink, BooleanSupplier hasEnd) throws IOException {
    this.key = key;
    this.hasEnd = hasEnd;
    this.messages = new MessageWriter(sink);
    messages.writeFileHeader();
  }

  public int batchCount() {
    return rows.batchCount();
  }

  /// The dictionaries written so far, in the order of the stream.
  public List<Long> dictionaryIds() {
    return List.copyOf(dictionaries.keySet());
  }

  /// The batches written so far.
  public List<Block> recordBatches() {
    return recordBatches;
  }

  /// Bytes written so far.
  public long position() {
    return messages.position();
  }

  /// Writes part of a body whose message was begun.
  @Override
  public void write(MemorySegment source) throws IOException {
    messages.write(source);
  }

  /// Writes a schema whose bodies will be little-endian, whatever they were.
  public void writeSchema(Schema schema) throws IOException {
    schemaMetaDataLength =
        messages.writeSchema(schema.withEndianness(Endianness.LITTLE)).metaDataLength();
  }

  public void writeSchema(EncapsulatedMessage message) throws IOException {
    Schema schema = MessageReader.schemaOf(message);
    if (isCanonical(message) && schema.endianness() == Endianness.LITTLE) {
      schemaMetaDataLength = messages.writeMetadata(padded(message.metadata()), 0).metaDataLength();
    } else {
      writeSchema(schema);
    }
  }

  /// Writes everything but the body, which is canonical and is to be written next, as it came.
  public void begin(EncapsulatedMessage message) throws IOException {
    MessageHeader header = message.message().header();
    long bodyLength = message.message().bodyLength();
    Block block =
        isCanonical(message)
            ? messages.writeMetadata(padded(message.metadata()), bodyLength)
            : messages.write(header, message.message().customMetadata(), bodyLength);
    remember(block, header);
  }

  /// Writes a message whose body was laid out anew.
  public void write(EncapsulatedMessage message, EncodedBody body) throws IOException {
    MessageHeader header =
        message.message().header() instanceof DictionaryBatchHeader dictionary
            ? new DictionaryBatchHeader(dictionary.id(), body.header(), false)
            : body.header();
    write(header, message.message().customMetadata(), body);
  }

  /// Writes a dictionary that did not come as it is.
  public void writeDictionary(long id, EncodedBody body) throws IOException {
    write(new DictionaryBatchHeader(id, body.header(), false), Metadata.EMPTY, body);
  }

  /// Writes a batch that did not come as it is.
  public void writeBatch(EncodedBody body, Metadata customMetadata) throws IOException {
    write(body.header(), customMetadata, body);
  }

  /// Writes the end of the stream, the footer, and what follows it.
  ///
  /// @param customMetadata of the footer, to which the rows are added
  /// @param level how far the data was found to be valid
  public WrittenFile finish(Schema schema, Metadata customMetadata, Level level)
      throws IOException {
    long end = messages.position();
    Metadata withRows = rows.in(customMetadata);
    int footerLength = hasEnd.getAsBoolean() ? 0 : writeEnd(schema, withRows);
    FileLayout layout = new FileLayout();
    layout.addSchema(List.of(new BlobExtent(key, 0, FILE_HEADER_BYTE_SIZE + schemaMetaDataLength)));
    dictionaries.values().forEach(block -> layout.addDictionary(key, block));
    layout.addBatches(key, recordBatches);
    if (footerLength > 0 && layout.extents().size() == 1 && layout.byteSize() == end) {
      StoredFile file = file(messages.position(), end, footerLength, level);
      return written(
          schema, file, List.of(new BlobExtent(key, 0, messages.position())), MemorySegment.NULL);
    }
    FileLayout.Tail tail = layout.tail(schema, withRows);
    StoredFile file =
        file(
            layout.byteSize() + tail.bytes().byteSize(),
            layout.byteSize(),
            tail.footerLength(),
            level);
    return written(schema, file, layout.extents(), tail.bytes());
  }

  /// @return bytes of the footer's flatbuffer
  private int writeEnd(Schema schema, Metadata customMetadata) throws IOException {
    messages.writeEndOfStream();
    return messages.writeFooter(
        new Footer(
            MetadataVersion.V5,
            schema,
            List.copyOf(dictionaries.values()),
            recordBatches,
            customMetadata));
  }

  private WrittenFile written(
      Schema schema, StoredFile file, List<BlobExtent> extents, MemorySegment tail) {
    return new WrittenFile(key, file, extents, tail, schema, dictionaries, recordBatches, rows);
  }

  /// @param messagesEnd where the end-of-stream marker starts
  private StoredFile file(long byteSize, long messagesEnd, int footerLength, Level level) {
    return new StoredFile(
        rows.total(),
        rows.batchCount(),
        byteSize,
        codec,
        Stream.concat(dictionaryCodecs.values().stream(), batchCodecs.stream())
            .anyMatch(used -> used != codec),
        level,
        schemaMetaDataLength,
        messagesEnd + PREFIX_BYTE_SIZE,
        footerLength);
  }

  private void write(MessageHeader header, Metadata customMetadata, EncodedBody body)
      throws IOException {
    Block block = messages.write(header, customMetadata, body.byteSize());
    body.writeTo(messages);
    remember(block, header);
  }

  private void remember(Block block, MessageHeader header) {
    switch (header) {
      case DictionaryBatchHeader dictionary -> {
        dictionaries.put(dictionary.id(), block);
        dictionaryCodecs.put(dictionary.id(), BodyCodecs.of(dictionary.data()));
      }
      case RecordBatchHeader batch -> {
        recordBatches.add(block);
        rows.add(batch.length());
        Codec used = BodyCodecs.of(batch);
        batchCodecs.add(used);
        codec = codec == Codec.NONE ? used : codec;
      }
      case MessageHeader.SchemaHeader _,
          MessageHeader.TensorHeader _,
          MessageHeader.SparseTensorHeader _ ->
          throw new IllegalArgumentException("Not a message of a batch: " + header);
    }
  }

  private static boolean isCanonical(EncapsulatedMessage message) {
    return message.message().version() == MetadataVersion.V5
        && MessageCompleteness.isComplete(message.metadata())
        && MessageCompleteness.isStrict(message.metadata());
  }

  private static MemorySegment padded(MemorySegment metadata) {
    int padding = Padding.missing(metadata.byteSize(), ALIGNMENT);
    if (padding == 0) {
      return metadata;
    }
    MemorySegment padded =
        MemorySegment.ofArray(new byte[Math.toIntExact(metadata.byteSize() + padding)]);
    MemorySegment.copy(metadata, 0, padded, 0, metadata.byteSize());
    return padded;
  }
}
