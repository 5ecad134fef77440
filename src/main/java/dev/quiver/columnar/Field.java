package dev.quiver.columnar;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A column, or a child of one.
///
/// @param name may be empty and need not be unique
/// @param type the type of the values, even if the field is dictionary-encoded
/// @param dictionary the encoding of the values, or null if they are plain
/// @param children the children of `type`, in order
public record Field(
    String name,
    boolean nullable,
    ArrowType type,
    @Nullable DictionaryEncoding dictionary,
    List<Field> children,
    Metadata metadata) {

  public Field {
    children = List.copyOf(children);
  }

  /// Returns a field without dictionary and metadata.
  public static Field of(String name, boolean nullable, ArrowType type, Field... children) {
    return new Field(name, nullable, type, null, List.of(children), Metadata.EMPTY);
  }

  public Field withDictionary(@Nullable DictionaryEncoding newDictionary) {
    return new Field(name, nullable, type, newDictionary, children, metadata);
  }

  public Field withMetadata(Metadata newMetadata) {
    return new Field(name, nullable, type, dictionary, children, newMetadata);
  }

  /// Returns the type of the slots in a record batch: the index type if dictionary-encoded.
  public ArrowType storageType() {
    return dictionary == null ? type : dictionary.indexType();
  }

  /// Returns the children in a record batch: none if dictionary-encoded.
  public List<Field> storageChildren() {
    return dictionary == null ? children : List.of();
  }

  /// Returns the type with its children, such as `list<item: int32 not null>` or `dictionary<int8,
  /// utf8>`.
  public String describeType() {
    StringBuilder text = new StringBuilder();
    if (dictionary != null) {
      text.append("dictionary<").append(dictionary.indexType()).append(", ");
    }
    text.append(type);
    if (!children.isEmpty()) {
      text.append('<');
      for (int i = 0; i < children.size(); i++) {
        text.append(i == 0 ? "" : ", ").append(children.get(i));
      }
      text.append('>');
    }
    if (dictionary != null) {
      text.append(dictionary.ordered() ? ", ordered>" : ">");
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return name + ": " + describeType() + (nullable ? "" : " not null");
  }
}
