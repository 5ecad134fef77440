package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.config.ConfigurationKeys;
import dev.quiver.server.config.QuiverProperties;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.FileSystemResource;

/// The file `application.yml`, which repeats the defaults of the code and is part of the jar.
/// `DocumentTablesTest` covers the tables of `src/docs/configuration.md`.
class DefaultsTest {

  private static final Path FILE = Path.of("application.yml");

  private final EnumerablePropertySource<?> file;

  DefaultsTest() throws IOException {
    List<PropertySource<?>> documents =
        new YamlPropertySourceLoader().load("file", new FileSystemResource(FILE));
    assertThat(documents).hasSize(1);
    file = (EnumerablePropertySource<?>) documents.getFirst();
  }

  @Test
  void applicationYmlListsEveryKey() {
    assertThat(file.getPropertyNames())
        .filteredOn(name -> name.startsWith("quiver."))
        .containsExactlyInAnyOrderElementsOf(
            ConfigurationKeys.defaults().keySet().stream()
                .map(key -> key.replaceFirst("\\[]\\..*", ""))
                .distinct()
                .toList());
  }

  @Test
  void applicationYmlBindsToTheDefaults() {
    assertThat(bind(List.of(file))).isEqualTo(bind(List.of()));
  }

  @Test
  void applicationYmlRepeatsTheSpringDefaultsOfTheCode() {
    Quiver.DEFAULTS.forEach(
        (key, value) -> assertThat(file.getProperty(key)).as(key).asString().isEqualTo(value));
  }

  @Test
  void jarContainsApplicationYml() throws IOException {
    try (InputStream packaged = Quiver.class.getResourceAsStream("/application.yml")) {
      assertThat(Objects.requireNonNull(packaged).readAllBytes())
          .isEqualTo(Files.readAllBytes(FILE));
    }
  }

  private static QuiverProperties bind(List<PropertySource<?>> sources) {
    return new Binder(ConfigurationPropertySources.from(sources))
        .bindOrCreate("quiver", QuiverProperties.class);
  }
}
