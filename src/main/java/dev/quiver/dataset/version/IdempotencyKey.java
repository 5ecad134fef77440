package dev.quiver.dataset.version;

import dev.quiver.memory.LittleEndian;
import dev.quiver.memory.Sha256;
import java.lang.foreign.MemorySegment;

/// What a client calls one write, so that the same write sent again is not done again.
///
/// @param value 1 to 255 visible characters of ASCII, as the client made it up
public record IdempotencyKey(String value) {

  private static final int MAXIMUM_LENGTH = 255;

  /// @throws IllegalArgumentException whose message says what was expected
  public IdempotencyKey {
    boolean visible = value.chars().allMatch(c -> c > ' ' && c < 0x7F);
    if (value.isEmpty() || value.length() > MAXIMUM_LENGTH || !visible) {
      throw new IllegalArgumentException(
          "Expected 1 to %d visible characters of ASCII but found %s"
              .formatted(MAXIMUM_LENGTH, visible ? value.length() + " of them" : "others"));
    }
  }

  /// What is kept of it: 128 bits of its SHA-256, as 26 characters that may be part of a name.
  public String hash() {
    MemorySegment bits = MemorySegment.ofArray(Sha256.digest(value));
    return Ulid.encode(LittleEndian.getInt64(bits, 0), LittleEndian.getInt64(bits, Long.BYTES));
  }
}
