package dev.quiver.store.write;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Level;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.catalog.NextVersion;
import dev.quiver.store.catalog.OutdatedVersionException;
import dev.quiver.store.catalog.VersionUpdate;
import dev.quiver.store.catalog.WriteTransaction;
import dev.quiver.store.file.BatchRewriter;
import dev.quiver.store.file.CanonicalWriter;
import dev.quiver.store.file.LargeVersions;
import dev.quiver.store.file.MessageSource;
import dev.quiver.store.file.SnapshotBytes;
import dev.quiver.store.file.StoredVersion;
import dev.quiver.store.file.UploadedMessages;
import dev.quiver.store.file.VersionBuilder;
import dev.quiver.store.file.VersionCaches;
import dev.quiver.store.file.WrittenFile;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.ColumnConversion;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.SchemaMismatchException;
import dev.quiver.store.version.SchemaMismatchException.Remedy;
import dev.quiver.store.version.StoredFile;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.write.UploadOptions.SchemaPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An update that adds the record batches of an upload after the latest version's.
///
/// As a rule, it rewrites neither the stored batches nor the uploaded ones: the new version refers
/// to them where they lie. If the dataset's dictionaries give the uploaded batches other indices,
/// these batches are rewritten. If a dictionary outgrows its index type, or the dataset gets
/// columns, all batches are rewritten, once.
public final class Append implements VersionUpdate, AutoCloseable {

  private final DatasetName name;
  private final BlobStore store;
  private final DatasetOptions options;
  private final VersionCaches caches;
  private final RewriteTurns rewriteTurns;
  private final WriteTransaction transaction;
  private final SchemaPolicy policy;
  private final UploadObserver observer;

  /// The upload as it arrived.
  private final WrittenFile received;

  /// The upload in the types of the latest version that was seen.
  private WrittenFile uploaded;

  /// The columns that the latest version that was seen gets.
  private NewColumns columns;

  /// The schema into whose types the upload was converted, or null before.
  private @Nullable Schema convertedTo;

  private List<ColumnConversion> conversions = List.of();

  /// The extents before the first batch of the version for which `last` was computed.
  private @Nullable List<BlobExtent> lastHead;

  private @Nullable Added last;

  /// The stored batches that the last update has rewritten.
  private RewrittenBatches rewritten;

  /// The permission to build the version, until it is committed.
  private @Nullable Permit turn;

  /// The permission to rewrite the dataset, until the version is committed.
  private @Nullable Permit rewriteTurn;

  /// @param uploadOptions those of the upload
  /// @param uploaded the file of the upload, in a blob of `transaction`
  public Append(
      DatasetName name,
      BlobStore store,
      DatasetOptions options,
      VersionCaches caches,
      RewriteTurns rewriteTurns,
      WriteTransaction transaction,
      UploadOptions uploadOptions,
      WrittenFile uploaded) {
    this.name = name;
    this.store = store;
    this.options = options;
    this.caches = caches;
    this.rewriteTurns = rewriteTurns;
    this.transaction = transaction;
    this.policy = uploadOptions.schemaPolicy();
    this.observer = uploadOptions.observer();
    this.received = uploaded;
    this.uploaded = uploaded;
    this.columns = NewColumns.none(uploaded.schema(), uploaded.schema());
    this.rewritten = RewrittenBatches.none(uploaded.schema());
  }

  @Override
  public NextVersion applyTo(Catalog.@Nullable OpenManifest newest) throws IOException {
    if (newest == null) {
      uploaded = received;
      convertedTo = null;
      return received.version();
    }
    long batches = newest.summary().file().batches() + received.version().file().batches();
    if (turn == null) {
      turn = LargeVersions.await(batches);
    }
    try (SnapshotBytes bytes = SnapshotBytes.openLazily(store, newest, caches)) {
      StoredVersion stored = StoredVersion.of(newest.summary(), bytes, caches);
      convertTo(stored.schema(), batches);
      awaitRewriteTurn(batches);
      return version(stored, added(stored)).converting(conversions);
    }
  }

