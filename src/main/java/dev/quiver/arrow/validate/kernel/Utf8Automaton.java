package dev.quiver.arrow.validate.kernel;

/// UTF-8 as a finite automaton that consumes a byte per step, without branches.
///
/// ```text
/// START     → 00..7F START | C2..DF ONE | E0 AFTER_E0 | E1..EC TWO | ED AFTER_ED | EE..EF TWO
///           | F0 AFTER_F0 | F1..F3 THREE | F4 AFTER_F4
/// ONE       → 80..BF START
/// TWO       → 80..BF ONE
/// THREE     → 80..BF TWO
/// AFTER_E0  → A0..BF ONE
/// AFTER_ED  → 80..9F ONE
/// AFTER_F0  → 90..BF TWO
/// AFTER_F4  → 80..8F TWO
/// ```
///
/// A state is the number of bits by which a byte's row is shifted so that its lowest six bits hold
/// the next state. The bits above them are irrelevant, since a shift uses only the lowest six bits
/// of its distance. The row does not depend on the state, so a step takes no longer than a shift.
public final class Utf8Automaton {

  /// The state between characters, which is also the initial one.
  public static final long START = 0;

  private static final int WRONG = 6;
  private static final int ONE = 12;
  private static final int TWO = 18;
  private static final int THREE = 24;
  private static final int AFTER_E0 = 30;
  private static final int AFTER_ED = 36;
  private static final int AFTER_F0 = 42;
  private static final int AFTER_F4 = 48;

  private static final int STATE_BITS = 6;
  private static final int STATE_MASK = (1 << STATE_BITS) - 1;

  private static final long[] ROWS = rows();

  private Utf8Automaton() {}

  static long step(long state, int value) {
    return ROWS[value & 0xFF] >>> state;
  }

  /// Returns the state after eight bytes, the lowest first.
  public static long steps(long state, long word) {
    long next = step(state, (int) word);
    next = step(next, (int) (word >>> 8));
    next = step(next, (int) (word >>> 16));
    next = step(next, (int) (word >>> 24));
    next = step(next, (int) (word >>> 32));
    next = step(next, (int) (word >>> 40));
    next = step(next, (int) (word >>> 48));
    return step(next, (int) (word >>> 56));
  }

  /// Returns whether every byte so far belongs to a complete character. The states of several
  /// automata may be combined by `|`.
  public static boolean isBetweenCharacters(long state) {
    return (state & STATE_MASK) == START;
  }

  private static long[] rows() {
    long[] rows = new long[1 << Byte.SIZE];
    for (int from = 0; from <= AFTER_F4; from += STATE_BITS) {
      add(rows, from, 0x00, 0xFF, WRONG);
    }
    add(rows, (int) START, 0x00, 0x7F, (int) START);
    add(rows, (int) START, 0xC2, 0xDF, ONE);
    add(rows, (int) START, 0xE0, 0xE0, AFTER_E0);
    add(rows, (int) START, 0xE1, 0xEC, TWO);
    add(rows, (int) START, 0xED, 0xED, AFTER_ED);
    add(rows, (int) START, 0xEE, 0xEF, TWO);
    add(rows, (int) START, 0xF0, 0xF0, AFTER_F0);
    add(rows, (int) START, 0xF1, 0xF3, THREE);
    add(rows, (int) START, 0xF4, 0xF4, AFTER_F4);
    add(rows, ONE, 0x80, 0xBF, (int) START);
    add(rows, TWO, 0x80, 0xBF, ONE);
    add(rows, THREE, 0x80, 0xBF, TWO);
    add(rows, AFTER_E0, 0xA0, 0xBF, ONE);
    add(rows, AFTER_ED, 0x80, 0x9F, ONE);
    add(rows, AFTER_F0, 0x90, 0xBF, TWO);
    add(rows, AFTER_F4, 0x80, 0x8F, TWO);
    return rows;
  }

  /// Adds the transition for the bytes from `first` to `last`.
  private static void add(long[] rows, int from, int first, int last, long to) {
    for (int value = first; value <= last; value++) {
      rows[value] = rows[value] & ~((long) STATE_MASK << from) | to << from;
    }
  }
}
