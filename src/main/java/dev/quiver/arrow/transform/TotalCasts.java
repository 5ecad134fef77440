package dev.quiver.arrow.transform;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;

/// The casts of [Casts] that no value fails for.
public final class TotalCasts {

  private TotalCasts() {}

  /// Returns whether a cast that exists holds for every value. Dictionaries count as small enough
  /// for their indices.
  public static boolean isTotal(Field from, Field to) {
    return switch (to.type()) {
      case ArrowType.Null() -> from.type().equals(to.type());
      case ArrowType.Int(int bitWidth, boolean signed) -> holds(from.type(), bitWidth, signed);
      case ArrowType.FloatingPoint _, ArrowType.FixedSizeBinary _ -> from.type().equals(to.type());
      case ArrowType.Decimal(_, _, int bitWidth) ->
          from.type() instanceof ArrowType.Decimal(_, _, int other) && bitWidth >= other;
      case ArrowType.Time(var unit, _) ->
          from.type() instanceof ArrowType.Time(var other, _)
              && unit.perSecond() >= other.perSecond();
      // The range of a finer unit is smaller.
      case ArrowType.Timestamp(var unit, _) ->
          from.type() instanceof ArrowType.Timestamp(var other, _) && unit == other;
      case ArrowType.RunEndEncoded() -> isTotal(from, to.children().getLast());
      case ArrowType.FixedSizeList _ -> from.type().equals(to.type()) && areTotal(from, to);
      default -> areTotal(from, to);
    };
  }

  private static boolean holds(ArrowType from, int bitWidth, boolean signed) {
    return from instanceof ArrowType.Int(int fromWidth, boolean fromSigned)
        && (fromSigned == signed ? fromWidth <= bitWidth : signed && fromWidth < bitWidth);
  }

  private static boolean areTotal(Field from, Field to) {
    for (int i = 0; i < from.children().size(); i++) {
      if (!isTotal(from.children().get(i), to.children().get(i))) {
        return false;
      }
    }
    return true;
  }
}
