package dev.quiver.web;

import dev.quiver.storage.BlobSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// Bytes that are made when their number is asked for, after the conditions of a request were
/// looked at; a HEAD never asks.
final class RenderedPiece implements Piece {

  /// What makes the bytes.
  interface Rendering {
    byte[] render() throws IOException;
  }

  private final Rendering rendering;
  private Piece.@Nullable Bytes rendered;

  RenderedPiece(Rendering rendering) {
    this.rendering = rendering;
  }

  @Override
  public boolean isRendered() {
    return true;
  }

  @Override
  public long byteSize() {
    return bytes().byteSize();
  }

  @Override
  public Piece slice(long byteOffset, long byteSize) {
    return bytes().slice(byteOffset, byteSize);
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    bytes().writeTo(sink);
  }

  private Piece.Bytes bytes() {
    Piece.Bytes present = rendered;
    if (present == null) {
      try {
        present = Piece.Bytes.of(rendering.render());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      rendered = present;
    }
    return present;
  }
}
