package dev.quiver.store.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.Version4;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.formats.UploadData;
import dev.quiver.store.DatasetLists;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.Datasets;
import dev.quiver.store.SampleStreams;
import dev.quiver.store.UnreliableStore;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.catalog.WriteTransaction;
import dev.quiver.store.catalog.Writer;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DamagedDatasetException;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The import of one file: when it becomes a version, and when it is linked rather than copied.
/// `FolderImportTest` covers the choice of files, the client suite files of pyarrow and Polars.
class FileImportTest {

  private static final DatasetName NAME = DatasetTestFolder.NAME;

  @TempDir private Path folder;
  private Path file;
  private DatasetTestFolder data;

  @BeforeEach
  void open() throws IOException {
    file = folder.resolve("data.arrow");
    data = new DatasetTestFolder(folder.resolve("store"));
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void linksACanonicalFile(Codec codec) throws IOException {
    byte[] bytes = file(codec, 3, 0, 20);
    replace(bytes);

    ImportResult.Imported imported = imported();

    assertThat(imported.linked()).isTrue();
    assertThat(imported.damaged()).isZero();
    assertThat(imported.written().created()).isTrue();
    assertThat(imported.written().summary().file().rows()).isEqualTo(23);
    assertThat(Files.isSameFile(lastBlob(), file)).isTrue();
    assertThat(file).hasBinaryContent(bytes);
    assertThat(data.stream()).isEqualTo(SampleStreams.stream(codec, 3, 0, 20));
    data.assertNoTemporaryFiles();
  }

  /// Both have a new footer in place of the file's own.
  @Test
  void servesALinkedFileLikeAnUploadedOne() throws IOException {
    byte[] bytes = file(Codec.NONE, 3, 4);
    replace(bytes);
    imported();
    byte[] served = data.file();

    data.put(bytes);

    assertThat(served).isEqualTo(data.file()).isNotEqualTo(bytes);
    assertThat(new String(served, StandardCharsets.ISO_8859_1))
        .contains("{\"record_batch_cum_len\":[3,7]}");
  }

  /// Files of Polars have no schema message that could begin a stream.
  @Test
  void linksAFileWhoseSchemaMessageIsNotCanonical() throws IOException {
    byte[] bytes = file(Codec.NONE, 3, 4);
    bytes[8] = 0;
    replace(bytes);

    assertThat(imported().linked()).isTrue();

    assertThat(data.stream()).isEqualTo(SampleStreams.stream(3, 4));
    List<String> keys = data.dataKeys();
    assertThat(keys).hasSize(2);
    Path link = null;
    for (String key : keys) {
      Path lastBlob = Objects.requireNonNull(data.store.localPath(key));
      if (Files.isSameFile(lastBlob, file)) {
        link = lastBlob;
      } else {
        byte[] head = Files.readAllBytes(lastBlob);
        FileReader reader =
            new FileReader(MemorySegment.ofArray(head), Limits.DEFAULT, Arena.ofAuto());
        assertThat(reader.schema()).isEqualTo(SampleStreams.SCHEMA);
        assertThat(reader.batchCount()).isZero();
      }
    }
    assertThat(link).isNotNull();
    data.assertNoTemporaryFiles();
    append();
    assertThat(data.stream()).isEqualTo(SampleStreams.stream(3, 4, 2));
  }

  /// Polars writes such files, with unused bytes between messages.
  @Test
  void linksAFileWithReorderedMessages() throws IOException {
    byte[] bytes = reordered(file(Codec.ZSTD, 3, 4));
    replace(bytes);
    ImportResult.Imported imported = imported();
    assertThat(imported.linked()).isTrue();
    assertThat(data.stream()).isEqualTo(SampleStreams.stream(Codec.ZSTD, 3, 4));
    byte[] served = data.file();
    data.put(bytes);
    assertThat(served).isEqualTo(data.file());
  }

  @Test
  void copiesAStream() throws IOException {
    byte[] stream = SampleStreams.stream(3, 4);
    replace(stream);
    ImportResult.Imported imported = imported();
    byte[] served = data.stream();

    assertThat(imported.linked()).isFalse();
    assertThat(imported.written().summary().file().batches()).isEqualTo(1);
    assertThat(file).hasBinaryContent(stream);
    data.put(stream, UploadOptions.DEFAULT);
    assertThat(served).isEqualTo(data.stream());
  }

  /// The first message that differs is the schema in one file, and a later batch in the other.
  @Test
  void rewritesAFileWithNonCanonicalMessages() throws IOException {
    byte[] canonical = file(Codec.NONE, 3, 4);
    byte[] differs = canonical.clone();
    int lastBatch = indexOfLastBatch(canonical);
    byte[] version4 = version4(canonical);
    System.arraycopy(version4, lastBatch, differs, lastBatch, canonical.length - lastBatch);
    assertThat(differs).isNotEqualTo(canonical).isNotEqualTo(version4);

    for (byte[] other : List.of(version4, differs)) {
      replace(other);
      assertThat(imported().linked()).isFalse();
      assertThat(file).hasBinaryContent(other);
      assertThat(data.stream()).isEqualTo(SampleStreams.stream(3, 4));
      assertThat(lastBlob()).hasBinaryContent(data.file());
    }
  }

  @Test
  void copiesAFileIfTheStoreCannotLinkIt() throws IOException {
    BlobStore unlinked = new UnreliableStore(data.store);
    byte[] bytes = file(Codec.NONE, 3, 4);
    replace(bytes);

    ImportResult result =
        new Datasets(unlinked, DatasetOptions.DEFAULT).importFile(NAME, seen(), null);

    assertThat(result).isInstanceOf(ImportResult.Imported.class);
    assertThat(((ImportResult.Imported) result).linked()).isFalse();
    assertThat(Files.isSameFile(lastBlob(), file)).isFalse();
    assertThat(lastBlob()).hasBinaryContent(bytes);
    assertThat(data.stream()).isEqualTo(SampleStreams.stream(3, 4));
    data.assertNoTemporaryFiles();
  }

  @Test
  void importsAnUnchangedFileOnce() throws IOException {
    replace(file(Codec.NONE, 3));
    imported();

    assertThat(run()).isEqualTo(new ImportResult.Unchanged());
    assertThat(run(new DatasetTestFolder(folder.resolve("store")).datasets))
        .isEqualTo(new ImportResult.Unchanged());
    assertThat(DatasetLists.versions(data.datasets, NAME, null, 10)).hasSize(1);
  }

  @Test
  void importsAReplacedFileAsANewVersion() throws IOException {
    replace(file(Codec.NONE, 3));
    imported();
    replace(file(Codec.NONE, 5));

    ImportResult.Imported imported = imported();

    assertThat(imported.linked()).isTrue();
    assertThat(imported.damaged()).isZero();
    assertThat(imported.written().created()).isFalse();
    assertThat(data.stream()).isEqualTo(SampleStreams.stream(5));
    try (Snapshot first = data.datasets.open(new DatasetReference(NAME, 1L))) {
      assertThat(DatasetTestFolder.read(first, first.stream())).isEqualTo(SampleStreams.stream(3));
    }
  }

  @Test
  void namesTheVersionDamagedByAChangeInPlace() throws IOException {
    replace(file(Codec.NONE, 3));
    imported();
    append();
    Files.write(file, file(Codec.NONE, 5));
    Files.setLastModifiedTime(file, later());
    for (String reference : List.of("data@1", "data@2", "data")) {
      assertThatThrownBy(() -> data.datasets.open(DatasetReference.parse(reference)))
          .isInstanceOf(DamagedDatasetException.class)
          .hasMessage(
              "Expected the file data.arrow as it was imported but found it changed in place at "
                  + (reference.equals("data") ? "data@2" : reference));
    }
    assertThatThrownBy(this::append).isInstanceOf(DamagedDatasetException.class);
    data.assertNoTemporaryFiles();

    ImportResult.Imported imported = imported();

    assertThat(imported.damaged()).isEqualTo(1);
    assertThat(imported.linked()).isFalse();
    assertThat(imported.written().summary().version()).isEqualTo(3);
    assertThat(data.stream()).isEqualTo(SampleStreams.stream(5));
    assertThat(lastBlob()).hasBinaryContent(data.file());

    replace(file(Codec.NONE, 6));
    assertThat(imported().damaged()).isZero();
  }

  /// A store restored from a backup may have other modification times.
  @Test
  void readsALinkWithAnyModificationTimeOnceTheFileIsDeleted() throws IOException {
    replace(file(Codec.NONE, 3));
    imported();
    Path lastBlob = lastBlob();
    Files.setLastModifiedTime(file, later());
    assertThatThrownBy(() -> data.stream()).isInstanceOf(DamagedDatasetException.class);

    Files.delete(file);
    assertThat(data.stream()).isEqualTo(SampleStreams.stream(3));

    Files.write(lastBlob, new byte[1], StandardOpenOption.APPEND);
    assertThatThrownBy(() -> data.stream()).isInstanceOf(DamagedDatasetException.class);
  }

  @Test
  void readsAnUploadThatReplacedADamagedLink() throws IOException {
    replace(file(Codec.NONE, 3));
    imported();
    data.put(SampleStreams.stream(8));
    Files.setLastModifiedTime(file, later());
    assertThat(data.stream()).isEqualTo(SampleStreams.stream(8));
  }

  @Test
  void keepsLaterWritesUntilTheFileChanges() throws IOException {
    replace(file(Codec.NONE, 3));
    imported();
    data.put(SampleStreams.stream(8));
    assertThat(run()).isEqualTo(new ImportResult.Unchanged());
    append();
    assertThat(run()).isEqualTo(new ImportResult.Unchanged());

    replace(file(Codec.NONE, 5));
    assertThat(imported().written().summary().version()).isEqualTo(4);
  }

  @Test
  void keepsADeleteUntilTheFileChanges() throws IOException {
    replace(file(Codec.NONE, 3));
    imported();
    data.datasets.delete(NAME, new WriteCondition.None());
    assertThat(run()).isEqualTo(new ImportResult.Unchanged());

    replace(file(Codec.NONE, 5));
    assertThat(imported().written().created()).isTrue();
    assertThat(data.stream()).isEqualTo(SampleStreams.stream(5));
  }

  @Test
  void doesNotRecreateADatasetDeletedDuringTheImport() throws IOException {
    replace(SampleStreams.stream(3));
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
    BlobStore store =
        meanwhile(() -> {
          data.put(SampleStreams.stream(8));
          data.datasets.delete(NAME, new WriteCondition.None());
        });

    ImportResult result = run(new Datasets(store, DatasetOptions.DEFAULT));

    assertThat(result)
        .isInstanceOfSatisfying(
            ImportResult.Older.class,
            older -> {
              assertThat(older.newest().version()).isEqualTo(2);
              assertThat(older.newest().kind()).isEqualTo(VersionKind.DELETE);
            });
    assertDeleted();
  }

  @Test
  void doesNotRecreateADatasetImportedElsewhereAndDeletedDuringTheImport() throws IOException {
    replace(SampleStreams.stream(2));
    imported();
    data.datasets.delete(NAME, new WriteCondition.None());
    replace(SampleStreams.stream(3));
    BlobStore store =
        meanwhile(() -> {
          imported();
          data.datasets.delete(NAME, new WriteCondition.None());
        });

    assertThat(run(new Datasets(store, DatasetOptions.DEFAULT)))
        .isEqualTo(new ImportResult.Unchanged());

    assertDeleted();
  }

  @Test
  void keepsADatasetThatIsNewerThanItsFile() throws IOException {
    replace(file(Codec.NONE, 3));
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
    VersionSummary latest = data.put(SampleStreams.stream(8));
    assertThat(run()).isEqualTo(new ImportResult.Older(latest));

    Files.setLastModifiedTime(file, later());
    assertThat(imported().written().summary().version()).isEqualTo(2);
  }

  @Test
  void skipsAFileThatChangedSinceItWasListed() throws IOException {
    replace(file(Codec.NONE, 3));
    ListedFile before = seen();
    replace(file(Codec.NONE, 5));

    assertThat(data.datasets.importFile(NAME, before, null)).isEqualTo(new ImportResult.Changed());
    Files.delete(file);
    assertThat(data.datasets.importFile(NAME, before, null)).isEqualTo(new ImportResult.Changed());
    data.assertEmpty();
  }

  /// The metadata is read to decide that the messages can stay in place, and again to record them.
  @Test
  void reportsAFileThatIsChangedInPlaceBetweenTheReadingsOfItsMetadata() throws IOException {
    byte[] bytes = file(Codec.NONE, 20);
    byte[] changed = withUnknownNullCount(bytes, 20, 4);
    // Only a file with another start is given a blob between the two readings.
    bytes[8] = 0;
    replace(bytes);
    BlobStore store =
        meanwhile(() -> {
          Files.write(file, changed, StandardOpenOption.WRITE);
          Files.setLastModifiedTime(file, later());
        });

    assertThat(run(new Datasets(store, DatasetOptions.DEFAULT)))
        .isEqualTo(new ImportResult.Changed());

    data.assertEmpty();
  }

  /// The target has the size and the time of the listed file, as someone would choose it who wants
  /// to read a file that only the service can read.
  @Test
  void followsNoLinkThatReplacesTheFile() throws IOException {
    replace(file(Codec.NONE, 3));
    ListedFile listed = seen();
    Path outside = outside();
    Files.delete(file);
    Files.createSymbolicLink(file, outside);

    assertThat(data.datasets.importFile(NAME, listed, null)).isEqualTo(new ImportResult.Changed());
    data.assertEmpty();
  }

  @Test
  void followsNoLinkThatReplacesAFolder() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    replace(file(Codec.NONE, 3));
    Path outside = outside();
    Files.move(file, inner.resolve("data.arrow"));
    file = inner.resolve("data.arrow");
    ListedFile listed = seen();
    Files.move(inner, folder.resolve("moved"));
    Files.createSymbolicLink(inner, outside.getParent());

    assertThat(data.datasets.importFile(NAME, listed, null)).isEqualTo(new ImportResult.Changed());
    data.assertEmpty();
  }

