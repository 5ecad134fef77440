package dev.quiver.arrow.ipc;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.LittleEndian;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A buffer of bytes written in sequence, for streams and files that no writer would produce.
public final class Bytes implements ByteSink {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Override
  public void write(MemorySegment source) {
    out.writeBytes(source.toArray(LittleEndian.INT8));
  }

  public Bytes bytes(byte... bytes) {
    out.writeBytes(bytes);
    return this;
  }

  public Bytes int32(int value) {
    return bytes(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array());
  }

  /// Returns the bytes so far except the last `count`.
  public byte[] without(int count) {
    return Arrays.copyOf(toByteArray(), out.size() - count);
  }

  public byte[] toByteArray() {
    return out.toByteArray();
  }

  public MemorySegment segment() {
    return MemorySegment.ofArray(toByteArray());
  }

  /// Returns a source that yields one byte at a time, like a slow network.
  public ByteSource slowSource() {
    ByteSource all = ByteSource.of(segment());
    return destination ->
        all.read(destination.byteSize() == 0 ? destination : destination.asSlice(0, 1));
  }

  public ByteSource source() {
    return ByteSource.of(segment());
  }
}
