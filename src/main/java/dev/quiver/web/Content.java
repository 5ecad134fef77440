package dev.quiver.web;

import dev.quiver.storage.BlobSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A body of known length, piece by piece; nothing is read before it is written.
///
/// @param cuts where a response may be cut, made when one is long enough to need it
record Content(List<Piece> pieces, Cuts cuts) implements Body {

  private static final long SMALL_BYTES = 64 << 10;

  /// What makes [SafeCuts] for one response.
  interface Cuts {
    SafeCuts make() throws IOException;
  }

  Content {
    pieces = List.copyOf(pieces);
  }

  /// Pieces that may be cut anywhere.
  static Content of(Piece... pieces) {
    return new Content(List.of(pieces), SafeCuts::anywhere);
  }

  @Override
  public boolean isSmall() {
    return byteSize() <= SMALL_BYTES;
  }

  /// Whether [#byteSize] is more than a sum.
  boolean isRendered() {
    return pieces.stream().anyMatch(Piece::isRendered);
  }

  /// Whether columns or rows are chosen for it while it is sent.
  boolean isSelected() {
    return pieces.stream().anyMatch(Piece::isSelected);
  }

  long byteSize() {
    long byteSize = 0;
    for (Piece piece : pieces) {
      byteSize = Math.addExact(byteSize, piece.byteSize());
    }
    return byteSize;
  }

  void writeTo(BlobSink sink) throws IOException {
    for (Piece piece : pieces) {
      piece.writeTo(sink);
    }
  }

  /// A part of this content. Its reader asked for a length, and looks at it.
  Content slice(HttpRange range) {
    List<Piece> slices = new ArrayList<>();
    long start = 0;
    for (Piece piece : pieces) {
      long from = Math.max(range.first() - start, 0);
      long to = Math.min(range.last() + 1 - start, piece.byteSize());
      if (from < to) {
        slices.add(piece.slice(from, to - from));
      }
      start += piece.byteSize();
    }
    return new Content(slices, SafeCuts::anywhere);
  }
}
