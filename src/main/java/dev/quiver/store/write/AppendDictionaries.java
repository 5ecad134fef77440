package dev.quiver.store.write;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.transform.DictionaryUnifier;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.file.BatchRewriter;
import dev.quiver.store.file.CanonicalWriter;
import dev.quiver.store.file.SnapshotBytes;
import dev.quiver.store.file.StoredVersion;
import dev.quiver.store.file.UploadedMessages;
import dev.quiver.store.file.WrittenFile;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.SchemaDifference;
import dev.quiver.store.version.SchemaMismatchException;
import dev.quiver.store.version.SchemaMismatchException.Remedy;
import dev.quiver.store.version.StoredFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The dictionaries of a version and of an upload appended to it, unified into one for each id of
/// the version. Each starts with the version's values, so that stored indices stay valid.
///
/// The ids of the version and of the upload are unrelated: dictionaries belong together if they
/// share a field. An uploaded dictionary may extend several dictionaries of the version, and
/// several may extend the same one. To distinguish them, each such pair gets an id that is unused
/// in the version.
final class AppendDictionaries implements AutoCloseable {

  private final DatasetName name;
  private final StoredVersion stored;
  private final Limits limits;

  /// The schema of the version, with the columns that it gets.
  private final Schema target;

  private final WrittenFile uploaded;
  private final Map<Long, Block> storedBlocks;
  private final Map<Pair, UploadedDictionary> sources = new LinkedHashMap<>();
  private final Schema renamed;
  private final DictionaryUnifier unifier;
  private final Arena arena = Arena.ofConfined();
  private final Path scratchFolder;
  private final ScratchMemory memory;
  private final Map<Long, Long> storedLengths = new HashMap<>();
  private final Map<Long, Codec> codecs = new HashMap<>();
  private boolean sameIndexTypes = true;

  private AppendDictionaries(
      DatasetName name,
      StoredVersion stored,
      Schema target,
      WrittenFile uploaded,
      DatasetOptions options,
      Path scratchFolder)
      throws IOException {
    this.name = name;
    this.stored = stored;
    this.limits = options.limits();
    this.target = target;
    this.uploaded = uploaded;
    this.storedBlocks = stored.dictionaries();
    this.renamed =
        new Schema(
            renamed("", target.fields(), uploaded.schema().fields()),
            uploaded.schema().metadata(),
            uploaded.schema().endianness(),
            uploaded.schema().features());
    this.unifier =
        new DictionaryUnifier(
            target, options.limits(), options.uploadDictionaryBytes(), scratchFolder);
    this.scratchFolder = scratchFolder;
    this.memory = new ScratchMemory(scratchFolder);
  }

  /// Reads all dictionaries.
  ///
  /// @param target the schema of the version, with the columns that it gets
  /// @param uploaded has the same columns
  /// @param messages the messages of the upload
  /// @throws SchemaMismatchException if an ordered dictionary does not start with the one of the
  ///   version
  static AppendDictionaries of(
      DatasetName name,
      StoredVersion stored,
      Schema target,
      WrittenFile uploaded,
      UploadedMessages messages,
      DatasetOptions options,
      Path scratchFolder)
      throws IOException {
    AppendDictionaries dictionaries =
        new AppendDictionaries(name, stored, target, uploaded, options, scratchFolder);
    try {
      dictionaries.readStored();
      dictionaries.readUploaded(messages);
      dictionaries.unifier.widenToLengths();
      return dictionaries;
    } catch (IOException | RuntimeException | Error e) {
      dictionaries.close();
      throw e;
    }
  }

  /// Returns the version's schema, with the columns that it gets, and wider index types where
  /// dictionaries outgrew theirs.
  Schema schema() {
    return unifier.schema();
  }

  /// Returns whether the stored batches need another index type or more columns.
  boolean rewritesStored() {
    return !schema().fields().equals(stored.schema().fields());
  }

  /// Returns whether the uploaded batches need other indices or another index type.
  boolean rewritesUploaded() {
    return rewritesStored()
        || !sameIndexTypes
        || sources.values().stream().anyMatch(source -> !unifier.keepsIndices(source.id));
  }

  /// Returns the ids of the dictionaries that the version lacks in their unified form.
  List<Long> changed() {
    List<Long> changed = new ArrayList<>();
    boolean anyBatch =
        !stored.footer().recordBatches().isEmpty() || !uploaded.recordBatches().isEmpty();
    for (long id : DictionaryFields.of(schema()).byId().keySet()) {
      boolean missing = !storedBlocks.containsKey(id) && (anyBatch || unifier.contains(id));
      if (missing || rewritesStored() || unifier.length(id) > storedLengths.getOrDefault(id, 0L)) {
        changed.add(id);
      }
    }
    return changed;
  }

  /// Returns the uploaded message that already is the unified dictionary, or null if absent.
  @Nullable Block uploadedAs(long id) {
    UploadedDictionary source = sources.get(new Pair(id, id));
    return source != null && !rewritesUploaded() && unifier.isWhole(source.id)
        ? uploaded.dictionaries().get(id)
        : null;
  }

  /// Writes a unified dictionary.
  void write(long id, CanonicalWriter destination) throws IOException {
    try (ScratchMemory written = new ScratchMemory(scratchFolder)) {
      ArrayData values = unifier.values(id, written);
      destination.writeDictionary(
          id,
          EncodedBody.of(
              values.length(), List.of(values), codecs.getOrDefault(id, Codec.NONE), written));
    }
  }

  /// Returns the schema for reading the uploaded batches.
  Schema uploadedSchema() {
    return renamed;
  }

