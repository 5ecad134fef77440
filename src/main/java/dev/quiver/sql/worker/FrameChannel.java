package dev.quiver.sql.worker;

import dev.quiver.arrow.memory.LittleEndian;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Frames over a socket: a byte for the type, four for the size of the payload (little-endian), the
/// payload.
///
/// One thread reads at a time; any thread writes.
public final class FrameChannel implements Closeable {

  /// The number of frames that can be read before the first of them is done with.
  public static final int BUFFERS = 16;

  private static final int HEADER_BYTE_SIZE = 5;

  private final SocketChannel socket;
  private final MemorySegment readHeader = Arena.ofAuto().allocate(HEADER_BYTE_SIZE);
  private final MemorySegment writeHeader = Arena.ofAuto().allocate(HEADER_BYTE_SIZE);

  /// Memory for payloads, which grows to the largest one that needs it.
  private MemorySegment memory = Arena.ofAuto().allocate(WorkerFrame.DATA_BYTE_SIZE_MAXIMUM);

  /// Memory for frames that are read ahead, kept since most channels carry many results.
  private final @Nullable MemorySegment[] buffers = new MemorySegment[BUFFERS];

  /// @param socket a connected socket in blocking mode
  public FrameChannel(SocketChannel socket) {
    this.socket = socket;
  }

  /// Waits for the next frame, whose payload lives until the next call.
  ///
  /// @throws EOFException if the other process closed the socket
  /// @throws IOException if the bytes are not a frame
  public WorkerFrame read() throws IOException {
    return read(memory);
  }

  /// Waits for the next frame. The payload of a [FrameType#DATA] lives until the next call with the
  /// same index, for another frame at least until the next call.
  ///
  /// @param buffer the index of one of the [#BUFFERS]
  /// @throws EOFException if the other process closed the socket
  /// @throws IOException if the bytes are not a frame
  public WorkerFrame readInto(int buffer) throws IOException {
    MemorySegment present = buffers[buffer];
    if (present == null) {
      present = Arena.ofAuto().allocate(WorkerFrame.DATA_BYTE_SIZE_MAXIMUM);
      buffers[buffer] = present;
    }
    return read(present);
  }

  private WorkerFrame read(MemorySegment buffer) throws IOException {
    readFully(readHeader);
    int code = LittleEndian.getInt8(readHeader, 0);
    FrameType type = FrameType.of(code);
    long byteSize = LittleEndian.getInt32(readHeader, 1);
    if (type == null || byteSize < 0 || byteSize > WorkerFrame.PAYLOAD_BYTE_SIZE_MAXIMUM) {
      throw new IOException(
          "Expected a frame but found type %d and %d bytes".formatted(code, byteSize));
    }
    MemorySegment payload =
        (byteSize <= buffer.byteSize() ? buffer : grown(byteSize)).asSlice(0, byteSize);
    readFully(payload);
    return new WorkerFrame(type, payload);
  }

  private MemorySegment grown(long byteSize) {
    if (byteSize > memory.byteSize()) {
      memory = Arena.ofAuto().allocate(byteSize);
    }
    return memory;
  }

  /// Sends a frame.
  ///
  /// @param payload native memory
  public void write(FrameType type, MemorySegment payload) throws IOException {
    synchronized (writeHeader) {
      LittleEndian.setInt8(writeHeader, 0, (byte) type.ordinal());
      LittleEndian.setInt32(writeHeader, 1, (int) payload.byteSize());
      ByteBuffer[] buffers = {writeHeader.asByteBuffer(), payload.asByteBuffer()};
      while (buffers[0].hasRemaining() || buffers[1].hasRemaining()) {
        socket.write(buffers);
      }
    }
  }

  /// Sends a frame without a payload.
  public void write(FrameType type) throws IOException {
    write(type, MemorySegment.NULL);
  }

  public void write(FrameType type, String text) throws IOException {
    write(type, text.getBytes(StandardCharsets.UTF_8));
  }

  public void write(FrameType type, Payload payload) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    payload.write(new DataOutputStream(bytes));
    write(type, bytes.toByteArray());
  }

  public void write(FrameType type, byte[] payload) throws IOException {
    if (payload.length > WorkerFrame.PAYLOAD_BYTE_SIZE_MAXIMUM) {
      throw new IOException(
          "Expected at most %d bytes but found %d in a frame"
              .formatted(WorkerFrame.PAYLOAD_BYTE_SIZE_MAXIMUM, payload.length));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocate(payload.length);
      MemorySegment.copy(payload, 0, copy, LittleEndian.INT8, 0, payload.length);
      write(type, copy);
    }
  }

  private void readFully(MemorySegment destination) throws IOException {
    ByteBuffer buffer = destination.asByteBuffer();
    while (buffer.hasRemaining()) {
      if (socket.read(buffer) < 0) {
        throw new EOFException("Expected a frame but found the end of the connection");
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
