package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

/// The responses of each route to each of several principals: none reveals whether a dataset exists
/// that the principal may not read.
///
/// The names of all datasets that exist or never did have the same length, so their responses do.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestPropertySource(
    properties = {
      "quiver.storage.path=${test.folder}/access",
      "quiver.auth.anonymous=read:open.*",
    })
@Import(WatchedStore.class)
class AccessTest extends RunningService {

  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO");

  private static final String ROOT = "root";
  private static final String READER = "reader";
  private static final String WRITER = "writer";
  private static final String NOTHING = "nothing";
  private static final String WATCHER = "watcher";
  private static final String ANONYMOUS = "";
  private static final String UNKNOWN = "unknown";

  /// A column of data that no principal may read.
  private static final String SECRET = "secret-column";

  /// The keys of blobs that the service has asked the store for.
  private static final Set<String> TOUCHED = ConcurrentHashMap.newKeySet();

  @Autowired
  @Qualifier("requestMappingHandlerMapping")
  private RequestMappingHandlerMapping mapping;

  /// The members of a list come from one source.
  @DynamicPropertySource
  static void configureTokens(DynamicPropertyRegistry registry) {
    NamedTokens.configure(
        registry,
        Map.of(
            ROOT, "admin",
            READER, "read:team.a,read:team.derived,read:team.not*",
            WRITER, "write:team.*,read:shared",
            NOTHING, "",
            WATCHER, "read:*"));
  }

  private static String[] as(String principal, String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.addAll(List.of("Authorization", "Bearer " + NamedTokens.of(principal)));
    return all.toArray(String[]::new);
  }

  @BeforeAll
  void upload() throws Exception {
    WatchedStore.listen(TOUCHED::add);
    byte[] data = Streams.numbers(0, 3);
    byte[] secret = (SECRET + "\n1\n2\n").getBytes(StandardCharsets.UTF_8);
    for (String name : List.of("team.a", "open.a", "shared")) {
      assertThat(put("/datasets/" + name, data, as(ROOT)).statusCode()).isEqualTo(201);
    }
    for (String name : List.of("hidden.old", "hidden.was")) {
      String[] csv = as(ROOT, "Content-Type", "text/csv");
      assertThat(put("/datasets/" + name, secret, csv).statusCode()).isEqualTo(201);
      assertThat(put("/datasets/" + name, secret, csv).statusCode()).isEqualTo(200);
    }
    assertThat(delete("/datasets/hidden.was", as(ROOT)).statusCode()).isEqualTo(204);
    for (String name : List.of("team.derived", "open.derived")) {
      assertThat(
              put(
                      "/datasets/" + name,
                      "SELECT * FROM \"hidden.old\"".getBytes(StandardCharsets.UTF_8),
                      as(ROOT, "Content-Type", "application/sql"))
                  .statusCode())
          .isEqualTo(201);
    }
    assertThat(TOUCHED).anyMatch(key -> key.contains("hidden.old"));
  }

  /// Sends a request, and returns all bytes of its response but the date.
  private String exchange(String requestLine, String principal, String... headers)
      throws IOException {
    StringBuilder request =
        new StringBuilder(
            requestLine + " HTTP/1.1\nHost: localhost\nX-Request-Id: the-same-each-time\n");
    if (!principal.isEmpty()) {
      request.append("Authorization: Bearer ").append(NamedTokens.of(principal)).append('\n');
    }
    List.of(headers).forEach(header -> request.append(header).append('\n'));
    String response = RawHttp.exchange(port, request + "Content-Length: 0\nConnection: close\n\n");
    return response.replaceAll("\r\nDate: [^\r]*", "");
  }

  /// Returns a response without its hint, which depends on the name that was asked for.
  private static String unhinted(String response) {
    return response
        .replaceAll(",\"hint\":\"[^\"]*\"", "")
        .replaceAll("\r\nContent-Length: [0-9]*", "");
  }

