package dev.quiver.store.file;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MessageCompleteness;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Level;
import dev.quiver.store.catalog.NextVersion;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.BlobStatistics;
import dev.quiver.store.version.Sidecar;
import dev.quiver.store.version.VersionKind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A writer of the canonical form in which data is stored. It records the footer's contents, and
/// [VersionBuilder] writes the footer.
///
/// ```
/// File --> "ARROW1" 00 00 Schema Dictionary* RecordBatch* Dictionary* EndOfStream
///          Footer FooterByteSize:int32 "ARROW1"
/// ```
///
/// Each id has one dictionary, the last one written. Earlier ones are dead bytes that the footer
/// omits. If the order of the stream differs from the file's, the version that [#finish] returns
/// has the order of the stream. Everything before the footer starts on a multiple of 8. Metadata
/// that is V5, complete and strict is copied byte for byte, together with its body if that is
/// canonical.
///
/// A file whose messages are all canonical may be its own blob. Then nothing is written, and the
/// messages are recorded where they lie.
public final class CanonicalWriter implements ByteSink {

  private static final int ALIGNMENT = 8;

  /// The size of a part of a body that stays in a processor's cache.
  private static final long PART_BYTE_SIZE = 1 << 20;

  private final String key;

  /// Null if the messages are in place.
  private final @Nullable MessageWriter messages;

  private final Map<Long, Block> dictionaries = new LinkedHashMap<>();
  private final List<Block> recordBatches = new ArrayList<>();
  private final CumulativeRows rows = new CumulativeRows();
  private final Map<Long, Codec> dictionaryCodecs = new HashMap<>();
  private final Set<Codec> batchCodecs = EnumSet.noneOf(Codec.class);
  private final MessageChecksums checksums = new MessageChecksums();
  private final BlobStatistics.Builder statistics = new BlobStatistics.Builder();
  private Codec codec = Codec.NONE;

  /// Whether all messages so far were written byte for byte, each as far from the schema as in the
  /// upload.
  private boolean verbatim = true;

  /// The distance of the first message after the schema from its place in the upload.
  private long distance;

  private @Nullable BlobExtent schemaExtent;

  /// The position of the next body, used only if the messages are in place.
  private long bodyPosition;

  /// Begins a file.
  ///
  /// @param key the key of the blob that is written to `sink`
  public CanonicalWriter(String key, ByteSink sink) throws IOException {
    this.key = key;
    this.messages = new MessageWriter(bytes -> write(bytes, sink));
    messages.writeFileHeader();
  }

  private CanonicalWriter(String key, BlobExtent schemaExtent, MemorySegment start) {
    this.key = key;
    this.messages = null;
    this.schemaExtent = schemaExtent;
    checksums.update(start);
  }

  /// Returns a writer that records the messages of a file where they lie.
  ///
  /// @param key the key of the blob that is the file
  /// @param schemaExtent the start of a file and the schema message, in this blob or another one
  /// @param start the bytes of `schemaExtent` if it is in this blob, or else none
  public static CanonicalWriter inPlace(String key, BlobExtent schemaExtent, MemorySegment start) {
    return new CanonicalWriter(key, schemaExtent, start);
  }

  /// Returns whether messages are recorded where they lie.
  public boolean isInPlace() {
    return messages == null;
  }

  public int batchCount() {
    return rows.batchCount();
  }

  /// Returns the ids of the dictionaries written so far, in the order of the stream.
  public List<Long> dictionaryIds() {
    return List.copyOf(dictionaries.keySet());
  }

  /// Returns the positions of the batches written so far.
  public List<Block> recordBatches() {
    return recordBatches;
  }

  /// Returns the position in the blob of the next write.
  public long position() {
    return messages == null ? bodyPosition : messages.position();
  }

  /// Writes part of the body of the message begun last.
  @Override
  public void write(MemorySegment source) throws IOException {
    if (messages == null) {
      checksums.update(source);
      bodyPosition += source.byteSize();
    } else {
      messages.write(source);
    }
  }

  /// Adds bytes to the checksum, and writes them to the blob.
  private void write(MemorySegment bytes, ByteSink sink) throws IOException {
    for (long start = 0; start < bytes.byteSize(); start += PART_BYTE_SIZE) {
      long byteSize = Math.min(PART_BYTE_SIZE, bytes.byteSize() - start);
      MemorySegment part = bytes.asSlice(start, byteSize);
      checksums.update(part);
      sink.write(part);
    }
  }

  /// Writes a schema as little-endian, regardless of its original byte order, because all stored
  /// bodies are little-endian.
  public void writeSchema(Schema schema) throws IOException {
    verbatim = false;
    schemaWritten(messages().writeSchema(schema.withEndianness(Endianness.LITTLE)));
  }

  public void writeSchema(EncapsulatedMessage message) throws IOException {
    writeSchema(message, MessageReader.schemaOf(message));
  }

  /// Writes a schema, or the message that has it.
  public void writeSchema(EncapsulatedMessage message, Schema schema) throws IOException {
    if (isCanonical(message)
        && MessageReader.schemaOf(message).equals(schema)
        && schema.endianness() == Endianness.LITTLE) {
      verbatim &= isFramed(message);
      schemaWritten(messages().writeMetadata(padded(message.metadata()), 0));
    } else {
      writeSchema(schema);
    }
  }

