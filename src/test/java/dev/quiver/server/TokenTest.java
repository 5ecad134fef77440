package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Quiver;
import dev.quiver.server.config.QuiverProperties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Permission to read and write with a configured token. [ProtectionTest] covers other
/// restrictions.
class TokenTest {

  private static final String AUTHORIZATION = "Authorization: Bearer s3cret-~+/token==";

  private abstract static class Service extends TemporaryStore {

    @LocalServerPort private int port;

    int port() {
      return port;
    }

    String exchange(String requestLine, String... headers) throws IOException {
      String request = requestLine + " HTTP/1.1\nHost: localhost\n" + String.join("\n", headers);
      String end = headers.length == 0 ? "" : "\n";
      return RawHttp.exchange(port, request + end + "Connection: close\n\n");
    }
  }

  private static void assertUnauthorized(String response, String found, String challenge) {
    assertThat(response)
        .startsWith("HTTP/1.1 401 ")
        .contains("\r\nContent-Type: application/problem+json\r\n")
        .contains("\r\nWWW-Authenticate: " + challenge + "\r\n")
        .contains("\r\nWWW-Authenticate: Basic realm=\"quiver\", charset=\"UTF-8\"\r\n")
        .contains("\"type\":\"urn:quiver:problem:unauthorized\"")
        .contains(
            "\"detail\":\"Expected the token of this service but found "
                + found
                + " at header Authorization\"")
        .doesNotContain("s3cret");
  }

