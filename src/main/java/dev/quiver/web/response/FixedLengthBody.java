package dev.quiver.web.response;

import dev.quiver.storage.BlobSink;
import dev.quiver.web.http.HttpRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A body of known length, piece by piece; nothing is read before it is written.
///
/// @param cuts where a response may be cut, made when one is long enough to need it
public record FixedLengthBody(List<BodyPart> pieces, Cuts cuts) implements Body {

  private static final long SMALL_BYTES = 64 << 10;

  /// What makes [TruncationPoints] for one response.
  public interface Cuts {
    TruncationPoints make() throws IOException;
  }

  public FixedLengthBody {
    pieces = List.copyOf(pieces);
  }

  /// Pieces that may be cut anywhere.
  public static FixedLengthBody of(BodyPart... pieces) {
    return new FixedLengthBody(List.of(pieces), TruncationPoints::anywhere);
  }

  @Override
  public boolean isSmall() {
    return byteSize() <= SMALL_BYTES;
  }

  /// Whether [#byteSize] is more than a sum.
  boolean isRendered() {
    return pieces.stream().anyMatch(BodyPart::isRendered);
  }

  /// Whether columns or rows are chosen for it while it is sent.
  boolean isSelected() {
    return pieces.stream().anyMatch(BodyPart::isSelected);
  }

  public long byteSize() {
    long byteSize = 0;
    for (BodyPart piece : pieces) {
      byteSize = Math.addExact(byteSize, piece.byteSize());
    }
    return byteSize;
  }

  void writeTo(BlobSink sink) throws IOException {
    for (BodyPart piece : pieces) {
      piece.writeTo(sink);
    }
  }

  /// A part of this content. Its reader asked for a length, and looks at it.
  FixedLengthBody slice(HttpRange range) {
    List<BodyPart> slices = new ArrayList<>();
    long start = 0;
    for (BodyPart piece : pieces) {
      long from = Math.max(range.first() - start, 0);
      long to = Math.min(range.last() + 1 - start, piece.byteSize());
      if (from < to) {
        slices.add(piece.slice(from, to - from));
      }
      start += piece.byteSize();
    }
    return new FixedLengthBody(slices, TruncationPoints::anywhere);
  }
}
