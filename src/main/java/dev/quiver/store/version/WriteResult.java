package dev.quiver.store.version;

import dev.quiver.arrow.validate.Finding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A durable write.
///
/// @param created whether the dataset did not exist or was deleted before
/// @param warnings complete sentences about data that is allowed but suspicious
/// @param findings the findings of those warnings that concern a rule of the last level
/// @param lineage the statement that computed the rows, or null
/// @param conversions the columns of an append that have another type in the dataset
public record WriteResult(
    VersionSummary summary,
    boolean created,
    List<String> warnings,
    List<Finding> findings,
    @Nullable Lineage lineage,
    List<ColumnConversion> conversions) {

  public WriteResult {
    warnings = List.copyOf(warnings);
    findings = List.copyOf(findings);
    conversions = List.copyOf(conversions);
  }

  /// Returns this result with another lineage.
  public WriteResult withLineage(@Nullable Lineage told) {
    return new WriteResult(summary, created, warnings, findings, told, conversions);
  }

  /// A write without data.
  public WriteResult(VersionSummary summary) {
    this(summary, /* created= */ false, List.of(), List.of(), /* lineage= */ null, List.of());
  }
}
