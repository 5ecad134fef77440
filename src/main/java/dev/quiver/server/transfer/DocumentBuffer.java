package dev.quiver.server.transfer;

import dev.quiver.arrow.parallel.InFlightBytes;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Memory that collects a document while it is rendered. Unless the document is small, its bytes
/// count as in flight before they are held.
final class DocumentBuffer extends OutputStream {

  private static final int FIRST_BYTES = 1 << 10;
  private static final int CHUNK_BYTES_MAXIMUM = 1 << 20;

  private final InFlightBytes.ResponseCharge charge;
  private final List<BodyPart> chunks = new ArrayList<>();
  private byte[] chunk = new byte[FIRST_BYTES];
  private int filled;
  private long byteSize;
  private boolean charged;

  DocumentBuffer(InFlightBytes.ResponseCharge charge) {
    this.charge = charge;
  }

  @Override
  public void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  /// @throws dev.quiver.arrow.memory.TooLargeInputException if this document alone exceeds the
  ///   limit
  /// @throws dev.quiver.arrow.parallel.OverloadedException if all responses together do
  @Override
  public void write(byte[] source, int offset, int length) {
    byteSize += length;
    if (charged) {
      charge.takeForDocument(length);
    } else if (byteSize > FixedLengthBody.SMALL_BYTES) {
      charged = true;
      charge.takeForDocument(byteSize);
    }
    int position = offset;
    int end = offset + length;
    while (position < end) {
      if (filled == chunk.length) {
        extend();
      }
      int count = Math.min(end - position, chunk.length - filled);
      System.arraycopy(source, position, chunk, filled, count);
      filled += count;
      position += count;
    }
  }

  /// Makes room, at most as much as is filled already. Only the small start is copied.
  private void extend() {
    if (chunk.length < FixedLengthBody.SMALL_BYTES && chunks.isEmpty()) {
      chunk = Arrays.copyOf(chunk, 2 * filled);
    } else {
      chunks.add(BodyPart.Bytes.of(chunk));
      chunk = new byte[Math.min(CHUNK_BYTES_MAXIMUM, 2 * chunk.length)];
      filled = 0;
    }
  }

  /// Returns the document. Nothing may be written after it.
  FixedLengthBody body() {
    List<BodyPart> parts = new ArrayList<>(chunks);
    parts.add(new BodyPart.Bytes(MemorySegment.ofArray(chunk).asSlice(0, filled)));
    return FixedLengthBody.of(parts.toArray(BodyPart[]::new));
  }

  /// Gives back what was charged.
  void release() {
    charge.close();
  }
}
