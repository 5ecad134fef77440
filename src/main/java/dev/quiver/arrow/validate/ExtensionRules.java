package dev.quiver.arrow.validate;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules for the storage and metadata of canonical extension types. Other extension types are
/// not checked.
final class ExtensionRules {

  private static final String METADATA_KEY = "ARROW:extension:metadata";

  private final Findings findings;

  ExtensionRules(Findings findings) {
    this.findings = findings;
  }

  void check(Field field, FieldPath path) {
    String name = field.extensionName();
    if (name == null) {
      return;
    }
    ByteString bytes = field.metadata().get(METADATA_KEY);
    ExtensionMetadata metadata = new ExtensionMetadata(bytes == null ? ByteString.EMPTY : bytes);
    switch (name) {
      case "arrow.fixed_shape_tensor" -> checkFixedShapeTensor(field, metadata, path);
      case "arrow.variable_shape_tensor" -> checkVariableShapeTensor(field, metadata, path);
      case "arrow.json" -> {
        requireStorage(isText(field.type()), "text", field, path);
        String expected = "a JSON object or nothing";
        requireMetadata(metadata.isEmpty() || metadata.isObject(), expected, metadata, path);
      }
      case "arrow.uuid" -> {
        boolean holds = field.type().equals(new ArrowType.FixedSizeBinary(16));
        requireStorage(holds, "fixed_size_binary[16]", field, path);
        requireNoMetadata(metadata, path);
      }
      case "arrow.opaque" -> {
        boolean holds = metadata.hasText("type_name") && metadata.hasText("vendor_name");
        requireMetadata(holds, "a JSON object with type_name and vendor_name", metadata, path);
      }
      case "arrow.bool8" -> {
        requireStorage(field.type().equals(new ArrowType.Int(8, true)), "int8", field, path);
        requireNoMetadata(metadata, path);
      }
      case "arrow.parquet.variant" -> {
        String expected = "struct<metadata: binary not null> with value or typed_value";
        requireStorage(isVariant(field), expected, field, path);
        requireNoMetadata(metadata, path);
      }
      case "arrow.timestamp_with_offset" -> {
        String expected = "struct<timestamp: timestamp[UTC], offset_minutes: int16>";
        requireStorage(isTimestampWithOffset(field), expected, field, path);
        requireNoMetadata(metadata, path);
      }
      default -> {
        // Not a canonical extension type.
      }
    }
  }

  private void checkFixedShapeTensor(Field field, ExtensionMetadata metadata, FieldPath path) {
    List<Integer> shape = metadata.sizes("shape");
    boolean holds = shape != null && metadata.describesDimensions(shape.size());
    String expected = "a JSON object with the shape, and names and permutation of its dimensions";
    requireMetadata(holds, expected, metadata, path);
    String storage = "fixed_size_list" + (shape == null ? "" : "[" + product(shape) + "]");
    boolean fits =
        field.type() instanceof ArrowType.FixedSizeList(int listSize)
            && (shape == null || product(shape) == listSize);
    requireStorage(fits, storage, field, path);
  }

  private void checkVariableShapeTensor(Field field, ExtensionMetadata metadata, FieldPath path) {
    Field data = child(field, "data");
    Field shape = child(field, "shape");
    if (field.type() instanceof ArrowType.Struct
        && data != null
        && data.type() instanceof ArrowType.List
        && shape != null
        && shape.type() instanceof ArrowType.FixedSizeList(int dimensions)
        && shape.children().getFirst().type().equals(new ArrowType.Int(32, true))) {
      boolean holds = metadata.isEmpty() || metadata.describesDimensions(dimensions);
      String expected = "a JSON object that describes " + dimensions + " dimensions, or nothing";
      requireMetadata(holds, expected, metadata, path);
    } else {
      String expected = "struct<data: list, shape: fixed_size_list<int32>>";
      requireStorage(false, expected, field, path);
    }
  }

  /// Returns the product, saturated.
  private static long product(List<Integer> sizes) {
    if (sizes.contains(0)) {
      return 0;
    }
    long product = 1;
    for (int size : sizes) {
      product = product > Long.MAX_VALUE / size ? Long.MAX_VALUE : product * size;
    }
    return product;
  }

  private static boolean isText(ArrowType type) {
    return type instanceof ArrowType.Text;
  }

  private static boolean isVariant(Field field) {
    Field metadata = child(field, "metadata");
    Field value = child(field, "value");
    return field.type() instanceof ArrowType.Struct
        && metadata != null
        && !metadata.nullable()
        && isBinary(decodedType(metadata))
        && (value == null ? child(field, "typed_value") != null : isBinary(value.type()));
  }

  private static boolean isBinary(ArrowType type) {
    return type instanceof ArrowType.Binary
        || type instanceof ArrowType.LargeBinary
        || type instanceof ArrowType.BinaryView;
  }

  private static boolean isTimestampWithOffset(Field field) {
    List<Field> children = field.children();
    return field.type() instanceof ArrowType.Struct
        && children.size() == 2
        && children.getFirst().name().equals("timestamp")
        && children.getFirst().type() instanceof ArrowType.Timestamp(_, String timezone)
        && "UTC".equals(timezone)
        && children.getLast().name().equals("offset_minutes")
        && decodedType(children.getLast()).equals(new ArrowType.Int(16, true));
  }

  /// Returns the type of the values, behind run ends or indices.
  private static ArrowType decodedType(Field field) {
    return field.type() instanceof ArrowType.RunEndEncoded && field.children().size() == 2
        ? field.children().getLast().type()
        : field.type();
  }

  private static @Nullable Field child(Field field, String name) {
    return field.children().stream()
        .filter(child -> child.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private void requireStorage(boolean holds, String expected, Field field, FieldPath path) {
    if (!holds) {
      String found = Findings.excerpt(field.describeType());
      findings.add(Rule.EXTENSION_STORAGE, path, expected, found, Field.EXTENSION_NAME);
    }
  }

  private void requireNoMetadata(ExtensionMetadata metadata, FieldPath path) {
    requireMetadata(metadata.isEmpty(), "nothing", metadata, path);
  }

  private void requireMetadata(
      boolean holds, String expected, ExtensionMetadata metadata, FieldPath path) {
    if (!holds) {
      findings.add(Rule.EXTENSION_METADATA, path, expected, metadata.describe(), METADATA_KEY);
    }
  }
}
