package dev.quiver.dataset.ingest;

import dev.quiver.columnar.Field;
import dev.quiver.input.UnsupportedInputException;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/// Dictionaries that came before those which their values refer to, as Arrow Java writes them when
/// the outer one has the smaller id.
final class WaitingDictionaries {

  /// How much metadata they may have together: as objects, it takes several times that.
  private static final long METADATA_BYTE_SIZE = 2 << 20;

  private final Map<Long, Waiting> byMessageIndex = new LinkedHashMap<>();
  private final Map<Long, List<Waiting>> byMissing = new HashMap<>();
  private long metadataByteSize;

  boolean isEmpty() {
    return byMessageIndex.isEmpty();
  }

  /// The dictionaries that these values refer to, directly, and that did not come.
  static Set<Long> missing(Field values, LongPredicate came) {
    Set<Long> missing = new LinkedHashSet<>();
    addMissing(values, came, missing);
    return missing;
  }

  /// Checks that there is room for one more, before its body is read.
  ///
  /// @param missing at least one
  void requireRoom(EncapsulatedMessage message, DictionaryBatchHeader header, Set<Long> missing) {
    if (metadataByteSize + message.metaDataLength() > METADATA_BYTE_SIZE) {
      throw new UnsupportedInputException(
          "dictionary %d before dictionary %d, whose values refer to it"
              .formatted(missing.iterator().next(), header.id()),
          "it missing",
          message.place());
    }
  }

  /// @param missing at least one
  /// @param body which is kept until the dictionary is taken
  void add(
      EncapsulatedMessage message,
      DictionaryBatchHeader header,
      Set<Long> missing,
      MemorySegment body) {
    Waiting added = new Waiting(message, header, missing, body);
    byMessageIndex.put(message.index(), added);
    metadataByteSize += message.metaDataLength();
    missing.forEach(id -> byMissing.computeIfAbsent(id, _ -> new ArrayList<>()).add(added));
  }

  /// Those that waited for this one alone, in the order in which they came.
  List<Waiting> came(long id) {
    List<Waiting> ready = new ArrayList<>();
    for (Waiting waiting : byMissing.getOrDefault(id, List.of())) {
      waiting.missing.remove(id);
      if (waiting.missing.isEmpty()) {
        ready.add(waiting);
        byMessageIndex.remove(waiting.message.index());
        metadataByteSize -= waiting.message.metaDataLength();
      }
    }
    byMissing.remove(id);
    return ready;
  }

  /// All of them, in the order in which they came, none of which waits any more.
  List<Waiting> removeAll() {
    List<Waiting> removed = List.copyOf(byMessageIndex.values());
    byMessageIndex.clear();
    byMissing.clear();
    metadataByteSize = 0;
    return removed;
  }

  private static void addMissing(Field values, LongPredicate came, Set<Long> missing) {
    for (Field child : values.children()) {
      if (child.dictionary() == null) {
        addMissing(child, came, missing);
      } else if (!came.test(child.dictionary().id())) {
        missing.add(child.dictionary().id());
      }
    }
  }

  /// A dictionary that waits.
  ///
  /// @param missing what it waits for
  record Waiting(
      EncapsulatedMessage message,
      DictionaryBatchHeader header,
      Set<Long> missing,
      MemorySegment body) {}
}
