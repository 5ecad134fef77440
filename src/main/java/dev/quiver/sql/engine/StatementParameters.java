package dev.quiver.sql.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The values of a statement's parameters: by position for `?` and `$1`, by name for `$name`.
///
/// A value is null, a `Boolean`, an `Integer` or `Long` (BIGINT), a `BigInteger` or `BigDecimal` of
/// at most 38 digits (DECIMAL), a `Float` or `Double` (DOUBLE), a `String` (VARCHAR), or a `List`
/// of these, whose items take one type.
public record StatementParameters(
    List<? extends @Nullable Object> positional, Map<String, ? extends @Nullable Object> named) {

  public static final StatementParameters NONE = new StatementParameters(List.of(), Map.of());

  public StatementParameters {
    positional = Collections.unmodifiableList(new ArrayList<@Nullable Object>(positional));
    named = Collections.unmodifiableMap(new LinkedHashMap<String, @Nullable Object>(named));
  }

  public static StatementParameters of(@Nullable Object... values) {
    List<@Nullable Object> list = new ArrayList<>();
    Collections.addAll(list, values);
    return new StatementParameters(list, Map.of());
  }

  public static StatementParameters named(Map<String, ? extends @Nullable Object> values) {
    return new StatementParameters(List.of(), values);
  }
}
