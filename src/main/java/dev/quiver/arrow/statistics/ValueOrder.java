package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// The order of the bytes of bounds.
public enum ValueOrder implements Comparator<ByteString> {
  /// Little-endian integers in two's complement.
  SIGNED {
    @Override
    public int compare(ByteString a, ByteString b) {
      return compareReversed(a.toByteArray(), b.toByteArray(), Byte.MIN_VALUE);
    }
  },
  /// Little-endian unsigned integers.
  UNSIGNED {
    @Override
    public int compare(ByteString a, ByteString b) {
      return compareReversed(a.toByteArray(), b.toByteArray(), (byte) 0);
    }
  },
  /// Little-endian floating-point numbers, none of them NaN or -0.0.
  FLOATING_POINT {
    @Override
    public int compare(ByteString a, ByteString b) {
      byte[] first = a.toByteArray();
      byte[] second = b.toByteArray();
      boolean bothNegative = first[first.length - 1] < 0 && second[second.length - 1] < 0;
      int order = compareReversed(first, second, Byte.MIN_VALUE);
      return bothNegative ? -order : order;
    }
  },
  /// Text and binary values, booleans.
  BYTES {
    @Override
    public int compare(ByteString a, ByteString b) {
      return Arrays.compareUnsigned(a.toByteArray(), b.toByteArray());
    }
  };

  /// Returns the order of the values of a type, or null if they have none and so no bounds.
  public static @Nullable ValueOrder of(ArrowType type) {
    return switch (type) {
      case ArrowType.Int(_, boolean signed) -> signed ? SIGNED : UNSIGNED;
      case ArrowType.FloatingPoint _ -> FLOATING_POINT;
      case ArrowType.Decimal _, ArrowType.Temporal _ -> SIGNED;
      case ArrowType.Bool(), ArrowType.Bytes _, ArrowType.Text _ -> BYTES;
      case ArrowType.Null(), ArrowType.Interval _, ArrowType.RunEndEncoded(), ArrowType.Nested _ ->
          null;
    };
  }

  private static int compareReversed(byte[] a, byte[] b, byte signFlip) {
    int last = a.length - 1;
    int order = Integer.compare((a[last] ^ signFlip) & 0xFF, (b[last] ^ signFlip) & 0xFF);
    for (int i = last - 1; order == 0 && i >= 0; i--) {
      order = Integer.compare(a[i] & 0xFF, b[i] & 0xFF);
    }
    return order;
  }
}
