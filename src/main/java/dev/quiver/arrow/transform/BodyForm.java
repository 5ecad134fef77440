package dev.quiver.arrow.transform;

import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.util.List;

/// The way to make a body canonical.
public enum BodyForm {
  /// The body is already canonical, and is stored byte for byte.
  VERBATIM,
  /// The buffers are unchanged, at new offsets.
  REALIGNED,
  /// The body is encoded again from its arrays.
  REENCODED;

  /// Returns the form of a body that keeps its codec.
  ///
  /// @param header of the batch in `message`, which may be a dictionary
  /// @param fields of the body's arrays
  /// @param swapped whether the body is big-endian
  /// @param unifier the unifier of the earlier dictionaries
  public static BodyForm of(
      Message message,
      RecordBatchHeader header,
      List<Field> fields,
      boolean swapped,
      DictionaryUnifier unifier) {
    boolean sameArrays =
        !swapped
            && unifier.isUnchanged(fields)
            && (message.version() != MetadataVersion.V4
                || fields.stream().noneMatch(BodyForm::hadValidity));
    if (!sameArrays) {
      return REENCODED;
    }
    return CanonicalBody.isCanonical(fields, header, message.bodyLength()) ? VERBATIM : REALIGNED;
  }

  /// Returns whether any array has a type that had a validity buffer before V5.
  private static boolean hadValidity(Field field) {
    return field.storageType() instanceof ArrowType.Union
        || field.storageType() instanceof ArrowType.RunEndEncoded
        || field.storageChildren().stream().anyMatch(BodyForm::hadValidity);
  }
}
