package dev.quiver.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Header values with parameters, as clients write them.
class ParameterizedValueTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "form-data; name=\"data\"; filename=\"a;b.arrow\" | data",
        "Form-Data;NAME=data | data",
        "form-data ;\tname=data ; | data",
        "form-data;; name=----=_Part_0.1/2 | ----=_Part_0.1/2",
        "form-data; filename*=UTF-8''%e2%82%ac; name=\"a \\\"b\\\\ c\" | a \"b\\ c",
        "form-data; name= | ``",
        "form-data; name=\"\" | ``",
      })
  void parsesQuotedAndUnquotedHeaderParameters(String text, String name) {
    ParameterizedValue value = Objects.requireNonNull(ParameterizedValue.parse(text));
    assertThat(value.value()).isEqualTo("form-data");
    assertThat(value.parameters()).containsEntry("name", name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "form-data; name=\"",
        "form-data; name=\"data",
        "form-data; name=\"data\\\"",
        "form-data; name=\"data\\",
        "form-data; name=\"data\"x",
        "form-data; name=a b",
        "form-data; name=a\"b\"",
        "form-data; name",
        "form-data; \"name\"=data",
        "form-data; name=a; name=b",
        "form-data; name=a; NAME=a",
      })
  void rejectsMalformedHeaderParameters(String text) {
    assertThat(ParameterizedValue.parse(text)).isNull();
  }

  @Test
  void parsesAHeaderValueWithoutParameters() {
    assertThat(ParameterizedValue.parse(" Multipart/Form-Data "))
        .isEqualTo(new ParameterizedValue("multipart/form-data", Map.of()));
  }
}
