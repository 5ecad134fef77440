package dev.quiver.formats.parquet.file;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
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
/// Children make a group: some writers give the root, which is one, a physical type as well. A
/// group without leaves below it has no values in the file.
///
/// [Nesting](https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#nested-types)
public final class ColumnTree {

  /// The maximum number of levels in a file, each of which has a definition level, in a byte.
  private static final int FILE_DEPTH_MAXIMUM = 255;

  private static final String DEPTH = "levels of fields";

  private final List<SchemaElement> elements;
  private final Limits limits;
  private final IntPredicate isCoarse;
  private final List<Node> columns = new ArrayList<>();
  private final List<ParquetLeaf> leaves = new ArrayList<>();
  private final List<LostType> lostTypes = new ArrayList<>();
  private int next = 1;
  private int fieldCount;

  /// A meaning that values in Arrow do not have.
  ///
  /// @param path of the element
  /// @param sentence about the element, which begins with *is*
  public record LostType(ColumnPath path, String sentence) {}

  /// A schema element with its children.
  private record Tree(SchemaElement element, List<Tree> children) {

    boolean isRepeated() {
      return element.repetition() == Repetition.REPEATED;
    }

    boolean isGroup() {
      return ColumnTree.isGroup(element);
    }
  }

  private static boolean isGroup(SchemaElement element) {
    return element.type() == null || element.childCount() != 0;
  }

