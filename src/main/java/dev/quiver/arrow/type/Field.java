package dev.quiver.arrow.type;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Excerpt;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
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

  /// The maximum length of a description in characters, excluding the ellipsis of a truncated one.
  static final int DESCRIPTION_LENGTH_MAXIMUM = 10_000;

  /// The start of the keys in the metadata about an extension type.
  public static final String EXTENSION_PREFIX = "ARROW:extension:";

  /// The key in the metadata for the name of an extension type.
  public static final String EXTENSION_NAME = EXTENSION_PREFIX + "name";

  public Field {
    children = List.copyOf(children);
  }

  /// Returns a field without dictionary and metadata.
  public static Field of(String name, boolean nullable, ArrowType type, Field... children) {
    return new Field(name, nullable, type, null, List.of(children), Metadata.EMPTY);
  }

  public Field withName(String newName) {
    return new Field(newName, nullable, type, dictionary, children, metadata);
  }

  public Field withDictionary(@Nullable DictionaryEncoding newDictionary) {
    return new Field(name, nullable, type, newDictionary, children, metadata);
  }

  /// Returns the field with other encodings by dictionaries, its own first, then those within it.
  public Field withDictionaries(UnaryOperator<DictionaryEncoding> change) {
    return new Field(
        name,
        nullable,
        type,
        dictionary == null ? null : change.apply(dictionary),
        children.stream().map(child -> child.withDictionaries(change)).toList(),
        metadata);
  }

  public Field withNullable(boolean newNullable) {
    return new Field(name, newNullable, type, dictionary, children, metadata);
  }

  public Field withMetadata(Metadata newMetadata) {
    return new Field(name, nullable, type, dictionary, children, newMetadata);
  }

  /// Returns the name of the extension type whose values these are, or null if they are of none.
  public @Nullable String extensionName() {
    ByteString extension = metadata.get(EXTENSION_NAME);
    return extension == null ? null : extension.toString();
  }

  /// Returns the metadata of the extension type. An empty value beside its name counts as absent.
  public SortedMap<String, ByteString> extension() {
    SortedMap<String, ByteString> extension = new TreeMap<>();
    for (KeyValue entry : metadata.entries()) {
      if (entry.key().startsWith(EXTENSION_PREFIX)) {
        extension.putIfAbsent(entry.key(), entry.value());
      }
    }
    extension.remove(EXTENSION_PREFIX + "metadata", ByteString.EMPTY);
    return extension;
  }

  /// Returns whether the values belong to an extension type.
  public boolean isExtension(String extension) {
    return extension.equals(extensionName());
  }

  /// Returns whether the values are UUIDs, by the canonical extension type.
  public boolean isUuid() {
    return type.equals(new ArrowType.FixedSizeBinary(16)) && isExtension("arrow.uuid");
  }

  /// Returns whether the values, or others within them, are timestamps in nanoseconds with a zone.
  public boolean hasZonedNanoseconds() {
    return type instanceof ArrowType.Timestamp timestamp && timestamp.isZonedNanoseconds()
        || children.stream().anyMatch(Field::hasZonedNanoseconds);
  }

  /// Returns whether the values are JSON, by the canonical extension type.
  public boolean isJson() {
    return type instanceof ArrowType.Text && isExtension("arrow.json");
  }

  /// Returns the type of the slots in a record batch: the index type if dictionary-encoded.
  public ArrowType storageType() {
    return dictionary == null ? type : dictionary.indexType();
  }

  /// Returns the children in a record batch: none if dictionary-encoded.
  public List<Field> storageChildren() {
    return dictionary == null ? children : List.of();
  }

  /// Returns the type of the values without its children. UUIDs and JSON, whose text differs from
  /// that of their storage, are `uuid` and `json`; other extension types have the names of their
  /// storage.
  public String typeName() {
    return isUuid() ? "uuid" : isJson() ? "json" : type.toString();
  }

  /// Returns the type with its children, such as `list<item: int32 not null>` or `dictionary<int8,
  /// utf8>`. A long text is truncated, since every field of a deep schema has one.
  public String describeType() {
    StringBuilder text = new StringBuilder();
    appendType(text);
    return truncated(text);
  }

  /// Returns the name and the type, truncated as by [#describeType].
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    appendField(text);
    return truncated(text);
  }

  private void appendField(StringBuilder text) {
    append(text, name);
    append(text, ": ");
    appendType(text);
    append(text, nullable ? "" : " not null");
  }

  private void appendType(StringBuilder text) {
    if (dictionary != null) {
      append(text, "dictionary<" + dictionary.indexType() + ", ");
    }
    append(text, typeName());
    if (!children.isEmpty()) {
      append(text, "<");
      for (int i = 0; i < children.size() && text.length() <= DESCRIPTION_LENGTH_MAXIMUM; i++) {
        append(text, i == 0 ? "" : ", ");
        children.get(i).appendField(text);
      }
      append(text, ">");
    }
    if (dictionary != null) {
      append(text, dictionary.ordered() ? ", ordered>" : ">");
    }
  }

  /// Appends what fits, and at most one character more, which shows that the text is too long.
  private static void append(StringBuilder text, String part) {
    int room = DESCRIPTION_LENGTH_MAXIMUM + 1 - text.length();
    text.append(part, 0, Math.min(part.length(), room));
  }

  private static String truncated(StringBuilder text) {
    return Excerpt.of(text.toString(), DESCRIPTION_LENGTH_MAXIMUM);
  }
}
