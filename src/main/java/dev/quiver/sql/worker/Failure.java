package dev.quiver.sql.worker;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The failure of a statement.
///
/// @param message one sentence or more, without paths
/// @param hint a sentence that says what to do, or null if unknown
/// @param position the offset in the statement in bytes of UTF-8, or -1 if unknown
/// @param length the number of bytes from there, or 0 if unknown
public record Failure(
    FailureKind kind, String message, @Nullable String hint, int position, int length)
    implements Payload {

  public static Failure read(DataInput input) throws IOException {
    int kind = input.readUnsignedByte();
    if (kind >= FailureKind.values().length) {
      throw new IOException("Expected the kind of a failure but found " + kind);
    }
    String message = Payload.readText(input);
    String hint = Payload.readText(input);
    return new Failure(
        FailureKind.values()[kind],
        message,
        hint.isEmpty() ? null : hint,
        input.readInt(),
        input.readInt());
  }

  @Override
  public void write(DataOutput output) throws IOException {
    output.writeByte(kind.ordinal());
    Payload.writeText(output, message);
    Payload.writeText(output, hint == null ? "" : hint);
    output.writeInt(position);
    output.writeInt(length);
  }
}
