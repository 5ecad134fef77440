package dev.quiver.dataset.ingest;

import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.dataset.version.WriteResult;
import dev.quiver.input.InputLocation;
import dev.quiver.validate.Finding;
import dev.quiver.validate.Level;
import dev.quiver.validate.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What there is to say of an upload that is taken in nevertheless: one sentence for each rule that
/// a field breaks, however often it does.
public final class Warnings {

  /// The most of them; one more says that there are more.
  public static final int MAXIMUM = 100;

  private final List<String> sentences = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private final Set<BrokenRule> broken = new HashSet<>();
  private Level lowest = Level.DOMAIN;

  private record BrokenRule(Rule rule, String path) {}

  void add(String sentence) {
    if (sentences.size() < MAXIMUM) {
      sentences.add(sentence);
    } else if (sentences.size() == MAXIMUM) {
      sentences.add("Expected at most " + MAXIMUM + " warnings but found more");
    }
  }

  /// Adds what data breaks at [Level#DOMAIN], and refuses what it breaks before.
  ///
  /// @param level how far it was looked at
  /// @param place what was looked at
  /// @throws InvalidDataException when there is a finding of any other level
  void addDomain(List<Finding> found, Level level, InputLocation place) {
    List<Finding> refused =
        found.stream().filter(finding -> finding.rule().level() != Level.DOMAIN).toList();
    if (!refused.isEmpty()) {
      throw new InvalidDataException(refused, place);
    }
    lowest = level.compareTo(lowest) < 0 ? level : lowest;
    for (Finding finding : found) {
      // The last one makes the sentence that there are more.
      if (findings.size() <= MAXIMUM
          && broken.add(new BrokenRule(finding.rule(), finding.path()))) {
        findings.add(finding);
        add(finding.sentence() + ", " + InputLocation.field(finding.path()).within(place));
      }
    }
  }

  /// Returns the result of a write that led to these warnings.
  public WriteResult result(VersionSummary summary, boolean created) {
    return new WriteResult(summary, created, sentences, findings);
  }

  public List<String> sentences() {
    return sentences;
  }

  /// Those of [Level#DOMAIN].
  public List<Finding> findings() {
    return findings;
  }

  /// How far all of the data was found to be what the format says.
  Level level() {
    return lowest == Level.DOMAIN && !findings.isEmpty() ? Level.VALUES : lowest;
  }
}
