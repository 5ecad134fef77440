package dev.quiver.dataset;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// What a commit is to make the newest version.
///
/// @param tail what the file has after the extents
record NextVersion(Kind kind, StoredFile file, List<Extent> extents, MemorySegment tail) {

  static final NextVersion DELETE =
      new NextVersion(Kind.DELETE, StoredFile.NONE, List.of(), MemorySegment.NULL);

  NextVersion {
    extents = List.copyOf(extents);
  }

  static NextVersion of(WrittenFile written) {
    return new NextVersion(Kind.UPLOAD, written.file(), written.extents(), written.tail());
  }
}
