package dev.quiver.sql.engine;

import dev.quiver.sql.engine.EngineException.Kind;
import dev.quiver.sql.library.Library;
import dev.quiver.sql.library.LogicalTypes;
import dev.quiver.sql.library.TypeId;
import dev.quiver.sql.library.Values;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
      case List<?> items -> list(name, items);
      default ->
          throw new IllegalArgumentException(
              "Expected a value of a documented class but found " + value.getClass());
    };
  }

  private long list(String name, List<?> items) {
    LogicalTypes types = library.types();
    long[] values = new long[items.size()];
    long type = itemType(items);
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < values.length; i++) {
        values[i] = create(name, items.get(i));
      }
      long address = arena.allocateFrom(ValueLayout.JAVA_LONG, values).address();
      long list = library.values().createList(type, address, values.length);
      if (list == 0) {
        throw new EngineException(
            Kind.CONVERSION, "Expected items of one type in the parameter $" + name);
      }
      return list;
    } finally {
      types.release(type);
      for (long value : values) {
        if (value != 0) {
          library.values().release(value);
        }
      }
    }
  }

  /// Returns the type of the items of a list: that of NULL if there is no other value. Numbers are
  /// decimals if one of at most 38 digits holds them all, and else of DOUBLE.
  private long itemType(List<?> items) {
    LogicalTypes types = library.types();
    List<Object> values = new ArrayList<>();
    items.forEach(item -> {
      if (item != null) {
        values.add(item);
      }
    });
    if (values.isEmpty()) {
      return types.create(TypeId.NULL.number());
    }
    if (values.getFirst() instanceof String) {
      return types.create(TypeId.VARCHAR.number());
    }
    if (values.getFirst() instanceof Boolean) {
      return types.create(TypeId.BOOLEAN.number());
    }
    if (values.stream().allMatch(item -> item instanceof Long || item instanceof Integer)) {
      return types.create(TypeId.BIGINT.number());
    }
    if (values.stream().anyMatch(Double.class::isInstance)) {
      return types.create(TypeId.DOUBLE.number());
    }
    List<BigDecimal> numbers = values.stream().map(Object::toString).map(BigDecimal::new).toList();
    int scale = numbers.stream().mapToInt(BigDecimal::scale).max().orElse(0);
    int whole =
        numbers.stream().mapToInt(number -> number.precision() - number.scale()).max().orElse(0);
    int precision = Math.max(1, scale + Math.max(0, whole));
    return precision <= PRECISION_MAXIMUM
        ? types.createDecimal(precision, scale)
        : types.create(TypeId.DOUBLE.number());
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