  /// Converts the columns of an uploaded batch to the columns of the new version.
  List<ArrayData> uploadedColumns(List<ArrayData> columns, SegmentAllocator allocator) {
    return unifier.rewritten(columns, schema().fields(), allocator);
  }

  /// Returns the change of stored batches to the index types of the new version, and to its
  /// columns, in which they have nulls.
  BatchRewriter.ColumnChange storedChange() {
    Schema schema = schema();
    List<Field> added =
        schema.fields().subList(stored.schema().fields().size(), schema.fields().size());
    StoredFile file = stored.summary().file();
    NullColumns nulls =
        new NullColumns(
            added,
            unifier::parts,
            file.byteSize() + uploaded.version().file().byteSize(),
            file.codec() != Codec.NONE && !file.mixedCodecs(),
            limits);
    return new BatchRewriter.ColumnChange() {
      @Override
      public List<ArrayData> of(List<ArrayData> columns, SegmentAllocator allocator) {
        return unifier.widened(columns, allocator);
      }

      @Override
      public BatchRewriter.Added added(long length, SegmentAllocator allocator) {
        return nulls.of(length, allocator);
      }
    };
  }

  @Override
  public void close() throws IOException {
    try (unifier;
        memory) {
      arena.close();
    }
  }

  private void readStored() throws IOException {
    RecordBatchReader reader = new RecordBatchReader(stored.schema(), Limits.ACCEPTED);
    SnapshotBytes messages = stored.bytes();
    for (long id : reader.dictionaryFields().byId().keySet()) {
      Block block = storedBlocks.get(id);
      if (block != null) {
        EncapsulatedMessage message = messages.message(block, 0);
        ArrayData values = reader.readValues(message, messages.body(block, arena, memory), memory);
        unifier.take(id, values, false, block.byteSize(), message.place());
        storedLengths.put(id, values.length());
        codecs.put(id, codec(message));
      }
    }
  }

  private void readUploaded(UploadedMessages messages) throws IOException {
    RecordBatchReader reader = new RecordBatchReader(renamed, messages.limits());
    Map<Long, UploadedDictionary> byId = new HashMap<>();
    for (UploadedDictionary source : sources.values()) {
      byId.put(source.id, source);
      unifier.join(source.id, source.pair.stored);
    }
    for (long id : reader.dictionaryFields().byId().keySet()) {
      UploadedDictionary source = byId.get(id);
      Block block = source == null ? null : uploaded.dictionaries().get(source.pair.uploaded);
      if (source == null || block == null) {
        continue;
      }
      EncapsulatedMessage message = messages.message(block, 0);
      MemorySegment body = messages.body(block, arena, memory);
      ArrayData values = reader.readValues(renamed(message, id), body, memory);
      try {
        unifier.take(id, values, false, block.byteSize(), message.place());
      } catch (UnsupportedInputException e) {
        throw new SchemaMismatchException(
            name,
            List.of(
                new SchemaDifference(
                    source.path, SchemaDifference.Aspect.DICTIONARY, e.expected(), e.found())),
            1,
            Remedy.DATA);
      }
      codecs.put(source.pair.stored, codec(message));
    }
  }

  /// Returns the uploaded fields. Each dictionary gets the id of its pair.
  private List<Field> renamed(String path, List<Field> storedFields, List<Field> fields) {
    List<Field> renamed = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      String fieldPath = path.isEmpty() ? field.name() : path + "." + field.name();
      renamed.add(
          new Field(
              field.name(),
              field.nullable(),
              field.type(),
              renamed(fieldPath, storedFields.get(i).dictionary(), field.dictionary()),
              renamed(fieldPath, storedFields.get(i).children(), field.children()),
              field.metadata()));
    }
    return renamed;
  }

  private @Nullable DictionaryEncoding renamed(
      String path,
      @Nullable DictionaryEncoding storedEncoding,
      @Nullable DictionaryEncoding encoding) {
    if (storedEncoding == null || encoding == null) {
      return null;
    }
    sameIndexTypes &= storedEncoding.indexType().equals(encoding.indexType());
    UploadedDictionary source =
        sources.computeIfAbsent(
            new Pair(storedEncoding.id(), encoding.id()),
            pair -> new UploadedDictionary(pair, unusedId(), path));
    return new DictionaryEncoding(source.id, encoding.indexType(), encoding.ordered());
  }

  private long unusedId() {
    Set<Long> used = new LinkedHashSet<>(DictionaryFields.of(target).byId().keySet());
    sources.values().forEach(source -> used.add(source.id));
    long id = 0;
    while (used.contains(id)) {
      id++;
    }
    return id;
  }

  private static EncapsulatedMessage renamed(EncapsulatedMessage encapsulated, long id) {
    Message message = encapsulated.message();
    DictionaryBatchHeader header = (DictionaryBatchHeader) message.header();
    return new EncapsulatedMessage(
        encapsulated.index(),
        encapsulated.byteOffset(),
        encapsulated.prefixByteSize(),
        encapsulated.metaDataLength(),
        encapsulated.metadata(),
        new Message(
            message.version(),
            new DictionaryBatchHeader(id, header.data(), header.delta()),
            message.bodyLength(),
            message.customMetadata()));
  }

  private static Codec codec(EncapsulatedMessage message) {
    return BodyCodecs.of(((DictionaryBatchHeader) message.message().header()).data());
  }

  /// A dictionary of the version and one of the upload that share a field.
  private record Pair(long stored, long uploaded) {}

  /// @param id the id of the pair, unused in the version
  /// @param path the path of the first field with the pair
  private record UploadedDictionary(Pair pair, long id, String path) {}
}
