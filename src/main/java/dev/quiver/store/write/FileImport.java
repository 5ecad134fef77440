package dev.quiver.store.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.catalog.NextVersion;
import dev.quiver.store.catalog.WriteTransaction;
import dev.quiver.store.catalog.Writer;
import dev.quiver.store.file.WrittenFile;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.ImportSource;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Imports a file as the latest version of a dataset, at most once. The summaries of that version
/// and of later ones name the file, so any other import of it, concurrent or later, notices.
public final class FileImport {

  private static final Logger LOG = System.getLogger(FileImport.class.getName());

  private static final long READ_BYTE_SIZE_MAXIMUM = 1 << 20;

  private final BlobStore store;
  private final DatasetOptions options;
  private final Catalog catalog;
  private final DatasetName name;
  private final ListedFile file;

  /// Null if the file is Arrow data.
  private final @Nullable RowSource rows;

  /// The result if nothing is left to do, or else null.
  private @Nullable ImportResult done;

  /// @param rows the reader of the file, or null if it is Arrow data
  public FileImport(
      BlobStore store,
      DatasetOptions options,
      Catalog catalog,
      DatasetName name,
      ListedFile file,
      @Nullable RowSource rows) {
    this.store = store;
    this.options = options;
    this.catalog = catalog;
    this.name = name;
    this.file = file;
    this.rows = rows;
  }

  public ImportResult run() throws IOException {
    VersionSummary newest = catalog.newest(name);
    done = done(newest);
    if (done != null) {
      return done;
    }
    try {
      return write(newest);
    } catch (NoSuchFileException | ChangedFileException e) {
      return new ImportResult.Changed();
    } catch (RuntimeException | InternalError e) {
      // A file that changes while it is read can break any assumption about it. If it was
      // truncated, the part past its new end is still mapped but unreadable.
      if (file.isAt(file.path())) {
        throw e;
      }
      LOG.log(Level.DEBUG, "A file that changed could not be imported: " + file.path(), e);
      return new ImportResult.Changed();
    }
  }

  /// Returns the result if nothing is left to do, and null otherwise.
  private @Nullable ImportResult done(@Nullable VersionSummary newest) {
    if (newest == null) {
      return null;
    }
    ImportSource imported = newest.source();
    if (imported != null) {
      return imported.file().equals(file.source()) ? new ImportResult.Unchanged() : null;
    }
    return file.source().modifiedAt().isAfter(newest.committedAt())
        ? null
        : new ImportResult.Older(newest);
  }

  private ImportResult write(@Nullable VersionSummary newest) throws IOException {
    long damaged = damaged(newest);
    try (WriteTransaction transaction =
        catalog.begin(name, new WriteCondition.None(), null, Writer.IMPORT)) {
      return rows == null
          ? writeArrow(transaction, damaged)
          : writeRows(transaction, rows, damaged);
    }
  }

  private ImportResult writeArrow(WriteTransaction transaction, long damaged) throws IOException {
    Warnings warnings = new Warnings();
    try (HardLinkedFile linked = open(transaction)) {
      WrittenFile written =
          Ingest.ingest(linked, damaged == 0, store, options, transaction, warnings);
      return commit(transaction, written, linked, warnings, damaged);
    }
  }

  private ImportResult writeRows(WriteTransaction transaction, RowSource reader, long damaged)
      throws IOException {
    options
        .requestBytes()
        .check(file.source().byteSize(), "bytes in a request", InputLocation.UNKNOWN);
    Warnings warnings = new Warnings();
    try (FileChannel channel = openChannel();
        RowSource.Rows read = reader.open(content(channel))) {
      WrittenFile written =
          Ingest.ingest(read::data, UploadOptions.DEFAULT, store, options, transaction, warnings);
      read.warnings().forEach(warnings::add);
      return commit(transaction, written, null, warnings, damaged);
    }
  }

  private static ByteSource content(FileChannel channel) {
    return destination -> {
      long byteSize = Math.min(destination.byteSize(), READ_BYTE_SIZE_MAXIMUM);
      return byteSize == 0 ? 0 : channel.read(destination.asSlice(0, byteSize).asByteBuffer());
    };
  }

  private ImportResult commit(
      WriteTransaction transaction,
      WrittenFile written,
      @Nullable HardLinkedFile linked,
      Warnings warnings,
      long damaged)
      throws IOException {
    WriteTransaction.Commit commit = transaction.commit(_ -> next(transaction, written, linked));
    return commit == null
        ? Objects.requireNonNull(done)
        : new ImportResult.Imported(
            warnings.result(commit), linked != null && linked.isLinked(), damaged);
  }

  /// Opens the file, which must be the listed one before and afterwards: nothing else is read, and
  /// opening a pipe would wait for its writer.
  private FileChannel openChannel() throws IOException {
    requireUnchanged(file.path());
    FileChannel channel;
    try {
      channel = file.open();
    } catch (IOException e) {
      // A link in its place is an error that differs between systems.
      requireUnchanged(file.path());
      throw e;
    }
    try {
      requireUnchanged(file.path());
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private HardLinkedFile open(WriteTransaction transaction) throws IOException {
    return HardLinkedFile.of(store, transaction.newKey(), file.path(), openChannel());
  }

  /// Returns the next version, or null if another writer was faster, perhaps with the same file or
  /// with a delete. The transaction hides deletes, so the catalog is asked. If it has a later
  /// version than the transaction has read, the commit finds its key taken and calls this again.
  private @Nullable NextVersion next(
      WriteTransaction transaction, WrittenFile written, @Nullable HardLinkedFile linked)
      throws IOException {
    done = done(catalog.newest(name));
    return done == null ? version(transaction, written, linked) : null;
  }

  private NextVersion version(
      WriteTransaction transaction, WrittenFile written, @Nullable HardLinkedFile linked)
      throws IOException {
    transaction.seal(written.version());
    Path link = linked != null && linked.isLinked() ? store.localPath(written.key()) : null;
    // The link points to the file now at the path, which may differ from the one that was read.
    requireUnchanged(file.path());
    if (link != null) {
      requireUnchanged(link);
    }
    return written
        .version()
        .from(
            new ImportSource(file.source(), /* version= */ 0, link == null ? null : written.key()));
  }

  private void requireUnchanged(Path found) throws IOException {
    if (!file.isAt(found)) {
      throw new ChangedFileException(file.path());
    }
  }

  /// Returns the version that is a link to the file, which was changed in place, or 0 if absent.
  private long damaged(@Nullable VersionSummary newest) throws IOException {
    ImportSource imported = newest == null ? null : newest.source();
    if (imported == null || imported.linkedAs() == null) {
      return 0;
    }
    Path link = store.localPath(imported.linkedAs());
    try {
      return link != null && Files.isSameFile(link, file.path()) ? imported.version() : 0;
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /// A change of the file during its import.
  private static final class ChangedFileException extends IOException {

    private static final long serialVersionUID = 1;

    ChangedFileException(Path path) {
      super("Expected an unchanged file but found a changed one at " + path);
    }
  }
}
