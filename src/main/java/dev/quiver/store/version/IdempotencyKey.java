package dev.quiver.store.version;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;

/// A client's name for one write, so that a retry does not write again.
///
/// @param value 1 to 255 visible ASCII characters, chosen by the client
public record IdempotencyKey(String value) {

  private static final int MAXIMUM_LENGTH = 255;

  /// @throws IllegalArgumentException with the expected syntax in its message, if `value` is
  ///   invalid
  public IdempotencyKey {
    boolean visible = value.chars().allMatch(c -> c > ' ' && c < 0x7F);
    if (value.isEmpty() || value.length() > MAXIMUM_LENGTH || !visible) {
      throw new IllegalArgumentException(
          "Expected 1 to %d visible ASCII characters but found %s"
              .formatted(
                  MAXIMUM_LENGTH, visible ? value.length() + " of them" : "other characters"));
    }
  }

  /// Returns the stored form: 128 bits of the key's SHA-256, as 26 characters that a name may
  /// contain.
  public String hash() {
    MemorySegment bits = MemorySegment.ofArray(Sha256.digest(value));
    return Ulid.encode(LittleEndian.getInt64(bits, 0), LittleEndian.getInt64(bits, Long.BYTES));
  }
}
