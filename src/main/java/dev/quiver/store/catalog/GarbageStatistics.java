package dev.quiver.store.catalog;

/// The garbage that one run deleted.
///
/// @param versions the number of deleted versions, including marks of deleted datasets
/// @param blobs the number of deleted blobs except manifests, whether or not a version ever named
///   them
public record GarbageStatistics(long versions, long blobs) {

  static final GarbageStatistics NOTHING = new GarbageStatistics(0, 0);

  GarbageStatistics plus(GarbageStatistics other) {
    return new GarbageStatistics(versions + other.versions, blobs + other.blobs);
  }

  public boolean isEmpty() {
    return equals(NOTHING);
  }
}
