package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Quiver;
import java.io.IOException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;

/// Permission to read and write, by listen address, `Host`, `Origin` and `Sec-Fetch-Site`.
class ProtectionTest {

  private static String status(String response) {
    return response.substring(0, response.indexOf("\r\n"));
  }

  private abstract static class Service extends RawService {

    /// Deletes a missing resource: 404 means that the write was allowed.
    String write(String... headers) throws IOException {
      return exchange("DELETE /nowhere", headers);
    }
  }

  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
      properties = "quiver.trusted-proxies=10.0.0.1")
  class BehindAnotherProxy extends Service {

    @Test
    void headersOfAClientAreIgnored() throws IOException {
      assertThat(
              exchange(
                  "GET /datasets/sample/partitions",
                  "Host: localhost",
                  "X-Forwarded-For: 10.0.0.1",
                  "X-Forwarded-Proto: gopher",
                  "X-Forwarded-Host: evil.test"))
          .startsWith("HTTP/1.1 200 ")
          .contains("http://localhost/datasets/")
          .doesNotContain("evil.test");
      assertThat(write("Host: localhost"))
          .startsWith("HTTP/1.1 403 ")
          .contains("quiver.trusted-proxies");
    }
  }

  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
      properties = {
        "server.address=0.0.0.0",
        "quiver.trusted-proxies=127.0.0.1",
        "quiver.allowed-hosts=data.test"
      })
  class BehindAProxyOnAllAddresses extends Service {

    @Test
    void urlsAreThoseOfTheClient() throws IOException {
      String path = "GET /datasets/sample/partitions";
      assertThat(
              exchange(
                  path,
                  "Host: 10.1.2.3",
                  "X-Forwarded-Proto: https",
                  "X-Forwarded-Host: data.test"))
          .startsWith("HTTP/1.1 200 ")
          .contains("https://data.test/datasets/");
      assertThat(exchange(path, "Host: 10.1.2.3", "X-Forwarded-Host: evil.test"))
          .startsWith("HTTP/1.1 400 ");
      assertThat(exchange(path, "Host: 10.1.2.3")).startsWith("HTTP/1.1 501 ");
    }
  }

  /// Other machines know this one by such a name, and reach it through a proxy.
  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
      properties = "quiver.allowed-hosts=arrows.test")
  class OnLoopbackWithAName extends Service {

    @ParameterizedTest
    @ValueSource(strings = {"arrows.test", "Arrows.Test:8080", "localhost"})
    void servesTheName(String host) throws IOException {
      assertThat(status(exchange("GET /nowhere", "Host: " + host))).contains("404");
      assertThat(write("Host: " + host))
          .startsWith("HTTP/1.1 403 ")
          .contains("\"type\":\"urn:quiver:problem:read-only\"")
          .contains("\"hint\":\"Start the service with quiver.token=TOKEN")
          .contains("quiver.auth.tokens");
    }
  }

  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
  class OnLoopback extends Service {

    /// A proxy on this machine would let every client of its own write.
    @ParameterizedTest
    @ValueSource(
        strings = {
          "Forwarded: for=203.0.113.7",
          "Via: 1.1 proxy",
          "X-Forwarded-For: 203.0.113.7",
          "x-forwarded-proto: https",
          "X-Forwarded-Server: proxy",
          "X-Real-IP: 203.0.113.7",
        })
    void forwardedRequestsMayNotWrite(String header) throws IOException {
      assertThat(write("Host: localhost", header))
          .startsWith("HTTP/1.1 403 ")
          .containsIgnoringCase("the header " + header.substring(0, header.indexOf(':')))
          .contains("quiver.auth.tokens");
      assertThat(exchange("GET /health", "Host: localhost", header)).startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/inspect", "/sql"})
    void pagesOfferNoUploadsThatAreRefused(String path) throws IOException {
      String[] headers = {"Host: localhost", "Accept: text/html"};
      assertThat(exchange("GET " + path, headers)).contains("data-writable");
      assertThat(exchange("GET " + path, "Host: localhost", "Accept: text/html", "Via: 1.1 proxy"))
          .startsWith("HTTP/1.1 200 ")
          .doesNotContain("data-writable", "curl -T");
    }

    /// Only proxies that are trusted tell the name of the service.
    @Test
    void headersOfOthersAreIgnored() throws IOException {
      assertThat(
              exchange(
                  "GET /datasets/sample/partitions",
                  "Host: localhost",
                  "X-Forwarded-Proto: gopher",
                  "X-Forwarded-Host: evil.test",
                  "X-Forwarded-Prefix: //evil.test"))
          .startsWith("HTTP/1.1 200 ")
          .contains("http://localhost/datasets/")
          .doesNotContain("evil.test");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "localhost",
          "LOCALHOST:8080",
          "127.0.0.1",
          "127.0.0.1:8080",
          "[::1]:8080",
          "[::ffff:127.0.0.1]",
          "[fd00:12::7]",
          "192.168.1.7",
        })
    void servesLocalAndConfiguredHosts(String host) throws IOException {
      assertThat(status(exchange("GET /nowhere", "Host: " + host))).contains("404");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "evil.test",
          "evil.test:8080",
          "localhost.evil.test",
          "127.0.0.1.evil.test",
          "notlocalhost",
          "999.999.999.999",
          "127.0.0.256",
          "127.1",
        })
    void rejectsUnknownHostsAsMisdirected(String host) throws IOException {
      assertThat(exchange("GET /health", "Host: " + host))
          .startsWith("HTTP/1.1 421 ")
          .contains("\r\nContent-Type: application/problem+json\r\n")
          .contains(
              "\"detail\":\"Expected localhost, an IP address or a name in quiver.allowed-hosts but found "
                  + host.replace(":8080", "")
                  + " at header Host\"");
    }

    @Test
    void checksTheHostInTheRequestTarget() throws IOException {
      assertThat(exchange("GET http://evil.test/health", "Host: evil.test"))
          .startsWith("HTTP/1.1 421 ");
    }

    @Test
    void clientsOtherThanBrowsersMayWrite() throws IOException {
      assertThat(write("Host: localhost")).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void sameOriginPagesMayWrite() throws IOException {
      assertThat(write("Host: localhost:8080", "Origin: http://localhost:8080"))
          .startsWith("HTTP/1.1 404 ");
      assertThat(write("Host: localhost", "Origin: https://localhost:443"))
          .startsWith("HTTP/1.1 404 ");
      assertThat(write("Host: localhost", "Sec-Fetch-Site: same-origin"))
          .startsWith("HTTP/1.1 404 ");
      assertThat(write("Host: localhost", "Sec-Fetch-Site: none")).startsWith("HTTP/1.1 404 ");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "Origin: https://evil.test",
          "Origin: http://localhost:9999",
          "Origin: null",
          "Origin: ",
          "Sec-Fetch-Site: cross-site",
          "Sec-Fetch-Site: same-site",
        })
    void pagesOfOtherSitesMayNotWrite(String header) throws IOException {
      assertThat(write("Host: localhost", header))
          .startsWith("HTTP/1.1 403 ")
          .contains("\"type\":\"urn:quiver:problem:cross-site\"");
    }

    @Test
    void believesNoneOfTwoOriginsOrSites() throws IOException {
      String own = "Origin: http://localhost";
      String foreign = "Origin: https://evil.test";
      assertThat(write("Host: localhost", own)).startsWith("HTTP/1.1 404 ");
      assertThat(write("Host: localhost", own, foreign)).startsWith("HTTP/1.1 403 ");
      assertThat(write("Host: localhost", foreign, own)).startsWith("HTTP/1.1 403 ");
      assertThat(write("Host: localhost", own, own)).startsWith("HTTP/1.1 403 ");
      assertThat(write("Host: localhost", "Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site"))
          .startsWith("HTTP/1.1 403 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/datasets", "/datasets/sample", "/datasets/sample/compact"})
    void rejectsACrossSiteUploadBeforeRequestingItsBody(String path) throws IOException {
      String response =
          exchange(
              "POST " + path,
              "Host: localhost",
              "Sec-Fetch-Site: cross-site",
              "Content-Length: 1000000",
              "Expect: 100-continue");
      assertThat(response)
          .startsWith("HTTP/1.1 403 ")
          .contains("\r\nConnection: close\r\n")
          .contains("application/problem+json");
    }

    @Test
    void noOtherSiteMayReadByDefault() throws IOException {
      assertThat(exchange("GET /health", "Host: localhost", "Origin: https://app.test"))
          .startsWith("HTTP/1.1 200 ")
          .doesNotContain("Access-Control", "Vary: Origin");
      assertThat(
              exchange(
                  "OPTIONS /datasets",
                  "Host: localhost",
                  "Origin: https://app.test",
                  "Access-Control-Request-Method: GET"))
          .startsWith("HTTP/1.1 403 ")
          .doesNotContain("Access-Control");
    }
  }

  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
      properties = "quiver.cors.allowed-origins=https://app.test,https://other.test")
  class WithAllowedOrigins extends Service {

    @Test
    void pagesOfAllowedOriginsMayReadResponsesAndTheirHeaders() throws IOException {
      assertThat(exchange("GET /nowhere", "Host: localhost", "Origin: https://app.test"))
          .contains("\r\nAccess-Control-Allow-Origin: https://app.test\r\n")
          .contains("\r\nVary: Origin, Accept\r\n")
          .contains("\r\nTiming-Allow-Origin: https://app.test\r\n")
          .contains("\r\nCross-Origin-Resource-Policy: cross-origin\r\n")
          .contains(
              "\r\nAccess-Control-Expose-Headers: Accept-Encoding, Accept-Patch, Accept-Post,"
                  + " Accept-Ranges, Allow, Arrow-Batch-Count, Arrow-Row-Count, Content-Disposition,"
                  + " Content-Encoding, Content-Length, Content-Location, Content-Range, ETag,"
                  + " Last-Modified, Link, Location, Preference-Applied, Quiver-Max-Value-Bytes,"
                  + " Quiver-Version, Quiver-Versions, Quiver-Warnings, Repr-Digest, Retry-After,"
                  + " Upload-Complete, Upload-Draft-Interop-Version, Upload-Length, Upload-Limit,"
                  + " Upload-Offset, Vary, WWW-Authenticate, X-Request-Id\r\n");
    }

    @Test
    void varyIncludesOrigin() throws IOException {
      assertThat(exchange("GET /datasets/sample", "Host: localhost"))
          .contains("\r\nVary: Origin, Accept, Accept-Encoding\r\n");
      assertThat(exchange("GET /datasets/sample.arrow", "Host: localhost"))
          .contains("\r\nVary: Origin\r\n");
    }

    @Test
    void pagesOfAllowedOriginsMayWrite() throws IOException {
      assertThat(write("Host: localhost", "Origin: https://app.test", "Sec-Fetch-Site: cross-site"))
          .startsWith("HTTP/1.1 404 ");
    }

    @Test
    void pagesOfOtherOriginsMayNeitherReadNorWrite() throws IOException {
      assertThat(exchange("GET /nowhere", "Host: localhost", "Origin: https://evil.test"))
          .contains("\r\nVary: Origin, Accept\r\n")
          .doesNotContain("Access-Control");
      assertThat(write("Host: localhost", "Origin: https://evil.test")).startsWith("HTTP/1.1 403 ");
    }

    @Test
    void believesNoneOfTwoOrigins() throws IOException {
      String[] headers = {
        "Host: localhost", "Origin: https://app.test", "Origin: https://evil.test"
      };
      assertThat(exchange("GET /nowhere", headers)).doesNotContain("Access-Control");
      assertThat(write(headers))
          .startsWith("HTTP/1.1 403 ")
          .contains("found https://app.test, https://evil.test at header Origin");
    }

    @Test
    void preflightReturnsTheAllowedMethodsAndHeaders() throws IOException {
      assertThat(
              exchange(
                  "OPTIONS /datasets/any.arrow",
                  "Host: localhost",
                  "Origin: https://app.test",
                  "Access-Control-Request-Method: GET",
                  "Access-Control-Request-Headers: range"))
          .startsWith("HTTP/1.1 204 ")
          .contains("\r\nAccess-Control-Allow-Origin: https://app.test\r\n")
          .contains(
              "\r\nAccess-Control-Allow-Methods: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n")
          .contains(
              "\r\nAccess-Control-Allow-Headers: Accept, Authorization, Content-Digest,"
                  + " Content-Encoding, Content-Type, Idempotency-Key, If-Match, If-Modified-Since,"
                  + " If-None-Match, If-Range, If-Unmodified-Since, Last-Event-ID, Prefer, Quiver-Statement, Range,"
                  + " Repr-Digest, Upload-Complete, Upload-Draft-Interop-Version, Upload-Length, Upload-Offset,"
                  + " Want-Repr-Digest, X-Request-Id\r\n")
          .contains("\r\nAccess-Control-Max-Age: 86400\r\n")
          .endsWith("\r\n\r\n");
    }
  }

  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
      properties = "quiver.cors.allowed-origins=*")
  class WithAnyOrigin extends Service {

    @Test
    void pagesOfAnyOriginMayReadButNotWrite() throws IOException {
      assertThat(exchange("GET /nowhere", "Host: localhost", "Origin: https://any.test"))
          .contains("\r\nAccess-Control-Allow-Origin: *\r\n")
          .contains("\r\nVary: Accept\r\n");
      assertThat(write("Host: localhost", "Origin: https://any.test")).startsWith("HTTP/1.1 403 ");
    }
  }

  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
      properties = "server.address=0.0.0.0")
  class OnAllAddresses extends Service {

    @Test
    void servesReadsForAnyHost() throws IOException {
      assertThat(exchange("GET /health", "Host: data.example.org")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void rejectsAllWrites() throws IOException {
      for (String path :
          new String[] {"/datasets", "/datasets/sample", "/datasets/sample/compact"}) {
        assertThat(exchange("POST " + path, "Host: data.example.org"))
            .startsWith("HTTP/1.1 403 ")
            .contains("\"type\":\"urn:quiver:problem:read-only\"");
      }
      assertThat(write("Host: data.example.org"))
          .startsWith("HTTP/1.1 403 ")
          .contains("\"type\":\"urn:quiver:problem:read-only\"")
          .contains(
              "\"detail\":\"Expected a read but found DELETE at the request line: on this listen address,"
                  + " writes require quiver.auth.tokens, quiver.token or quiver.allow-remote-writes\"");
    }
  }

  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
      properties = {
        "server.address=0.0.0.0",
        "quiver.allow-remote-writes=true",
        "quiver.allowed-hosts=known.example.org"
      })
  class WithRemoteWritesAllowed extends Service {

    @Test
    void allClientsExceptPagesOfOtherSitesMayWrite() throws IOException {
      assertThat(write("Host: data.example.org")).startsWith("HTTP/1.1 404 ");
      assertThat(write("Host: data.example.org", "Origin: https://evil.test"))
          .startsWith("HTTP/1.1 403 ");
    }

    /// Another site may have pointed its name at the service, so that its pages look like ours.
    @ParameterizedTest
    @ValueSource(strings = {"Origin: http://data.example.org", "Sec-Fetch-Site: same-origin"})
    void pagesMayWriteOnlyUnderKnownNames(String header) throws IOException {
      assertThat(write("Host: data.example.org", header))
          .startsWith("HTTP/1.1 421 ")
          .contains("quiver.allowed-hosts");
      assertThat(write("Host: known.example.org", header.replace("data.", "known.")))
          .startsWith("HTTP/1.1 404 ");
      assertThat(write("Host: 192.0.2.1", header.replace("data.example.org", "192.0.2.1")))
          .startsWith("HTTP/1.1 404 ");
    }
  }
}
