package dev.quiver.sql.worker;

import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// A record that is the payload of a frame.
public sealed interface Payload permits RunRequest, SheetRequest, WorkerStatus, RowsRead, Failure {

  void write(DataOutput output) throws IOException;

  /// Returns the input of a frame's payload.
  static DataInput of(WorkerFrame frame) {
    return new DataInputStream(
        new ByteArrayInputStream(frame.payload().toArray(ValueLayout.JAVA_BYTE)));
  }

  /// Writes text of any length.
  static void writeText(DataOutput output, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    output.writeInt(bytes.length);
    output.write(bytes);
  }

  static String readText(DataInput input) throws IOException {
    byte[] bytes = new byte[readCount(input)];
    input.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /// Reads the size of a text or the number of elements of a list.
  static int readCount(DataInput input) throws IOException {
    int count = input.readInt();
    if (count < 0 || count > WorkerFrame.PAYLOAD_BYTE_SIZE_MAXIMUM) {
      throw new IOException("Expected a count but found " + count + " in a frame");
    }
    return count;
  }
}
