package dev.quiver.store.file;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlockChecksums;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.BrokenSidecarException;
import dev.quiver.store.version.Damage;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.ManifestFormat;
import dev.quiver.store.version.Section;
import dev.quiver.store.version.Sidecar;
import dev.quiver.store.version.StoreKeys;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A check of versions of one dataset, and of each blob that they need, against all checksums that
/// there are. The store's own bytes are read, not local copies. Used by one thread.
public final class Verification {

  /// The maximum number of damages that are remembered; all are logged and counted.
  public static final int DAMAGES_MAXIMUM = 1000;

  private static final int PART_BYTE_SIZE = 256 << 10;

  private final BlobStore store;
  private final Progress progress;
  private final MemorySegment part = MemorySegment.ofArray(new byte[PART_BYTE_SIZE]);
  private final Set<String> checked = new HashSet<>();
  private final List<DamagedBlobException> damages = new ArrayList<>();

  /// The data without checksums: the positions where its extents start and end.
  private final Map<String, NavigableSet<Long>> unknown = new HashMap<>();

  private long blobCount;
  private long byteCount;

  /// A receiver of progress.
  public interface Progress {

    /// Takes note of bytes that are about to be read, and may wait.
    ///
    /// @throws IOException or an unchecked exception to end the verification
    void read(long byteSize) throws IOException;
  }

  /// The blobs and bytes that were checked, and their damages.
  ///
  /// @param blobs the number of blobs
  /// @param bytes their bytes, as far as they have checksums
  /// @param damaged the damages, at most [#DAMAGES_MAXIMUM]
  public record Result(long blobs, long bytes, List<DamagedBlobException> damaged) {}

  public Verification(BlobStore store, Progress progress) {
    this.store = store;
    this.progress = progress;
  }

  /// Checks the version of a manifest, and its blobs unless they are checked already. A version
  /// that is deleted meanwhile is skipped.
  public void check(String manifestKey) throws IOException {
    String version = StoreKeys.reference(manifestKey);
    try {
      Manifest manifest = manifest(manifestKey, version);
      for (int i = 0; manifest != null && i < manifest.extents().size(); i++) {
        BlobExtent extent = manifest.extents().get(i);
        boolean hasSidecar = manifest.checksums().extent(i).hasSidecar();
        check(manifestKey, extent.key(), () -> checkData(version, extent.key(), hasSidecar));
        NavigableSet<Long> edges = unknown.get(extent.key());
        if (edges != null) {
          edges.addAll(List.of(extent.byteOffset(), extent.byteOffset() + extent.byteSize()));
        }
      }
    } catch (NoSuchBlobException e) {
      // No longer the version of anything.
    }
  }

  public Result result() {
    return new Result(blobCount, byteCount, List.copyOf(damages));
  }

  /// Adds checksums of the data that has none, which was stored by an earlier release: from now on,
  /// it is checked against its current content.
  public void addMissing() throws IOException {
    for (Map.Entry<String, NavigableSet<Long>> data : unknown.entrySet()) {
      try (Blob blob = store.openInStore(data.getKey())) {
        BlockChecksums.Builder checksums = new BlockChecksums.Builder();
        NavigableSet<Long> edges = data.getValue();
        for (long position = 0; position < blob.byteSize(); ) {
          Long edge = edges.higher(position);
          long end = edge == null ? blob.byteSize() : Math.min(edge, blob.byteSize());
          forEachPart(blob, position, end - position, checksums::update);
          checksums.edge();
          position = end;
        }
        MemorySegment sidecar = Sidecar.of(checksums.build()).write();
        store.putIfAbsent(StoreKeys.sidecar(data.getKey()), sidecar);
      } catch (NoSuchBlobException e) {
        // It was deleted with its last version.
      }
    }
  }

