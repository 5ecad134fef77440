package dev.quiver.dataset.write;

import dev.quiver.codec.Codec;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.Schema;
import dev.quiver.dataset.catalog.Catalog;
import dev.quiver.dataset.catalog.NextVersion;
import dev.quiver.dataset.catalog.VersionUpdate;
import dev.quiver.dataset.catalog.WriteTransaction;
import dev.quiver.dataset.file.CanonicalWriter;
import dev.quiver.dataset.file.MessageSource;
import dev.quiver.dataset.file.RewrittenBatches;
import dev.quiver.dataset.file.UploadedMessages;
import dev.quiver.dataset.file.VersionBuilder;
import dev.quiver.dataset.file.WrittenFile;
import dev.quiver.dataset.ingest.DatasetOptions;
import dev.quiver.dataset.stored.BatchIndex;
import dev.quiver.dataset.stored.BatchIndexCache;
import dev.quiver.dataset.stored.SnapshotBytes;
import dev.quiver.dataset.stored.StoredVersion;
import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.StoredFile;
import dev.quiver.dataset.version.VersionKind;
import dev.quiver.input.Limits;
import dev.quiver.ipc.DictionaryFields;
import dev.quiver.metadata.Block;
import dev.quiver.storage.BlobStore;
import dev.quiver.validate.Level;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Puts the record batches of an upload after those of the newest version.
///
/// Neither the batches that are there nor, as a rule, those of the upload are written for it: the
/// version names them where they lie. With dictionaries, the upload's are written once more when
/// their indices are others in the dictionaries of the dataset; and all of them, once, when a
/// dictionary outgrows the type of its indices.
public final class Append implements VersionUpdate {

  private final DatasetName name;
  private final BlobStore store;
  private final DatasetOptions options;
  private final BatchIndexCache indexes;
  private final WriteTransaction transaction;
  private final WrittenFile uploaded;

  /// The start of the version for which `last` was made.
  private @Nullable List<BlobExtent> lastHead;

  private @Nullable Added last;

  /// @param uploaded in a blob of `transaction`
  public Append(
      DatasetName name,
      BlobStore store,
      DatasetOptions options,
      BatchIndexCache indexes,
      WriteTransaction transaction,
      WrittenFile uploaded) {
    this.name = name;
    this.store = store;
    this.options = options;
    this.indexes = indexes;
    this.transaction = transaction;
    this.uploaded = uploaded;
  }

  @Override
  public NextVersion applyTo(Catalog.@Nullable OpenManifest newest) throws IOException {
    if (newest == null) {
      return uploaded.version();
    }
    try (SnapshotBytes bytes = SnapshotBytes.openLazily(store, newest)) {
      StoredVersion stored = StoredVersion.of(newest.summary(), bytes, indexes);
      SchemaMatch.require(name, stored.schema(), uploaded.schema());
      return version(stored, added(stored));
    }
  }

  private Added added(StoredVersion stored) throws IOException {
    if (DictionaryFields.of(uploaded.schema()).byId().isEmpty()) {
      return asUploaded(stored, Map.of());
    }
    Added known = last;
    List<BlobExtent> head = stored.head();
    if (known != null && head.equals(lastHead) && !known.replacesStored) {
      return known;
    }
    UploadedMessages messages =
        new UploadedMessages(transaction.upload(uploaded.key()), options.limits());
    try (UnifiedDictionaries dictionaries =
        UnifiedDictionaries.of(name, stored, uploaded, messages, options, store.scratchFolder())) {
      Added made =
          dictionaries.rewritesUploaded()
              ? rewritten(stored, messages, dictionaries)
              : withDictionaries(stored, dictionaries);
      lastHead = head;
      last = made;
      return made;
    }
  }

  /// The batches of the upload where it has them.
  private Added asUploaded(StoredVersion stored, Map<Long, Located> dictionaries)
      throws IOException {
    return new Added(stored.schema(), false, uploaded, dictionaries);
  }

  /// The batches of the upload where it has them, and the dictionaries that changed.
  private Added withDictionaries(StoredVersion stored, UnifiedDictionaries dictionaries)
      throws IOException {
    Map<Long, Located> located = new HashMap<>();
    List<Long> others = new ArrayList<>();
    for (long id : dictionaries.changed()) {
      Block block = dictionaries.uploadedAs(id);
      if (block == null) {
        others.add(id);
      } else {
        located.put(id, new Located(uploaded.key(), block));
      }
    }
    if (!others.isEmpty()) {
      WrittenFile file = write(stored, dictionaries, others, _ -> {});
      file.dictionaries().forEach((id, block) -> located.put(id, new Located(file.key(), block)));
    }
    return asUploaded(stored, located);
  }

