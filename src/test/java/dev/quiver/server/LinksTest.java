package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.server.access.AccessPolicy;
import dev.quiver.server.access.Links;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.version.DatasetReference;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// Links by which a dataset is read without a token.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestPropertySource(
    properties = {
      "quiver.storage.path=${test.folder}/links",
      "quiver.auth.link-expires=2h",
    })
@Timeout(60)
class LinksTest extends RunningService {

  private static final String ETL = "token-of-etl";
  private static final String GUEST = "token-of-guest";
  private static final DatasetReference DATASET = DatasetReference.parse("team.a");

  @Autowired private Links links;
  @Autowired private BlobStore store;
  @Autowired private QuiverProperties properties;

  /// The members of a list come from one source.
  @DynamicPropertySource
  static void configureTokens(DynamicPropertyRegistry registry) {
    registry.add("quiver.auth.tokens[0].name", () -> "etl");
    registry.add("quiver.auth.tokens[0].sha256", () -> Sha256.hex(ETL));
    registry.add("quiver.auth.tokens[0].permissions", () -> "write:team.*");
    registry.add("quiver.auth.tokens[1].name", () -> "guest");
    registry.add("quiver.auth.tokens[1].sha256", () -> Sha256.hex(GUEST));
    registry.add("quiver.auth.tokens[1].permissions", () -> "read:team.*");
  }

  private static String[] as(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  @BeforeAll
  void upload() throws Exception {
    for (String name : List.of("team.a", "team.a", "team.b")) {
      assertThat(put("/datasets/" + name, Streams.numbers(0, 3), as(ETL)).statusCode())
          .isIn(200, 201);
    }
  }

  /// Returns the query of a new link.
  private String link(String reference) throws Exception {
    HttpResponse<byte[]> made = post("/datasets/" + reference + "/links", new byte[0], as(ETL));
    assertThat(made.statusCode()).as(text(made)).isEqualTo(201);
    JsonNode document = json(made);
    assertThat(header(made, "Cache-Control")).isEqualTo("no-store");
    assertThat(Instant.parse(document.get("expires").asString()))
        .isBetween(Instant.now().plusSeconds(3500), Instant.now().plusSeconds(3601));
    String url = document.get("url").asString();
    String start = "http://localhost:" + port + "/datasets/" + reference + "?";
    assertThat(url).startsWith(start + "link=");
    return url.substring(start.length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets/team.a?",
        "/datasets/team.a.arrow?",
        "/datasets/team.a.json?limit=1&",
        "/datasets/team.a.csv?where=number>1&",
        "/datasets/team.a@1.arrows?",
        "/datasets/team.a/schema?",
        "/datasets/team.a/batches?",
        "/datasets/team.a/layout?",
        "/datasets/team.a/summary?",
        "/datasets/team.a/batches/0?",
        "/datasets/team.a/versions?",
        "/datasets/team.a/statistics?",
        "/datasets/team.a.parquet?",
      })
  void linkReadsEverythingOfItsDataset(String path) throws Exception {
    String url = path.replace(">", "%3E");
    assertThat(get(url + "x=1").statusCode()).isEqualTo(401);
    HttpResponse<byte[]> read = get(url + link("team.a"));
    assertThat(read.statusCode()).as(text(read)).isEqualTo(200);
    assertThat(header(read, "Cache-Control")).contains("private").doesNotContain("public");
    assertThat(header(read, "Referrer-Policy")).isEqualTo("no-referrer");
    assertThat(read.headers().map().toString()).doesNotContain("?link=", "&link=");
    assertThat(head(url + link("team.a")).statusCode()).isEqualTo(200);
  }

  @Test
  void linkPermitsNothingElse() throws Exception {
    String link = link("team.a");
    for (String path :
        List.of(
            "/datasets/team.b?",
            "/datasets/team.a/events?",
            // Other spellings of the same paths.
            "/datasets/team.a/events;a=b?",
            "/datasets/team.a/%65vents?",
            "/datasets/team.a/event%73;?",
            "/datasets/team.a;a=b/%65vents?",
            "/datasets/team.unknown?",
            "/datasets?",
            "/datasets/?",
            "/sql?q=SELECT%201&",
            "/metrics?",
            "/jobs?")) {
      assertThat(get(path + link).statusCode()).as(path).isEqualTo(401);
    }
    HttpResponse<byte[]> folder = get("/datasets/team.a/?" + link);
    assertThat(folder.statusCode()).as(text(folder)).isEqualTo(404);
    String path = "/datasets/team.a?" + link;
    assertThat(put(path, Streams.numbers(0, 1)).statusCode()).isEqualTo(401);
    assertThat(post(path, Streams.numbers(0, 1)).statusCode()).isEqualTo(401);
    assertThat(delete(path).statusCode()).isEqualTo(401);
    assertThat(post("/datasets/team.a/links?" + link, new byte[0]).statusCode()).isEqualTo(401);
    assertThat(post("/datasets/team.a/verify?" + link, new byte[0]).statusCode()).isEqualTo(401);
  }

  /// A waiting request does not tell of a version that came after the end of its link. The response
  /// has no rows, or is a 401 if the service was late.
  @Test
  @Tag("long")
  void waitEndsWithItsLink() throws Exception {
    assertThat(put("/datasets/team.wait", Streams.numbers(0, 3), as(ETL)).statusCode())
        .isEqualTo(201);
    Principal etl = Principal.ofToken("etl", Permissions.NONE);
    Instant end = Instant.now().plusSeconds(6);
    String link = links.make(DatasetReference.parse("team.wait"), etl, end);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<HttpResponse<byte[]>> waiting =
          threads.submit(
              () -> get("/datasets/team.wait.csv?since=1&link=" + link, "Prefer", "wait=600"));
      Thread.sleep(Duration.between(Instant.now(), end.plusSeconds(1)));
      assertThat(post("/datasets/team.wait", Streams.numbers(3, 4), as(ETL)).statusCode())
          .isEqualTo(200);
      HttpResponse<byte[]> response = waiting.get();
      assertThat(response.statusCode() == 401 || text(response).equals("number\r\n"))
          .as(text(response))
          .isTrue();
    }
  }

