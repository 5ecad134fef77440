package dev.quiver.dataset;

import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Endianness;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Schema;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.Framing;
import dev.quiver.memory.Place;
import dev.quiver.memory.UnsupportedInputException;
import dev.quiver.metadata.MetadataVersion;
import java.util.List;

/// What can be read but is not stored, since its messages would have to be written anew.
final class StorableInput {

  private StorableInput() {}

  static void require(Schema schema) {
    if (schema.endianness() == Endianness.BIG) {
      throw new UnsupportedInputException(
          "little-endian bodies", "big-endian ones", Place.detail("Schema.endianness"));
    }
  }

  static void require(EncapsulatedMessage message) {
    if (message.prefixByteSize() != Framing.PREFIX_BYTE_SIZE) {
      throw new UnsupportedInputException(
          "the continuation marker FFFFFFFF",
          "%d, the length that a stream written before Arrow 0.15 starts a message with"
              .formatted(message.metadata().byteSize()),
          message.place());
    }
  }

  /// @param fields that the message has arrays of
  static void require(EncapsulatedMessage message, List<Field> fields) {
    require(message);
    if (message.message().version() == MetadataVersion.V4) {
      fields.forEach(field -> requireSameInV5(field, message.place()));
    }
  }

  private static void requireSameInV5(Field field, Place place) {
    String name =
        switch (field.storageType()) {
          case ArrowType.Union _ -> "a union";
          case ArrowType.RunEndEncoded() -> "a run-end-encoded array";
          default -> null;
        };
    if (name != null) {
      throw new UnsupportedInputException(
          name + " in metadata version V5", "one in V4, which has a validity buffer", place);
    }
    field.storageChildren().forEach(child -> requireSameInV5(child, place));
  }
}