  private @Nullable Manifest manifest(String key, String version) throws IOException {
    try (Blob blob = store.openInStore(key)) {
      progress.read(blob.byteSize());
      Manifest manifest = ManifestFormat.read(key, blob);
      if (manifest.tailChecksum() != null) {
        int checksum = manifest.tailChecksum();
        checkRange(version, key, blob, manifest.tailOffset(), manifest.tailByteSize(), checksum);
      }
      List<Section> elsewhere = new ArrayList<>(manifest.keys().blobs());
      for (Section section : manifest.others()) {
        if (section.blob().isEmpty()) {
          checkRange(
              version, key, blob, section.byteOffset(), section.byteSize(), section.checksum());
        } else {
          elsewhere.add(section);
        }
      }
      counted(blob.byteSize());
      for (Section section : elsewhere) {
        check(
            key, section.blob() + "#" + section.byteOffset(), () -> checkSection(version, section));
      }
      return manifest;
    } catch (DamagedBlobException e) {
      add(e);
      return null;
    }
  }

  private interface Check {
    void run() throws IOException;
  }

  /// Runs the check of a blob once.
  private void check(String manifestKey, String id, Check check) throws IOException {
    if (!checked.add(id)) {
      return;
    }
    try {
      check.run();
    } catch (DamagedBlobException e) {
      add(e);
    } catch (NoSuchBlobException e) {
      if (store.exists(manifestKey)) {
        add(Damage.PROCESS.found(StoreKeys.reference(manifestKey), e.key(), 0, e));
      }
    }
  }

  private void checkSection(String version, Section section) throws IOException {
    try (Blob blob = store.openInStore(section.blob())) {
      checkRange(
          version,
          section.blob(),
          blob,
          section.byteOffset(),
          section.byteSize(),
          section.checksum());
      counted(section.byteSize());
    }
  }

  private void checkData(String version, String key, boolean hasSidecar) throws IOException {
    BlockChecksums checksums;
    try {
      checksums = sidecar(version, key);
    } catch (NoSuchBlobException e) {
      if (hasSidecar) {
        throw e;
      }
      unknown.put(key, new TreeSet<>());
      return;
    }
    try (Blob blob = store.openInStore(key)) {
      long count = 0;
      for (int i = 0; i < checksums.count(); i++) {
        BlockChecksums.Block block = checksums.block(i);
        try {
          checkRange(version, key, blob, block.byteOffset(), block.byteSize(), block.checksum());
        } catch (DamagedBlobException e) {
          add(e);
        }
        count += block.byteSize();
      }
      counted(count);
    }
  }

  private BlockChecksums sidecar(String version, String key) throws IOException {
    String sidecarKey = StoreKeys.sidecar(key);
    try (Blob blob = store.openInStore(sidecarKey)) {
      progress.read(blob.byteSize());
      Sidecar sidecar = Sidecar.read(sidecarKey, blob);
      counted(blob.byteSize());
      return sidecar.checksums();
    } catch (BrokenSidecarException e) {
      throw Damage.PROCESS.found(version, sidecarKey, e.byteOffset(), e);
    }
  }

  private void checkRange(
      String version, String key, Blob blob, long byteOffset, long byteSize, int expected)
      throws IOException {
    CRC32C checksum = new CRC32C();
    boolean isWithin = byteOffset <= blob.byteSize() - byteSize;
    if (isWithin) {
      forEachPart(blob, byteOffset, byteSize, bytes -> Crc32c.update(checksum, bytes));
    }
    if (!isWithin || (int) checksum.getValue() != expected) {
      throw Damage.PROCESS.found(version, key, byteOffset);
    }
  }

  private interface Part {
    void accept(MemorySegment bytes);
  }

  private void forEachPart(Blob blob, long byteOffset, long byteSize, Part receiver)
      throws IOException {
    for (long done = 0; done < byteSize; ) {
      MemorySegment bytes = part.asSlice(0, Math.min(PART_BYTE_SIZE, byteSize - done));
      progress.read(bytes.byteSize());
      blob.readFully(byteOffset + done, bytes);
      receiver.accept(bytes);
      done += bytes.byteSize();
    }
  }

  private void counted(long byteSize) {
    blobCount++;
    byteCount += byteSize;
  }

  private void add(DamagedBlobException damage) {
    if (damages.size() < DAMAGES_MAXIMUM) {
      damages.add(damage);
    }
  }
}
