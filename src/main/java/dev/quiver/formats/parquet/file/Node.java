package dev.quiver.formats.parquet.file;

import dev.quiver.arrow.type.Field;
import java.util.BitSet;
import java.util.List;

/// A column in Arrow's form, or a child of one.
public sealed interface Node {

  Field field();

  /// Returns the same node with another field.
  Node withField(Field field);

  /// Returns the index of the first leaf below this node, whose levels give the slots of the node,
  /// or -1 if absent.
  int firstLeaf();

  /// Adds the indices of all leaves below this node.
  void addLeaves(BitSet leaves);

  /// @param firstLeaf the index of the leaf
  record Leaf(Field field, int firstLeaf) implements Node {
    @Override
    public Node withField(Field newField) {
      return new Leaf(newField, firstLeaf);
    }

    @Override
    public void addLeaves(BitSet leaves) {
      leaves.set(firstLeaf);
    }
  }

  /// A group without leaves below it, of which a file has no values.
  record Empty(Field field) implements Node {
    @Override
    public Node withField(Field newField) {
      return new Empty(newField);
    }

    @Override
    public int firstLeaf() {
      return -1;
    }

    @Override
    public void addLeaves(BitSet leaves) {}
  }

  /// A struct with a leaf below it.
  ///
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
      return firstChild().firstLeaf();
    }

    /// Returns the first child with a leaf below it.
    public Node firstChild() {
      return children.stream().filter(child -> !(child instanceof Empty)).findFirst().orElseThrow();
    }

    @Override
    public void addLeaves(BitSet leaves) {
      children.forEach(child -> child.addLeaves(leaves));
    }
  }

  /// A list or a map with a leaf below it.
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

    @Override
    public void addLeaves(BitSet leaves) {
      element.addLeaves(leaves);
    }
  }
}
