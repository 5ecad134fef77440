package dev.quiver.transform;

import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;
import dev.quiver.metadata.Message;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.metadata.MetadataVersion;
import java.util.List;

/// How a body becomes canonical.
public enum BodyForm {
  /// It is, and stays byte for byte.
  VERBATIM,
  /// Its buffers as they are, on other offsets.
  REALIGNED,
  /// From its arrays.
  REENCODED;

  /// The form in which a body is written that keeps its codec.
  ///
  /// @param header of the batch in `message`, be it a dictionary
  /// @param fields that the body has arrays of
  /// @param swapped whether the body is big-endian
  /// @param unifier which has the dictionaries that came before
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

  /// Whether there is an array that had a validity buffer before V5.
  private static boolean hadValidity(Field field) {
    return field.storageType() instanceof ArrowType.Union
        || field.storageType() instanceof ArrowType.RunEndEncoded
        || field.storageChildren().stream().anyMatch(BodyForm::hadValidity);
  }
}
