package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.store.log.HeldWork;
import dev.quiver.store.log.Jobs;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/// The OpenAPI document describes every handler and no other, and its examples work. Its page loads
/// nothing from other sites.
class ApiTest extends RunningService {

  private static final Set<String> METHODS =
      Set.of("get", "head", "post", "put", "patch", "delete");

  private static final String TABLE_HEAD = "| method and path | what it does |";
  private static final Pattern CODE_SPAN = Pattern.compile("`([^`]+)`");

  /// The handlers of the document itself and of its page, and of the files of pages.
  private static final List<String> UNDESCRIBED =
      List.of(
          "GET /openapi",
          "GET /openapi.yaml",
          "GET /api",
          "GET /swagger-ui/index.html",
          "GET /assets/{hash}/{*name}");

  @Autowired
  @Qualifier("requestMappingHandlerMapping")
  RequestMappingHandlerMapping mapping;

  @Autowired private Jobs jobs;

  private JsonNode document() throws Exception {
    return json("/openapi");
  }

  @Test
  void openApiDocumentDescribesEveryHandlerAndNothingElse() throws Exception {
    Set<String> described = new TreeSet<>();
    document()
        .get("paths")
        .forEachEntry((path, item) -> {
          for (String method : item.propertyNames()) {
            if (METHODS.contains(method)) {
              described.add(
                  method.toUpperCase(Locale.ROOT)
                      + " "
                      + path.replaceFirst("(?<=})\\.[a-z]+$", ""));
            }
          }
        });
    Set<String> handled = new TreeSet<>(List.of("GET /health", "GET /metrics"));
    for (RequestMappingInfo info : mapping.getHandlerMethods().keySet()) {
      for (String path : info.getPatternValues()) {
        for (RequestMethod method : info.getMethodsCondition().getMethods()) {
          handled.add(method + " " + path);
        }
      }
    }
    handled.removeAll(UNDESCRIBED);
    assertThat(described).containsExactlyInAnyOrderElementsOf(handled);
  }

