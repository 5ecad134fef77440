package dev.quiver.dataset.catalog;

/// What one removal took away.
///
/// @param versions that cannot be read any more, deletes included
/// @param blobs of data, whether versions once named them or none ever did
public record GarbageStatistics(long versions, long blobs) {

  static final GarbageStatistics NOTHING = new GarbageStatistics(0, 0);

  GarbageStatistics plus(GarbageStatistics other) {
    return new GarbageStatistics(versions + other.versions, blobs + other.blobs);
  }

  public boolean isNothing() {
    return equals(NOTHING);
  }
}