  /// The names of datasets that may not be read are not suggested, and hints are the same before
  /// such a dataset exists, while it exists and afterwards.
  @ParameterizedTest
  @ValueSource(strings = {READER, WRITER, NOTHING, ANONYMOUS})
  void hintsDoNotDependOnUnreadableDatasets(String principal) throws Exception {
    String name = "veiled" + principal;
    List<String> requestLines = new ArrayList<>();
    for (String asked : List.of(name, "vieled" + principal, name + "s")) {
      for (String method : List.of("GET", "HEAD", "POST", "PUT", "DELETE")) {
        paths(asked).forEach(path -> requestLines.add(method + " " + path));
      }
      requestLines.add("GET /" + asked);
      requestLines.add("GET /dataset/" + asked + ".csv");
      requestLines.add("GET /datasets/" + asked + ".html");
      requestLines.add("GET /datasets/" + asked + ".csv?link=none");
    }
    List<String> before = responses(requestLines, principal);
    assertThat(put("/datasets/" + name, Streams.numbers(0, 3), as(ROOT)).statusCode())
        .isEqualTo(201);
    List<String> during = responses(requestLines, principal);
    assertThat(text(get("/datasets/" + name + "s", as(WATCHER))))
        .contains("Use /datasets/" + name + ".");
    assertThat(delete("/datasets/" + name, as(ROOT)).statusCode()).isEqualTo(204);
    assertThat(during).isEqualTo(before);
    assertThat(responses(requestLines, principal)).isEqualTo(before);
  }

  private List<String> responses(List<String> requestLines, String principal) throws IOException {
    List<String> responses = new ArrayList<>();
    for (String requestLine : requestLines) {
      responses.add(exchange(requestLine, principal));
    }
    return responses;
  }

  /// Returns the paths of all resources of a dataset, some with parameters that are invalid.
  private List<String> paths(String name) {
    Set<String> paths = new TreeSet<>();
    mapping
        .getHandlerMethods()
        .keySet()
        .forEach(info ->
            info.getPatternValues().stream()
                .filter(pattern -> pattern.startsWith("/datasets/{dataset}"))
                .map(pattern -> pattern.replace("{range}", "0"))
                .forEach(pattern -> {
                  for (String reference : List.of(name, name + "@1", name + "@9")) {
                    String path = pattern.replace("{dataset}", reference);
                    paths.add(path);
                    if (pattern.endsWith("{dataset}")) {
                      paths.add(path + ".csv");
                    }
                  }
                  paths.add(
                      pattern.replace("{dataset}", name) + "?limit=-1&since=x&unknown=1&from=x");
                }));
    paths.add("/datasets/" + name + "/nowhere");
    paths.add("/datasets/" + name + "/batches/7-9.arrows");
    return List.copyOf(paths);
  }

  @ParameterizedTest
  @ValueSource(strings = {READER, WRITER, ANONYMOUS})
  void unreadableDatasetLooksMissing(String principal) throws Exception {
    TOUCHED.clear();
    int count = 0;
    for (String method : METHODS) {
      for (String path : paths("hidden.old")) {
        String[] conditions = count % 2 == 0 ? new String[0] : new String[] {"If-Match: \"x\""};
        String existing = unhinted(exchange(method + " " + path, principal, conditions));
        for (String other : List.of("hidden.was", "hidden.not")) {
          String requestLine = method + " " + path.replace("hidden.old", other);
          String response = exchange(requestLine, principal, conditions);
          assertThat(unhinted(response).replace(other, "hidden.old"))
              .as(requestLine)
              .isEqualTo(existing);
        }
        int status = principal.equals(ANONYMOUS) ? 401 : 404;
        if (!method.equals("OPTIONS") && !method.equals("TRACE")) {
          assertThat(existing).as(method + path).startsWith("HTTP/1.1 " + status + " ");
        }
        assertThat(existing).as(method + path).doesNotContain(SECRET);
        count++;
      }
    }
    assertThat(count).isGreaterThan(300);
    // Nor does the time tell: the store is not asked for either.
    assertThat(TOUCHED).noneMatch(key -> key.contains("hidden."));
  }

  /// To readers of a name that never existed, such a name looks the same.
  @Test
  void unreadableDatasetsReadLikeMissingOnes() throws Exception {
    for (String method : List.of("GET", "HEAD")) {
      for (String path : paths("hidden.old")) {
        // A path without a resource tells so, before the name is looked at.
        if (path.contains("?")
            || path.matches(".*/(nowhere|compact|verify|links)|.*@./(versions|events)")) {
          continue;
        }
        String absent = path.replace("hidden.old", "team.not12");
        String response = unhinted(exchange(method + " " + absent, READER));
        assertThat(response.replace("team.not12", "hidden.old"))
            .as(method + " " + absent)
            .isEqualTo(unhinted(exchange(method + " " + path, READER)));
      }
    }
  }

