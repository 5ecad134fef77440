package dev.quiver.server.transfer;

import dev.quiver.store.blob.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A body that waits for the pace of its principal before each step.
record PacedBodyOutput(BodyOutput output, Pace pace) implements BodyOutput {

  @Override
  public void write(ByteBuffer... sources) throws IOException {
    pace.take(BodyOutput.remaining(sources));
    output.write(sources);
  }

  @Override
  public void writeLast(ByteBuffer source) throws IOException {
    pace.take(source.remaining());
    output.writeLast(source);
  }

  @Override
  public boolean transfers() {
    return output.transfers();
  }

  @Override
  public long transfer(Blob blob, long byteOffset, long byteSize) throws IOException {
    long step = Math.min(byteSize, pace.stepByteSize());
    pace.take(step);
    long moved = 0;
    try {
      moved = output.transfer(blob, byteOffset, step);
      return moved;
    } finally {
      pace.giveBack(step - Math.max(moved, 0));
    }
  }

  @Override
  public void close() {
    output.close();
  }
}
