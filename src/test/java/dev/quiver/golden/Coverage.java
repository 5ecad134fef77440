package dev.quiver.golden;

import dev.quiver.arrow.codec.Codec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// The combinations that round-tripped, and those that are exempt.
final class Coverage {

  enum Position {
    COLUMN,
    NESTED
  }

  enum Format {
    STREAM,
    FILE
  }

  enum Portion {
    WHOLE,
    SLICE
  }

  enum Reader {
    QUIVER,
    ARROW_JAVA,
    /// Quiver as the reader of Arrow Java's output.
    QUIVER_OF_ARROW_JAVA
  }

  /// One combination.
  record Cell(
      ArrayKind kind,
      Position position,
      NullShape nulls,
      Portion portion,
      Codec codec,
      Format format,
      Reader reader) {}

  /// Combinations that are impossible, or unsupported by a reader.
  ///
  /// @param reason the reason for the exemption
  record Waiver(String reason, Predicate<Cell> concerns) {}

  private final List<Waiver> waivers;
  private final Set<Cell> produced = new HashSet<>();

  Coverage(List<Waiver> waivers) {
    this.waivers = waivers;
  }

  void add(Cell cell) {
    produced.add(cell);
  }

  int producedCount() {
    return produced.size();
  }

  /// Returns all combinations.
  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (ArrayKind kind : ArrayKind.ALL) {
      for (Position position : Position.values()) {
        for (NullShape nulls : NullShape.values()) {
          for (Portion portion : Portion.values()) {
            for (Codec codec : Codec.values()) {
              for (Format format : Format.values()) {
                for (Reader reader : EnumSet.allOf(Reader.class)) {
                  cells.add(new Cell(kind, position, nulls, portion, codec, format, reader));
                }
              }
            }
          }
        }
      }
    }
    return cells;
  }

  boolean isWaived(Cell cell) {
    return waivers.stream().anyMatch(waiver -> waiver.concerns.test(cell));
  }

  /// Returns the combinations that were neither produced nor waived.
  List<Cell> missing() {
    return cells().stream().filter(cell -> !produced.contains(cell) && !isWaived(cell)).toList();
  }

  /// Returns the combinations that were waived but produced.
  List<Cell> needlesslyWaived() {
    return produced.stream().filter(this::isWaived).toList();
  }

  /// Returns the waivers that concern no combination.
  List<String> idleWaivers() {
    List<Cell> cells = cells();
    return waivers.stream()
        .filter(waiver -> cells.stream().noneMatch(waiver.concerns))
        .map(Waiver::reason)
        .toList();
  }
}