  /// The batches of the upload with the indices that they have in the dataset, and all of the
  /// dataset's when these change.
  private Added rewritten(
      StoredVersion stored, UploadedMessages messages, UnifiedDictionaries dictionaries)
      throws IOException {
    WrittenFile file =
        write(
            stored,
            dictionaries,
            dictionaries.changed(),
            writer -> {
              if (dictionaries.rewritesStored()) {
                batches(stored.messages(), BatchIndex.STORED)
                    .write(
                        stored.schema(),
                        stored.footer().recordBatches(),
                        dictionaries::storedColumns,
                        writer);
              }
              batches(messages, options.limits())
                  .write(
                      dictionaries.uploadedSchema(),
                      uploaded.recordBatches(),
                      dictionaries::uploadedColumns,
                      writer);
            });
    Map<Long, Located> located = new HashMap<>();
    file.dictionaries().forEach((id, block) -> located.put(id, new Located(file.key(), block)));
    return new Added(dictionaries.schema(), dictionaries.rewritesStored(), file, located);
  }

  private RewrittenBatches batches(MessageSource source, Limits limits) {
    return new RewrittenBatches(source, limits, store.scratchFolder());
  }

  private WrittenFile write(
      StoredVersion stored, UnifiedDictionaries dictionaries, List<Long> ids, Batches batches)
      throws IOException {
    String key = transaction.newKey();
    CanonicalWriter writer = new CanonicalWriter(key, transaction.begin(key));
    writer.writeSchema(dictionaries.schema());
    for (long id : ids) {
      dictionaries.write(id, writer);
    }
    batches.write(writer);
    return writer.finish(dictionaries.schema(), Metadata.EMPTY, level(stored));
  }

  /// How far all of the data is known to be valid.
  private Level level(StoredVersion stored) {
    Level before = stored.summary().file().level();
    Level added = uploaded.version().file().level();
    return before.compareTo(added) < 0 ? before : added;
  }

  private NextVersion version(StoredVersion stored, Added added) throws IOException {
    VersionBuilder builder = new VersionBuilder();
    if (added.replacesStored) {
      builder.addSchema(added.file);
    } else {
      builder.addSchema(stored.schemaPieces());
    }
    Map<Long, Block> storedDictionaries = stored.dictionaries();
    for (long id : DictionaryFields.of(added.schema).byId().keySet()) {
      Located changed = added.dictionaries.get(id);
      Block block = storedDictionaries.get(id);
      if (changed != null) {
        builder.addDictionary(changed.key, changed.block);
      } else if (block != null) {
        builder.addDictionary(stored.pieces(block), block);
      }
    }
    if (!added.replacesStored) {
      List<Block> batches = stored.footer().recordBatches();
      builder.addBatches(stored.pieces(batches), batches, stored.contents().rows(), 0);
    }
    builder.addBatches(added.file.key(), added.file.recordBatches(), added.file.rows());
    StoredFile file = added.file.version().file();
    Codec codec = stored.summary().file().codec();
    return builder.build(
        VersionKind.APPEND,
        added.schema,
        stored.footer().customMetadata(),
        added.replacesStored || codec == Codec.NONE ? file.codec() : codec,
        added.replacesStored ? file.mixedCodecs() : isMixed(stored, file),
        level(stored));
  }

  private static boolean isMixed(StoredVersion stored, StoredFile added) {
    boolean anyBefore =
        !stored.footer().recordBatches().isEmpty() || !stored.footer().dictionaries().isEmpty();
    boolean other =
        added.batches() > 0 && anyBefore && added.codec() != stored.summary().file().codec();
    return anyBefore && stored.summary().file().mixedCodecs() || added.mixedCodecs() || other;
  }

  /// What writes batches.
  private interface Batches {
    void write(CanonicalWriter writer) throws IOException;
  }

  /// A message of a blob.
  private record Located(String key, Block block) {}

  /// What an upload became for a version.
  ///
  /// @param schema of the version that it follows, from now on
  /// @param replacesStored whether the batches are all of the new version's
  /// @param file which has the batches
  /// @param dictionaries those that changed, by id
  private record Added(
      Schema schema, boolean replacesStored, WrittenFile file, Map<Long, Located> dictionaries) {}
}
