package dev.quiver.web;

import jakarta.servlet.http.HttpServletRequest;

/// Query parameters that are numbers.
final class Parameters {

  private Parameters() {}

  /// The value of a parameter, or `otherwise` without it.
  ///
  /// @throws ProblemException 400 when it is no whole number within the bounds, both included
  static long number(
      HttpServletRequest request, String name, long otherwise, long minimum, long maximum) {
    String value = request.getParameter(name);
    if (value == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= minimum && number <= maximum) {
        return number;
      }
    } catch (NumberFormatException noNumber) {
      // The same complaint as for a number out of bounds.
    }
    throw Problem.of(
            ProblemType.BAD_REQUEST,
            "Expected a whole number from %d to %d but found \"%s\" at parameter %s"
                .formatted(minimum, maximum, value, name))
        .asException();
  }
}
