package dev.quiver.dataset.read;

import dev.quiver.memory.Sha256;
import dev.quiver.transform.Projection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A short text that identifies a selection of one version; two are equal exactly if their
/// selections are.
///
/// ```text
/// Id      → Columns? '-'? Rows?
/// Columns → 'columns-' (positions | SHA-256 of them, if they are long)
/// Rows    → 'rows-' first '-' after last
/// ```
final class SelectionId {

  /// The length above which positions are hashed, since an entity tag is sent with every request.
  private static final int POSITIONS_MAXIMUM = 40;

  /// The hexadecimal digits of 128 bits.
  private static final int HASH_LENGTH = 32;

  private SelectionId() {}

  /// @param projection null for all columns
  static String of(@Nullable Projection projection, SelectedRows rows) {
    List<String> parts = new ArrayList<>();
    if (projection != null) {
      parts.add("columns-" + shortened(projection.positions()));
    }
    if (!rows.isAll()) {
      parts.add("rows-%d-%d".formatted(rows.start(), rows.end()));
    }
    return String.join("-", parts);
  }

  private static String shortened(String positions) {
    if (positions.length() <= POSITIONS_MAXIMUM) {
      return positions;
    }
    return "sha256-" + Sha256.hex(positions).substring(0, HASH_LENGTH);
  }
}
