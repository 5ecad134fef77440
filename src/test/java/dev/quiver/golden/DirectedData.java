package dev.quiver.golden;

import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import dev.quiver.golden.Coverage.Position;
import java.util.List;

/// Data whose nulls are concentrated in one field.
final class DirectedData extends RandomData {

  /// The name of that field.
  static final String DIRECTED = "directed";

  private static final int DEPTH = 4;
  private static final double LOW_NULL_SHARE = 0.1;

  private final NullShape nulls;

  DirectedData(long seed, NullShape nulls) {
    super(seed);
    this.nulls = nulls;
  }

  @Override
  protected double nullShare(Field field) {
    return field.name().equals(DIRECTED) ? nulls.nullShare : LOW_NULL_SHARE;
  }

  /// Returns a schema with a field of the kind, inside other fields if the position is nested.
  Schema schemaWith(ArrayKind kind, Position position) {
    Field field = kind.field(DIRECTED, nulls != NullShape.NOT_NULLABLE, this);
    if (position == Position.NESTED) {
      for (int i = 1 + random.nextInt(DEPTH - 1); i > 0; i--) {
        field = parentOf(field);
      }
    }
    return Schema.of(field, field("other", 2));
  }

  private Field parentOf(Field child) {
    boolean nullable = random.nextBoolean();
    return switch (random.nextInt(10)) {
      case 0 -> Field.of("parent", nullable, new ArrowType.List(), child);
      case 1 -> Field.of("parent", nullable, new ArrowType.LargeList(), child);
      case 2 -> Field.of("parent", nullable, new ArrowType.ListView(), child);
      case 3 -> Field.of("parent", nullable, new ArrowType.LargeListView(), child);
      case 4 -> Field.of("parent", nullable, new ArrowType.FixedSizeList(2), child);
      case 5 -> Field.of("parent", nullable, new ArrowType.Struct(), child, field("sibling", 1));
      case 6 ->
          Field.of(
              "parent",
              nullable,
              new ArrowType.Map(false),
              Field.of(
                  "entries",
                  false,
                  new ArrowType.Struct(),
                  Field.of("key", false, new ArrowType.Utf8()),
                  child));
      case 7, 8 -> {
        UnionMode mode = random.nextBoolean() ? UnionMode.SPARSE : UnionMode.DENSE;
        yield Field.of(
            "parent",
            nullable,
            new ArrowType.Union(mode, List.of(0, 1)),
            child,
            field("sibling", 1));
      }
      default ->
          Field.of(
              "parent",
              nullable,
              new ArrowType.RunEndEncoded(),
              Field.of("run_ends", false, new ArrowType.Int(32, true)),
              child);
    };
  }
}
