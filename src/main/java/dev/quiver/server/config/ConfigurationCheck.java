package dev.quiver.server.config;

import dev.quiver.arrow.memory.Excerpt;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.unit.DataSize;

/// Ends the start before anything else if a key below `quiver` is unknown, or its value invalid.
///
/// Spring itself ignores unknown keys, so a misspelt `quiver.token` would start a service without a
/// token.
public final class ConfigurationCheck
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {

  private static final String CONTEXT_PATH = "server.servlet.context-path";
  private static final int QUOTE_LENGTH = 100;

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    ConfigurableEnvironment environment = context.getEnvironment();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> enumerable) {
        requireKeys(enumerable);
      }
    }
    requireOwnForwarding(environment);
    BasePath.requireValid(environment.getProperty(CONTEXT_PATH, "").strip(), CONTEXT_PATH);
    requireFolder(properties(environment).storage());
  }

  /// Rejects the other ways to trust the headers of proxies, each of which trusts every client or
  /// has rules of its own.
  private static void requireOwnForwarding(ConfigurableEnvironment environment) {
    String strategy = environment.getProperty("server.forward-headers-strategy", "none");
    if (!strategy.equalsIgnoreCase("none")) {
      throw ConfigurationException.of(
          "none, and the proxies in quiver.trusted-proxies,",
          strategy,
          "server.forward-headers-strategy");
    }
    for (String name : List.of("remote-ip-header", "protocol-header")) {
      String key = "server.tomcat.remoteip." + name;
      String header = environment.getProperty(key, "");
      if (!header.isEmpty()) {
        throw ConfigurationException.of(
            "no header, but the proxies in quiver.trusted-proxies,", header, key);
      }
    }
  }

  private static void requireKeys(EnumerablePropertySource<?> source) {
    for (String name : source.getPropertyNames()) {
      if (source instanceof SystemEnvironmentPropertySource) {
        ConfigurationKeys.requireVariable(name, "the environment");
      }
      ConfigurationKeys.require(name, where(source, name));
    }
  }

  private static String where(PropertySource<?> source, String name) {
    Origin origin = OriginLookup.getOrigin(source, name);
    if (source instanceof CommandLinePropertySource) {
      return "the command line";
    }
    return switch (source.getName()) {
      case StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME -> "the environment";
      case StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME -> "the system properties";
      default -> origin == null ? source.getName() : origin.toString();
    };
  }

  private static QuiverProperties properties(ConfigurableEnvironment environment) {
    try {
      return Binder.get(environment).bindOrCreate("quiver", QuiverProperties.class);
    } catch (BindException e) {
      throw new ConfigurationException(sentence(e));
    }
  }

  /// Rejects a path below a file or a folder that is not writable. Does not create the folder.
  private static void requireFolder(QuiverProperties.Storage storage) {
    boolean folder = storage.s3Options() == null;
    Path path = (folder ? storage.path() : storage.cachePath()).toAbsolutePath();
    String key = folder ? "quiver.storage.path" : "quiver.storage.cache-path";
    Path existing = path;
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (existing != null && !Files.isDirectory(existing)) {
      throw ConfigurationException.of("a folder", "the file " + existing, key);
    }
    if (existing != null && !Files.isWritable(existing)) {
      throw ConfigurationException.of(
          "a folder that this process may write", existing + ", where it may not,", key);
    }
  }

  /// Returns the message of a value that cannot be bound, which Spring spreads over a chain of
  /// causes.
  static String sentence(BindException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConfigurationException configuration) {
        return String.valueOf(configuration.getMessage());
      }
    }
    ConfigurationProperty property = failure.getProperty();
    return "Expected %s but found %s at %s"
        .formatted(
            expected(failure.getTarget().getType()),
            property == null
                ? "another value"
                : Excerpt.of("\"%s\"".formatted(property.getValue()), QUOTE_LENGTH),
            failure.getName());
  }

  private static String expected(ResolvableType type) {
    Class<?> raw = type.toClass();
    if (Collection.class.isAssignableFrom(raw)) {
      return expected(type.getGeneric());
    }
    if (raw.isEnum()) {
      return Arrays.stream(raw.getEnumConstants())
          .map(constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
          .collect(Collectors.joining(" or "));
    }
    if (raw == Duration.class) {
      return "seconds or a duration such as 90s, 15m, 1h or 7d";
    }
    if (raw == DataSize.class) {
      return "bytes or a size such as 512KB, 64MB or 2GB";
    }
    if (raw == boolean.class || raw == Boolean.class) {
      return "true or false";
    }
    if (raw == int.class || raw == Integer.class) {
      return "a whole number up to " + Integer.MAX_VALUE;
    }
    if (raw == long.class || raw == Long.class) {
      return "a whole number up to " + Long.MAX_VALUE;
    }
    if (raw == URI.class) {
      return "a URL such as https://example.org";
    }
    return "a value of type " + raw.getSimpleName();
  }

  /// Reports an invalid configuration as its one line, without a stack trace. Reports of Spring's
  /// keys would otherwise be a paragraph.
  @Order(Ordered.HIGHEST_PRECEDENCE)
  public static final class Reporter implements SpringBootExceptionReporter {

    /// Spring has already disconnected the loggers of the JDK.
    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationCheck.class);

    /// @param context the context of the start that failed, which Spring passes
    public Reporter(@Nullable ConfigurableApplicationContext context) {}

    @Override
    public boolean reportException(Throwable failure) {
      for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
        String line =
            switch (cause) {
              case ConfigurationException configuration -> configuration.getMessage();
              case BindException bind -> sentence(bind);
              default -> null;
            };
        if (line != null) {
          LOG.error(line);
          return true;
        }
      }
      return false;
    }
  }
}
