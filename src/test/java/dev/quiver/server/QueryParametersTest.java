package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.resource.QueryParameters;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

/// Query parameters that a resource does not have are errors, and so are numbers in other forms.
class QueryParametersTest extends RunningService {

  private static final Set<String> METHODS =
      Set.of("get", "head", "post", "put", "patch", "delete");

  /// The resources of Spring, which take any parameter.
  private static final Set<String> UNCHECKED = Set.of("GET /health", "GET /metrics");

  @Autowired
  @Qualifier("requestMappingHandlerMapping")
  RequestMappingHandlerMapping mapping;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /datasets?limt=1 | prefix, q, sort, limit, after, total or width | limt | limit",
        "GET | /datasets?aftre=a | prefix, q, sort, limit, after, total or width | aftre | after",
        "GET | /datasets?Limit=1 | prefix, q, sort, limit, after, total or width | Limit | limit",
        "HEAD | /datasets?limt=1 | prefix, q, sort, limit, after, total or width | limt | limit",
        "GET | /datasets?totl=true | prefix, q, sort, limit, after, total or width | totl | total",
        "GET | /datasets.csv?total=true | prefix, q, sort, limit or after | total |",
        "GET | /datasets.arrow?srot=name | prefix, q, sort, limit or after | srot | sort",
        "GET | /datasets/?perfix=a | prefix | perfix | prefix",
        "POST | /datasets?bathces=keep | batches, codec, truncated, expires, verbose, rename, csv.name, excel.name, json.name or p.name | bathces | batches",
        "PUT | /datasets/typo?bathces=keep | batches, codec, truncated, expires, verbose, rename, csv.name, excel.name, json.name or p.name | bathces | batches",
        "POST | /datasets/typo?codecs=lz4 | batches, codec, truncated, expires, verbose, rename, csv.name, excel.name, json.name, p.name, types or columns | codecs | codec",
        "GET | /datasets/sample?colums=crew | columns, since, where, search, rows, offset, limit, sample, dictionaries, codec, numbers, max-value-bytes, text, bom, envelope, width or"
            + " include_footnotes | colums | columns",
        "GET | /datasets/sample?footnotes | columns, since, where, search, rows, offset, limit, sample, dictionaries, codec, numbers, max-value-bytes, text, bom, envelope, width or"
            + " include_footnotes | footnotes | include_footnotes",
        "GET | /datasets/sample.arrow?ofset=1 | columns, since, where, search, rows, offset, limit, sample, dictionaries, codec, numbers, max-value-bytes, text, bom, envelope or width | ofset |"
            + " offset",
        "GET | /datasets/sample.arrows?number=string | columns, since, where, search, rows, offset, limit, sample, dictionaries, codec, numbers, max-value-bytes, text, bom, envelope or width |"
            + " number | numbers",
        "GET | /datasets/sample.csv?lmit=1 | columns, since, where, search, rows, offset, limit, sample, dictionaries, codec, numbers, max-value-bytes, text, bom, envelope or width | lmit |"
            + " limit",
        "GET | /datasets/sample.json?column=crew | columns, since, where, search, rows, offset, limit, sample, dictionaries, codec, numbers, max-value-bytes, text, bom, envelope or width |"
            + " column | columns",
        "GET | /datasets/sample@1.jsonl?offest=1 | columns, since, where, search, rows, offset, limit, sample, dictionaries, codec, numbers, max-value-bytes, text, bom, envelope or width |"
            + " offest | offset",
        "GET | /datasets/sample.csv?include_footnotes | columns, since, where, search, rows, offset, limit, sample, dictionaries, codec, numbers, max-value-bytes, text, bom, envelope or width |"
            + " include_footnotes |",
        "GET | /datasets/sample/batches?form=1 | from, count, statistics or numbers | form | from",
        "GET | /datasets/sample/batches?cuont=1 | from, count, statistics or numbers | cuont | count",
        "GET | /datasets/sample/layout?cuont=1 | from or count | cuont | count",
        "GET | /datasets/sample/batches/0?codex=lz4 | codec | codex | codec",
        "GET | /datasets/sample/partitions?conut=2 | count, columns, where, search or format | conut | count",
        "GET | /datasets/sample/versions?befor=1 | limit, before or compactions | befor | before",
        "GET | /datasets/sample/versions?compaction=true | limit, before or compactions | compaction"
            + " | compactions",
        "GET | /sql?sql=SELECT+1 | q, p.name, explain, codec, numbers, max-value-bytes, text, bom, envelope, width, limit or name | sql | q",
        "POST | /sql.csv?q=SELECT+1 | p.name, explain, codec, numbers, max-value-bytes, text, bom, envelope, width, limit or name | q |",
        "POST | /inspect?limit=1 | truncated, rename, csv.name, excel.name or json.name | limit |",
        "POST | /convert?limits=1 | columns, offset, limit, sample, dictionaries, codec, numbers, max-value-bytes, text, bom, envelope, width, rename, csv.name, excel.name or json.name | limits | limit",
      })
  void namesTheParameterNearestToAnUnknownOne(
      String method, String path, String known, String unknown, @Nullable String nearest)
      throws Exception {
    HttpResponse<byte[]> response = send(method, path);
    assertThat(response.statusCode()).isEqualTo(400);
    if (!method.equals("HEAD")) {
      assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:bad-request");
      assertThat(json(response).get("detail").asString())
          .isEqualTo(
              "Expected %s but found %s at the query%s"
                  .formatted(
                      known,
                      unknown,
                      nearest == null ? "" : ": the nearest parameter is " + nearest));
      if (nearest != null) {
        assertThat(json(response).get("hint").asString())
            .isEqualTo("Write %s= in place of %s=.".formatted(nearest, unknown));
      }
    }
    assertThat(get("/datasets/typo").statusCode()).isEqualTo(404);
  }

  private HttpResponse<byte[]> send(String method, String path) throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    return switch (method) {
      case "HEAD" -> head(path);
      case "PUT" -> put(path, stream);
      case "POST" -> post(path, stream);
      case "DELETE" -> delete(path);
      default -> get(path);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /",
    "GET, /docs",
    "GET, /docs/http-api",
    "GET, /openapi",
    "GET, /openapi.yaml",
    "GET, /api",
    "GET, /datasets/sample/schema",
    "GET, /datasets/sample/blobs",
    "DELETE, /datasets/sample",
    "GET, /inspect",
  })
  void rejectsAnyParameterOfAResourceWithoutParameters(String method, String path)
      throws Exception {
    HttpResponse<byte[]> response = send(method, path + "?limit=1");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo("Expected no parameter but found limit at the query");
    assertThat(get("/datasets/sample").statusCode()).isEqualTo(200);
  }

  @Test
  void aMissingResourceComesBeforeAnUnknownParameter() throws Exception {
    assertThat(put("/datasets/gone", Streams.numbers(0, 3)).statusCode()).isIn(200, 201);
    assertThat(delete("/datasets/gone").statusCode()).isEqualTo(204);
    for (String path :
        List.of("", ".arrow", "/schema", "/batches", "/batches/0", "/versions", "/blobs")) {
      assertThat(get("/datasets/nothing" + path + "?limt=1").statusCode()).as(path).isEqualTo(404);
      assertThat(get("/datasets/gone" + path + "?limt=1").statusCode()).as(path).isEqualTo(410);
    }
    assertThat(delete("/datasets/nothing?limt=1").statusCode()).isEqualTo(404);
    assertThat(post("/datasets/gone/compact?limt=1", new byte[0]).statusCode()).isEqualTo(410);
    assertThat(get("/datasets/sample/batches/99?limt=1").statusCode()).isEqualTo(404);
    assertThat(get("/datasets/sample@99?limt=1").statusCode()).isEqualTo(404);
    assertThat(get("/docs/nothing?limt=1").statusCode()).isEqualTo(404);
    assertThat(get("/nothing?limt=1").statusCode()).isEqualTo(404);
    assertThat(put("/datasets/sample/schema?limt=1", new byte[0]).statusCode()).isEqualTo(405);
  }

  @Test
  void aBrowserMayAddTheParametersOfTrackers() throws Exception {
    String trackers = "?utm_source=a&utm_medium=b&fbclid=c&gclid=d";
    for (String path : List.of("/", "/datasets/sample", "/docs")) {
      assertThat(get(path + trackers, "Accept", "text/html,*/*;q=0.8").statusCode())
          .as(path)
          .isEqualTo(200);
      assertThat(get(path + trackers, "Accept", "*/*").statusCode()).as(path).isEqualTo(400);
      assertThat(get(path + trackers + "&limt=1", "Accept", "text/html").statusCode())
          .as(path)
          .isEqualTo(400);
    }
  }

  @Test
  void healthAndMetricsTakeAnyParameter() throws Exception {
    assertThat(get("/health?probe=1").statusCode()).isEqualTo(200);
    assertThat(get("/metrics?includedNames=quiver_garbage_blobs").statusCode()).isEqualTo(200);
  }

  @Test
  void everyHandlerHasItsParameters() {
    Set<String> handled = new TreeSet<>();
    for (RequestMappingInfo info : mapping.getHandlerMethods().keySet()) {
      for (String path : info.getPatternValues()) {
        for (RequestMethod method : info.getMethodsCondition().getMethods()) {
          handled.add(method + " " + path);
        }
      }
    }
    Set<String> declared = new TreeSet<>();
    QueryParameters.byOperation()
        .keySet()
        .forEach(operation -> declared.add(operation.replaceFirst("(?<=})\\.[a-z]+$", "")));
    assertThat(handled).hasSizeGreaterThan(15).isEqualTo(declared);
  }

  @Test
  void openApiDocumentHasTheSameParameters() throws Exception {
    Map<String, Set<String>> described = new TreeMap<>();
    JsonNode document = json("/openapi");
    for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
      for (String method : path.getValue().propertyNames()) {
        String operation = method.toUpperCase(Locale.ROOT) + " " + path.getKey();
        if (METHODS.contains(method) && !UNCHECKED.contains(operation)) {
          described.put(operation, described(document, path.getValue(), method));
        }
      }
    }
    Map<String, Set<String>> declared = new TreeMap<>();
    QueryParameters.byOperation()
        .forEach((operation, names) -> declared.put(operation, new TreeSet<>(names)));
    declared
        .keySet()
        .removeAll(
            List.of("GET /openapi", "GET /openapi.yaml", "GET /api", "GET /swagger-ui/index.html"));
    // These are rejected with a sentence of their own, and the document leaves them out.
    for (String text : List.of(".json", ".jsonl", ".csv", ".tsv", ".txt")) {
      declared
          .getOrDefault("GET /datasets/{dataset}" + text, Set.of())
          .removeAll(List.of("codec", "dictionaries"));
      declared.getOrDefault("GET /sql" + text, Set.of()).remove("codec");
      declared.getOrDefault("POST /sql" + text, Set.of()).remove("codec");
    }
    declared
        .getOrDefault("GET /datasets/{dataset}.parquet", Set.of())
        .removeAll(List.of("codec", "dictionaries", "max-value-bytes", "text", "bom"));
    for (String method : List.of("GET", "POST")) {
      declared
          .getOrDefault(method + " /sql.parquet", Set.of())
          .removeAll(List.of("codec", "max-value-bytes", "text", "bom"));
    }
    declared
        .getOrDefault("GET /datasets/{dataset}.xlsx", Set.of())
        .removeAll(List.of("codec", "dictionaries", "text", "bom"));
    for (String method : List.of("GET", "POST")) {
      declared
          .getOrDefault(method + " /sql.xlsx", Set.of())
          .removeAll(List.of("codec", "text", "bom"));
    }
    for (String arrow : List.of(".arrow", ".arrows")) {
      declared.getOrDefault("GET /datasets/{dataset}" + arrow, Set.of()).remove("max-value-bytes");
      declared.getOrDefault("GET /sql" + arrow, Set.of()).remove("max-value-bytes");
      declared.getOrDefault("POST /sql" + arrow, Set.of()).remove("max-value-bytes");
    }
    for (String operation : declared.keySet()) {
      if (operation.matches(".*(/sql|/datasets/\\{dataset}|/datasets)\\.(?!txt).*")) {
        declared.get(operation).remove("width");
        if (operation.contains("/sql.")) {
          declared.get(operation).remove("limit");
        }
      }
    }
    for (String other : List.of(".json", ".jsonl", ".txt", ".arrow", ".arrows")) {
      for (String operation : List.of("GET /datasets/{dataset}", "GET /sql", "POST /sql")) {
        declared.getOrDefault(operation + other, Set.of()).removeAll(List.of("text", "bom"));
      }
    }
    for (String other :
        List.of(".jsonl", ".csv", ".tsv", ".txt", ".arrow", ".arrows", ".parquet", ".xlsx")) {
      for (String operation : List.of("GET /datasets/{dataset}", "GET /sql", "POST /sql")) {
        declared.getOrDefault(operation + other, Set.of()).remove("envelope");
      }
    }
    declared.remove("GET /assets/{hash}/{*name}");
    assertThat(described).isEqualTo(declared);
  }

  private static Set<String> described(JsonNode document, JsonNode item, String method) {
    List<JsonNode> parameters = new ArrayList<>();
    item.path("parameters").forEach(parameters::add);
    item.get(method).path("parameters").forEach(parameters::add);
    Set<String> names = new TreeSet<>();
    for (JsonNode parameter : parameters) {
      JsonNode resolved =
          parameter.has("$ref")
              ? document.at(parameter.get("$ref").asString().substring(1))
              : parameter;
      if (resolved.get("in").asString().equals("query")) {
        names.add(resolved.get("name").asString());
      }
    }
    return names;
  }

  @ParameterizedTest
  @ValueSource(strings = {"%2B5", "+5", "-0", "5.0", "0x5", "%D9%A5", "%EF%BC%95", "%205", "5e0"})
  void acceptsOnlyAsciiDigitsInNumbers(String number) throws Exception {
    for (String path :
        List.of(
            "/datasets?limit=",
            "/datasets/sample.csv?limit=",
            "/datasets/sample.csv?offset=",
            "/datasets/sample.csv?sample=",
            "/datasets/sample.csv?max-value-bytes=",
            "/datasets/sample/batches?count=",
            "/datasets/sample/versions?before=")) {
      HttpResponse<byte[]> response = get(path + number);
      assertThat(response.statusCode()).as(path).isEqualTo(400);
      assertThat(json(response).get("detail").asString())
          .startsWith("Expected a whole number from ");
    }
    assertThat(get("/datasets/sample/batches/" + number).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/api",
        "/openapi",
        "/openapi.yaml",
        "/openapi/swagger-config",
        "/swagger-ui/index.html",
        "/swagger-ui/swagger-initializer.js",
        "/datasets",
        "/datasets/sample/partitions",
      })
  void noResourceTrustsForwardedHosts(String path) throws Exception {
    HttpResponse<byte[]> response =
        get(
            path,
            "X-Forwarded-Host",
            "evil.test",
            "X-Forwarded-Proto",
            "https",
            "X-Forwarded-Prefix",
            "/evil.test",
            "Forwarded",
            "host=evil.test;proto=https");
    assertThat(text(response)).doesNotContain("evil.test");
    assertThat(response.headers().map().toString()).doesNotContain("evil.test");
  }
}
