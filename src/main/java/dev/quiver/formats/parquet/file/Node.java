package dev.quiver.formats.parquet.file;

import dev.quiver.arrow.type.Field;
import java.util.List;

/// A column in Arrow's form, or a child of one.
public sealed interface Node {

  Field field();

  /// Returns the same node with another field.
  Node withField(Field field);

  /// Returns the index of the first leaf below this node. Its levels give the slots of the node.
  int firstLeaf();

  /// @param firstLeaf the index of the leaf
  record Leaf(Field field, int firstLeaf) implements Node {
    @Override
    public Node withField(Field newField) {
      return new Leaf(newField, firstLeaf);
    }
  }

  /// @param levels at the struct
  record Struct(Field field, Levels levels, List<Node> children) implements Node {
    public Struct {
      children = List.copyOf(children);
    }

    @Override
    public Node withField(Field newField) {
      return new Struct(newField, levels, children);
    }

    @Override
    public int firstLeaf() {
      return children.getFirst().firstLeaf();
    }
  }

  /// A list or a map.
  ///
  /// @param levels at the list itself, not at its elements
  record ListOf(Field field, Levels levels, Node element) implements Node {
    @Override
    public Node withField(Field newField) {
      return new ListOf(newField, levels, element);
    }

    @Override
    public int firstLeaf() {
      return element.firstLeaf();
    }
  }
}
