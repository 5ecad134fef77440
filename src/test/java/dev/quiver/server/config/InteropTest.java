package dev.quiver.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.version.DatasetName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Values of `quiver.interop`. `ConventionsTest` covers the responses to clients.
class InteropTest {

  @Test
  void parsesAnInteropConventionAndItsDataset() {
    assertThat(Interop.of("post-simple:flights.2"))
        .isEqualTo(new Interop(Interop.Convention.POST_SIMPLE, DatasetName.parseNew("flights.2")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "nothing:flights", "", ":flights", "SIMPLE:flights"})
  void rejectsOtherInteropValues(String text) {
    assertThatThrownBy(() -> Interop.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Expected simple or compressed or range or indirect or multipart or post-simple or"
                + " post-multipart, a colon and a dataset but found "
                + text
                + " at quiver.interop");
  }
}