  /// Waits for a turn to rewrite the dataset if it gets columns.
  ///
  /// @param batches the number of record batches of the next version
  /// @throws OutdatedVersionException if others have rewritten it meanwhile
  private void awaitRewriteTurn(long batches) throws IOException {
    if (columns.count() == 0 || rewriteTurn != null) {
      return;
    }
    observer.beginRewrite();
    // One that has this turn may need the other.
    leave();
    RewriteTurns.Turn next = rewriteTurns.await(name);
    rewriteTurn = next.permit();
    if (next.waited()) {
      throw new OutdatedVersionException();
    }
    turn = LargeVersions.await(batches);
  }

  @Override
  public void close() {
    leave();
    if (rewriteTurn != null) {
      rewriteTurn.close();
      rewriteTurn = null;
    }
  }

  private void leave() {
    if (turn != null) {
      turn.close();
      turn = null;
    }
  }

  /// Converts the upload to the types of a version, unless it has them.
  ///
  /// @param batches the number of record batches of the next version
  private void convertTo(Schema stored, long batches) throws IOException {
    Schema schema = received.schema();
    columns =
        policy.addsColumns()
            ? NewColumns.of(name, stored, schema, options.limits())
            : NewColumns.none(stored, schema);
    if (policy.exactTypes()) {
      requireExact(stored);
    }
    if (!columns.schema().equals(convertedTo)) {
      uploaded = received;
      conversions = List.of();
      last = null;
      if (!SchemaMatch.isSame(columns.schema(), schema)) {
        // Other large versions are built meanwhile, and this one may be large itself.
        leave();
        ColumnCasts casts = ColumnCasts.of(name, columns, schema);
        uploaded = ConvertedRows.write(name, casts, received, store, options, transaction);
        conversions = casts.conversions();
        turn = LargeVersions.await(batches);
      }
      convertedTo = columns.schema();
    }
  }

  /// @throws SchemaMismatchException if the upload does not have the types of a version, with the
  ///   remedy to convert it only if it would then be appended
  private void requireExact(Schema stored) throws IOException {
    SchemaMatch match = SchemaMatch.of(stored, columns.common());
    if (match.isSame()) {
      return;
    }
    ColumnCasts casts;
    try {
      casts = ColumnCasts.of(name, columns, received.schema());
    } catch (SchemaMismatchException e) {
      throw match.mismatch(name, e.remedy());
    }
    // Other large versions are built meanwhile.
    leave();
    boolean converts =
        !casts.hasOrderedDictionary()
            && ConvertedRows.converts(name, casts, received, store, options, transaction);
    throw match.mismatch(name, converts ? Remedy.CONVERT : Remedy.DATA);
  }

  private Added added(StoredVersion stored) throws IOException {
    if (columns.count() == 0 && DictionaryFields.of(uploaded.schema()).byId().isEmpty()) {
      return asUploaded(stored, Map.of());
    }
    Added previous = last;
    List<BlobExtent> head = stored.head();
    if (previous != null && head.equals(lastHead) && !previous.replacesStored) {
      return previous;
    }
    UploadedMessages messages =
        UploadedMessages.of(transaction.upload(uploaded.key()), uploaded, options.limits());
    try (AppendDictionaries dictionaries =
        AppendDictionaries.of(
            name, stored, columns.schema(), uploaded, messages, options, store.scratchFolder())) {
      Added added =
          dictionaries.rewritesUploaded()
              ? rewritten(stored, messages, dictionaries)
              : withDictionaries(stored, dictionaries);
      lastHead = head;
      last = added;
      return added;
    }
  }

  /// Adds the uploaded batches where they lie.
  private Added asUploaded(StoredVersion stored, Map<Long, Located> dictionaries)
      throws IOException {
    return new Added(
        stored.schema(), RewrittenBatches.none(stored.schema()), false, uploaded, dictionaries);
  }

  /// Adds the uploaded batches where they lie, and the dictionaries that changed.
  private Added withDictionaries(StoredVersion stored, AppendDictionaries dictionaries)
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