  @Test
  void readersMayNotWrite() throws Exception {
    int count = 0;
    for (String method : List.of("POST", "PUT", "PATCH", "DELETE", "FOO")) {
      for (String path : paths("team.a")) {
        assertThat(exchange(method + " " + path, READER))
            .as(method + path)
            .startsWith("HTTP/1.1 403 ")
            .contains(
                "\"type\":\"urn:quiver:problem:forbidden\"", "Expected the permission to write");
        assertThat(exchange(method + " " + path, ANONYMOUS)).startsWith("HTTP/1.1 401 ");
        count++;
      }
    }
    assertThat(count).isGreaterThan(100);
    assertThat(get("/datasets/team.a", as(READER)).statusCode()).isEqualTo(200);
    assertThat(exchange("POST /datasets", READER)).startsWith("HTTP/1.1 403 ");
    assertThat(exchange("DELETE /nowhere", READER)).startsWith("HTTP/1.1 403 ");
  }

  @Test
  void writersMayWriteTheirNamesOnly() throws Exception {
    byte[] data = Streams.numbers(0, 3);
    assertThat(put("/datasets/team.new", data, as(WRITER)).statusCode()).isEqualTo(201);
    assertThat(post("/datasets/team.new.arrows", data, as(WRITER)).statusCode()).isEqualTo(200);
    assertThat(post("/datasets/team.new/compact", new byte[0], as(WRITER)).statusCode())
        .isEqualTo(200);
    assertThat(delete("/datasets/team.new", as(WRITER)).statusCode()).isEqualTo(204);
    assertThat(put("/datasets/shared", data, as(WRITER)).statusCode()).isEqualTo(403);
    assertThat(put("/datasets/shared.csv", data, as(WRITER)).statusCode()).isEqualTo(403);
    assertThat(put("/datasets/team", data, as(WRITER)).statusCode()).isEqualTo(404);
    assertThat(put("/datasets/Team.x", data, as(WRITER)).statusCode()).isEqualTo(404);
    assertThat(put("/datasets/hidden.not", data, as(WRITER)).statusCode()).isEqualTo(404);
    assertThat(get("/datasets/hidden.not", as(ROOT)).statusCode()).isEqualTo(404);
  }

