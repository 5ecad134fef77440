package dev.quiver;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.springframework.aot.AotDetector;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.util.ClassUtils;

/// Starts the packaged jar from definitions of beans that its build generated. A start then takes a
/// quarter less time, since no configuration class is analysed.
///
/// The conditions of Spring's own configuration were evaluated when the definitions were generated,
/// with the defaults. They depend on keys below `spring` and `management`; if one of these is set,
/// the definitions are made at the start, as they are without a jar.
final class GeneratedDefinitions
    implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

  /// The class that Spring looks for if it is told to use generated definitions.
  private static final String INITIALIZER =
      Quiver.class.getName() + "__ApplicationContextInitializer";

  private static final List<String> PREFIXES = List.of("spring.", "management.");

  /// The keys that only name the application. Spring itself sets one of them.
  private static final String NAMES = "spring.application.";

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    if (haveDefaults(event.getEnvironment()) && ClassUtils.isPresent(INITIALIZER, null)) {
      SpringProperties.setFlag(AotDetector.AOT_ENABLED);
    }
  }

  /// Whether each key that a condition may depend on has its default, in all sources.
  static boolean haveDefaults(ConfigurableEnvironment environment) {
    return environment.getPropertySources().stream()
        .filter(EnumerablePropertySource.class::isInstance)
        .map(source -> (EnumerablePropertySource<?>) source)
        .allMatch(GeneratedDefinitions::hasDefaults);
  }

  private static boolean hasDefaults(EnumerablePropertySource<?> source) {
    return Arrays.stream(source.getPropertyNames())
        .filter(GeneratedDefinitions::isCondition)
        .allMatch(
            name -> String.valueOf(source.getProperty(name)).equals(Quiver.DEFAULTS.get(name)));
  }

  /// Whether a condition may depend on a key, which may have the form of environment variables.
  private static boolean isCondition(String name) {
    String key = name.toLowerCase(Locale.ROOT).replace('_', '.');
    return PREFIXES.stream().anyMatch(key::startsWith) && !key.startsWith(NAMES);
  }
}
