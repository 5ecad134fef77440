package dev.quiver.dataset;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// An IPC file as it was written to a blob: which ranges of the blob it consists of, and what
/// follows them when that is another footer than the blob's own.
///
/// @param tail end-of-stream marker, footer and what ends a file; empty when the blob has them
record WrittenFile(StoredFile file, List<ByteRange> ranges, MemorySegment tail) {

  WrittenFile {
    ranges = List.copyOf(ranges);
  }

  List<Extent> extents(String key) {
    return ranges.stream()
        .map(range -> new Extent(key, range.byteOffset(), range.byteSize()))
        .toList();
  }
}