  /// No spelling of a path has another name for its permission than for its handler.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets/team.a/../hidden.old",
        "/datasets/team.a/..;/hidden.old",
        "/datasets/team.a;/../hidden.old.csv",
        "/datasets/team.a/%2e%2e/hidden.old.csv",
        "/datasets/./hidden.old.csv",
        "/datasets//hidden.old.csv",
        "//datasets/hidden.old.csv",
        "/datasets;v=1/hidden.old.csv",
        "/;/datasets/hidden.old.csv",
        "/datasets/hidden.old.csv;v=1",
        "/datasets/hidden.old;v=.csv",
        "/datasets/hidden.old/",
        "/datasets/hidden.old;/schema",
        "/datasets/%68idden.old.csv",
        "/datasets/hidden%2eold.csv",
        "/datasets/hidden.old%2ecsv",
        "/datasets/hidden.old%401.csv",
        "/datasets/hidden.old%00.csv",
        "/datasets/team.a%2f..%2fhidden.old.csv",
        "/datasets/team.a/schema/../../hidden.old/schema",
        "/docs/../datasets/hidden.old.csv",
        "/swagger-ui/../datasets/hidden.old.csv",
        "/health/..;/datasets/hidden.old.csv",
        "/DATASETS/hidden.old.csv",
        "http://localhost/datasets/hidden.old.csv",
      })
  void everySpellingOfAPathIsChecked(String path) throws Exception {
    for (String principal : List.of(READER, WRITER, NOTHING, ANONYMOUS)) {
      String response = exchange("GET " + path, principal);
      assertThat(response).as(principal).doesNotContain(SECRET, "ETag");
      assertThat(response.substring(9, 12)).as(principal).isIn("400", "401", "403", "404");
    }
  }

  @Test
  void spellingsOfAReadableNameWorkAsBefore() throws Exception {
    for (String path :
        List.of("/datasets/%74eam.a", "/datasets/team.a;v=1", "/datasets/team.a@1")) {
      assertThat(exchange("GET " + path, READER)).as(path).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void listsHaveOnlyReadableDatasets() throws Exception {
    JsonNode list = json(get("/datasets?total=true", as(READER)));
    assertThat(list.get("total").asInt()).isEqualTo(4);
    assertThat(list.get("datasets").valueStream().map(dataset -> dataset.get("name").asString()))
        .containsExactly("open.a", "open.derived", "team.a", "team.derived");
    assertThat(json(get("/datasets?total=true", as(ROOT))).get("total").asInt()).isGreaterThan(5);
    assertThat(json(get("/datasets?total=true", as(NOTHING))).get("total").asInt()).isEqualTo(2);
    for (String path :
        List.of(
            "/",
            "/datasets/",
            "/datasets.csv",
            "/datasets.txt",
            "/datasets.json?q=den",
            "/datasets.jsonl?sort=-bytes",
            "/datasets.arrow",
            "/datasets.json?prefix=hidden&total=true",
            "/datasets?sort=modified&total=true")) {
      assertThat(text(get(path, as(READER)))).as(path).doesNotContain("hidden", "shared");
      assertThat(text(get(path))).as(path).doesNotContain("hidden", "shared", "team");
    }
    assertThat(text(get("/datasets.csv", as(ROOT)))).contains("hidden.old");
    assertThat(text(get("/datasets.txt", as(ROOT)))).contains("hidden.old");
  }

  @Test
  void pagesOfListsHaveNoGaps() throws Exception {
    List<String> names = new ArrayList<>();
    JsonNode next = JSON.valueToTree("/datasets?limit=1");
    while (next.isString()) {
      JsonNode page = json(get(next.asString(), as(READER)));
      assertThat(page.get("datasets")).hasSize(1);
      names.add(page.at("/datasets/0/name").asString());
      next = page.path("next");
    }
    assertThat(names).containsExactly("open.a", "open.derived", "team.a", "team.derived");
  }

  @Test
  void statementsReadOnlyReadableDatasets() throws Exception {
    String all = "/sql.csv?q=select+count(*)+as+n+from+";
    assertThat(text(get(all + "%22team.a%22", as(READER)))).isEqualTo("n\r\n3\r\n");
    for (String suffix : List.of("", "%401", "&explain=true")) {
      String name = suffix.startsWith("%") ? "%22hidden.old" + suffix + "%22" : "%22hidden.old%22";
      String rest = suffix.startsWith("&") ? suffix : "";
      String existing = exchange("GET " + all + name + rest, READER);
      assertThat(existing)
          .startsWith("HTTP/1.1 400 ")
          .contains("unknown-dataset", "SHOW TABLES lists the datasets");
      for (String other : List.of("hidden.was", "hidden.not")) {
        String path = all + name.replace("hidden.old", other) + rest;
        assertThat(exchange("GET " + path, READER).replace(other, "hidden.old"))
            .isEqualTo(existing);
      }
    }
    assertThat(text(get(all + "%22hiden.old%22", as(WATCHER))))
        .contains("the nearest is hidden.old");
  }

  @Test
  void storedResultsReadOnlyReadableDatasets() throws Exception {
    String[] sql = as(WRITER, "Content-Type", "application/sql");
    String[] later = as(WRITER, "Content-Type", "application/sql", "Prefer", "respond-async");
    Map<String, String> problems = new java.util.HashMap<>();
    for (String name : List.of("hidden.old", "hidden.not")) {
      byte[] statement = "SELECT * FROM \"%s\"".formatted(name).getBytes(StandardCharsets.UTF_8);
      var refused = put("/datasets/team.copy", statement, sql);
      assertThat(refused.statusCode()).isEqualTo(400);
      var accepted = put("/datasets/team.copy", statement, later);
      String problem = text(refused).replaceAll("\"requestId\":\"\\w+\"", "");
      if (accepted.statusCode() == 202) {
        String job = header(accepted, "Location");
        eventually(() ->
            assertThat(json(get(job, as(WRITER))).get("state").asString()).isEqualTo("failed"));
        problem += json(get(job, as(WRITER))).get("problem").get("detail");
      } else {
        assertThat(accepted.statusCode()).isEqualTo(400);
      }
      problems.put(name, problem.replace(name, "hidden.old"));
    }
    assertThat(new TreeSet<>(problems.values())).hasSize(1);
    assertThat(get("/datasets/team.copy", as(ROOT)).statusCode()).isEqualTo(404);
  }

  @Test
  void statementOfAVersionIsShownOnlyWithItsSources() throws Exception {
    String[] html = {"Accept", "text/html"};
    for (String path : List.of("/datasets/team.derived/versions", "/datasets/team.derived")) {
      // The page also leads to a statement that reads the dataset itself.
      assertThat(text(get(path, as(READER, html))))
          .doesNotContain("hidden.old", "\"SELECT", "<pre>SELECT");
      assertThat(text(get(path, as(ROOT, html))))
          .contains("hidden.old")
          .containsPattern("(\"|<pre>)SELECT");
    }
    assertThat(text(get("/datasets/open.derived/versions"))).doesNotContain("hidden", "SELECT");
    String tag = header(get("/datasets/team.derived", as(READER, html)), "ETag");
    assertThat(header(get("/datasets/team.derived", as(ROOT, html)), "ETag")).isNotEqualTo(tag);
  }

  /// A retry gets the result of the first request, of another principal.
  @Test
  void replayHasNoStatementWithoutItsSources() throws Exception {
    byte[] statement = "SELECT * FROM \"hidden.old\"".getBytes(StandardCharsets.UTF_8);
    String[] key = {"Content-Type", "application/sql", "Idempotency-Key", "one"};
    assertThat(text(post("/datasets/team.keyed?verbose=true", statement, as(ROOT, key))))
        .contains("SELECT");
    var replay = post("/datasets/team.keyed?verbose=true", statement, as(WRITER, key));
    assertThat(replay.statusCode()).isEqualTo(201);
    assertThat(text(replay)).contains("team.keyed").doesNotContain("hidden", "SELECT");
    assertThat(post("/datasets/team.keyed", statement, as(WATCHER, key)).statusCode())
        .isEqualTo(403);
    assertThat(post("/datasets/hidden.old", statement, as(WRITER, key)).statusCode())
        .isEqualTo(404);
    assertThat(delete("/datasets/team.keyed", as(ROOT)).statusCode()).isEqualTo(204);
  }

  @Test
  void namesOfFormsAreChecked() throws Exception {
    assertThat(form("team.form", WRITER, true)).isEqualTo(201);
    assertThat(form("team.form", WRITER, false)).isEqualTo(409);
    assertThat(form("shared", WRITER, true)).isEqualTo(403);
    for (String name : List.of("hidden.old", "hidden.was", "hidden.not")) {
      assertThat(form(name, WRITER, true)).isEqualTo(404);
      assertThat(form(name, WRITER, false)).isEqualTo(404);
    }
    // The name is generated.
    assertThat(form(null, WRITER, true)).isEqualTo(403);
    byte[] data = Streams.numbers(0, 3);
    assertThat(post("/datasets", data, as(WRITER)).statusCode()).isEqualTo(403);
    assertThat(post("/datasets", data, as(WRITER, "Prefer", "respond-async")).statusCode())
        .isEqualTo(403);
    var created = post("/datasets", data, as(ROOT));
    assertThat(created.statusCode()).isEqualTo(201);
    for (String path : List.of(header(created, "Location"), "/datasets/team.form")) {
      assertThat(delete(path, as(ROOT)).statusCode()).isEqualTo(204);
    }
  }

  private int form(@Nullable String name, String principal, boolean metadataFirst)
      throws Exception {
    String metadata =
        "--b\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n{\"name\": \"%s\"}\r\n"
            .formatted(name);
    String data =
        "--b\r\nContent-Disposition: form-data; name=\"data\"; filename=\"x.csv\"\r\n\r\nx\n1\n\r\n";
    String body =
        name == null
            ? data + "--b--\r\n"
            : (metadataFirst ? metadata + data : data + metadata) + "--b--\r\n";
    return post(
            "/datasets",
            body.getBytes(StandardCharsets.UTF_8),
            as(principal, "Content-Type", "multipart/form-data; boundary=b"))
        .statusCode();
  }

  @Test
  void jobsAreShownToTheirPrincipal() throws Exception {
    String[] later = as(WRITER, "Prefer", "respond-async", "Idempotency-Key", "job");
    byte[] data = Streams.numbers(0, 3);
    var accepted = post("/datasets/team.job", data, later);
    assertThat(accepted.statusCode()).isEqualTo(202);
    String job = header(accepted, "Location");
    eventually(
        () -> assertThat(json(get(job, as(WRITER))).get("state").asString()).isEqualTo("done"));
    assertThat(text(get("/jobs", as(WRITER)))).contains(job);
    assertThat(text(get("/jobs", as(ROOT)))).contains(job);
    String absent = "/jobs/" + "0".repeat(26);
    for (String principal : List.of(READER, NOTHING, WATCHER)) {
      assertThat(text(get("/jobs", as(principal)))).doesNotContain(job);
      for (String method : METHODS) {
        assertThat(exchange(method + " " + job, principal))
            .isEqualTo(exchange(method + " " + absent, principal).replace(absent, job));
      }
    }
    for (String path : List.of("/jobs", job, absent)) {
      assertThat(exchange("GET " + path, ANONYMOUS)).startsWith("HTTP/1.1 401 ");
    }
    // The same key of another principal is another job, and the same write.
    var replay =
        post(
            "/datasets/team.job",
            data,
            as(ROOT, "Prefer", "respond-async", "Idempotency-Key", "job"));
    assertThat(replay.statusCode()).isIn(201, 202);
    assertThat(header(replay, "Location")).isNotEqualTo(job);
    if (replay.statusCode() == 202) {
      String other = header(replay, "Location");
      eventually(
          () -> assertThat(json(get(other, as(ROOT))).get("state").asString()).isEqualTo("done"));
    }
    assertThat(delete("/datasets/team.job", as(ROOT)).statusCode()).isEqualTo(204);
  }

  @Test
  void onlyThePrincipalSeesTheProgressOfAStatement() throws Exception {
    String path = "/sql/statements/chosen";
    String unknown = text(get(path, as(WRITER)));
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(
          "GET /sql.csv?q=FROM%20range(1000000000000)%20WHERE%20range%3C0 HTTP/1.1\nHost: localhost\n"
              + "Quiver-Statement: chosen\nAuthorization: Bearer "
              + NamedTokens.of(WRITER)
              + "\n\n");
      eventually(() ->
          assertThat(json(get(path, as(WRITER))).get("state").asString()).isEqualTo("running"));
      for (String principal : List.of(READER, WATCHER, NOTHING, ROOT)) {
        assertThat(text(get(path, as(principal)))).as(principal).isEqualTo(unknown);
      }
      assertThat(text(get(path))).as("anonymous").isEqualTo(unknown);
      // Others may choose the same id.
      String[] other = as(READER, "Quiver-Statement", "chosen");
      assertThat(get("/sql.csv?q=SELECT%201", other).statusCode()).isEqualTo(200);
      connection.reset();
    }
    eventually(() -> assertThat(text(get(path, as(WRITER)))).isEqualTo(unknown));
  }

  @Test
  void metricsNeedThePermissionToReadEverything() throws Exception {
    assertThat(get("/metrics").statusCode()).isEqualTo(401);
    assertThat(get("/metrics", as(WRITER)).statusCode()).isEqualTo(403);
    assertThat(get("/metrics", as(WATCHER)).statusCode()).isEqualTo(200);
    assertThat(get("/metrics", as(ROOT)).statusCode()).isEqualTo(200);
    assertThat(text(get("/metrics", as(ROOT)))).doesNotContain("hidden", "token-of");
  }

  /// Invalid credentials are as none: what is open stays so.
  @Test
  void anonymousReadsOpenDatasets() throws Exception {
    for (String principal : List.of(ANONYMOUS, UNKNOWN, NOTHING, READER)) {
      assertThat(exchange("GET /datasets/open.a", principal)).startsWith("HTTP/1.1 200 ");
    }
    for (String path : List.of("/health", "/docs/security", "/openapi")) {
      assertThat(get(path).statusCode()).isEqualTo(200);
    }
    assertThat(exchange("GET /datasets/open.not", ANONYMOUS)).startsWith("HTTP/1.1 404 ");
  }

  @Test
  void cachesKeepNothingForOthers() throws Exception {
    Consumer<String> isPrivate =
        response ->
            assertThat(response)
                .contains("\r\nVary: Authorization")
                .containsPattern("\r\nCache-Control: (private|no-store)");
    String immutable = exchange("GET /datasets/team.a@1.csv", READER);
    assertThat(immutable).contains("\r\nCache-Control: private, max-age=31536000, immutable\r\n");
    for (String path :
        List.of(
            "/datasets/team.a",
            "/datasets/team.a/schema",
            "/datasets/team.a/versions",
            "/datasets/team.a/events",
            "/datasets/hidden.old",
            "/datasets",
            "/datasets/",
            "/",
            "/sql.csv?q=select+1",
            "/jobs",
            "/metrics",
            "/nowhere")) {
      isPrivate.accept(exchange("HEAD " + path, READER));
      isPrivate.accept(exchange("GET " + path.replace("/events", ""), ANONYMOUS));
    }
    assertThat(exchange("GET /datasets/open.a@1.csv", ANONYMOUS))
        .contains("\r\nCache-Control: public, max-age=31536000, immutable\r\n", "\r\nVary: Auth");
    assertThat(exchange("GET /docs/security", ANONYMOUS)).doesNotContain("Authorization\r\n");
  }
}
