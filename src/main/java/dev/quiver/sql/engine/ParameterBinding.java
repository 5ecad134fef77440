package dev.quiver.sql.engine;

import dev.quiver.sql.engine.EngineException.Kind;
import dev.quiver.sql.library.Library;
import dev.quiver.sql.library.Values;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The binding of values to the parameters of a prepared statement.
record ParameterBinding(Library library, long statement) {

  private static final int PRECISION_MAXIMUM = 38;

  /// Binds a value to each parameter, and each value to a parameter.
  ///
  /// @return how many parameters the statement has
  /// @throws EngineException if one lacks the other, or if a number has too many digits
  int bind(StatementParameters parameters) {
    Set<String> bound = new HashSet<>();
    int count = (int) library.statements().parameterCount(statement);
    for (int position = 1; position <= count; position++) {
      String name = library.statements().parameterName(statement, position);
      long value = create(name, value(name, parameters));
      boolean accepted = library.statements().bind(statement, position, value);
      library.values().release(value);
      if (!accepted) {
        throw new EngineException(Kind.BINDING, "The parameter $" + name + " cannot be bound");
      }
      bound.add(name);
    }
    requireUsed(parameters, bound);
    return count;
  }

  private static @Nullable Object value(String name, StatementParameters parameters) {
    if (parameters.named().containsKey(name)) {
      return parameters.named().get(name);
    }
    for (int i = 0; i < parameters.positional().size(); i++) {
      if (name.equals(Integer.toString(i + 1))) {
        return parameters.positional().get(i);
      }
    }
    throw new EngineException(
        Kind.BINDING, "Expected a value for the parameter $" + name + " but found none");
  }

  private static void requireUsed(StatementParameters parameters, Set<String> bound) {
    for (Map.Entry<String, ?> named : parameters.named().entrySet()) {
      if (!bound.contains(named.getKey())) {
        throw unused(named.getKey());
      }
    }
    for (int i = 1; i <= parameters.positional().size(); i++) {
      if (!bound.contains(Integer.toString(i))) {
        throw unused(Integer.toString(i));
      }
    }
  }

  private static EngineException unused(String name) {
    return new EngineException(
        Kind.BINDING, "Expected a parameter $" + name + " in the statement but found none");
  }

  private long create(String name, @Nullable Object value) {
    Values values = library.values();
    return switch (value) {
      case null -> values.createNull();
      case Boolean bool -> values.createBool(bool);
      case Integer number -> values.createInt64(number);
      case Long number -> values.createInt64(number);
      case BigInteger number -> decimal(name, new BigDecimal(number));
      case BigDecimal number -> decimal(name, number);
      case Float number -> values.createDouble(number);
      case Double number -> values.createDouble(number);
      case String text -> values.createText(text);
      default ->
          throw new IllegalArgumentException(
              "Expected a value of a documented class but found " + value.getClass());
    };
  }

  private long decimal(String name, BigDecimal value) {
    BigDecimal number = value.scale() < 0 ? value.setScale(0, RoundingMode.UNNECESSARY) : value;
    int precision = Math.max(number.precision(), number.scale());
    if (precision > PRECISION_MAXIMUM) {
      throw new EngineException(
          Kind.CONVERSION,
          "Expected at most %d digits in the parameter $%s but found %d"
              .formatted(PRECISION_MAXIMUM, name, precision));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment decimal = arena.allocate(Values.DECIMAL);
      BigInteger unscaled = number.unscaledValue();
      decimal.set(ValueLayout.JAVA_BYTE, 0, (byte) precision);
      decimal.set(ValueLayout.JAVA_BYTE, 1, (byte) number.scale());
      decimal.set(ValueLayout.JAVA_LONG, 8, unscaled.longValue());
      decimal.set(ValueLayout.JAVA_LONG, 16, unscaled.shiftRight(Long.SIZE).longValue());
      return library.values().createDecimal(decimal);
    }
  }
}
