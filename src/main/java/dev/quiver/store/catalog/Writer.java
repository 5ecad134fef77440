package dev.quiver.store.catalog;

import dev.quiver.arrow.memory.Limit;

/// The origin of a version, and how many bytes its blobs may take in the store.
///
/// @param id the id of a principal, which a store keeps; empty for a write of the service itself
/// @param storedBytes the limit on the bytes of the writer's blobs, of all versions; 0: unlimited
public record Writer(String id, Limit storedBytes) {

  private static final Limit UNLIMITED = new Limit("stored-bytes", 0);

  /// The service itself, such as its compactions.
  public static final Writer SERVICE = new Writer("", UNLIMITED);

  /// The import of files from a folder.
  public static final Writer IMPORT = new Writer("import", UNLIMITED);

  boolean isLimited() {
    return storedBytes.maximum() > 0;
  }
}
