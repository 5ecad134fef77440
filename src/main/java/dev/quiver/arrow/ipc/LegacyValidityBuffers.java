package dev.quiver.arrow.ipc;

import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import java.util.List;

/// The arrays of a batch with a validity buffer that V5 abolished.
///
/// In V4, unions have one. Run-end-encoded arrays are younger than V4, yet Arrow C++ writes one for
/// them in V4 while others do not. The total number of buffers decides.
///
/// @param unions whether unions have one
/// @param runEnds whether run-end-encoded arrays have one
public record LegacyValidityBuffers(boolean unions, boolean runEnds) {

  private static final LegacyValidityBuffers NONE = new LegacyValidityBuffers(false, false);

  /// @param fields the fields of the schema, or the values of a dictionary
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
      // Caps a forged count; reading that many buffers fails later.
      further -= Math.min(count, header.buffers().size());
    }
    return new LegacyValidityBuffers(further != 0, further == counts.unions + counts.runEnds);
  }

  /// Returns whether an array of this field has such a buffer.
  public boolean concerns(Field field) {
    return unions && field.storageType() instanceof ArrowType.Union
        || runEnds && field.storageType() instanceof ArrowType.RunEndEncoded;
  }

  /// The number of buffers that the fields have in V5.
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