  /// Headers of responses leave out the link as it was made.
  @Test
  void anotherSpellingIsNoLink() throws Exception {
    String link = link("team.a");
    assertThat(get("/datasets/team.a.csv?" + link.replace("link=", "%6Cink=")).statusCode())
        .isEqualTo(401);
  }

  @Test
  void pinnedLinkIsForItsVersion() throws Exception {
    String link = link("team.a@1");
    assertThat(get("/datasets/team.a@1.json?" + link).statusCode()).isEqualTo(200);
    assertThat(get("/datasets/team.a@1/schema?" + link).statusCode()).isEqualTo(200);
    assertThat(get("/datasets/team.a@2.json?" + link).statusCode()).isEqualTo(401);
    assertThat(get("/datasets/team.a.json?" + link).statusCode()).isEqualTo(401);
  }

  @Test
  void everyChangedCharacterMakesALinkInvalid() throws Exception {
    String link = link("team.a");
    char[] text = link.toCharArray();
    for (int i = "link=".length(); i < text.length; i++) {
      char[] changed = Arrays.copyOf(text, text.length);
      changed[i] = changed[i] == 'A' ? 'B' : 'A';
      assertThat(get("/datasets/team.a.json?" + new String(changed)).statusCode()).isEqualTo(401);
    }
    for (String other : List.of("link=", "link=%41", "link=" + "A".repeat(108), "link=é")) {
      String query = other.replace("é", "%C3%A9");
      assertThat(get("/datasets/team.a.json?" + query).statusCode()).isEqualTo(401);
    }
  }

  @Test
  void linkEnds() throws Exception {
    HttpResponse<byte[]> made = post("/datasets/team.a/links?expires=1s", new byte[0], as(ETL));
    String url = json(made).get("url").asString();
    String path = url.substring(url.indexOf("/datasets"));
    eventually(() -> assertThat(get(path).statusCode()).isEqualTo(401));
  }

  @Test
  void linksRequireThePermissionToWrite() throws Exception {
    assertThat(post("/datasets/team.a/links", new byte[0]).statusCode()).isEqualTo(401);
    assertThat(post("/datasets/team.a/links", new byte[0], as(GUEST)).statusCode()).isEqualTo(403);
    assertThat(post("/datasets/other/links", new byte[0], as(ETL)).statusCode()).isEqualTo(404);
    assertThat(post("/datasets/team.none/links", new byte[0], as(ETL)).statusCode()).isEqualTo(404);
    assertThat(post("/datasets/team.a@9/links", new byte[0], as(ETL)).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "-1s", "7201s", "soon", "500ms", "9999999999d"})
  void durationIsChecked(String expires) throws Exception {
    HttpResponse<byte[]> made =
        post("/datasets/team.a/links?expires=" + expires, new byte[0], as(ETL));
    assertThat(made.statusCode()).isEqualTo(400);
    assertThat(json(made).get("detail").asString())
        .startsWith("Expected a duration from 1s to 7200s (quiver.auth.link-expires) but found");
    assertThat(post("/datasets/team.a/links?expires=7200s", new byte[0], as(ETL)).statusCode())
        .isEqualTo(201);
  }

  /// The rights of the maker are those of now: `guest` may read, and no longer write.
  @Test
  void rightsOfTheMakerAreCheckedAtEachUse() throws Exception {
    Instant end = Instant.now().plus(Duration.ofMinutes(5));
    Principal etl = Principal.ofToken("etl", Permissions.NONE);
    Principal guest = Principal.ofToken("guest", Permissions.NONE);
    Principal former = Principal.ofToken("former", Permissions.NONE);
    String path = "/datasets/team.a.json?link=";
    assertThat(get(path + links.make(DATASET, etl, end)).statusCode()).isEqualTo(200);
    assertThat(get(path + links.make(DATASET, guest, end)).statusCode()).isEqualTo(401);
    assertThat(get(path + links.make(DATASET, former, end)).statusCode()).isEqualTo(401);
  }

  /// The service does not know the subjects of an issuer, but the name of a removed token is not
  /// one.
  @Test
  void issuerDoesNotRevivePrincipals() {
    OAuth2ResourceServerProperties issuer = new OAuth2ResourceServerProperties();
    issuer.getJwt().setIssuerUri("https://issuer.test");
    issuer.getJwt().setAudiences(List.of("quiver"));
    Links others = new Links(properties, new AccessPolicy(properties, issuer), store);
    Instant end = Instant.now().plus(Duration.ofMinutes(5)).truncatedTo(ChronoUnit.SECONDS);
    Principal former = Principal.ofToken("former", Permissions.NONE);
    Principal subject = Principal.ofSubject("ada", Permissions.NONE);
    assertThat(others.end(links.make(DATASET, former, end), DATASET, Instant.now())).isNull();
    assertThat(others.end(links.make(DATASET, subject, end), DATASET, Instant.now()))
        .isEqualTo(end);
    assertThat(links.end(links.make(DATASET, subject, end), DATASET, Instant.now())).isNull();
  }

  @Test
  void keyIsMadeOnceInTheStore() throws Exception {
    link("team.a");
    assertThat(store.exists("keys/links")).isTrue();
  }
}
