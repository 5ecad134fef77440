package dev.quiver.store.version;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The writers of the data blobs of a version. No representation of a version shows them.
///
/// ```
/// Writers     --> WriterCount Text{WriterCount} Place*
/// WriterCount --> int32
/// Text        --> int32, bytes of the UTF-8 that follows: the id of a principal
/// Place       --> int32, the place of a writer, from 1, or 0 if unknown; one for each blob, in
///                 the order of their first extents
/// ```
///
/// @param byBlob the ids of the writers by the keys of their blobs, without unknown ones
public record BlobWriters(Map<String, String> byBlob) {

  /// The id of an unknown writer, which is not kept.
  public static final String UNKNOWN = "";

  public static final BlobWriters NONE = new BlobWriters(Map.of());

  public BlobWriters {
    byBlob = Map.copyOf(byBlob);
  }

  /// Returns the id of the writer of a blob, or null if unknown.
  public @Nullable String of(String blobKey) {
    return byBlob.get(blobKey);
  }

  /// Returns the writers of the version after this one.
  ///
  /// @param before the extents of this version
  /// @param next the extents of the version after it
  /// @param writer the writer of the blobs that are new in it
  public BlobWriters next(List<BlobExtent> before, List<BlobExtent> next, String writer) {
    Set<String> old = new HashSet<>();
    before.forEach(extent -> old.add(extent.key()));
    Map<String, String> writers = new HashMap<>();
    for (BlobExtent extent : next) {
      String found = old.contains(extent.key()) ? byBlob.get(extent.key()) : writer;
      if (found != null && !found.equals(UNKNOWN)) {
        writers.put(extent.key(), found);
      }
    }
    return new BlobWriters(writers);
  }

  /// Returns the writer of most bytes that a compaction replaces.
  ///
  /// @param before the extents of this version
  /// @param next the extents of the compaction
  public String ofCompacted(List<BlobExtent> before, List<BlobExtent> next) {
    Set<BlobExtent> kept = new HashSet<>(next);
    Map<String, Long> byteSizes = new HashMap<>();
    for (BlobExtent extent : before) {
      if (!kept.contains(extent)) {
        byteSizes.merge(byBlob.getOrDefault(extent.key(), UNKNOWN), extent.byteSize(), Long::sum);
      }
    }
    return byteSizes.entrySet().stream()
        .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .orElse(UNKNOWN);
  }

  /// @param extents of the version
  MemorySegment write(List<BlobExtent> extents) {
    List<String> writers = byBlob.values().stream().distinct().sorted().toList();
    Collection<String> blobs = blobs(extents);
    long byteSize = Integer.BYTES * (1L + blobs.size());
    for (String writer : writers) {
      byteSize += Cursor.byteSize(writer);
    }
    Cursor cursor = new Cursor(MemorySegment.ofArray(new byte[Math.toIntExact(byteSize)]));
    cursor.putInt32(writers.size());
    writers.forEach(cursor::putText);
    for (String blob : blobs) {
      String writer = byBlob.get(blob);
      cursor.putInt32(writer == null ? 0 : 1 + writers.indexOf(writer));
    }
    return cursor.segment();
  }

  /// @param extents of the version
  /// @throws IllegalArgumentException if these are not the writers of as many blobs
  static BlobWriters read(Cursor content, List<BlobExtent> extents) {
    int count = content.int32();
    if (count < 0 || count > content.remaining() / Integer.BYTES) {
      throw new IllegalArgumentException("Expected a number of writers but found " + count);
    }
    List<String> writers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writers.add(content.text());
    }
    Map<String, String> byBlob = new HashMap<>();
    for (String blob : blobs(extents)) {
      int place = content.int32();
      if (place < 0 || place > count) {
        throw new IllegalArgumentException(
            "Expected one of %d writers but found %d".formatted(count, place));
      }
      if (place > 0) {
        byBlob.put(blob, writers.get(place - 1));
      }
    }
    return new BlobWriters(byBlob);
  }

  private static Collection<String> blobs(List<BlobExtent> extents) {
    Set<String> blobs = new LinkedHashSet<>();
    extents.forEach(extent -> blobs.add(extent.key()));
    return blobs;
  }
}