  /// Writes everything but the body. The body is canonical and must be written next, unchanged.
  public void begin(EncapsulatedMessage message) throws IOException {
    MessageHeader header = message.message().header();
    long bodyLength = message.message().bodyLength();
    Block block;
    checksums.begin(header, bodyLength);
    if (messages == null) {
      block = message.block();
      bodyPosition = block.offset() + block.metaDataLength();
      checksums.moveTo(block.offset());
      checksums.update(Framing.prefix(Math.toIntExact(message.metadata().byteSize())));
      checksums.update(message.metadata());
    } else if (isCanonical(message)) {
      block = messages.writeMetadata(padded(message.metadata()), bodyLength);
      written(message, block);
    } else {
      verbatim = false;
      block = messages.write(header, message.message().customMetadata(), bodyLength);
    }
    checksums.beginBody(header, bodyLength);
    remember(block, header);
  }

  /// Writes a message with a new body.
  public void write(EncapsulatedMessage message, EncodedBody body) throws IOException {
    MessageHeader header =
        message.message().header() instanceof DictionaryBatchHeader dictionary
            ? new DictionaryBatchHeader(dictionary.id(), body.header(), false)
            : body.header();
    write(header, message.message().customMetadata(), body);
  }

  /// Writes a dictionary that differs from every received one.
  public void writeDictionary(long id, EncodedBody body) throws IOException {
    write(new DictionaryBatchHeader(id, body.header(), false), Metadata.EMPTY, body);
  }

  /// Writes a batch that differs from every received one.
  public void writeBatch(EncodedBody body, Metadata customMetadata) throws IOException {
    write(body.header(), customMetadata, body);
  }

  /// Returns the checksum of the message begun last, as far as it is written.
  public int messageChecksum() {
    return checksums.ofMessage();
  }

  /// Adds the statistics of the batch written last.
  public void addStatistics(BatchStatistics batch) {
    statistics.add(recordBatches.getLast().offset(), batch);
  }

  /// Returns the statistics of the batches written so far.
  BlobStatistics statistics() {
    return statistics.build();
  }

  /// Returns the approximate memory that the statistics of the batches written so far take.
  public long statisticsByteSize() {
    return statistics.heldByteSize();
  }

  /// Writes the end of the stream and the footer, unless the blob already has its own.
  ///
  /// @param customMetadata the footer's metadata, to which the rows are added
  /// @param level the level at which the data is known to be valid
  public WrittenFile finish(Schema schema, Metadata customMetadata, Level level)
      throws IOException {
    VersionBuilder builder = new VersionBuilder();
    builder.addSchema(List.of(Objects.requireNonNull(schemaExtent)));
    dictionaries.values().forEach(block -> builder.addDictionary(key, block));
    builder.addBatches(key, recordBatches, rows);
    NextVersion version =
        builder.build(VersionKind.UPLOAD, schema, customMetadata, codec, isMixed(), level);
    checksums.edge();
    verbatim &= version.extents().size() == 1;
    if (messages != null) {
      if (version.extents().size() == 1 && builder.byteSize() == messages.position()) {
        messages.writeEndOfStream();
        checksums.edge();
        messages.write(version.tail().asSlice(Framing.PREFIX_BYTE_SIZE));
        version = version.in(new BlobExtent(key, 0, messages.position()));
      } else {
        // The blob is its own file, with messages in an order other than the version's.
        writeEnd(messages, schema, rows.in(customMetadata));
      }
    }
    return new WrittenFile(
        key, version, schema, dictionaries, recordBatches, rows, sidecar(), verbatim);
  }

  /// Returns the sidecar of the bytes written so far.
  public Sidecar sidecar() {
    return new Sidecar(checksums.build(), statistics.build());
  }

  private void writeEnd(MessageWriter writer, Schema schema, Metadata customMetadata)
      throws IOException {
    writer.writeEndOfStream();
    writer.writeFooter(
        new Footer(
            MetadataVersion.V5,
            schema,
            List.copyOf(dictionaries.values()),
            recordBatches,
            customMetadata));
  }

  private boolean isMixed() {
    return Stream.concat(dictionaryCodecs.values().stream(), batchCodecs.stream())
        .anyMatch(used -> used != codec);
  }

  private void schemaWritten(Block block) {
    schemaExtent = new BlobExtent(key, 0, block.end());
  }

  private MessageWriter messages() {
    if (messages == null) {
      throw new IllegalStateException("The messages of this file are in place");
    }
    return messages;
  }

  private void write(MessageHeader header, Metadata customMetadata, EncodedBody body)
      throws IOException {
    verbatim = false;
    checksums.begin(header, body.byteSize());
    Block block = messages().write(header, customMetadata, body.byteSize());
    checksums.beginBody(header, body.byteSize());
    body.writeTo(messages());
    remember(block, header);
  }

  /// Notes where a message was written as it arrived.
  private void written(EncapsulatedMessage message, Block block) {
    if (dictionaries.isEmpty() && recordBatches.isEmpty()) {
      distance = block.offset() - message.byteOffset();
    }
    verbatim &= isFramed(message) && block.offset() - message.byteOffset() == distance;
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

  /// Returns whether metadata may be stored as it arrived.
  public static boolean isCanonical(EncapsulatedMessage message) {
    return message.message().version() == MetadataVersion.V5
        && MessageCompleteness.isComplete(message.metadata())
        && MessageCompleteness.isStrict(message.metadata());
  }

  /// Returns whether a canonical message arrived with the prefix and the padding that are written.
  public static boolean isFramed(EncapsulatedMessage message) {
    long metadataByteSize = message.metadata().byteSize();
    return message.prefixByteSize() == Framing.PREFIX_BYTE_SIZE
        && metadataByteSize % ALIGNMENT == 0
        && message.metaDataLength() == Framing.PREFIX_BYTE_SIZE + metadataByteSize;
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
