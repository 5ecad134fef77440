package dev.quiver.sql.worker;

import dev.quiver.arrow.transform.Casts;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Fields of results whose values are those of a stored column.
final class RestoredFields {

  private RestoredFields() {}

  /// Returns the field of the result with the stored type, without dictionaries and runs, and with
  /// its metadata. If the engine's type does not cast to it, the type stays the engine's, and the
  /// metadata does not have the extension type.
  ///
  /// @param result as the engine has it
  static Field of(Field result, Field stored) {
    Field exact = exact(result, stored);
    return Casts.of(result, exact) == null
        ? result.withMetadata(withoutExtension(result, stored.metadata()))
        : exact;
  }

  private static Field exact(Field result, Field stored) {
    if (stored.type() instanceof ArrowType.RunEndEncoded && stored.dictionary() == null) {
      Field values = exact(result, stored.children().getLast());
      return stored.metadata().isEmpty() ? values : values.withMetadata(stored.metadata());
    }
    List<Field> children = new ArrayList<>();
    for (int i = 0; i < stored.children().size(); i++) {
      Field child = stored.children().get(i);
      children.add(
          i < result.children().size()
              ? exact(result.children().get(i), child).withName(child.name())
              : child);
    }
    return new Field(
        result.name(),
        result.nullable(),
        stored.type(),
        /* dictionary= */ null,
        children,
        stored.metadata());
  }

  private static Metadata withoutExtension(Field result, Metadata stored) {
    return new Metadata(
        Stream.concat(
                result.metadata().entries().stream(),
                stored.entries().stream().filter(entry -> !isExtension(entry)))
            .toList());
  }

  private static boolean isExtension(KeyValue entry) {
    return entry.key().startsWith(Field.EXTENSION_PREFIX);
  }
}
