package dev.quiver.store.write;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.validate.Finding;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Rule;
import dev.quiver.store.catalog.WriteTransaction;
import dev.quiver.store.version.WriteResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The warnings about an accepted upload: one sentence per field and broken rule, no matter how
/// often the field breaks it.
public final class Warnings {

  /// The maximum number of warnings. One more sentence says that others were omitted.
  public static final int MAXIMUM = 100;

  private final List<String> sentences = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private final Set<BrokenRule> broken = new HashSet<>();
  private Level lowest = Level.DOMAIN;

  private record BrokenRule(Rule rule, String path) {}

  public void add(String sentence) {
    if (sentences.size() < MAXIMUM) {
      sentences.add(sentence);
    } else if (sentences.size() == MAXIMUM) {
      sentences.add("Expected at most " + MAXIMUM + " warnings but found more");
    }
  }

  /// Adds the findings at [Level#DOMAIN], and rejects those at any other level.
  ///
  /// @param level the level at which the data was validated
  /// @param place the location of the validated data
  /// @throws InvalidDataException if any finding is at another level
  void addDomain(List<Finding> found, Level level, InputLocation place) {
    List<Finding> rejected =
        found.stream().filter(finding -> finding.rule().level() != Level.DOMAIN).toList();
    if (!rejected.isEmpty()) {
      throw new InvalidDataException(rejected, place);
    }
    lowest = level.compareTo(lowest) < 0 ? level : lowest;
    for (Finding finding : found) {
      // The finding past the maximum adds the sentence about the omitted ones.
      if (findings.size() <= MAXIMUM
          && broken.add(new BrokenRule(finding.rule(), finding.path()))) {
        findings.add(finding);
        add(finding.sentence() + ", " + InputLocation.field(finding.path()).within(place));
      }
    }
  }

  /// Returns the result of a write that caused these warnings.
  ///
  /// @param commit what the write committed; only a compaction may have nothing to commit
  public WriteResult result(WriteTransaction.@Nullable Commit commit) {
    Objects.requireNonNull(commit);
    return new WriteResult(
        commit.summary(),
        commit.created(),
        sentences,
        findings,
        commit.lineage(),
        commit.conversions());
  }

  /// Returns the level at which all of the data is known to be valid.
  Level level() {
    return lowest == Level.DOMAIN && !findings.isEmpty() ? Level.VALUES : lowest;
  }
}
