package dev.quiver.server.config;

import dev.quiver.arrow.memory.NearestName;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/// The keys below `quiver`, as the components of [QuiverProperties] declare them, and the check
/// that a configuration has no others.
public final class ConfigurationKeys {

  private static final String ROOT = "quiver";

  private static final Map<String, String> DEFAULTS = collectDefaults();

  /// The index of an element that has keys of its own.
  private static final Pattern INDEX = Pattern.compile("\\[[0-9]+]\\.");

  /// The keys as Spring compares them, which ignores case and hyphens.
  private static final Set<String> NAMES =
      DEFAULTS.keySet().stream()
          // A list may also be set as a whole, to be empty.
          .flatMap(key -> Stream.of(key, key.replaceFirst("\\[]\\..*", "")))
          .map(ConfigurationKeys::uniform)
          .collect(Collectors.toUnmodifiableSet());

  /// Variables of the environment that are not keys: variables of the tests, and the ones that
  /// Kubernetes sets for a service named `quiver`.
  private static final List<Predicate<String>> OTHER_VARIABLES =
      List.of(
          "QUIVER_REQUIRE"::equals,
          "QUIVER_OF_ARROW_JAVA"::equals,
          name -> name.startsWith("QUIVER_SERVICE_"),
          name -> name.startsWith("QUIVER_PORT"));

  private ConfigurationKeys() {}

  /// Returns the default of each key as text, which is empty for an empty list.
  public static Map<String, String> defaults() {
    return DEFAULTS;
  }

  private static Map<String, String> collectDefaults() {
    Map<String, String> defaults = new TreeMap<>();
    collect(ROOT, QuiverProperties.class, defaults);
    return Collections.unmodifiableMap(defaults);
  }

  private static void collect(String prefix, Class<?> type, Map<String, String> defaults) {
    RecordComponent[] components = type.getRecordComponents();
    Parameter[] parameters = type.getDeclaredConstructors()[0].getParameters();
    for (int i = 0; i < components.length; i++) {
      Name named = parameters[i].getAnnotation(Name.class);
      String key =
          prefix + "." + (named == null ? kebabCase(components[i].getName()) : named.value());
      Class<?> element = element(components[i]);
      if (components[i].getType().isRecord()) {
        collect(key, components[i].getType(), defaults);
      } else if (element != null) {
        collect(key + "[]", element, defaults);
      } else {
        DefaultValue value = parameters[i].getAnnotation(DefaultValue.class);
        defaults.put(key, String.join(",", Objects.requireNonNull(value, key).value()));
      }
    }
  }

  /// Returns the type of the elements of a list if they have keys of their own, or null.
  private static @Nullable Class<?> element(RecordComponent component) {
    return component.getGenericType() instanceof ParameterizedType list
            && list.getActualTypeArguments()[0] instanceof Class<?> element
            && element.isRecord()
            && Arrays.stream(element.getDeclaredConstructors()[0].getParameters())
                .allMatch(parameter -> parameter.isAnnotationPresent(DefaultValue.class))
        ? element
        : null;
  }

  private static String uniform(String key) {
    return INDEX.matcher(key).replaceAll("[].").replace("-", "").toLowerCase(Locale.ROOT);
  }

  private static String kebabCase(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  /// Rejects a name below `quiver` that is not a key. Every spelling that Spring binds is accepted.
  ///
  /// @param where the source of the name
  /// @throws ConfigurationException if it is not a key; the message names the nearest key
  static void require(String name, String where) {
    ConfigurationPropertyName found = ConfigurationPropertyName.adapt(name, '.');
    ConfigurationPropertyName root = ConfigurationPropertyName.of(ROOT);
    while (found.isLastElementIndexed()) {
      found = found.getParent();
    }
    if (root.isAncestorOf(found) && !NAMES.contains(uniform(found.toString()))) {
      throw unknown(found.toString(), name, where);
    }
  }

  /// Rejects a variable of the environment that begins with `QUIVER_` and is not a key.
  ///
  /// @throws ConfigurationException like [#require]
  static void requireVariable(String name, String where) {
    String upper = name.toUpperCase(Locale.ROOT);
    boolean other = OTHER_VARIABLES.stream().anyMatch(variable -> variable.test(upper));
    if (upper.startsWith("QUIVER_") && !other) {
      String variable = upper.replaceFirst("(_\\d+_?)+$", "");
      if (DEFAULTS.keySet().stream().noneMatch(key -> isVariable(variable, key))) {
        throw unknown(variable.toLowerCase(Locale.ROOT).replace('_', '.'), name, where);
      }
    }
  }

  /// Returns whether a variable sets a key, whose hyphens become nothing or underscores.
  private static boolean isVariable(String variable, String key) {
    String upper = key.toUpperCase(Locale.ROOT).replace("[].", "_0_").replace('.', '_');
    String first = variable.replaceAll("_[0-9]+_", "_0_");
    return first.equals(upper.replace("-", "")) || first.equals(upper.replace('-', '_'));
  }

  private static ConfigurationException unknown(String key, String name, String where) {
    return ConfigurationException.of(
        "a key", name, where + ": the nearest key is " + NearestName.of(key, DEFAULTS.keySet()));
  }
}
