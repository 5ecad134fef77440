package dev.quiver.dataset;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a commit is to make the newest version.
///
/// @param tail what the file has after the extents
/// @param source what was imported; null for other writes, which leave it as it was
record NextVersion(
    Kind kind, StoredFile file, List<Extent> extents, MemorySegment tail, @Nullable Source source) {

  static final NextVersion DELETE =
      new NextVersion(Kind.DELETE, StoredFile.NONE, List.of(), MemorySegment.NULL);

  NextVersion {
    extents = List.copyOf(extents);
  }

  NextVersion(Kind kind, StoredFile file, List<Extent> extents, MemorySegment tail) {
    this(kind, file, extents, tail, null);
  }

  static NextVersion of(WrittenFile written) {
    return of(written, written.extents());
  }

  /// @param extents where what was written is
  static NextVersion of(WrittenFile written, List<Extent> extents) {
    return new NextVersion(Kind.UPLOAD, written.file(), extents, written.tail());
  }

  NextVersion from(Source imported) {
    return new NextVersion(kind, file, extents, tail, imported);
  }
}
