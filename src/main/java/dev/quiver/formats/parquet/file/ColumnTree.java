package dev.quiver.formats.parquet.file;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.file.SchemaElement.Repetition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// The top-level columns and the leaves of a file.
///
/// Groups annotated LIST and MAP become lists and maps, by the specification's rules of backward
/// compatibility for older writers. A repeated field without such an annotation is a list whose
/// slots and elements are not null. All fields are nullable, except the entries and keys of maps.
///
/// [Nesting](https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#nested-types)
public final class ColumnTree {

  private static final int DEPTH_MAXIMUM = 64;
  private static final int COLUMNS_MAXIMUM = 100_000;

  private final List<SchemaElement> elements;
  private final IntPredicate isCoarse;
  private final List<Node> columns = new ArrayList<>();
  private final List<ParquetLeaf> leaves = new ArrayList<>();
  private int next = 1;

  /// A schema element with its children.
  private record Tree(SchemaElement element, List<Tree> children) {

    boolean isRepeated() {
      return element.repetition() == Repetition.REPEATED;
    }

    boolean isGroup() {
      return element.type() == null;
    }
  }

  /// @param elements the nodes of the schema, in depth-first order
  /// @param isCoarse whether INT96 timestamps become microseconds, by the index of their leaf
  /// @throws ForeignDataException if the elements are not a tree, or if a type is not supported
  public ColumnTree(List<SchemaElement> elements, IntPredicate isCoarse) {
    this.elements = elements;
    this.isCoarse = isCoarse;
    if (elements.isEmpty() || elements.getFirst().type() != null) {
      throw damaged();
    }
    int count = elements.getFirst().childCount();
    if (count == 0) {
      throw ForeignDataException.of(
          "Expected a Parquet file with at least one column but found none");
    }
    if (elements.size() - 1 > COLUMNS_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected at most %,d columns but found %,d"
              .formatted(COLUMNS_MAXIMUM, elements.size() - 1));
    }
    for (Tree tree : children(count, 1)) {
      columns.add(node(tree, tree.element().name(), null, Levels.ROOT));
    }
    if (next != elements.size()) {
      throw damaged();
    }
  }

  /// Returns the top-level columns.
  public List<Node> columns() {
    return columns;
  }

  /// Returns the leaves of all columns, in the order of the column chunks.
  public List<ParquetLeaf> leaves() {
    return leaves;
  }

  private static ForeignDataException damaged() {
    return ForeignDataException.of(
        "Expected a Parquet file with a tree of columns but found a damaged one");
  }

  private List<Tree> children(int count, int depth) {
    if (count < 0 || count > elements.size() - next || depth > DEPTH_MAXIMUM) {
      throw damaged();
    }
    List<Tree> children = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (next == elements.size()) {
        throw damaged();
      }
      SchemaElement element = elements.get(next++);
      if (element.type() == null && element.childCount() == 0) {
        throw damaged();
      }
      children.add(
          new Tree(
              element,
              element.type() == null ? children(element.childCount(), depth + 1) : List.of()));
    }
    return children;
  }

  /// Returns the node of an element, which is a list if the element is repeated.
  ///
  /// @param name of the field
  /// @param around the levels at the parent
  private Node node(Tree tree, String name, @Nullable ColumnPath parent, Levels around) {
    ColumnPath path = new ColumnPath(parent, tree.element().name());
    if (tree.isRepeated()) {
      Node element = single(tree, "item", path, around.repeated());
      return list(name, around, element);
    }
    Levels levels = tree.element().repetition() == Repetition.OPTIONAL ? around.optional() : around;
    return single(tree, name, path, levels);
  }

  /// Returns the node of a single occurrence of an element, whose repetition is not considered.
  ///
  /// @param levels at the element
  private Node single(Tree tree, String name, ColumnPath path, Levels levels) {
    if (!tree.isGroup()) {
      return leaf(tree.element(), name, path, levels);
    }
    Tree first = tree.children().getFirst();
    if (tree.children().size() == 1 && first.isRepeated()) {
      LogicalType annotation = tree.element().logicalType();
      if (annotation instanceof LogicalType.Map && first.children().size() == 2) {
        return map(first, name, path, levels);
      }
      // A map without values is a list of its keys.
      if (annotation instanceof LogicalType.List || annotation instanceof LogicalType.Map) {
        return list(name, levels, element(tree, path, levels));
      }
    }
    List<Node> children = new ArrayList<>();
    for (Tree child : tree.children()) {
      children.add(node(child, child.element().name(), path, levels));
    }
    return new Node.Struct(
        Field.of(name, true, new ArrowType.Struct(), fields(children)), levels, children);
  }

  /// Returns the element of a list: the repeated field itself, or the only child of this field.
  private Node element(Tree list, ColumnPath path, Levels levels) {
    Tree repeated = list.children().getFirst();
    ColumnPath repeatedPath = path.child(repeated.element().name());
    if (isElement(repeated, list.element().name())) {
      return single(repeated, "item", repeatedPath, levels.repeated());
    }
    return node(repeated.children().getFirst(), "item", repeatedPath, levels.repeated());
  }

  private static boolean isElement(Tree repeated, String listName) {
    String name = repeated.element().name();
    return repeated.children().size() != 1
        || repeated.children().getFirst().isRepeated()
        || name.equals("array")
        || name.equals(listName + "_tuple");
  }

  private Node map(Tree entries, String name, ColumnPath path, Levels levels) {
    Levels inner = levels.repeated();
    ColumnPath entriesPath = path.child(entries.element().name());
    Node key = node(entries.children().getFirst(), "key", entriesPath, inner);
    Node value = node(entries.children().getLast(), "value", entriesPath, inner);
    Node requiredKey = key.withField(required(key.field()));
    Field struct =
        Field.of(
            "entries",
            /* nullable= */ false,
            new ArrowType.Struct(),
            requiredKey.field(),
            value.field());
    return new Node.ListOf(
        Field.of(name, true, new ArrowType.Map(false), struct),
        levels,
        new Node.Struct(struct, inner, List.of(requiredKey, value)));
  }

  private static Field required(Field field) {
    return new Field(
        field.name(),
        /* nullable= */ false,
        field.type(),
        field.dictionary(),
        field.children(),
        field.metadata());
  }

  private static Node list(String name, Levels levels, Node element) {
    return new Node.ListOf(
        Field.of(name, true, new ArrowType.List(), element.field()), levels, element);
  }

  private static Field[] fields(List<Node> nodes) {
    return nodes.stream().map(Node::field).toArray(Field[]::new);
  }

  private Node leaf(SchemaElement element, String name, ColumnPath path, Levels levels) {
    int index = leaves.size();
    PhysicalType type = Objects.requireNonNull(element.type());
    LeafType leafType = LeafType.of(element, type, path, isCoarse.test(index));
    Field field =
        Field.of(name, /* nullable= */ true, leafType.arrowType())
            .withMetadata(leafType.metadata());
    boolean isNested = levels.repetition() > 0 || path.parent() != null;
    leaves.add(new ParquetLeaf(index, path, type, field, leafType, levels, isNested));
    return new Node.Leaf(field, index);
  }
}
