package dev.quiver.dataset;

/// What one removal took away.
///
/// @param versions that cannot be read any more, deletes included
/// @param blobs of data, whether versions once named them or none ever did
public record Removed(long versions, long blobs) {

  static final Removed NOTHING = new Removed(0, 0);

  Removed plus(Removed other) {
    return new Removed(versions + other.versions, blobs + other.blobs);
  }

  public boolean isNothing() {
    return equals(NOTHING);
  }
}
