package dev.quiver.server.resource;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.memory.NearestName;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Query parameters that are numbers, booleans or one of several words.
public final class ParameterParser {

  public static final String CODEC = "codec";
  private static final Pattern INTEGER = Pattern.compile("0+|-?0*+[1-9][0-9]*+");

  private ParameterParser() {}

  /// Returns the codec that the parameter `codec` of a read requests.
  ///
  /// @throws ProblemException 400 if it is not a codec
  public static RequestedCodec codec(HttpServletRequest request) {
    return request.getParameter(CODEC) == null
        ? RequestedCodec.PRESERVE
        : new RequestedCodec(choice(request, CODEC, Codec.class, Codec.NONE));
  }

  /// Rejects a parameter that other representations have.
  ///
  /// @param others the representations that have it
  /// @throws ProblemException 400 if it is present
  public static void reject(HttpServletRequest request, String name, String others) {
    String value = request.getParameter(name);
    if (value != null) {
      throw Problem.badRequest(
          "Expected no %s, which only %s has, but found \"%s\" at parameter %1$s"
              .formatted(name, others, value),
          "Leave out %s, or ask for %s.".formatted(name, others));
    }
  }

  /// Returns the constant that a parameter names in lower case, or `defaultValue` if the parameter
  /// is absent.
  ///
  /// @throws ProblemException 400, with the valid names, if the name is unknown
  public static <T extends Enum<T>> T choice(
      HttpServletRequest request, String name, Class<T> choices, T defaultValue) {
    return choice(request, name, List.of(choices.getEnumConstants()), defaultValue);
  }

  /// Returns the one of some constants that a parameter names in lower case, or `defaultValue` if
  /// the parameter is absent.
  ///
  /// @throws ProblemException 400, with the valid names, if the name is unknown
  public static <T extends Enum<T>> T choice(
      HttpServletRequest request, String name, List<T> choices, T defaultValue) {
    String value = only(request, name);
    if (value == null) {
      return defaultValue;
    }
    List<String> words = new ArrayList<>();
    for (T choice : choices) {
      String word = choice.name().toLowerCase(Locale.ROOT);
      if (word.equals(value)) {
        return choice;
      }
      words.add(word);
    }
    throw Problem.badRequest(
        "Expected %s but found \"%s\" at parameter %s".formatted(oneOf(words), value, name),
        hint(name, value, words));
  }

  /// Returns the hint about a misspelt word, or null if it resembles none.
  private static @Nullable String hint(String name, String value, List<String> words) {
    String near = NearestName.near(value.toLowerCase(Locale.ROOT), words);
    return near == null ? null : "Write %s=%s.".formatted(name, near);
  }

  /// Returns whether a parameter is `true`; false if it is absent.
  ///
  /// @throws ProblemException 400 if it is neither `true` nor `false`
  public static boolean flag(HttpServletRequest request, String name) {
    String value = only(request, name);
    if (value != null && !value.equals("true") && !value.equals("false")) {
      throw Problem.badRequest(
          "Expected false or true but found \"%s\" at parameter %s".formatted(value, name));
    }
    return "true".equals(value);
  }

  /// Returns an enumeration such as `none, lz4 or zstd`.
  public static String oneOf(List<String> words) {
    String last = words.getLast();
    return words.size() == 1
        ? last
        : String.join(", ", words.subList(0, words.size() - 1)) + " or " + last;
  }

  /// Returns the value of a parameter, or `defaultValue` if the parameter is absent.
  ///
  /// @throws ProblemException 400 if it is not an integer within the bounds, both inclusive
  public static long number(
      HttpServletRequest request, String name, long defaultValue, long minimum, long maximum) {
    String value = only(request, name);
    return value == null ? defaultValue : number(value, name, minimum, maximum);
  }

  /// Returns the numbers of comma-separated lists, or null if the parameter is absent.
  ///
  /// @throws ProblemException 400 if one is not a whole number of at least 0, or if there are more
  ///   than `countMaximum`
  public static @Nullable List<Long> numbers(
      HttpServletRequest request, String name, int countMaximum) {
    String[] lists = request.getParameterValues(name);
    if (lists == null) {
      return null;
    }
    List<Long> numbers = new ArrayList<>();
    for (String list : lists) {
      for (String value : list.split(",", -1)) {
        numbers.add(number(value, name, 0, Long.MAX_VALUE));
      }
    }
    if (numbers.size() > countMaximum) {
      throw Problem.badRequest(
          "Expected at most %d numbers but found %d at parameter %s"
              .formatted(countMaximum, numbers.size(), name));
    }
    return numbers;
  }

  private static long number(String value, String name, long minimum, long maximum) {
    try {
      // parseLong also accepts a plus sign, a minus sign before 0, and the digits of other scripts.
      if (INTEGER.matcher(value).matches()) {
        long number = Long.parseLong(value);
        if (number >= minimum && number <= maximum) {
          return number;
        }
      }
    } catch (NumberFormatException tooLarge) {
      // Fails below, like a number out of bounds.
    }
    throw Problem.badRequest(
        "Expected a whole number from %d to %d but found \"%s\" at parameter %s"
            .formatted(minimum, maximum, value, name));
  }

  /// Returns the value of a parameter, or null if absent.
  ///
  /// @throws ProblemException 400 if it has several
  public static @Nullable String only(HttpServletRequest request, String name) {
    String[] values = request.getParameterValues(name);
    return values == null ? null : only(List.of(values), name);
  }

  /// Returns the value of a parameter.
  ///
  /// @param values at least one
  /// @throws ProblemException 400 if it has several
  public static String only(List<String> values, String name) {
    if (values.size() > 1) {
      throw Problem.badRequest(
          "Expected one value but found %d at parameter %s".formatted(values.size(), name),
          "Give %s once.".formatted(name));
    }
    return values.getFirst();
  }
}
