package dev.quiver.store.version;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// Stores as the release before wrote them: with manifests of format 2, and without sidecars and
/// blobs of keys.
public final class EarlierStores {

  private EarlierStores() {}

  /// Converts a store to the earlier format.
  public static void convert(BlobStore store) throws IOException {
    for (String key : store.list(StoreKeys.MANIFESTS, null, 1000)) {
      MemorySegment converted;
      try (Blob blob = store.open(key)) {
        Manifest manifest = ManifestFormat.read(key, blob);
        MemorySegment tail = MemorySegment.ofArray(new byte[(int) manifest.tailByteSize()]);
        blob.readFully(manifest.tailOffset(), tail);
        converted = write(manifest, tail);
      }
      store.delete(key);
      store.putIfAbsent(key, converted);
    }
    for (String key : store.list(StoreKeys.DATA, null, 1000)) {
      if (!key.endsWith(".arrow")) {
        store.delete(key);
      }
    }
  }

  /// Returns the format version of a manifest.
  public static int formatVersion(BlobStore store, String manifestKey) throws IOException {
    MemorySegment start = MemorySegment.ofArray(new byte[12]);
    try (Blob blob = store.open(manifestKey)) {
      blob.readFully(0, start);
    }
    return new Cursor(start, 8).int32();
  }

  private static MemorySegment write(Manifest manifest, MemorySegment tail) {
    Cursor cursor = new Cursor(MemorySegment.ofArray(new byte[1 << 20]));
    byte[] json = manifest.summary().write();
    cursor.putBytes("QUIVERMF".getBytes(StandardCharsets.US_ASCII));
    cursor.putInt32(2);
    cursor.putInt32(json.length);
    cursor.putBytes(json);
    cursor.putInt32(manifest.extents().size());
    cursor.putInt32(manifest.keys().recent().size());
    cursor.putInt64(tail.byteSize());
    cursor.putText(manifest.parentCommitId() == null ? "" : manifest.parentCommitId());
    for (BlobExtent extent : manifest.extents()) {
      cursor.putInt64(extent.byteOffset());
      cursor.putInt64(extent.byteSize());
      cursor.putText(extent.key());
    }
    for (RememberedKeys.Key key : manifest.keys().recent()) {
      cursor.putInt64(key.version());
      cursor.putInt64(key.committedAt().toEpochMilli());
      cursor.putText(key.hash());
    }
    CRC32C checksum = new CRC32C();
    checksum.update(cursor.segment().asSlice(0, cursor.position()).asByteBuffer());
    cursor.putInt32((int) checksum.getValue());
    cursor.putSegment(tail);
    return cursor.segment().asSlice(0, cursor.position());
  }
}
