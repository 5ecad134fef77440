package dev.quiver.inspect;

import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// What was counted of the messages so far.
final class Totals {

  private final long dictionaryCountMaximum;
  private final Set<CompressionType> codecs = EnumSet.noneOf(CompressionType.class);
  private final Map<Long, Long> dictionaryLengths = new HashMap<>();
  private long messages;
  private long batches;
  private long rows;

  /// @param dictionaryCountMaximum how many dictionaries are remembered: as many as a schema can
  ///   have, for an input may name others without end
  Totals(long dictionaryCountMaximum) {
    this.dictionaryCountMaximum = dictionaryCountMaximum;
  }

  void addMessage() {
    messages++;
  }

  void addBatch(RecordBatchHeader header) {
    batches++;
    rows += Math.min(header.length(), Long.MAX_VALUE - rows);
    addCodec(header);
  }

  /// Counts a dictionary batch.
  ///
  /// @return what it does to the dictionary
  DictionaryEvent addDictionary(DictionaryBatchHeader header) {
    addCodec(header.data());
    Long before = dictionaryLengths.get(header.id());
    long length = header.data().length();
    if (header.delta() && before != null) {
      length += Math.min(before, Long.MAX_VALUE - length);
    }
    if (before != null || dictionaryLengths.size() < dictionaryCountMaximum) {
      dictionaryLengths.put(header.id(), length);
    }
    String name = header.delta() ? "delta" : before == null ? "first" : "replacement";
    return new DictionaryEvent(name, length);
  }

  long messages() {
    return messages;
  }

  long batches() {
    return batches;
  }

  long rows() {
    return rows;
  }

  long dictionaries() {
    return dictionaryLengths.size();
  }

  Set<CompressionType> codecs() {
    return codecs;
  }

  private void addCodec(RecordBatchHeader header) {
    if (header.compression() != null) {
      codecs.add(header.compression().codec());
    }
  }

  /// What a dictionary batch does.
  ///
  /// @param name `first`, `delta` or `replacement`
  /// @param length values of the dictionary afterwards
  record DictionaryEvent(String name, long length) {}
}
