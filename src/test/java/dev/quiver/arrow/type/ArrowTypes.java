package dev.quiver.arrow.type;

import java.util.Arrays;

/// The classes of types.
public final class ArrowTypes {

  private ArrowTypes() {}

  /// Returns the class of each type, without the interfaces that group them.
  public static Class<?>[] all() {
    return Arrays.stream(ArrowType.class.getDeclaredClasses())
        .filter(Class::isRecord)
        .toArray(Class<?>[]::new);
  }
}
