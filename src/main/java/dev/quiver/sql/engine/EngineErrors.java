package dev.quiver.sql.engine;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.sql.engine.EngineException.Kind;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The engine's errors, which it writes as JSON, as exceptions.
final class EngineErrors {

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private static final int MESSAGE_LENGTH_MAXIMUM = 1000;

  /// The end of the message about a missing table: other names, which are the engine's own tables.
  private static final Pattern SUGGESTION = Pattern.compile("\\s*Did you mean .*", Pattern.DOTALL);

  /// The start of advice on settings, or of a stack trace.
  private static final Pattern ADVICE =
      Pattern.compile(
          "\\s*\\n\\s*\\n.*|\\s*\\nDatabase is launched in.*|\\s*Stack Trace:.*", Pattern.DOTALL);

  /// The error of a macro that takes the place of a function, as [Engine] makes them.
  private static final Pattern MISSING_ARGUMENT =
      Pattern.compile(
          "Macro \"?(\\w+)\"?\\(\\) does not support .*\\(not_allowed\\)", Pattern.DOTALL);

  /// The error of `//` and `%`, with advice on a setting.
  private static final Pattern DIVISION_BY_ZERO =
      Pattern.compile(
          "^(?:[A-Za-z ]+ Error: )?Division by zero(?: in expression (.*?))?[.!] .*",
          Pattern.DOTALL);

  private static final String DIVISION_HINT =
      "For a null in place of this failure, write TRY(…) around the division, or divide by"
          + " nullif(divisor, 0).";

  /// The type of timestamps for which the engine has few functions.
  private static final String NANOSECOND_TYPE = "TIMESTAMPTZ_NS";

  private static final Pattern CANDIDATES =
      Pattern.compile("\\s*You might need to add.*", Pattern.DOTALL);

  private static final String NANOSECOND_HINT =
      "Cast the timestamps, as in t::TIMESTAMPTZ, which drops their digits beyond microseconds.";

  private static final Pattern LINE_BREAK = Pattern.compile("\\s*\\n\\s*");
  private static final Pattern PATH = Pattern.compile("(?<![\\w/])(?:/[^\\s/\"']+){2,}/?");
  private static final Pattern PREFIX = Pattern.compile("([A-Za-z ]{1,40}) Error: ");
  private static final Pattern LOCATION = Pattern.compile("\\[(\\d{1,9}),(\\d{1,9})]");

  private static final Set<String> NAME_SUBTYPES =
      Set.of("COLUMN_NOT_FOUND", "MISSING_ENTRY", "UNKNOWN_COLUMN");

  private EngineErrors() {}

  /// Returns the exception for a message of the engine.
  ///
  /// @param failure the exception of a callback that may have caused the error, or null
  static EngineException of(@Nullable String message, @Nullable RuntimeException failure) {
    String text = message == null ? "" : message;
    JsonNode error = parse(text);
    String found = error == null ? text : error.path("exception_message").asString("");
    int position = EngineException.NO_POSITION;
    int length = 0;
    if (error != null) {
      Matcher location = LOCATION.matcher(error.path("location").asString(""));
      if (location.matches()) {
        position = Integer.parseInt(location.group(1));
        length = Integer.parseInt(location.group(2));
      }
    }
    if (failure != null && failure.getMessage() != null && found.contains(failure.getMessage())) {
      return CallFailures.exception(failure, position, length);
    }
    Matcher missing = MISSING_ARGUMENT.matcher(found);
    if (missing.find()) {
      return new EngineException(
          Kind.NOT_ALLOWED,
          "Expected a column but found %s, a function about the engine".formatted(missing.group(1)),
          position,
          length);
    }
    Matcher division = DIVISION_BY_ZERO.matcher(found);
    if (division.matches()) {
      String place = division.group(1) == null ? "" : " in " + division.group(1);
      return new EngineException(
          Kind.CONVERSION,
          Excerpt.of("Expected a divisor other than 0 but found 0" + place, MESSAGE_LENGTH_MAXIMUM),
          DIVISION_HINT,
          position,
          length);
    }
    Kind kind = error == null ? kind(prefix(found), "") : kind(error);
    // Candidates have other types than the arguments.
    String withoutCandidates = found.split("Candidate functions:", 2)[0];
    if (kind == Kind.BINDING && withoutCandidates.contains(NANOSECOND_TYPE)) {
      String sentence = clean(CANDIDATES.matcher(found).replaceFirst(""), kind);
      return new EngineException(kind, sentence, NANOSECOND_HINT, position, length);
    }
    return new EngineException(kind, clean(found, kind), position, length);
  }

  private static @Nullable JsonNode parse(String message) {
    int start = message.indexOf('{');
    if (start < 0) {
      return null;
    }
    try {
      JsonNode error = MAPPER.readTree(message.substring(start));
      return error.has("exception_message") ? error : null;
    } catch (JacksonException e) {
      return null;
    }
  }

  private static Kind kind(JsonNode error) {
    return kind(
        error.path("exception_type").asString(""), error.path("error_subtype").asString(""));
  }

  /// Returns the type at the start of a message that is not JSON.
  private static String prefix(String message) {
    Matcher prefix = PREFIX.matcher(message);
    return prefix.lookingAt() ? prefix.group(1) : "";
  }

  /// An error is the statement's only if its type says so: an unknown type is a fault of the
  /// service.
  private static Kind kind(String type, String subtype) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "parser", "syntax" -> Kind.SYNTAX;
      case "catalog" -> Kind.NAME;
      case "binder" -> NAME_SUBTYPES.contains(subtype) ? Kind.NAME : Kind.BINDING;
      case "parameter not resolved",
          "parameter not allowed",
          "expression",
          "planner",
          "invalid",
          "invalid input",
          "invalid type",
          "unknown type",
          "not implemented",
          "constraint",
          "dependency",
          "sequence" ->
          Kind.BINDING;
      case "permission",
          "missing extension",
          "autoload",
          "extension autoloading",
          "invalid configuration",
          "settings",
          "network",
          "http" ->
          Kind.NOT_ALLOWED;
      case "conversion",
          "out of range",
          "divide by zero",
          "decimal",
          "mismatch type",
          "object size" ->
          Kind.CONVERSION;
      case "out of memory" -> Kind.MEMORY;
      case "interrupt" -> Kind.INTERRUPTED;
      case "fatal", "internal" -> Kind.FATAL;
      default -> Kind.OTHER;
    };
  }

  private static String clean(String message, Kind kind) {
    String text = ADVICE.matcher(message).replaceFirst("");
    text = kind == Kind.NAME ? SUGGESTION.matcher(text).replaceFirst("") : text;
    text = LINE_BREAK.matcher(text).replaceAll(" ").strip();
    // Other errors quote values and names of the statement itself.
    text =
        switch (kind) {
          case NOT_ALLOWED, FATAL, OTHER, MEMORY -> PATH.matcher(text).replaceAll("…");
          default -> text;
        };
    return Excerpt.of(text.isEmpty() ? "The statement failed" : text, MESSAGE_LENGTH_MAXIMUM);
  }
}
