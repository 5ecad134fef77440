package dev.quiver.ipc;

import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Layout;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.metadata.MetadataVersion;
import java.util.List;

/// Which arrays of a batch come with a validity buffer that they no longer have since V5.
///
/// In V4 unions have one. Of run-end-encoded arrays, which are younger than V4, Arrow C++ writes
/// one nevertheless when asked for V4, and others do not: how many buffers there are tells which.
///
/// @param unions whether unions have one
/// @param runEnds whether run-end-encoded arrays have one
public record LegacyValidityBuffers(boolean unions, boolean runEnds) {

  private static final LegacyValidityBuffers NONE = new LegacyValidityBuffers(false, false);

  /// @param fields of the schema, or the values of a dictionary
  public static LegacyValidityBuffers of(
      MetadataVersion version, List<Field> fields, RecordBatchHeader header) {
    if (version != MetadataVersion.V4) {
      return NONE;
    }
    Counts counts = new Counts();
    counts.add(fields);
    if (counts.unions + counts.runEnds == 0) {
      return NONE;
    }
    long further = header.buffers().size() - counts.buffers;
    for (long count : header.variadicBufferCounts()) {
      // A forged count is found out when that many buffers are asked for.
      further -= Math.min(count, header.buffers().size());
    }
    return new LegacyValidityBuffers(further != 0, further == counts.unions + counts.runEnds);
  }

  /// Whether an array of this field has one.
  public boolean concerns(Field field) {
    return unions && field.storageType() instanceof ArrowType.Union
        || runEnds && field.storageType() instanceof ArrowType.RunEndEncoded;
  }

  /// What the fields have in V5.
  private static final class Counts {

    private long buffers;
    private long unions;
    private long runEnds;

    void add(List<Field> fields) {
      for (Field field : fields) {
        buffers += Layout.of(field).buffers().size();
        unions += field.storageType() instanceof ArrowType.Union ? 1 : 0;
        runEnds += field.storageType() instanceof ArrowType.RunEndEncoded ? 1 : 0;
        add(field.storageChildren());
      }
    }
  }
}
