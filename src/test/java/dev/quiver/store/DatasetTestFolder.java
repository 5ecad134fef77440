package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.ByteRange;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Datasets in a folder, with short methods to write and read one of them. Uploads preserve their
/// batches unless other options are given.
public final class DatasetTestFolder {

  public static final DatasetName NAME = new DatasetName("data");

  private final Path folder;
  public final BlobStore store;
  public final Datasets datasets;

  public DatasetTestFolder(Path folder) throws IOException {
    this(folder, DatasetOptions.DEFAULT);
  }

  public DatasetTestFolder(Path folder, Limits limits) throws IOException {
    this(folder, new DatasetOptions(limits, DatasetOptions.DEFAULT.requestBytes()));
  }

  public DatasetTestFolder(Path folder, DatasetOptions options) throws IOException {
    this.folder = folder;
    this.store = FolderBlobStore.open(folder);
    this.datasets = new Datasets(store, options);
  }

  /// Stores columns of values as a dataset with one record batch.
  public static void put(
      Datasets datasets,
      String name,
      Schema schema,
      long rowCount,
      List<List<@Nullable Object>> columns)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      RecordBatch batch = new ArrayBuilder(arena).recordBatch(schema, rowCount, columns);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      StreamWriter writer =
          new StreamWriter(
              part -> bytes.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)), schema, Codec.NONE);
      writer.write(batch);
      writer.close();
      ByteSource stream = ByteSource.of(MemorySegment.ofArray(bytes.toByteArray()));
      datasets.put(
          DatasetName.parseNew(name), stream, BodyFormat.STREAM, new WriteCondition.None());
    }
  }

  public VersionSummary put(byte[] body) throws IOException {
    return put(body, BodyFormat.UNKNOWN);
  }

  public VersionSummary put(byte[] body, BodyFormat format) throws IOException {
    return put(body, format, UploadOptions.KEEP);
  }

  public VersionSummary put(byte[] body, UploadOptions uploadOptions) throws IOException {
    return put(body, BodyFormat.UNKNOWN, uploadOptions);
  }

  VersionSummary put(byte[] body, BodyFormat format, UploadOptions uploadOptions)
      throws IOException {
    ByteSource source = ByteSource.of(MemorySegment.ofArray(body));
    return datasets
        .put(
            NAME,
            UploadData.Source.of(source, format),
            new WriteCondition.None(),
            uploadOptions,
            /* key= */ null)
        .summary();
  }

  public Snapshot open() throws IOException {
    return datasets.open(new DatasetReference(NAME, null));
  }

  /// Returns the IPC file of the latest version.
  public byte[] file() throws IOException {
    try (Snapshot snapshot = open()) {
      byte[] file = read(snapshot, snapshot.file());
      requireChecksum(snapshot.checksums().file(), file);
      return file;
    }
  }

  /// Returns the IPC stream of the latest version.
  public byte[] stream() throws IOException {
    try (Snapshot snapshot = open()) {
      byte[] stream = read(snapshot, snapshot.stream());
      requireChecksum(snapshot.checksums().stream(), stream);
      return stream;
    }
  }

  /// Checks that the checksum of a version written here is known, and that it is right.
  private static void requireChecksum(@Nullable Integer found, byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    assertThat(found).isEqualTo((int) checksum.getValue());
  }

  public static byte[] read(Snapshot snapshot, ByteRange range) throws IOException {
    Bytes bytes = new Bytes();
    snapshot.read(range, bytes);
    return bytes.toByteArray();
  }

  /// Returns the keys of the blobs with data, without their sidecars.
  public static List<String> dataKeys(BlobStore store) throws IOException {
    return store.list("data/", null, 100_000).stream()
        .filter(key -> key.endsWith(".arrow"))
        .toList();
  }

  public List<String> dataKeys() throws IOException {
    return dataKeys(store);
  }

  /// Checks that neither blobs nor temporary files are left.
  public void assertEmpty() throws IOException {
    assertThat(store.list("", null, 10)).isEmpty();
    assertNoTemporaryFiles();
  }

  public void assertNoTemporaryFiles() throws IOException {
    try (var files = Files.list(folder.resolve("tmp"))) {
      assertThat(files).isEmpty();
    }
  }
}
