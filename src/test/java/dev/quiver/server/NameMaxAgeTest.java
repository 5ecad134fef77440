package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.server.config.QuiverProperties;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.test.context.TestPropertySource;

/// The time that caches may keep the response to a name. `read.ReadTest` tests the default.
class NameMaxAgeTest {

  @Nested
  @TestPropertySource(properties = "quiver.http.name-max-age=90s")
  class ReadableByAll extends RunningService {

    private static final String NAMED = "public, max-age=90, must-revalidate";

    @Test
    void everyResponseToANameHasAnAge() throws Exception {
      HttpResponse<byte[]> file = get("/datasets/sample.arrow");
      for (HttpResponse<byte[]> response :
          List.of(
              file,
              head("/datasets/sample.arrow"),
              get("/datasets/sample.arrow", "Range", "bytes=0-9"),
              get("/datasets/sample.arrow", "If-None-Match", header(file, "ETag")),
              get("/datasets/sample.csv"),
              get("/datasets/sample", "Authorization", "Bearer any"),
              get("/datasets/sample", "Accept", "text/html"),
              get("/datasets/sample/schema"))) {
        assertThat(header(response, "Cache-Control")).isEqualTo(NAMED);
      }
    }

    @Test
    void otherResponsesKeepTheirAge() throws Exception {
      assertThat(header(get("/datasets/sample@1.arrow"), "Cache-Control"))
          .isEqualTo("public, max-age=31536000, immutable");
      for (String path : List.of("/", "/datasets", "/datasets/", "/datasets/sample/versions")) {
        assertThat(header(get(path), "Cache-Control")).as(path).isEqualTo("no-cache");
      }
      for (String path : List.of("/datasets/nowhere", "/datasets/sample.arrow?columns=nothing")) {
        assertThat(header(get(path), "Cache-Control")).as(path).isEqualTo("no-store");
      }
      HttpResponse<byte[]> converted = post("/convert", Streams.numbers(0, 1));
      assertThat(header(converted, "Cache-Control")).isEqualTo("no-store");
    }
  }

  /// `must-revalidate` would otherwise let shared caches keep what one user may read: RFC 9111
  /// §3.5.
  @Nested
  @TestPropertySource(
      properties = {
        "quiver.http.name-max-age=1",
        "quiver.token=s3cret",
        "quiver.token-required-for=all"
      })
  class ReadableWithAToken extends RunningService {

    @Test
    void sharedCachesMayNotKeepTheResponseToAName() throws Exception {
      assertThat(
              header(
                  get("/datasets/sample.arrow", "Authorization", "Bearer s3cret"), "Cache-Control"))
          .isEqualTo("private, max-age=1, must-revalidate");
    }
  }

  @Test
  void rejectsANegativeAge() {
    Map<String, String> values = Map.of("quiver.http.name-max-age", "-1s");
    Binder binder = new Binder(new MapConfigurationPropertySource(values));
    assertThatThrownBy(() -> binder.bind("quiver", QuiverProperties.class))
        .rootCause()
        .hasMessage("Expected a duration of 0 or more but found PT-1S at quiver.http.name-max-age");
  }
}
