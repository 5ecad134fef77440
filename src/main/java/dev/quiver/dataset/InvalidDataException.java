package dev.quiver.dataset;

import dev.quiver.memory.Place;
import dev.quiver.validate.Finding;
import java.util.List;

/// Data that is readable and breaks the format's rules. The message is the sentence of the first
/// finding, and where it was found.
public final class InvalidDataException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<Finding> findings;
  private final transient Place place;

  InvalidDataException(List<Finding> findings, Place messagePlace) {
    this(findings, placeOf(findings.getFirst(), messagePlace), findings.getFirst().sentence());
  }

  private InvalidDataException(List<Finding> findings, Place place, String sentence) {
    super(sentence + ", " + place);
    this.findings = List.copyOf(findings);
    this.place = place;
  }

  /// What is wrong with the message, in the order in which it was found; at least one.
  public List<Finding> findings() {
    return findings;
  }

  /// Where the first finding is: the message and the field.
  public Place place() {
    return place;
  }

  private static Place placeOf(Finding finding, Place messagePlace) {
    return finding.path().isEmpty()
        ? messagePlace
        : Place.field(finding.path()).within(messagePlace);
  }
}
