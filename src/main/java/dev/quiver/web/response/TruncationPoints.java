package dev.quiver.web.response;

import dev.quiver.metadata.Block;
import java.util.List;

/// Where a stream may be cut so that every reader reports the cut.
///
/// A stream that ends after a message reads as complete. One that ends within metadata does so for
/// some readers when the connection closes early. One that ends after a message's header and before
/// the end of its body was measured to be an error to all of them.
///
/// Used by one thread. A position before the last one that was asked for costs a search from the
/// start.
public interface TruncationPoints {

  /// The last position that is safe to cut at, at most `position`; -1 when there is none.
  long atOrBefore(long position);

  /// For what is not a stream of messages: its readers look at the length or at the end.
  static TruncationPoints anywhere() {
    return position -> position;
  }

  /// Within the bodies of these messages, in order, which count from the start of the response.
  static TruncationPoints within(List<Block> messages) {
    return new TruncationPoints() {
      private int next;
      private long last = -1;
      private long asked;

      @Override
      public long atOrBefore(long position) {
        if (position < asked) {
          next = 0;
          last = -1;
        }
        asked = position;
        while (next < messages.size() && messages.get(next).end() <= position) {
          Block passed = messages.get(next++);
          last = passed.bodyLength() > 0 ? passed.end() - 1 : last;
        }
        boolean inBody =
            next < messages.size()
                && messages.get(next).offset() + messages.get(next).metaDataLength() <= position;
        return inBody ? position : last;
      }
    };
  }
}
