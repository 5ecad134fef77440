package dev.quiver.dataset.ingest;

import dev.quiver.input.InputLocation;
import dev.quiver.validate.Finding;
import java.util.List;

/// Data that is readable and breaks the format's rules. The message is the sentence of the first
/// finding, and where it was found.
public final class InvalidDataException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<Finding> findings;
  private final transient InputLocation place;

  InvalidDataException(List<Finding> findings, InputLocation messagePlace) {
    this(findings, placeOf(findings.getFirst(), messagePlace), findings.getFirst().sentence());
  }

  private InvalidDataException(List<Finding> findings, InputLocation place, String sentence) {
    super(sentence + ", " + place);
    this.findings = List.copyOf(findings);
    this.place = place;
  }

  /// What is wrong with the message, in the order in which it was found; at least one.
  public List<Finding> findings() {
    return findings;
  }

  /// Where the first finding is: the message and the field.
  public InputLocation place() {
    return place;
  }

  private static InputLocation placeOf(Finding finding, InputLocation messagePlace) {
    return finding.path().isEmpty()
        ? messagePlace
        : InputLocation.field(finding.path()).within(messagePlace);
  }
}