  @Test
  void httpApiDocumentListsEveryPath() throws Exception {
    List<String> lines = Files.readAllLines(Path.of("src/docs/http-api.md"));
    assertThat(lines).contains(TABLE_HEAD);
    Set<String> listed = new TreeSet<>();
    for (String line : lines.subList(lines.indexOf(TABLE_HEAD) + 2, lines.size())) {
      if (!line.startsWith("|")) {
        break;
      }
      String last = "";
      for (MatchResult span : CODE_SPAN.matcher(line.split("\\|")[1]).results().toList()) {
        String suffix = span.group(1);
        last = suffix.startsWith(".") ? last.replaceFirst("\\.[a-z]+$", suffix) : suffix;
        listed.add(
            last.replaceAll("\\{(name|ds)}", "{dataset}")
                .replaceAll("\\{i}(-\\{j})?", "{range}")
                .replaceAll("\\?.*", ""));
      }
    }
    Set<String> described = new TreeSet<>(List.of("GET /openapi", "GET /api"));
    document()
        .get("paths")
        .forEachEntry((path, item) ->
            item.propertyNames().stream()
                .filter(METHODS::contains)
                .forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));
    assertThat(listed).containsExactlyElementsOf(described);
  }

  @Test
  void everyReferenceOfTheOpenApiDocumentResolves() throws Exception {
    JsonNode document = document();
    List<String> references = new ArrayList<>();
    document.findValues("$ref").forEach(reference -> references.add(reference.asString()));
    assertThat(references).hasSizeGreaterThan(50);
    for (String reference : references) {
      assertThat(document.at(reference.substring(1)).isMissingNode()).as(reference).isFalse();
    }
  }

  @Test
  void everyReadExampleOfTheOpenApiDocumentWorks() throws Exception {
    JsonNode document = document();
    HeldWork work = new HeldWork();
    jobs.submit(
        jobs.takePlace(),
        document.at("/paths/~1jobs~1{job}/parameters/0/example").asString(),
        "trips",
        work);
    int count = 0;
    for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
      JsonNode operation = path.getValue().get("get");
      if (operation == null) {
        continue;
      }
      List<JsonNode> parameters = parameters(document, path.getValue(), operation);
      for (String query : queries(parameters)) {
        String url = expanded(path.getKey(), parameters) + query;
        JsonNode contents = operation.at("/responses/200/content");
        // A stream of events has no end.
        // Only text has these parameters; a suffix wins over the header.
        String accept =
            query.contains("envelope=")
                ? "application/json"
                : query.contains("width=") || url.matches("/sql\\?.*limit=.*")
                    ? "text/plain"
                    : query.matches(".*[?&](max-value-bytes|text|bom)=.*") ? "text/csv" : "*/*";
        HttpResponse<byte[]> response =
            contents.has("text/event-stream") ? head(url) : get(url, "Accept", accept);
        assertThat(response.statusCode()).as(url + " " + text(response)).isEqualTo(200);
        String type = header(response, "Content-Type").replaceFirst(";.*", "");
        assertThat(contents.propertyNames()).as(url).contains(type);
        if (type.equals("application/json")) {
          requireSchema(document, contents.get(type).get("schema"), json(response), url);
        }
        count++;
      }
    }
    work.finish();
    assertThat(count).isGreaterThan(40);
  }

  @Test
  void everyDescribedDatasetFormatIsServed() throws Exception {
    for (String type :
        document().at("/paths/~1datasets~1{dataset}/get/responses/200/content").propertyNames()) {
      HttpResponse<byte[]> response = get("/datasets/sample", "Accept", type);
      assertThat(header(response, "Content-Type")).startsWith(type);
    }
  }

  @Test
  void everyWriteExampleOfTheOpenApiDocumentWorks() throws Exception {
    JsonNode document = document();
    JsonNode version = document.at("/components/schemas/Version");
    JsonNode written = document.at("/components/schemas/Written");
    byte[] stream = Streams.numbers(0, 3);
    for (String path : List.of("/datasets", "/datasets/{dataset}", "/datasets/{dataset}/compact")) {
      JsonNode item = document.get("paths").get(path);
      for (String method : List.of("put", "post")) {
        List<String> queries =
            item.has(method) ? queries(parameters(document, item, item.get(method))) : List.of();
        for (String query : queries) {
          String url = path.replace("{dataset}", "api-example") + query;
          HttpResponse<byte[]> response =
              method.equals("post") ? post(url, stream) : put(url, stream);
          assertThat(response.statusCode()).as(method + url).isIn(200, 201);
          JsonNode schema = query.contains("verbose=true") ? version : written;
          requireSchema(document, schema, json(response), method + url);
        }
      }
    }
    HttpResponse<byte[]> mismatch =
        post(
            "/datasets/api-example",
            Streams.empty(Field.of("number", false, new ArrowType.Utf8())),
            "X-Request-Id",
            "4bf92f3577b34da6a3ce929d0e0e4736");
    assertThat(json(mismatch))
        .isEqualTo(
            document.at(
                "/components/responses/Mismatch/content/application~1problem+json/example"));
    requireSchema(document, document.at("/components/schemas/Problem"), json(mismatch), "409");
    assertThat(delete("/datasets/api-example").statusCode()).isEqualTo(204);
    HttpResponse<byte[]> gone = get("/datasets/api-example");
    assertThat(gone.statusCode()).isEqualTo(410);
    requireSchema(document, document.at("/components/schemas/Problem"), json(gone), "410");
    HttpResponse<byte[]> report = post("/inspect", stream);
    assertThat(report.statusCode()).isEqualTo(200);
    assertThat(json(report).propertyNames()).contains("summary", "findings", "messages");
  }

  /// YAML parsers turn some unquoted text into numbers, booleans or dates.
  @Test
  void parameterExamplesHaveTheTypesOfTheirSchemas() throws Exception {
    JsonNode document = document();
    List<JsonNode> parameters =
        document.findParents("in").stream().filter(node -> node.has("example")).toList();
    assertThat(parameters).hasSizeGreaterThan(15);
    for (JsonNode parameter : parameters) {
      JsonNode schema = resolve(document, parameter.get("schema"));
      JsonNode example = parameter.get("example");
      requireType(schema, example, parameter.toString());
    }
  }

  private static void requireType(JsonNode schema, JsonNode example, String where) {
    switch (schema.get("type").asString()) {
      case "string" -> assertThat(example.isString()).as(where).isTrue();
      case "integer" -> assertThat(example.isIntegralNumber()).as(where).isTrue();
      case "boolean" -> assertThat(example.isBoolean()).as(where).isTrue();
      case "array" -> example.forEach(item -> requireType(schema.get("items"), item, where));
      default -> throw new AssertionError(where);
    }
  }

  @Test
  void openApiDocumentIsTheSameInYamlAndJson() throws Exception {
    HttpResponse<byte[]> yaml = get("/openapi.yaml");
    assertThat(header(yaml, "Content-Type")).isEqualTo("application/vnd.oai.openapi");
    Object document = new Yaml().load(text(yaml));
    assertThat(JsonMapper.shared().<JsonNode>valueToTree(document)).isEqualTo(document());
    assertThat(text(yaml)).startsWith("# ");
  }

  @Test
  void problemExampleOfTheOpenApiDocumentMatchesTheService() throws Exception {
    JsonNode example =
        document().at("/components/responses/Problem/content/application~1problem+json/example");
    String id = example.get("requestId").asString();
    assertThat(json(get("/datasets/nothing", "X-Request-Id", id))).isEqualTo(example);
  }

  @Test
  void apiPageConnectsToThisServiceOnly() throws Exception {
    HttpResponse<byte[]> entry = get("/api");
    assertThat(entry.statusCode()).isEqualTo(302);
    HttpResponse<byte[]> page = get(header(entry, "Location"));
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(text(page))
        .contains("<title>Quiver API</title>", "<a href=\"/api\" aria-current=\"true\">API</a>");
    // The icon names the language of its drawing.
    assertThat(text(page).replace("http://www.w3.org/2000/svg", ""))
        .doesNotContain("http:", "https:", "<style", "<script>");
    assertThat(header(page, "Content-Security-Policy"))
        .isEqualTo(
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src"
                + " 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
                + " frame-ancestors 'none'");
    assertThat(text(get("/swagger-ui/swagger-initializer.js")))
        .contains("url: '../openapi'", "validatorUrl: null")
        .doesNotContain("http");
    for (String file : List.of("swagger-ui-bundle.js", "swagger-ui.css")) {
      assertThat(text(page)).contains("/swagger-ui/" + file);
      assertThat(get("/swagger-ui/" + file).statusCode()).as(file).isEqualTo(200);
    }
    // Otherwise every client would see the address that the first client used.
    assertThat(document().at("/servers/0/url").asString()).isEqualTo("./");
    HttpResponse<byte[]> nothing = get("/swagger-ui/nothing");
    assertThat(nothing.statusCode()).isEqualTo(404);
    assertThat(json(nothing).get("detail").asString())
        .isEqualTo("Expected a resource but found none at /swagger-ui/nothing");
  }

  private static List<JsonNode> parameters(JsonNode document, JsonNode item, JsonNode operation) {
    List<JsonNode> parameters = new ArrayList<>();
    for (JsonNode holder : List.of(item, operation)) {
      if (holder.has("parameters")) {
        holder.get("parameters").forEach(parameter -> parameters.add(resolve(document, parameter)));
      }
    }
    return parameters;
  }

  /// Returns the query of the required parameters, and one query for each other example.
  private static List<String> queries(List<JsonNode> parameters) {
    String required =
        parameters.stream()
            .filter(parameter -> parameter.path("in").asString().equals("query"))
            .filter(parameter -> parameter.path("required").booleanValue(false))
            .map(ApiTest::query)
            .collect(Collectors.joining("&"));
    List<String> queries = new ArrayList<>(List.of(required.isEmpty() ? "" : "?" + required));
    for (JsonNode parameter : parameters) {
      boolean optional = !parameter.path("required").booleanValue(false);
      // The value of a parameter needs a statement or a body that has it.
      String name = parameter.get("name").asString();
      boolean isGroup = name.endsWith(".name") || name.equals("rename");
      if (parameter.get("in").asString().equals("query") && optional && !isGroup) {
        queries.add("?" + (required.isEmpty() ? "" : required + "&") + query(parameter));
      }
    }
    return queries;
  }

  /// Returns the example of a parameter as a part of a query.
  private static String query(JsonNode parameter) {
    JsonNode example = parameter.get("example");
    assertThat(example).as(parameter.toString()).isNotNull();
    List<String> parts = new ArrayList<>();
    for (JsonNode value : example.isArray() ? example : List.of(example)) {
      parts.add(
          parameter.get("name").asString()
              + "="
              + URLEncoder.encode(value.asString(), StandardCharsets.UTF_8));
    }
    return String.join("&", parts);
  }

  private static String expanded(String path, List<JsonNode> parameters) {
    String expanded = path;
    for (JsonNode parameter : parameters) {
      if (parameter.get("in").asString().equals("path")) {
        JsonNode example = parameter.get("example");
        String name = parameter.get("name").asString();
        expanded =
            expanded.replace("{" + name + "}", example == null ? "sample" : example.asString());
      }
    }
    return expanded;
  }

  private static JsonNode resolve(JsonNode document, JsonNode node) {
    return node.has("$ref") ? document.at(node.get("$ref").asString().substring(1)) : node;
  }

  /// Asserts that `value` has every member that `schema` requires, and only members that it names.
  private static void requireSchema(
      JsonNode document, JsonNode schema, JsonNode value, String where) {
    JsonNode resolved = resolve(document, schema);
    if (value.isArray() && resolved.has("items")) {
      for (JsonNode element : value) {
        requireSchema(document, resolved.get("items"), element, where);
      }
    }
    if (!value.isObject()) {
      return;
    }
    JsonNode properties =
        resolved.has("properties")
            ? resolved.get("properties")
            : JsonNodeFactory.instance.objectNode();
    if (resolved.has("required")) {
      resolved
          .get("required")
          .forEach(name -> assertThat(value.has(name.asString())).as(where + " " + name).isTrue());
    }
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      JsonNode property = properties.get(member.getKey());
      if (!properties.isEmpty()) {
        assertThat(property).as(where + " has " + member.getKey()).isNotNull();
        requireSchema(document, property, member.getValue(), where);
      }
    }
  }
}
