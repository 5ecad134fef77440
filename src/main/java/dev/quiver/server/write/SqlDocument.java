package dev.quiver.server.write;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.server.http.Problem;
import dev.quiver.sql.worker.Parameter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A statement as a JSON document.
///
/// ```text
/// Document   → { "sql": text, "parameters"?: Parameters, "timeout"?: Duration }
/// Parameters → [ value, … ] for ? and $1 | { name: value, … } for $name
/// Duration   → seconds | text such as "90s"
/// ```
final class SqlDocument {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final Set<String> MEMBERS = Set.of("sql", "parameters", "timeout");

  private SqlDocument() {}

  /// Parses a document.
  ///
  /// @param inQuery the parameters of the URL, which exclude those of the document
  /// @throws dev.quiver.server.http.ProblemException 400 if it is invalid
  static SqlRequest parse(String text, List<Parameter> inQuery) {
    JsonNode document;
    try {
      document = MAPPER.readTree(text);
    } catch (JacksonException e) {
      throw SqlRequest.bad("Expected JSON but found a syntax error: " + e.getOriginalMessage());
    }
    if (!document.isObject()) {
      throw SqlRequest.bad("Expected an object with the member sql but found other JSON");
    }
    for (String name : document.propertyNames()) {
      if (!MEMBERS.contains(name)) {
        throw SqlRequest.bad(
            "Expected sql, parameters or timeout but found the member "
                + Excerpt.of(name, Problem.QUOTE_LENGTH));
      }
    }
    JsonNode sql = document.path("sql");
    if (!sql.isString()) {
      throw SqlRequest.bad("Expected a text but found none at the member sql");
    }
    List<Parameter> parameters = parameters(document.path("parameters"));
    if (!parameters.isEmpty() && !inQuery.isEmpty()) {
      throw SqlRequest.bad("Expected parameters in the body or the query but found both");
    }
    return new SqlRequest(
        sql.asString(),
        parameters.isEmpty() ? inQuery : parameters,
        timeout(document.path("timeout")));
  }

  private static List<Parameter> parameters(JsonNode node) {
    List<Parameter> parameters = new ArrayList<>();
    if (node.isArray()) {
      node.forEach(value -> parameters.add(parameter("", value)));
    } else if (node.isObject()) {
      node.forEachEntry((name, value) -> parameters.add(parameter(name, value)));
    } else if (!node.isMissingNode() && !node.isNull()) {
      throw SqlRequest.bad("Expected an array or an object at the member parameters");
    }
    return parameters;
  }

  private static Parameter parameter(String name, JsonNode value) {
    try {
      return Parameter.of(name, value);
    } catch (IllegalArgumentException e) {
      throw SqlRequest.bad(String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable Duration timeout(JsonNode node) {
    if (node.isMissingNode() || node.isNull()) {
      return null;
    }
    Duration timeout = null;
    try {
      timeout =
          node.isNumber()
              ? Duration.ofMillis(
                  node.decimalValue()
                      .movePointRight(3)
                      .min(BigDecimal.valueOf(Long.MAX_VALUE / 4))
                      .longValue())
              : DurationStyle.detectAndParse(
                  node.asString(), java.time.temporal.ChronoUnit.SECONDS);
    } catch (IllegalArgumentException | JacksonException e) {
      // Reported below.
    }
    if (timeout == null || !timeout.isPositive()) {
      throw SqlRequest.bad("Expected a positive duration such as \"90s\" at the member timeout");
    }
    return timeout;
  }
}
