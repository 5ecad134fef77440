package dev.quiver.store.write;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.statistics.StatisticsCalculator;
import dev.quiver.arrow.transform.DictionaryUnifier;
import dev.quiver.store.file.CanonicalWriter;
import java.util.List;

/// A collector of statistics of the record batches that an upload writes, right after their values
/// were validated.
///
/// Statistics are optional: without memory for more of them, later batches have none.
final class StatisticsCollector {

  /// The memory that is charged at once.
  private static final int CHARGED_BYTE_SIZE = 64 << 10;

  /// The part of the memory of all uploads that the statistics of one may take.
  private static final int IN_FLIGHT_PART = 8;

  private final CanonicalWriter writer;
  private final DictionaryUnifier unifier;
  private final InFlightBytes.Charge charge;
  private final StatisticsCalculator calculator;
  private final long maximumByteSize;
  private long chargedByteSize;
  private boolean ended;

  StatisticsCollector(IngestContext context, CanonicalWriter writer, DictionaryUnifier unifier) {
    this.writer = writer;
    this.unifier = unifier;
    this.charge = context.charge();
    this.maximumByteSize = context.options().inFlight().maximum() / IN_FLIGHT_PART;
    this.calculator = new StatisticsCalculator(unifier::parts);
  }

  /// Collects the statistics of the batch written last.
  ///
  /// @param columns its arrays as they arrived
  /// @param memory for rewritten indices
  void collectArrived(long length, List<ArrayData> columns, ScratchMemory memory) {
    collect(length, unifier.rewritten(columns, memory));
  }

  /// Collects the statistics of the batch written last.
  ///
  /// @param columns its arrays, with indices into the unified dictionaries
  void collect(long length, List<ArrayData> columns) {
    if (!ended) {
      writer.addStatistics(calculator.of(length, columns));
      chargeHeld();
    }
  }

  private void chargeHeld() {
    while (!ended && writer.statisticsByteSize() > chargedByteSize) {
      chargedByteSize += CHARGED_BYTE_SIZE;
      ended = chargedByteSize > maximumByteSize || !charge.tryTake(CHARGED_BYTE_SIZE);
    }
  }
}
