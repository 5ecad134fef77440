package dev.quiver.sql.worker;

import dev.quiver.sql.engine.StatementParameters;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// The parameters of a request as Java values.
final class ParameterValues {

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private ParameterValues() {}

  /// Returns the values of parameters, which either all have numbers as names or none has.
  static StatementParameters of(List<Parameter> parameters) {
    List<@Nullable Object> positional = new ArrayList<>();
    Map<String, @Nullable Object> named = new LinkedHashMap<>();
    for (Parameter parameter : parameters) {
      if (parameter.isPositional()) {
        positional.add(value(parameter));
      } else {
        named.put(parameter.name(), value(parameter));
      }
    }
    return new StatementParameters(positional, named);
  }

  private static @Nullable Object value(Parameter parameter) {
    String text = parameter.text();
    return switch (parameter.type()) {
      case NULL -> null;
      case BOOLEAN -> Boolean.valueOf(text);
      case BIGINT -> Long.valueOf(text);
      case DECIMAL -> new BigDecimal(text);
      case DOUBLE -> Double.valueOf(text);
      case VARCHAR -> text;
      case LIST -> {
        List<@Nullable Object> items = new ArrayList<>();
        MAPPER.readTree(text).forEach(item -> items.add(value(Parameter.of("", item))));
        yield items;
      }
    };
  }
}
