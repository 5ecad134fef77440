package dev.quiver.arrow.transform;

import dev.quiver.arrow.type.Field;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Pairs of fields of the same name in two lists. Fields that share a name are paired in order.
public final class FieldPairs {

  /// The position of a missing field.
  public static final int NONE = -1;

  private final int[] uploadedPositions;
  private final BitSet moved;
  private final int[] extra;

  private FieldPairs(int[] uploadedPositions, int[] extra) {
    this.uploadedPositions = uploadedPositions;
    this.moved = movedAmong(uploadedPositions);
    this.extra = extra;
  }

  public static FieldPairs of(List<Field> stored, List<Field> uploaded) {
    Map<String, Deque<Integer>> positionsByName = new HashMap<>();
    for (int i = 0; i < uploaded.size(); i++) {
      positionsByName.computeIfAbsent(uploaded.get(i).name(), _ -> new ArrayDeque<>()).add(i);
    }
    int[] uploadedPositions = new int[stored.size()];
    for (int i = 0; i < uploadedPositions.length; i++) {
      Deque<Integer> positions = positionsByName.get(stored.get(i).name());
      uploadedPositions[i] =
          positions == null || positions.isEmpty() ? NONE : positions.removeFirst();
    }
    int[] extra =
        positionsByName.values().stream()
            .flatMap(Deque::stream)
            .mapToInt(Integer::intValue)
            .sorted()
            .toArray();
    return new FieldPairs(uploadedPositions, extra);
  }

  /// Returns the position of the field's pair in the uploaded list, or [#NONE] if absent.
  public int uploadedPosition(int storedPosition) {
    return uploadedPositions[storedPosition];
  }

  /// Returns whether the field is among the fewest that have to move to bring all pairs into the
  /// same order.
  public boolean isMoved(int storedPosition) {
    return moved.get(storedPosition);
  }

  /// Returns the positions of the uploaded fields without a pair.
  public int[] extra() {
    return extra;
  }

  /// Returns all but a longest increasing subsequence of the positions. The search keeps the lowest
  /// possible end of a subsequence of each length.
  private static BitSet movedAmong(int[] positions) {
    int[] lowestEnds = new int[positions.length];
    int[] lengths = new int[positions.length];
    int longest = 0;
    for (int i = 0; i < positions.length; i++) {
      if (positions[i] != NONE) {
        int shorter = -Arrays.binarySearch(lowestEnds, 0, longest, positions[i]) - 1;
        lowestEnds[shorter] = positions[i];
        lengths[i] = shorter + 1;
        longest = Math.max(longest, shorter + 1);
      }
    }
    BitSet moved = new BitSet();
    // A subsequence extends the nearest earlier end of one that is shorter by one.
    for (int i = positions.length - 1; i >= 0; i--) {
      if (positions[i] != NONE && lengths[i] == longest) {
        longest--;
      } else if (positions[i] != NONE) {
        moved.set(i);
      }
    }
    return moved;
  }
}
