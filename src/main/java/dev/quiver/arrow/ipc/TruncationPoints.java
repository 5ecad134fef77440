package dev.quiver.arrow.ipc;

import dev.quiver.arrow.metadata.Block;
import java.util.List;

/// The positions at which bytes may be truncated so that every reader reports an error.
///
/// A stream that ends after a message reads as complete. One that ends within metadata does so for
/// some readers when the connection closes early. One that ends after a message's header and before
/// the end of its body was measured to be an error to all of them.
///
/// Used by one thread. A position before the previous call's causes a search from the start.
public interface TruncationPoints {

  /// Returns the last safe position that is at most `position`, or -1 if absent.
  long atOrBefore(long position);

  /// Returns the points of bytes that are not a stream: their readers check the length or the end.
  static TruncationPoints anywhere() {
    return position -> position;
  }

  /// Returns the points of a stream, which lie within the bodies of its messages.
  ///
  /// @param dictionaries the messages before the record batches
  /// @param recordBatches in order, at offsets from the same origin as `dictionaries`
  /// @param start the offset of the first byte of the stream in these blocks
  static TruncationPoints within(List<Block> dictionaries, List<Block> recordBatches, long start) {
    return new TruncationPoints() {
      private int next;
      private long last = -1;
      private long previous;

      @Override
      public long atOrBefore(long position) {
        if (position < previous) {
          next = 0;
          last = -1;
        }
        previous = position;
        while (next < count() && end(message(next)) <= position) {
          Block passed = message(next++);
          last = passed.bodyLength() > 0 ? end(passed) - 1 : last;
        }
        boolean withinBody =
            next < count() && end(message(next)) - message(next).bodyLength() <= position;
        return withinBody ? position : last;
      }

      private int count() {
        return dictionaries.size() + recordBatches.size();
      }

      private Block message(int index) {
        int batch = index - dictionaries.size();
        return batch < 0 ? dictionaries.get(index) : recordBatches.get(batch);
      }

      private long end(Block message) {
        return message.end() - start;
      }
    };
  }
}
