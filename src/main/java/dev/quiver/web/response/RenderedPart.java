package dev.quiver.web.response;

import dev.quiver.storage.BlobSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// Bytes that are made when their number is asked for, after the conditions of a request were
/// looked at; a HEAD never asks.
public final class RenderedPart implements BodyPart {

  /// What makes the bytes.
  public interface Rendering {
    byte[] render() throws IOException;
  }

  private final Rendering rendering;
  private BodyPart.@Nullable Bytes rendered;

  public RenderedPart(Rendering rendering) {
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
  public BodyPart slice(long byteOffset, long byteSize) {
    return bytes().slice(byteOffset, byteSize);
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    bytes().writeTo(sink);
  }

  private BodyPart.Bytes bytes() {
    BodyPart.Bytes present = rendered;
    if (present == null) {
      try {
        present = BodyPart.Bytes.of(rendering.render());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      rendered = present;
    }
    return present;
  }
}