  /// Not even if the folder has its place again whenever the file is looked at.
  @Test
  void opensNoFileThroughALink() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    replace(file(Codec.NONE, 3));
    Path outside = outside();
    Files.move(file, inner.resolve("data.arrow"));
    file = inner.resolve("data.arrow");
    ListedFile listed = seen();
    Files.move(inner, folder.resolve("moved"));
    Files.createSymbolicLink(inner, outside.getParent());

    assertThatThrownBy(listed::open).isInstanceOf(IOException.class);
  }

  @Test
  void keepsNoLinkAsABlob() throws IOException {
    replace(file(Codec.NONE, 3));
    ListedFile listed = seen();
    Path outside = outside();
    Files.createDirectory(folder.resolve("store/data"));
    BlobStore store =
        new UnreliableStore(data.store) {
          @Override
          public boolean link(String key, Path path) throws IOException {
            Files.delete(file);
            Files.createSymbolicLink(file, outside);
            assertThatThrownBy(() -> data.store.link(key, path)).isInstanceOf(IOException.class);
            Path blob = Objects.requireNonNull(data.store.localPath(key));
            assertThat(Files.exists(blob, LinkOption.NOFOLLOW_LINKS)).isFalse();
            return false;
          }
        };
    assertThat(new Datasets(store, DatasetOptions.DEFAULT).importFile(NAME, listed, null))
        .isEqualTo(new ImportResult.Changed());
    data.assertEmpty();
  }

  /// Returns another file with the size and the time of the file, outside of its folder.
  private Path outside() throws IOException {
    Path elsewhere = Files.createDirectories(folder.resolveSibling(folder.getFileName() + "-out"));
    Path outside = Files.copy(file, elsewhere.resolve("data.arrow"));
    Files.setLastModifiedTime(outside, Files.getLastModifiedTime(file));
    return outside;
  }

  /// A read past the end of the file must not end the process.
  @Test
  void survivesAFileTruncatedDuringItsImport() throws IOException {
    replace(file(Codec.NONE, 100_000));
    Catalog catalog =
        new Catalog(data.store, InstantSource.system(), Duration.ZERO, Retention.DEFAULT);
    try (WriteTransaction transaction =
            catalog.begin(NAME, new WriteCondition.None(), null, Writer.SERVICE);
        HardLinkedFile linked =
            HardLinkedFile.of(data.store, transaction.newKey(), file, FileChannel.open(file))) {
      Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 100));
      assertThatThrownBy(() ->
              Ingest.ingest(
                  linked,
                  /* mayLink= */ true,
                  data.store,
                  DatasetOptions.DEFAULT,
                  transaction,
                  new Warnings()))
          .isInstanceOf(InternalError.class);
    }
    data.assertEmpty();
  }

  @Test
  void rejectsAFileWithTheMessageOfAnUpload() throws IOException {
    byte[] bytes = file(Codec.NONE, 3);
    replace(Arrays.copyOf(bytes, 12));
    assertThatThrownBy(this::run)
        .isInstanceOf(TruncatedInputException.class)
        .hasMessage("Expected a file of at least 18 bytes but found 12 bytes at byte offset 12");
    data.assertEmpty();
  }

  @Test
  void concurrentImportsWriteOneVersion() throws Exception {
    for (int round = 1; round <= 5; round++) {
      replace(file(Codec.NONE, round));
      List<Callable<ImportResult>> imports = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Datasets replica = new DatasetTestFolder(folder.resolve("store")).datasets;
        imports.add(() -> run(replica));
      }
      int versions = 0;
      try (var threads = Executors.newFixedThreadPool(8)) {
        for (Future<ImportResult> result : threads.invokeAll(imports)) {
          versions += result.get() instanceof ImportResult.Imported ? 1 : 0;
        }
      }
      assertThat(versions).isEqualTo(1);
      assertThat(DatasetLists.versions(data.datasets, NAME, null, 10)).hasSize(round);
      assertThat(data.dataKeys()).hasSize(round);
    }
  }

  /// Replaces the file atomically by a new one.
  private void replace(byte[] bytes) throws IOException {
    Path other = Files.write(folder.resolve("new"), bytes);
    Files.move(other, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /// Returns the store of another process, in which something happens before the first blob is
  /// begun.
  private BlobStore meanwhile(UnreliableStore.Interruption interruption) {
    return new UnreliableStore(data.store) {

      private boolean interrupted;

      @Override
      public BlobUpload begin(String key) throws IOException {
        if (!interrupted) {
          interrupted = true;
          interruption.run();
        }
        return super.begin(key);
      }
    };
  }

  private void append() throws IOException {
    data.datasets.append(
        NAME,
        UploadData.Source.of(
            ByteSource.of(MemorySegment.ofArray(SampleStreams.stream(2))), BodyFormat.STREAM),
        new WriteCondition.None(),
        UploadOptions.KEEP,
        /* key= */ null);
  }

  /// Checks that the dataset is deleted, and that the import has left nothing temporary.
  private void assertDeleted() throws IOException {
    assertThatThrownBy(data::open).isInstanceOf(DatasetGoneException.class);
    data.assertNoTemporaryFiles();
  }

  private static FileTime later() {
    return FileTime.from(Instant.now().plus(Duration.ofMinutes(1)));
  }

  private ListedFile seen() throws IOException {
    Path real = folder.toRealPath();
    return ListedFile.of(
        real,
        real.resolve(folder.relativize(file)),
        "data.arrow",
        Files.readAttributes(file, BasicFileAttributes.class));
  }

  private ImportResult.Imported imported() throws IOException {
    ImportResult result = run();
    assertThat(result).isInstanceOf(ImportResult.Imported.class);
    return (ImportResult.Imported) result;
  }

  private ImportResult run() throws IOException {
    return run(data.datasets);
  }

  private ImportResult run(Datasets datasets) throws IOException {
    return datasets.importFile(NAME, seen(), null);
  }

  /// Returns the data blob that was written last.
  private Path lastBlob() throws IOException {
    List<String> keys = data.dataKeys();
    return Objects.requireNonNull(data.store.localPath(Collections.max(keys)));
  }

  /// Returns the file with its batches in reverse, followed by its dictionaries, and without a
  /// schema message. The footer keeps the order of the batches.
  private static byte[] reordered(byte[] file) throws IOException {
    FileReader reader = new FileReader(MemorySegment.ofArray(file), Limits.DEFAULT, Arena.ofAuto());
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeFileHeader();
    writer.write(MemorySegment.ofArray(new byte[24]));
    List<Block> batches = new ArrayList<>();
    for (Block block : reader.footer().recordBatches().reversed()) {
      batches.addFirst(moved(file, block, writer));
    }
    List<Block> dictionaries = new ArrayList<>();
    for (Block block : reader.footer().dictionaries()) {
      dictionaries.add(moved(file, block, writer));
    }
    writer.writeEndOfStream();
    writer.writeFooter(
        new Footer(MetadataVersion.V5, reader.schema(), dictionaries, batches, Metadata.EMPTY));
    return bytes.toByteArray();
  }

  private static Block moved(byte[] file, Block block, MessageWriter writer) throws IOException {
    Block moved = new Block(writer.position(), block.metaDataLength(), block.bodyLength());
    writer.write(
        MemorySegment.ofArray(file)
            .asSlice(block.offset(), block.metaDataLength() + block.bodyLength()));
    return moved;
  }

  /// Replaces the null count of an array by -1, so that its batch has to be rewritten.
  private static byte[] withUnknownNullCount(byte[] file, long length, long nullCount) {
    byte[] changed = file.clone();
    for (int i = 0; i <= changed.length - 2 * Long.BYTES; i += Long.BYTES) {
      if (LittleEndian.getInt64(changed, i) == length
          && LittleEndian.getInt64(changed, i + Long.BYTES) == nullCount) {
        LittleEndian.setInt64(changed, i + Long.BYTES, -1);
        return changed;
      }
    }
    throw new AssertionError("The file has no such array");
  }

  private static byte[] version4(byte[] file) throws IOException {
    byte[] changed = file.clone();
    byte[] stream = Version4.of(Arrays.copyOfRange(file, 8, file.length));
    System.arraycopy(stream, 0, changed, 8, stream.length);
    return changed;
  }

  private static int indexOfLastBatch(byte[] file) {
    for (int i = file.length / 8 * 8 - 8; i >= 0; i -= 8) {
      // The end-of-stream marker is a message of no bytes; the one before it is the batch.
      MemorySegment bytes = MemorySegment.ofArray(file);
      if (LittleEndian.getInt32(bytes, i) == -1 && LittleEndian.getInt32(bytes, i + 4) != 0) {
        return i;
      }
    }
    throw new AssertionError("The file has no message");
  }

  private static byte[] file(Codec codec, int... rows) throws IOException {
    Bytes bytes = new Bytes();
    FileWriter writer = new FileWriter(bytes, SampleStreams.SCHEMA, codec);
    ArrayBuilder builder = SampleStreams.builder();
    for (int count : rows) {
      writer.write(SampleStreams.batch(builder, count));
    }
    writer.close(Metadata.EMPTY);
    return bytes.toByteArray();
  }
}
