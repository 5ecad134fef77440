package dev.quiver.store.blob.folder;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// A sorted list of ASCII names that takes little more memory than their characters.
final class FolderNames {

  private final byte[] characters;

  /// The end of each name; the first name starts at 0.
  private final int[] ends;

  private FolderNames(byte[] characters, int[] ends) {
    this.characters = characters;
    this.ends = ends;
  }

  /// @param sorted names in ascending order, of fewer than 2³¹ characters in total
  static FolderNames of(List<String> sorted) {
    int[] ends = new int[sorted.size()];
    int end = 0;
    for (int i = 0; i < ends.length; i++) {
      end = Math.addExact(end, sorted.get(i).length());
      ends[i] = end;
    }
    byte[] characters = new byte[end];
    int position = 0;
    for (String name : sorted) {
      byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(bytes, 0, characters, position, bytes.length);
      position += bytes.length;
    }
    return new FolderNames(characters, ends);
  }

  int size() {
    return ends.length;
  }

  String get(int index) {
    int start = index == 0 ? 0 : ends[index - 1];
    return new String(characters, start, ends[index] - start, StandardCharsets.US_ASCII);
  }

  boolean contains(String name) {
    int index = firstFrom(name);
    return index < size() && get(index).equals(name);
  }

  /// Returns the index of the first name at or after `name`, or [#size] if absent.
  int firstFrom(String name) {
    int low = 0;
    int high = ends.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (get(middle).compareTo(name) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
