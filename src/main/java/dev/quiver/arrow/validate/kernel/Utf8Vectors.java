package dev.quiver.arrow.validate.kernel;

import java.util.function.IntUnaryOperator;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// A UTF-8 check by table lookups, as described in *Validating UTF-8 In Less Than One Instruction
/// Per Byte* by John Keiser and Daniel Lemire.
///
/// Any mistake in two adjacent bytes shows in three of their halves: both halves of the first byte
/// and the high half of the second. One table per half holds the mistakes that it allows, as bits;
/// the mistakes that all three allow are present. A continuation after a continuation is the
/// exception. It is valid exactly if a lead of three or four bytes is two or three bytes before.
final class Utf8Vectors {

  /// A lead byte without its continuation.
  private static final int TOO_SHORT = 1;

  /// A continuation after ASCII.
  private static final int TOO_LONG = 1 << 1;

  private static final int OVERLONG_OF_3 = 1 << 2;

  /// Above U+10FFFF, from F4 90 on.
  private static final int TOO_LARGE = 1 << 3;

  private static final int SURROGATE = 1 << 4;
  private static final int OVERLONG_OF_2 = 1 << 5;

  /// F5 to FF followed by 80 to 8F. It cannot coincide with an overlong form, which starts with F0.
  private static final int TOO_LARGE_LEAD = 1 << 6;

  private static final int OVERLONG_OF_4 = 1 << 6;
  private static final int TWO_CONTINUATIONS = 1 << 7;

  /// The mistakes that the low half never excludes.
  private static final int ANY_LOW_HALF = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS;

  /// The preferred species, but at least 16 bytes for the tables and at most the padding's 64.
  static final VectorSpecies<Byte> BYTES =
      VectorShape.forBitSize(Math.clamp(ByteVector.SPECIES_PREFERRED.vectorBitSize(), 128, 512))
          .withLanes(byte.class);

  private static final int HALF_BITS = 4;
  private static final byte LOW_HALF = 0xF;
  private static final byte HIGHEST_BIT = (byte) 0x80;

  private static final ByteVector FIRST_HIGH =
      table(half -> {
        if (half < 0x8) {
          return TOO_LONG;
        }
        return switch (half) {
          case 0xC -> TOO_SHORT | OVERLONG_OF_2;
          case 0xD -> TOO_SHORT;
          case 0xE -> TOO_SHORT | OVERLONG_OF_3 | SURROGATE;
          case 0xF -> TOO_SHORT | TOO_LARGE | TOO_LARGE_LEAD | OVERLONG_OF_4;
          default -> TWO_CONTINUATIONS;
        };
      });

  private static final ByteVector FIRST_LOW =
      table(half ->
          ANY_LOW_HALF
              | switch (half) {
                case 0x0 -> OVERLONG_OF_3 | OVERLONG_OF_2 | OVERLONG_OF_4;
                case 0x1 -> OVERLONG_OF_2;
                case 0x2, 0x3 -> 0;
                case 0x4 -> TOO_LARGE;
                case 0xD -> TOO_LARGE | TOO_LARGE_LEAD | SURROGATE;
                default -> TOO_LARGE | TOO_LARGE_LEAD;
              });

  private static final ByteVector SECOND_HIGH =
      table(half ->
          switch (half) {
            case 0x8 ->
                TOO_LONG
                    | OVERLONG_OF_2
                    | TWO_CONTINUATIONS
                    | OVERLONG_OF_3
                    | TOO_LARGE_LEAD
                    | OVERLONG_OF_4;
            case 0x9 -> TOO_LONG | OVERLONG_OF_2 | TWO_CONTINUATIONS | OVERLONG_OF_3 | TOO_LARGE;
            case 0xA, 0xB -> TOO_LONG | OVERLONG_OF_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE;
            default -> TOO_SHORT;
          });

  private Utf8Vectors() {}

  /// Returns the same as [Kernels#isUtf8]. The bytes after the text show whether its last character
  /// is complete.
  static boolean isUtf8(byte[] text, int start, int end) {
    ByteVector wrong = ByteVector.zero(BYTES);
    for (int position = start; position <= end; position += BYTES.length()) {
      wrong = wrong.or(mistakes(text, position));
    }
    return wrong.eq((byte) 0).allTrue();
  }

  private static ByteVector mistakes(byte[] text, int position) {
    ByteVector second = ByteVector.fromArray(BYTES, text, position);
    ByteVector first = ByteVector.fromArray(BYTES, text, position - 1);
    ByteVector mistakes =
        highHalf(first)
            .selectFrom(FIRST_HIGH)
            .and(first.and(LOW_HALF).selectFrom(FIRST_LOW))
            .and(highHalf(second).selectFrom(SECOND_HIGH));
    ByteVector twoBefore = ByteVector.fromArray(BYTES, text, position - 2);
    ByteVector threeBefore = ByteVector.fromArray(BYTES, text, position - 3);
    // The subtraction leaves the highest bit only in leads of at least that many bytes.
    ByteVector continued =
        twoBefore
            .lanewise(VectorOperators.SUSUB, (byte) (0xE0 - 0x80))
            .or(threeBefore.lanewise(VectorOperators.SUSUB, (byte) (0xF0 - 0x80)))
            .and(HIGHEST_BIT);
    return continued.lanewise(VectorOperators.XOR, mistakes);
  }

  private static ByteVector highHalf(ByteVector bytes) {
    return bytes
        .reinterpretAsShorts()
        .lanewise(VectorOperators.LSHR, HALF_BITS)
        .reinterpretAsBytes()
        .and(LOW_HALF);
  }

  /// Returns the mistakes that each half of a byte allows; only the first 16 lanes are ever
  /// selected.
  private static ByteVector table(IntUnaryOperator mistakes) {
    byte[] lanes = new byte[BYTES.length()];
    for (int half = 0; half <= LOW_HALF; half++) {
      lanes[half] = (byte) mistakes.applyAsInt(half);
    }
    return ByteVector.fromArray(BYTES, lanes, 0);
  }
}
