package dev.quiver.transform;

import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;
import dev.quiver.metadata.Message;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.metadata.MetadataVersion;
import java.util.List;

/// The way in which a body becomes canonical.
public enum BodyForm {
  /// The body is canonical already, and stays byte for byte.
  VERBATIM,
  /// The buffers stay as they are, at new offsets.
  REALIGNED,
  /// The body is encoded again from its arrays.
  REENCODED;

  /// Returns the form in which a body that keeps its codec is written.
  ///
  /// @param header of the batch in `message`, which may be a dictionary
  /// @param fields of the body's arrays
  /// @param swapped whether the body is big-endian
  /// @param unifier with the dictionaries that came before
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
