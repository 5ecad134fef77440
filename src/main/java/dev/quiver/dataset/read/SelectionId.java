package dev.quiver.dataset.read;

import dev.quiver.transform.Projection;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A short text for a selection of one version: equal for equal ones, and for no others.
///
/// ```text
/// Id      → Columns? '-'? Rows?
/// Columns → 'columns-' (positions | SHA-256 of them, when they are long)
/// Rows    → 'rows-' first '-' after last
/// ```
final class SelectionId {

  /// Longer positions are hashed: an entity tag is sent with every request.
  private static final int POSITIONS_MAXIMUM = 40;

  private static final int HASH_BYTE_SIZE = 16;

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
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(positions.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + HexFormat.of().formatHex(hash, 0, HASH_BYTE_SIZE);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }
}
