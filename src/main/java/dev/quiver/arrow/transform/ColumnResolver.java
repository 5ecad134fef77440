package dev.quiver.arrow.transform;

import dev.quiver.arrow.memory.NearestName;
import dev.quiver.arrow.transform.ColumnToken.Step;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A resolver of tokens to the fields of a schema.
final class ColumnResolver {

  /// The names among which the one that was meant is looked for.
  private static final int NAMES_MAXIMUM = 1_000;

  /// The length of the longest of them.
  private static final int NAME_LENGTH_MAXIMUM = 100;

  private final Schema schema;

  /// The positions of each name, for the siblings seen so far, since a request may have as many
  /// tokens as a schema has fields.
  private final Map<List<Field>, Map<String, List<Integer>>> positions = new IdentityHashMap<>();

  ColumnResolver(Schema schema) {
    this.schema = schema;
  }

  /// Returns the positions of the fields on the path to the named one.
  List<Integer> path(String token) {
    List<Integer> whole = named(schema.fields(), token);
    if (!whole.isEmpty()) {
      return List.of(only(whole, schema.fields(), token, token));
    }
    ColumnToken path = ColumnToken.of(token);
    List<Integer> indices = new ArrayList<>();
    List<Field> siblings = schema.fields();
    for (int i = 0; i < path.steps().size(); i++) {
      int index = index(siblings, path.steps().get(i), token);
      indices.add(index);
      if (i + 1 < path.steps().size()) {
        Field field = siblings.get(index);
        while (isList(field)) {
          indices.add(0);
          field = field.children().getFirst();
        }
        if (!(field.storageType() instanceof ArrowType.Struct)) {
          throw new InvalidColumnsException(
              "a path through structs and lists", field.toString(), token);
        }
        siblings = field.children();
      }
    }
    return indices;
  }

  private static boolean isList(Field field) {
    return switch (field.storageType()) {
      case ArrowType.ListLike _ -> true;
      case ArrowType.Null _,
          ArrowType.Bool _,
          ArrowType.RunEndEncoded _,
          ArrowType.FixedWidth _,
          ArrowType.VariableBytes _,
          ArrowType.Nested _,
          ArrowType.ViewBytes _ ->
          false;
    };
  }

  private int index(List<Field> siblings, Step step, String token) {
    return switch (step) {
      case Step.Name(String name) -> only(named(siblings, name), siblings, name, token);
      case Step.Position(int index) -> {
        if (index >= siblings.size()) {
          throw new InvalidColumnsException(
              "a position less than " + siblings.size(), "[" + index + "]", token);
        }
        yield index;
      }
    };
  }

  private List<Integer> named(List<Field> siblings, String name) {
    return positions
        .computeIfAbsent(siblings, ColumnResolver::positions)
        .getOrDefault(name, List.of());
  }

  private static Map<String, List<Integer>> positions(List<Field> siblings) {
    Map<String, List<Integer>> positions = new HashMap<>();
    for (int i = 0; i < siblings.size(); i++) {
      positions.computeIfAbsent(siblings.get(i).name(), _ -> new ArrayList<>()).add(i);
    }
    return positions;
  }

  private static int only(List<Integer> found, List<Field> siblings, String name, String token) {
    if (found.size() != 1) {
      String expected = "one field named \"" + name + "\"";
      String nearest = found.isEmpty() ? nearest(name, siblings) : null;
      if (nearest != null) {
        throw InvalidColumnsException.near(name, token, nearest);
      }
      String positions =
          found.isEmpty()
              ? "none"
              : String.join(" and ", found.stream().map(index -> "[" + index + "]").toList());
      throw new InvalidColumnsException(expected, positions, token);
    }
    return found.getFirst();
  }

  /// Returns the name that was most likely meant, or null if none is near and short.
  private static @Nullable String nearest(String name, List<Field> siblings) {
    List<String> names =
        siblings.stream()
            .map(Field::name)
            .filter(sibling -> !sibling.isEmpty() && sibling.length() <= NAME_LENGTH_MAXIMUM)
            .limit(NAMES_MAXIMUM)
            .toList();
    return name.length() > NAME_LENGTH_MAXIMUM ? null : NearestName.near(name, names);
  }
}
