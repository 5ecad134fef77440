package dev.quiver.server.inspect;

import dev.quiver.arrow.ipc.Frame;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import org.jspecify.annotations.Nullable;

/// The state that the parts of one inspection share.
///
/// @param report the messages of the report
record Inspection(
    ReportSpool report, FindingLog findings, Totals totals, MessageInspection messages) {

  void add(MessageJson message) {
    totals.addMessage();
    report.add(message::write);
  }

  /// Counts the content of a message.
  ///
  /// @return the effect on a dictionary, or null if the message is not a dictionary batch
  Totals.@Nullable DictionaryEvent count(Frame frame, Message message) {
    return switch (message.header()) {
      case RecordBatchHeader header -> {
        totals.addBatch(header);
        yield null;
      }
      case DictionaryBatchHeader header -> {
        Totals.DictionaryEvent event = totals.addDictionary(header);
        messages.noteEvent(frame, header, event);
        yield event;
      }
      default -> null;
    };
  }
}
