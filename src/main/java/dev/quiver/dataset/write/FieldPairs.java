package dev.quiver.dataset.write;

import dev.quiver.columnar.Field;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The fields of two lists that have the same name; of several, the first goes with the first.
final class FieldPairs {

  /// The position of a field that is not there.
  static final int NONE = -1;

  private final int[] uploadedPositions;
  private final BitSet moved;
  private final int[] extra;

  private FieldPairs(int[] uploadedPositions, int[] extra) {
    this.uploadedPositions = uploadedPositions;
    this.moved = movedAmong(uploadedPositions);
    this.extra = extra;
  }

  static FieldPairs of(List<Field> stored, List<Field> uploaded) {
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

  /// Where the field of this position is in the other list, or [#NONE].
  int uploadedPosition(int storedPosition) {
    return uploadedPositions[storedPosition];
  }

  /// Whether the field of this position is one of the fewest that would have to be moved for all
  /// pairs to be in the same order.
  boolean isMoved(int storedPosition) {
    return moved.get(storedPosition);
  }

  /// The positions in the other list of those that have no pair.
  int[] extra() {
    return extra;
  }

  /// All but a longest run of positions that rise, which is found by where a run of each length can
  /// end the lowest.
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
    // What a run of one length ends with last is what the next of a longer one went on from.
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