  private static void assertUnauthorized(String response) {
    assertUnauthorized(response, "none", "Bearer realm=\"quiver\"");
  }

  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
      properties = {"quiver.token=s3cret-~+/token==", "server.address=0.0.0.0"})
  class RequiredForWrites extends Service {

    @ParameterizedTest
    @ValueSource(
        strings = {
          "PUT /datasets/x",
          "POST /datasets",
          "POST /datasets/x",
          "POST /datasets/x/compact",
          "DELETE /datasets/x",
          "POST /",
        })
    void writesRequireTheToken(String requestLine) throws IOException {
      assertUnauthorized(exchange(requestLine));
    }

    @Test
    void clientWithTheTokenMayWriteOnAnyAddress() throws IOException {
      assertThat(exchange("DELETE /datasets/nothing", AUTHORIZATION)).startsWith("HTTP/1.1 404 ");
      assertThat(exchange("DELETE /datasets/nothing", AUTHORIZATION.replace("Bearer", "bEARER ")))
          .startsWith("HTTP/1.1 404 ");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "Bearer s3cret-~+/token=",
          "Bearer s3cret-~+/token===",
          "Bearer S3cret-~+/token==",
          "Bearer",
          "Bearer ",
          "Bearer a b",
          "Bearers3cret-~+/token==",
          "Basic czNjcmV0LX4rL3Rva2VuPT0=",
          "Basic dXNlcjpzM2NyZXQtfisvdG9rZW49",
          "Basic dXNlcjpzM2NyZXQtfisvdG9rZW49PTo=",
          "Basic dXNlcg==",
          "Basic dXNlcjo=",
          "Basic dXNlcjpzM2NyZXQtfisvdG9rZW49P",
          "Basic *",
          "Basic ",
          "Basic =",
          "Basic A",
          "Basic A===",
          "s3cret-~+/token==",
          "",
        })
    void rejectsOtherTokensAndSchemes(String value) throws IOException {
      assertUnauthorized(
          exchange("DELETE /datasets/x", "Authorization: " + value),
          "another",
          "Bearer realm=\"quiver\", error=\"invalid_token\"");
    }

    /// A password may contain colons, and a user may not.
    @ParameterizedTest
    @ValueSource(strings = {"user:", ":", "\u00fc:"})
    void tokenMayBeThePasswordOfAnyUser(String user) throws IOException {
      byte[] credentials = (user + "s3cret-~+/token==").getBytes(StandardCharsets.UTF_8);
      String basic = Base64.getEncoder().encodeToString(credentials);
      for (String scheme : List.of("Basic ", "bASIC  ")) {
        assertThat(exchange("DELETE /datasets/nothing", "Authorization: " + scheme + basic))
            .startsWith("HTTP/1.1 404 ");
      }
    }

    @ParameterizedTest
    @CsvSource({
      "navigate, true",
      "cors, false",
      "no-cors, false",
      "same-origin, false",
      "websocket, false",
    })
    void onlyANavigationAsksForAPassword(String mode, boolean asks) throws IOException {
      String response = exchange("DELETE /datasets/x", "Sec-Fetch-Mode: " + mode);
      assertThat(response)
          .startsWith("HTTP/1.1 401 ")
          .contains("\r\nWWW-Authenticate: Bearer realm=\"quiver\"\r\n");
      assertThat(response.contains("\r\nWWW-Authenticate: Basic ")).isEqualTo(asks);
    }

    @Test
    void rejectsTheTokenInTheQuery() throws IOException {
      assertUnauthorized(exchange("DELETE /datasets/x?access_token=s3cret-~+/token=="));
    }

    @Test
    void rejectsAWriteWithoutTheTokenBeforeRequestingItsBody() throws IOException {
      assertUnauthorized(
          exchange("PUT /datasets/x", "Content-Length: 1000000", "Expect: 100-continue"));
    }

    @Test
    void readsRequireNoToken() throws IOException {
      assertThat(exchange("GET /datasets")).startsWith("HTTP/1.1 200 ");
      assertThat(exchange("HEAD /")).startsWith("HTTP/1.1 200 ");
      assertThat(exchange("POST /inspect", "Content-Length: 0")).startsWith("HTTP/1.1 400 ");
      assertThat(exchange("OPTIONS /datasets")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void homePageCommandsSendTheToken() throws IOException {
      assertThat(exchange("GET /")).contains("-H \"Authorization: Bearer $TOKEN\" ");
      assertThat(exchange("GET /", "Accept: text/html"))
          .contains("curl -T flights.arrow -H \"Authorization: Bearer $TOKEN\" ");
    }

    @Test
    void pagesOfOtherSitesMayNotWriteEvenWithTheToken() throws IOException {
      assertThat(exchange("DELETE /datasets/x", AUTHORIZATION, "Origin: https://evil.test"))
          .startsWith("HTTP/1.1 403 ");
    }
  }

  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
      properties = {
        "quiver.token=s3cret-~+/token==",
        "quiver.token-required-for=all",
        "quiver.cors.allowed-origins=https://app.test"
      })
  class RequiredForReads extends Service {

    /// Nothing tells whether a dataset exists, or what it contains.
    @ParameterizedTest
    @ValueSource(
        strings = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO"})
    void everyMethodOfEveryPathRequiresTheToken(String method) throws IOException {
      for (String dataset : List.of("sample", "sample@1", "absent")) {
        for (String rest :
            List.of(
                "",
                ".arrow",
                ".arrows",
                ".csv",
                ".json",
                ".jsonl",
                "/schema",
                "/batches",
                "/batches/0",
                "/batches/0-1.arrows",
                "/partitions",
                "/versions",
                "/events",
                "/blobs",
                "/compact")) {
          assertHidden(method, "/datasets/" + dataset + rest);
        }
      }
      for (String path :
          List.of("/", "/datasets", "/datasets/", "/inspect", "/convert", "/metrics")) {
        assertHidden(method, path);
      }
    }

    private void assertHidden(String method, String path) throws IOException {
      String response = exchange(method + " " + path, "Content-Length: 0");
      assertThat(response)
          .as(method + " " + path)
          .doesNotContain("Apollo", "sample@", "ETag", "Arrow-Row-Count", "mission");
      if (!method.equals("OPTIONS") && !method.equals("TRACE")) {
        assertThat(response).as(method + " " + path).startsWith("HTTP/1.1 401 ");
      }
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "/",
          "/datasets",
          "/datasets/sample.arrow",
          "/datasets/absent/events",
          "/metrics",
          "/nowhere",
          "/health/x",
          "/openapi/x",
          "/api/x"
        })
    void readsRequireTheToken(String path) throws IOException {
      assertUnauthorized(exchange("GET " + path));
      assertThat(exchange("GET " + path, AUTHORIZATION)).doesNotStartWith("HTTP/1.1 401 ");
      assertThat(exchange("HEAD " + path)).startsWith("HTTP/1.1 401 ");
    }

    @Test
    void sharedCachesMayNotStoreVersions() throws IOException {
      assertThat(exchange("GET /datasets/sample@1.arrow", AUTHORIZATION))
          .contains("\r\nCache-Control: private, max-age=31536000, immutable\r\n");
    }

    @Test
    void eventsRequireTheToken() throws IOException {
      assertUnauthorized(exchange("GET /datasets/sample/events"));
      try (RawHttp connection = new RawHttp(port())) {
        connection.send(
            "GET /datasets/sample/events HTTP/1.1\nHost: localhost\n" + AUTHORIZATION + "\n\n");
        assertThat(connection.readUntil("}\n\n")).startsWith("HTTP/1.1 200 ").contains("id: 1\n");
      }
    }

    @Test
    void inspectionRequiresTheToken() throws IOException {
      assertUnauthorized(exchange("POST /inspect"));
    }

    /// A browser cannot send a token with requests for pages and scripts.
    @ParameterizedTest
    @ValueSource(strings = {"/openapi", "/openapi.yaml", "/swagger-ui/index.html"})
    void swaggerUiRequiresNoToken(String path) throws IOException {
      assertThat(exchange("GET " + path)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void swaggerUiOffersToSendTheToken() throws IOException {
      assertThat(exchange("GET /api")).startsWith("HTTP/1.1 302 ");
      assertThat(exchange("GET /openapi"))
          .contains("\"scheme\":\"bearer\"", "\"security\":[{},{\"token\":[]},{\"password\":[]}]");
    }

    /// The documentation reveals nothing about the data.
    @ParameterizedTest
    @ValueSource(strings = {"/docs", "/docs/storage", "/docs/storage.md", "/docs/quiver.svg"})
    void documentationRequiresNoToken(String path) throws IOException {
      assertThat(exchange("GET " + path)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void healthRequiresNoToken() throws IOException {
      assertThat(exchange("GET /health")).startsWith("HTTP/1.1 200 ");
    }

    /// A browser sends the preflight without the token.
    @Test
    void preflightsRequireNoToken() throws IOException {
      assertThat(
              exchange(
                  "OPTIONS /datasets/sample.arrow",
                  "Origin: https://app.test",
                  "Access-Control-Request-Method: GET",
                  "Access-Control-Request-Headers: authorization"))
          .startsWith("HTTP/1.1 204 ");
      assertThat(exchange("GET /datasets", "Origin: https://app.test"))
          .startsWith("HTTP/1.1 401 ")
          .contains("\r\nAccess-Control-Allow-Origin: https://app.test\r\n");
    }
  }

  private static QuiverProperties properties(Map<String, String> values) {
    return new Binder(new MapConfigurationPropertySource(values))
        .bind("quiver", QuiverProperties.class)
        .get();
  }

  @ParameterizedTest
  @ValueSource(strings = {"two words", "é", "=", "a=b", "\"quoted\""})
  void rejectsATokenThatCannotBeSentInAHeader(String token) {
    assertThatThrownBy(() -> properties(Map.of("quiver.token", token)))
        .rootCause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Expected letters, digits, -._~+/ and trailing = but found other characters at"
                + " quiver.token");
  }

  @Test
  void requiringATokenWithoutConfiguringOneIsAnError() {
    assertThatThrownBy(() -> properties(Map.of("quiver.token-required-for", "all")))
        .rootCause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Expected a token but found none at quiver.token, with quiver.token-required-for=all");
  }
}