  /// Rewrites the uploaded batches with the indices of the dataset, and the stored batches if their
  /// indices change or they get columns.
  private Added rewritten(
      StoredVersion stored, UploadedMessages messages, AppendDictionaries dictionaries)
      throws IOException {
    boolean replacesStored = dictionaries.rewritesStored();
    if (replacesStored) {
      observer.beginRewrite();
    }
    RewrittenBatches before = rewritten.in(stored, dictionaries.schema());
    List<Block> batches = stored.footer().recordBatches();
    WrittenFile file =
        write(
            stored,
            dictionaries,
            dictionaries.changed(),
            writer -> {
              if (replacesStored) {
                rewriter(stored, Limits.ACCEPTED)
                    .write(
                        stored.schema(),
                        batches.subList(before.count(), batches.size()),
                        dictionaries.storedChange(),
                        writer);
              }
              rewriter(messages, options.limits())
                  .write(
                      dictionaries.uploadedSchema(),
                      uploaded.recordBatches(),
                      dictionaries::uploadedColumns,
                      writer);
            });
    Map<Long, Located> located = new HashMap<>();
    file.dictionaries().forEach((id, block) -> located.put(id, new Located(file.key(), block)));
    if (replacesStored) {
      rewritten = before.followedBy(file, stored);
    }
    return new Added(dictionaries.schema(), before, replacesStored, file, located);
  }

  private BatchRewriter rewriter(MessageSource source, Limits limits) {
    return new BatchRewriter(source, limits, store.scratchFolder());
  }

  private WrittenFile write(
      StoredVersion stored, AppendDictionaries dictionaries, List<Long> ids, Batches batches)
      throws IOException {
    String key = transaction.newKey();
    CanonicalWriter writer = new CanonicalWriter(key, transaction.begin(key));
    writer.writeSchema(dictionaries.schema());
    for (long id : ids) {
      dictionaries.write(id, writer);
    }
    batches.write(writer);
    WrittenFile file = writer.finish(dictionaries.schema(), Metadata.EMPTY, level(stored));
    transaction.addSidecar(key, file.sidecar());
    return file;
  }

  /// Returns the level at which all of the data is known to be valid.
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
    if (added.replacesStored) {
      added.rewritten.addTo(builder);
    } else {
      List<Block> batches = stored.footer().recordBatches();
      builder.addBatches(stored.pieces(batches), batches, stored.rows(), 0);
    }
    builder.addBatches(added.file.key(), added.file.recordBatches(), added.file.rows());
    StoredFile file = added.file.version().file();
    Codec codec = stored.summary().file().codec();
    return builder.build(
        columns.count() == 0 ? VersionKind.APPEND : VersionKind.EXTEND,
        added.schema,
        stored.footer().customMetadata(),
        codec == Codec.NONE ? file.codec() : codec,
        isMixed(stored, file),
        level(stored));
  }

  private static boolean isMixed(StoredVersion stored, StoredFile added) {
    boolean anyBefore =
        !stored.footer().recordBatches().isEmpty() || !stored.footer().dictionaries().isEmpty();
    boolean otherCodec =
        added.batches() > 0 && anyBefore && added.codec() != stored.summary().file().codec();
    return anyBefore && stored.summary().file().mixedCodecs() || added.mixedCodecs() || otherCodec;
  }

  /// A source of batches for a writer.
  private interface Batches {
    void write(CanonicalWriter writer) throws IOException;
  }

  /// A message of a blob.
  private record Located(String key, Block block) {}

  /// An upload in the form in which it is added to a version.
  ///
  /// @param schema the schema of the new version
  /// @param rewritten the first batches of the new version if it replaces those that were stored
  /// @param replacesStored whether `rewritten` and `file` have all batches of the new version
  /// @param file the file with the other batches
  /// @param dictionaries the changed ones by id
  private record Added(
      Schema schema,
      RewrittenBatches rewritten,
      boolean replacesStored,
      WrittenFile file,
      Map<Long, Located> dictionaries) {}
}
