package dev.quiver.server.inspect;

import dev.quiver.arrow.metadata.CompressionType;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The counts of the messages so far.
final class Totals {

  private final long dictionaryCountMaximum;
  private final Set<CompressionType> codecs = EnumSet.noneOf(CompressionType.class);
  private final Map<Long, Long> dictionaryLengths = new HashMap<>();
  private long messages;
  private long batches;
  private long rows;

  /// @param dictionaryCountMaximum the number of dictionaries to track. The maximum of a schema
  ///   suffices, and an input may list any number of further ones.
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
  /// @return its effect on the dictionary
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

  /// The effect of a dictionary batch.
  ///
  /// @param name `first`, `delta` or `replacement`
  /// @param length the number of values in the dictionary afterwards
  record DictionaryEvent(String name, long length) {}
}
