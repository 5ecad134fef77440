package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/// The settings with which a start uses generated definitions. That a packaged jar uses them is
/// seen by the clients' tests.
class GeneratedDefinitionsTest {

  @Test
  void defaultsAreAnticipated() {
    assertThat(haveDefaults(Quiver.DEFAULTS)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "quiver.sample, false",
    "server.port, 0",
    "logging.level.root, debug",
    "spring.main.banner-mode, off",
    "spring.application.pid, 1",
    "springs, other"
  })
  void otherKeysAndRepeatedDefaultsAreAnticipated(String key, String value) {
    assertThat(haveDefaults(Map.of(key, value))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "management.opentelemetry.tracing.export.otlp.endpoint",
        "MANAGEMENT_SERVER_PORT",
        "spring.profiles.active",
        "Spring.Main.Banner-Mode"
      })
  void otherValuesOfSpringAreNot(String key) {
    assertThat(haveDefaults(Map.of(key, "1"))).isFalse();
  }

  private static boolean haveDefaults(Map<String, Object> properties) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    return GeneratedDefinitions.haveDefaults(environment);
  }
}
