package dev.quiver.arrow.validate;

import dev.quiver.arrow.memory.InputLocation;
import java.util.List;

/// Reports readable data that breaks the format's rules. The message is the sentence of the first
/// finding, with its location.
public final class InvalidDataException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<Finding> findings;
  private final transient InputLocation place;

  /// @param findings at least one
  /// @param messagePlace the location of the message that has the data
  public InvalidDataException(List<Finding> findings, InputLocation messagePlace) {
    this(findings, placeOf(findings.getFirst(), messagePlace), findings.getFirst().sentence());
  }

  private InvalidDataException(List<Finding> findings, InputLocation place, String sentence) {
    super(sentence + ", " + place);
    this.findings = List.copyOf(findings);
    this.place = place;
  }

  /// Returns the findings in the order of their discovery, at least one.
  public List<Finding> findings() {
    return findings;
  }

  /// Returns the sentence of the first finding, without its location.
  public String sentence() {
    return findings.getFirst().sentence();
  }

  /// Returns the location of the first finding: the message and the field.
  public InputLocation place() {
    return place;
  }

  private static InputLocation placeOf(Finding finding, InputLocation messagePlace) {
    return finding.path().isEmpty()
        ? messagePlace
        : InputLocation.field(finding.path()).within(messagePlace);
  }
}
