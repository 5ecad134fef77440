package dev.quiver.config;

import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/// The keys below `quiver`, as the code declares them.
public final class ConfigurationKeys {

  private ConfigurationKeys() {}

  /// Returns the default of each key as text, which is empty for an empty list.
  public static Map<String, String> defaults() {
    Map<String, String> defaults = new TreeMap<>();
    collect("quiver", QuiverProperties.class, defaults);
    return defaults;
  }

  private static void collect(String prefix, Class<?> type, Map<String, String> defaults) {
    RecordComponent[] components = type.getRecordComponents();
    Parameter[] parameters = type.getDeclaredConstructors()[0].getParameters();
    for (int i = 0; i < components.length; i++) {
      Name named = parameters[i].getAnnotation(Name.class);
      String key =
          prefix + "." + (named == null ? kebabCase(components[i].getName()) : named.value());
      if (components[i].getType().isRecord()) {
        collect(key, components[i].getType(), defaults);
      } else {
        DefaultValue value = parameters[i].getAnnotation(DefaultValue.class);
        defaults.put(key, String.join(",", Objects.requireNonNull(value, key).value()));
      }
    }
  }

  private static String kebabCase(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
