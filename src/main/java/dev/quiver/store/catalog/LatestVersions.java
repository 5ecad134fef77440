package dev.quiver.store.catalog;

import dev.quiver.store.catalog.DatasetOrder.Key;
import dev.quiver.store.catalog.DatasetOrder.Position;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.PriorityQueue;

/// The latest versions of datasets in the order of their names. Of each, it has what decides the
/// order of a list, in columns: 48 bytes and the name.
public final class LatestVersions {

  public static final LatestVersions NONE = new Builder().build();

  /// The numbers of a version: its own, the ones of [Key], and the millisecond at which it ends.
  private static final int NUMBERS = 5;

  private static final int MODIFIED = 1;
  private static final int BYTES = 2;
  private static final int ROWS = 3;
  private static final int END = 4;

  private final int size;

  /// The names as segments of keys, each with the `/` that follows it, so that their bytes are in
  /// the order of the names.
  private final byte[] folders;

  /// The end of each folder; the first one starts at 0.
  private final int[] ends;

  private final long[] numbers;
  private final int[] identities;

  private LatestVersions(int size, byte[] folders, int[] ends, long[] numbers, int[] identities) {
    this.size = size;
    this.folders = folders;
    this.ends = ends;
    this.numbers = numbers;
    this.identities = identities;
  }

  public int size() {
    return size;
  }

  /// Returns the bytes that this takes.
  long byteSize() {
    return folders.length
        + (long) Integer.BYTES * (ends.length + identities.length)
        + (long) Long.BYTES * numbers.length;
  }

  public DatasetName name(int index) {
    String folder = folder(index);
    return new DatasetName(DatasetName.inOriginalCase(folder.substring(1, folder.length() - 2)));
  }

  public long version(int index) {
    return numbers[index * NUMBERS];
  }

  /// Returns the hash of the manifest's identity in the store, or 0 if unknown.
  public int identity(int index) {
    return identities[index];
  }

  /// Returns whether the dataset is neither deleted nor expired.
  public boolean isPresent(int index, Instant now) {
    return now.toEpochMilli() < numbers[index * NUMBERS + END];
  }

  /// Returns the place of a version in an order.
  public Position position(int index, DatasetOrder order) {
    return new Position(value(index, order.key()), name(index));
  }

  /// Returns the index of a dataset, or -1 if absent.
  ///
  /// @param folder the name as a segment of keys, and `/`
  public int indexOf(String folder) {
    byte[] wanted = folder.getBytes(StandardCharsets.US_ASCII);
    int index = firstFrom(wanted);
    return index < size && compare(index, wanted) == 0 ? index : -1;
  }

  /// Returns the indexes of the versions of a query in its order, whatever its filter.
  public int[] select(DatasetQuery query) {
    DatasetOrder order = query.order();
    int first = query.after() == null ? 0 : firstFrom(query.after().name());
    int last = first;
    if (query.after() != null && first < size && name(first).equals(query.after().name())) {
      last++;
    }
    Comparator<Integer> comparator = comparator(order);
    // The last selected one comes first.
    PriorityQueue<Integer> selected = new PriorityQueue<>(comparator.reversed());
    for (int i = 0; i < size; i++) {
      if (query.after() != null && !isAfter(i, order, query.after(), first, last)) {
        continue;
      }
      if (selected.size() < query.limit()) {
        selected.add(i);
      } else if (!selected.isEmpty() && comparator.compare(i, selected.element()) < 0) {
        selected.remove();
        selected.add(i);
      }
    }
    int[] indexes = new int[selected.size()];
    for (int i = indexes.length - 1; i >= 0; i--) {
      indexes[i] = selected.remove();
    }
    return indexes;
  }

  /// @param first the index of the first version from the name of the place on
  /// @param last the index of the first version after that name
  private boolean isAfter(int index, DatasetOrder order, Position after, int first, int last) {
    if (order.key() == Key.NAME) {
      return order.descending() ? index < first : index >= last;
    }
    int byValue = Long.compare(value(index, order.key()), after.value());
    return byValue == 0 ? index >= last : byValue < 0 == order.descending();
  }

  private Comparator<Integer> comparator(DatasetOrder order) {
    Comparator<Integer> byName = Comparator.naturalOrder();
    if (order.key() == Key.NAME) {
      return order.descending() ? byName.reversed() : byName;
    }
    Comparator<Integer> byValue = Comparator.comparingLong(index -> value(index, order.key()));
    return (order.descending() ? byValue.reversed() : byValue).thenComparing(byName);
  }

  private long value(int index, Key key) {
    return switch (key) {
      case NAME -> 0;
      case MODIFIED -> numbers[index * NUMBERS + MODIFIED];
      case BYTES -> numbers[index * NUMBERS + BYTES];
      case ROWS -> numbers[index * NUMBERS + ROWS];
    };
  }