  /// @param elements the nodes of the schema, in depth-first order
  /// @param limits of the fields, and of the levels of fields, in Arrow
  /// @param isCoarse whether INT96 timestamps become microseconds, by the index of their leaf
  /// @throws ForeignDataException if the elements are not a tree, or if a type is not supported
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if they exceed a limit
  public ColumnTree(List<SchemaElement> elements, Limits limits, IntPredicate isCoarse) {
    this.elements = elements;
    this.limits = limits;
    this.isCoarse = isCoarse;
    if (elements.isEmpty()) {
      throw damaged();
    }
    for (Tree tree : children(elements.getFirst().childCount(), 1)) {
      columns.add(node(tree, tree.element().name(), null, Levels.ROOT, 1));
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

  /// Returns the logical types that Arrow lacks, and the groups without fields, in the order of
  /// their elements.
  public List<LostType> lostTypes() {
    return lostTypes;
  }

  private static ForeignDataException damaged() {
    return ForeignDataException.of(
        "Expected a Parquet file with a tree of columns but found a damaged one");
  }

  private List<Tree> children(int count, int depth) {
    if (count < 0 || count > elements.size() - next) {
      throw damaged();
    }
    List<Tree> children = new ArrayList<>();
    if (count > 0) {
      requireDepth(depth);
    }
    for (int i = 0; i < count; i++) {
      if (next == elements.size()) {
        throw damaged();
      }
      SchemaElement element = elements.get(next++);
      children.add(
          new Tree(
              element, isGroup(element) ? children(element.childCount(), depth + 1) : List.of()));
    }
    return children;
  }

  /// Checks the depth of an element in the file: a list in Arrow has two levels there.
  private void requireDepth(int depth) {
    if (depth >= 2 * limits.depth().maximum()) {
      throw limits.depth().exceeded(DEPTH, InputLocation.UNKNOWN);
    }
    if (depth > FILE_DEPTH_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected a Parquet file of at most %d levels of groups but found more"
              .formatted(FILE_DEPTH_MAXIMUM));
    }
  }

  /// Counts a field.
  ///
  /// @param depth of the field in Arrow, from 1
  private void count(int depth) {
    limits.fields().check(++fieldCount, "fields in a schema", InputLocation.UNKNOWN);
    limits.depth().check(depth, DEPTH, InputLocation.UNKNOWN);
  }

  /// Returns the node of an element, which is a list if the element is repeated.
  ///
  /// @param name of the field
  /// @param around the levels at the parent
  /// @param depth of the field
  private Node node(Tree tree, String name, @Nullable ColumnPath parent, Levels around, int depth) {
    ColumnPath path = new ColumnPath(parent, tree.element().name());
    if (tree.isRepeated()) {
      count(depth);
      return list(name, around, single(tree, "item", path, around.repeated(), depth + 1));
    }
    Levels levels = tree.element().repetition() == Repetition.OPTIONAL ? around.optional() : around;
    return single(tree, name, path, levels, depth);
  }

  /// Returns the node of a single occurrence of an element, whose repetition is not considered.
  ///
  /// @param levels at the element
  private Node single(Tree tree, String name, ColumnPath path, Levels levels, int depth) {
    count(depth);
    Annotation.require(tree.element(), tree.isGroup(), path);
    String lost = Annotation.lost(tree.element().logicalType());
    if (lost != null) {
      lostTypes.add(new LostType(path, lost));
    }
    if (!tree.isGroup()) {
      return leaf(tree.element(), name, path, levels);
    }
    if (tree.children().size() == 1 && tree.children().getFirst().isRepeated()) {
      Tree first = tree.children().getFirst();
      LogicalType annotation = tree.element().logicalType();
      if (annotation instanceof LogicalType.Map && first.children().size() == 2) {
        return map(first, name, path, levels, depth);
      }
      // A map without values is a list of its keys.
      if (annotation instanceof LogicalType.List || annotation instanceof LogicalType.Map) {
        return list(name, levels, element(tree, path, levels, depth + 1));
      }
    }
    List<Node> children = new ArrayList<>();
    for (Tree child : tree.children()) {
      children.add(node(child, child.element().name(), path, levels, depth + 1));
    }
    if (children.isEmpty()) {
      lostTypes.add(new LostType(path, "is a group without fields, so its values are null"));
    }
    Field field = Field.of(name, true, new ArrowType.Struct(), fields(children));
    return children.stream().allMatch(Node.Empty.class::isInstance)
        ? new Node.Empty(field)
        : new Node.Struct(field, levels, children);
  }

  /// Returns the element of a list: the repeated field itself, or the only child of this field.
  private Node element(Tree list, ColumnPath path, Levels levels, int depth) {
    Tree repeated = list.children().getFirst();
    ColumnPath repeatedPath = path.child(repeated.element().name());
    if (isElement(repeated, list.element().name())) {
      return single(repeated, "item", repeatedPath, levels.repeated(), depth);
    }
    return node(repeated.children().getFirst(), "item", repeatedPath, levels.repeated(), depth);
  }

  private static boolean isElement(Tree repeated, String listName) {
    String name = repeated.element().name();
    return repeated.children().size() != 1
        || repeated.children().getFirst().isRepeated()
        || name.equals("array")
        || name.equals(listName + "_tuple");
  }

  private Node map(Tree entries, String name, ColumnPath path, Levels levels, int depth) {
    count(depth + 1);
    Levels inner = levels.repeated();
    ColumnPath entriesPath = path.child(entries.element().name());
    Node key = node(entries.children().getFirst(), "key", entriesPath, inner, depth + 2);
    Node value = node(entries.children().getLast(), "value", entriesPath, inner, depth + 2);
    Node requiredKey = key.withField(required(key.field()));
    Field struct =
        Field.of(
            "entries",
            /* nullable= */ false,
            new ArrowType.Struct(),
            requiredKey.field(),
            value.field());
    Field map = Field.of(name, true, new ArrowType.Map(false), struct);
    return requiredKey instanceof Node.Empty && value instanceof Node.Empty
        ? new Node.Empty(map)
        : new Node.ListOf(map, levels, new Node.Struct(struct, inner, List.of(requiredKey, value)));
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
    Field list = Field.of(name, true, new ArrowType.List(), element.field());
    return element instanceof Node.Empty
        ? new Node.Empty(list)
        : new Node.ListOf(list, levels, element);
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
