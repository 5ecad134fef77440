package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The child slots that list views and dense unions refer to. They are gathered because references
/// may come in any order and repeat.
final class Scattered {

  private Scattered() {}

  static ObservedRange ofListViews(ArrayData array, ObservedRange lists, Arena arena) {
    long childLength = array.children().getFirst().length();
    if (childLength > ObservedRange.SCATTERED_SLOTS_MAXIMUM) {
      return ObservedRange.all(childLength);
    }
    Integers offsets = Integers.of(array, BufferRole.SLOT_OFFSETS);
    Integers sizes = Integers.of(array, BufferRole.SIZES);
    // The number of lists that start at a slot minus the number that end there. Lists may overlap
    // arbitrarily, so marking each one's slots could take quadratic time.
    MemorySegment differences = arena.allocate((childLength + 1) * Integer.BYTES);
    for (long i = lists.next(0); i < lists.length(); i = lists.next(i + 1)) {
      add(differences, offsets.get(i), 1);
      add(differences, offsets.get(i) + sizes.get(i), -1);
    }
    MemorySegment referred = arena.allocate(Bitmaps.byteSize(childLength));
    int covering = 0;
    for (long slot = 0; slot < childLength; slot++) {
      covering += LittleEndian.getInt32(differences, slot * Integer.BYTES);
      if (covering != 0) {
        Bitmaps.set(referred, slot);
      }
    }
    return childLength == 0 ? ObservedRange.all(0) : new ObservedRange.Ones(childLength, referred);
  }

  private static void add(MemorySegment differences, long slot, int difference) {
    long byteOffset = slot * Integer.BYTES;
    int sum = LittleEndian.getInt32(differences, byteOffset) + difference;
    LittleEndian.setInt32(differences, byteOffset, sum);
  }

  /// @param selecting the slots of the union that select the child
  static ObservedRange ofDenseUnion(
      ArrayData array, int childIndex, ObservedRange selecting, Arena arena) {
    long childLength = array.children().get(childIndex).length();
    if (childLength == 0 || childLength > ObservedRange.SCATTERED_SLOTS_MAXIMUM) {
      return ObservedRange.all(childLength);
    }
    MemorySegment offsets = array.buffer(BufferRole.SLOT_OFFSETS);
    MemorySegment referred = arena.allocate(Bitmaps.byteSize(childLength));
    for (long i = selecting.next(0); i < selecting.length(); i = selecting.next(i + 1)) {
      Bitmaps.set(referred, LittleEndian.getInt32(offsets, i << 2));
    }
    return new ObservedRange.Ones(childLength, referred);
  }
}
