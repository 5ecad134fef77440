package dev.quiver.server.inspect;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.validate.Finding;
import dev.quiver.arrow.validate.Level;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// The findings of one inspection, written immediately, and their counts.
final class FindingLog {

  private final ReportSpool spool;
  private final Map<FindingKind, Long> counts = new EnumMap<>(FindingKind.class);
  private final Set<String> otherChanges = new LinkedHashSet<>();

  FindingLog(ReportSpool spool) {
    this.spool = spool;
  }

  void add(InputException e) {
    add(FindingKind.of(e), null, e.place(), String.valueOf(e.getMessage()));
  }

  void add(FindingKind kind, String expected, String found, InputLocation place) {
    add(kind, null, place, "Expected " + expected + " but found " + found + " at " + place);
  }

  /// Adds a violation that validation found in the message at `messagePlace`.
  void add(Finding finding, InputLocation messagePlace) {
    InputLocation place =
        finding.path().isEmpty()
            ? messagePlace
            : InputLocation.field(finding.path()).within(messagePlace);
    boolean firm = finding.rule().level().compareTo(Level.VALUES) <= 0;
    add(
        firm ? FindingKind.INVALID : FindingKind.DOUBTFUL,
        finding.rule().name(),
        place,
        finding.sentence() + ", " + place);
  }

  /// Adds a change that storing would make to correct input.
  void addChange(String change) {
    otherChanges.add(change);
  }

  long count(Severity severity) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().severity() == severity)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /// Returns whether an upload of this input would be accepted, judging by the findings so far.
  boolean isAcceptable() {
    return counts.keySet().stream().noneMatch(FindingKind::isRejected);
  }

  /// Returns the number of findings of each kind, including those omitted from the report.
  Map<FindingKind, Long> counts() {
    return counts;
  }

  /// Returns the changes that storing the input would make.
  List<String> changes() {
    Set<String> changes = new LinkedHashSet<>();
    for (FindingKind kind : counts.keySet()) {
      String change = kind.change();
      if (change != null) {
        changes.add(change);
      }
    }
    changes.addAll(otherChanges);
    return List.copyOf(changes);
  }

  private void add(FindingKind kind, @Nullable String rule, InputLocation place, String sentence) {
    long count = counts.merge(kind, 1L, Long::sum);
    if (count == 1 || !kind.isReportedOnce()) {
      spool.add(json -> write(json, kind, rule, place, sentence));
    }
  }

  private static void write(
      JsonGenerator json,
      FindingKind kind,
      @Nullable String rule,
      InputLocation place,
      String sentence) {
    json.writeStartObject();
    json.writeStringProperty("severity", kind.severity().name().toLowerCase(Locale.ROOT));
    json.writeStringProperty("kind", kind.toString());
    if (rule != null) {
      json.writeStringProperty("rule", rule);
    }
    if (place.messageIndex() != null) {
      json.writeNumberProperty("messageIndex", place.messageIndex());
    }
    if (place.byteOffset() != null) {
      json.writeNumberProperty("byteOffset", place.byteOffset());
    }
    if (place.field() != null) {
      json.writeStringProperty("field", place.field());
    }
    json.writeStringProperty("sentence", sentence);
    json.writeEndObject();
  }
}