  /// Returns these versions but those at some indexes.
  public LatestVersions without(BitSet indexes) {
    if (indexes.isEmpty()) {
      return this;
    }
    Builder left = new Builder();
    for (int i = indexes.nextClearBit(0); i < size; i = indexes.nextClearBit(i + 1)) {
      left.add(this, i);
    }
    return left.build();
  }

  /// Returns these versions and others. If both have a dataset, the other version is taken.
  ///
  /// @param maximumByteSize beyond which the last ones are left out
  public LatestVersions with(LatestVersions others, long maximumByteSize) {
    Builder merged = new Builder();
    int i = 0;
    int j = 0;
    while ((i < size || j < others.size) && merged.byteSize() < maximumByteSize) {
      int order =
          i == size
              ? 1
              : j == others.size
                  ? -1
                  : compare(i, others.folder(j).getBytes(StandardCharsets.US_ASCII));
      if (order < 0) {
        merged.add(this, i);
      } else {
        merged.add(others, j++);
      }
      i += order <= 0 ? 1 : 0;
    }
    return merged.build();
  }

  private int firstFrom(DatasetName name) {
    return firstFrom((name.segment() + "/").getBytes(StandardCharsets.US_ASCII));
  }

  /// Returns the index of the first version whose folder is not before `wanted`.
  private int firstFrom(byte[] wanted) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, wanted) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int compare(int index, byte[] wanted) {
    return Arrays.compare(folders, start(index), ends[index], wanted, 0, wanted.length);
  }

  private int start(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  private String folder(int index) {
    int start = start(index);
    return new String(folders, start, ends[index] - start, StandardCharsets.US_ASCII);
  }

  /// Versions that are added in the order of their names.
  public static final class Builder {

    private static final int LEAST_CAPACITY = 16;
    private static final int NAME_BYTE_SIZE = 16;

    private int size;
    private byte[] folders = new byte[LEAST_CAPACITY * NAME_BYTE_SIZE];
    private int[] ends = new int[LEAST_CAPACITY];
    private long[] numbers = new long[LEAST_CAPACITY * NUMBERS];
    private int[] identities = new int[LEAST_CAPACITY];

    public int size() {
      return size;
    }

    /// Returns the bytes of the versions that were added.
    public long byteSize() {
      int end = size == 0 ? 0 : ends[size - 1];
      return end + (long) size * (2 * Integer.BYTES + NUMBERS * Long.BYTES);
    }

    /// @param folder the name as a segment of keys, and `/`
    /// @param identity the hash of the manifest's identity in the store, or 0 if unknown
    public void add(String folder, VersionSummary summary, int identity) {
      byte[] characters = folder.getBytes(StandardCharsets.US_ASCII);
      Instant end = summary.expiresAt();
      add(characters, 0, characters.length, identity);
      numbers[size * NUMBERS] = summary.version();
      numbers[size * NUMBERS + MODIFIED] = summary.committedAt().toEpochMilli();
      numbers[size * NUMBERS + BYTES] = summary.file().byteSize();
      numbers[size * NUMBERS + ROWS] = summary.file().rows();
      numbers[size * NUMBERS + END] =
          summary.kind() == VersionKind.DELETE
              ? Long.MIN_VALUE
              : end == null ? Long.MAX_VALUE : end.toEpochMilli();
      size++;
    }

    /// Adds a version of others.
    public void add(LatestVersions others, int index) {
      int start = others.start(index);
      add(others.folders, start, others.ends[index] - start, others.identities[index]);
      System.arraycopy(others.numbers, index * NUMBERS, numbers, size * NUMBERS, NUMBERS);
      size++;
    }

    private void add(byte[] characters, int start, int length, int identity) {
      int end = size == 0 ? 0 : ends[size - 1];
      if (size == ends.length) {
        ends = Arrays.copyOf(ends, 2 * size);
        identities = Arrays.copyOf(identities, 2 * size);
        numbers = Arrays.copyOf(numbers, 2 * size * NUMBERS);
      }
      if (folders.length - end < length) {
        folders = Arrays.copyOf(folders, Math.max(2 * folders.length, end + length));
      }
      System.arraycopy(characters, start, folders, end, length);
      ends[size] = end + length;
      identities[size] = identity;
    }

    public LatestVersions build() {
      int end = size == 0 ? 0 : ends[size - 1];
      return new LatestVersions(
          size,
          Arrays.copyOf(folders, end),
          Arrays.copyOf(ends, size),
          Arrays.copyOf(numbers, size * NUMBERS),
          Arrays.copyOf(identities, size));
    }
  }
}
