package dev.quiver.arrow.transform;

import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/// Dictionaries that arrived before the inner ones that their values refer to. Arrow Java writes
/// them so if the outer one has the smaller id.
public final class WaitingDictionaries {

  /// The maximum metadata of all of them. As objects, it takes several times as much memory.
  private static final long METADATA_BYTE_SIZE = 2 << 20;

  private final Map<Long, Waiting> inOrder = new LinkedHashMap<>();
  private final Map<Long, List<Waiting>> byMissing = new HashMap<>();
  private long sequence;
  private long metadataByteSize;

  /// A dictionary that waits.
  ///
  /// @param sequence its position in the order of arrival
  /// @param missing the ids that it waits for
  public record Waiting(
      long sequence,
      EncapsulatedMessage message,
      DictionaryBatchHeader header,
      Set<Long> missing,
      MemorySegment body) {}

  /// Returns the dictionaries that values refer to, directly, and that did not arrive.
  ///
  /// @param arrived whether the dictionary of an id arrived
  public static Set<Long> missing(Field values, LongPredicate arrived) {
    Set<Long> missing = new LinkedHashSet<>();
    addMissing(values, arrived, missing);
    return missing;
  }

  /// Returns whether no dictionary waits.
  public boolean isEmpty() {
    return inOrder.isEmpty();
  }

  /// Returns whether there is room for one more.
  public boolean hasRoom(EncapsulatedMessage message) {
    return metadataByteSize + message.metaDataLength() <= METADATA_BYTE_SIZE;
  }

  /// Adds a dictionary.
  ///
  /// @param missing at least one id
  /// @param body which lives until the dictionary is removed
  public void add(
      EncapsulatedMessage message,
      DictionaryBatchHeader header,
      Set<Long> missing,
      MemorySegment body) {
    Waiting added = new Waiting(sequence++, message, header, missing, body);
    inOrder.put(added.sequence, added);
    metadataByteSize += message.metaDataLength();
    missing.forEach(id -> byMissing.computeIfAbsent(id, _ -> new ArrayList<>()).add(added));
  }

  /// Removes the dictionaries that waited only for this one.
  ///
  /// @return these, in the order of their arrival
  public List<Waiting> removeReady(long id) {
    List<Waiting> ready = new ArrayList<>();
    for (Waiting waiting : byMissing.getOrDefault(id, List.of())) {
      waiting.missing.remove(id);
      if (waiting.missing.isEmpty()) {
        ready.add(waiting);
        inOrder.remove(waiting.sequence);
        metadataByteSize -= waiting.message.metaDataLength();
      }
    }
    byMissing.remove(id);
    return ready;
  }

  /// Removes all dictionaries.
  ///
  /// @return these, in the order of their arrival
  public List<Waiting> removeAll() {
    List<Waiting> removed = List.copyOf(inOrder.values());
    inOrder.clear();
    byMissing.clear();
    metadataByteSize = 0;
    return removed;
  }

  private static void addMissing(Field values, LongPredicate arrived, Set<Long> missing) {
    for (Field child : values.children()) {
      if (child.dictionary() == null) {
        addMissing(child, arrived, missing);
      } else if (!arrived.test(child.dictionary().id())) {
        missing.add(child.dictionary().id());
      }
    }
  }
}
