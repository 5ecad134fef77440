package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Precision;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/// Random values of the types whose values have an order.
public final class FlatValues {

  private FlatValues() {}

  public static List<ArrowType> types() {
    List<ArrowType> types = new ArrayList<>();
    for (int bitWidth : new int[] {8, 16, 32, 64}) {
      types.add(new ArrowType.Int(bitWidth, true));
      types.add(new ArrowType.Int(bitWidth, false));
    }
    for (Precision precision : Precision.values()) {
      types.add(new ArrowType.FloatingPoint(precision));
    }
    for (int bitWidth : new int[] {32, 64, 128, 256}) {
      types.add(new ArrowType.Decimal(ArrowType.Decimal.maximumPrecision(bitWidth), 2, bitWidth));
    }
    // Its values fit 64 bits.
    types.add(new ArrowType.Decimal(10, 2, 128));
    types.add(new ArrowType.Bool());
    types.add(new ArrowType.Utf8());
    types.add(new ArrowType.LargeUtf8());
    types.add(new ArrowType.Utf8View());
    types.add(new ArrowType.Binary());
    types.add(new ArrowType.LargeBinary());
    types.add(new ArrowType.BinaryView());
    for (int byteWidth : new int[] {0, 3, 16, 33, 600}) {
      types.add(new ArrowType.FixedSizeBinary(byteWidth));
    }
    return types;
  }

  /// Returns a source of values, some of which are special.
  public static Supplier<Object> of(ArrowType type, Random random) {
    return switch (type) {
      case ArrowType.Bool _ -> random::nextBoolean;
      case ArrowType.Int(int bitWidth, boolean signed) ->
          () -> {
            BigInteger bits = new BigInteger(bitWidth, random);
            return signed ? bits.subtract(BigInteger.TWO.pow(bitWidth - 1)) : bits;
          };
      case ArrowType.FloatingPoint _ ->
          () ->
              switch (random.nextInt(2000)) {
                case 0 -> Double.NaN;
                case 1 -> -0.0;
                case 2 -> Double.NEGATIVE_INFINITY;
                case 3 -> Double.longBitsToDouble(-1);
                case 4 -> 0.0;
                default -> random.nextGaussian() * 100;
              };
      case ArrowType.Decimal(int precision, _, _) ->
          () -> {
            BigInteger magnitude =
                new BigInteger(BigInteger.TEN.pow(precision).bitLength() - 1, random);
            return random.nextBoolean() ? magnitude : magnitude.negate();
          };
      case ArrowType.FixedSizeBinary(int byteWidth) -> () -> bytes(byteWidth, random);
      case ArrowType.Binary _, ArrowType.LargeBinary _, ArrowType.BinaryView _ ->
          () -> bytes(random.nextInt(60), random);
      default -> () -> text(random.nextInt(20), random);
    };
  }

  private static ByteString bytes(int byteSize, Random random) {
    byte[] bytes = new byte[byteSize];
    random.nextBytes(bytes);
    return ByteString.of(bytes);
  }

  static String text(int length, Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(random.nextInt('a', 'z'));
    }
    return text.toString();
  }
}
