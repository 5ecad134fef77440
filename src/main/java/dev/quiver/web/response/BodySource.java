package dev.quiver.web.response;

import java.io.IOException;

/// Where the body of a representation comes from.
///
/// The header phase of a response never opens it. A response that turns out to be a 304 or a 412
/// costs nothing, and [ResponseAdmission] waits for a permit before any work is done.
public sealed interface BodySource {

  /// Does the work that is needed before the length of the body is known.
  Body open() throws IOException;

  /// Returns whether the body has a length before it is sent, and with it ranges.
  default boolean hasRanges() {
    return true;
  }

  /// A body that needs no work: stored bytes, or one that is generated while it is sent.
  record Ready(Body body) implements BodySource {

    @Override
    public Body open() {
      return body;
    }

    @Override
    public boolean hasRanges() {
      return body instanceof FixedLengthBody;
    }
  }

  /// Some columns or rows of stored data. To open it is to read the metadata of the selected
  /// batches, and to decode those that are selected in part.
  record Selected(Maker<FixedLengthBody> layout) implements BodySource {

    @Override
    public FixedLengthBody open() throws IOException {
      return layout.make();
    }
  }

  /// A text in memory. To open it is to render all of it, which no HEAD does.
  record Document(Maker<byte[]> rendering) implements BodySource {

    @Override
    public FixedLengthBody open() throws IOException {
      return FixedLengthBody.of(BodyPart.Bytes.of(rendering.make()));
    }
  }

  /// Makes a value when it is needed.
  interface Maker<T> {
    T make() throws IOException;
  }
}
