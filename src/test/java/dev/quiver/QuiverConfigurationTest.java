package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Lz4Frame;
import dev.quiver.server.config.QuiverProperties;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class QuiverConfigurationTest {

  @AfterEach
  void restore() {
    Lz4Frame.decodeUnchecked(true);
  }

  @Test
  void uncheckedLz4KeySelectsTheDecoder() {
    new QuiverConfiguration(properties(Map.of("quiver.unchecked-lz4", "false")));
    assertThat(Lz4Frame.isUnchecked()).isFalse();
    new QuiverConfiguration(properties(Map.of()));
    assertThat(Lz4Frame.isUnchecked()).isTrue();
  }

  private static QuiverProperties properties(Map<String, String> keys) {
    return new Binder(new MapConfigurationPropertySource(keys))
        .bindOrCreate("quiver", QuiverProperties.class);
  }
}
