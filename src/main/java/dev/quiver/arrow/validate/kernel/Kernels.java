package dev.quiver.arrow.validate.kernel;

/// The inner loops of validation. Each returns whether a whole range is valid.
///
/// They run over heap arrays that [Blocks] fills. Loops over memory segments are compiled for all
/// kinds of segments used in the process. With native, mapped and heap segments among them, each
/// access becomes several virtual calls and takes ten times as long or more.
public sealed interface Kernels permits ScalarKernels, VectorKernels {

  /// The number of zeros before and after text, so that vectors may read beyond its ends.
  int PADDING_BYTE_SIZE = 64;

  /// Returns whether no byte of padded text from `start` to `end` has its highest bit set.
  boolean isAscii(byte[] text, int start, int end);

  /// Returns whether padded text from `start` to `end` consists of whole characters, by the table
  /// of well-formed byte sequences in the Unicode standard.
  boolean isUtf8(byte[] text, int start, int end);

  /// Returns whether no value from `start` to `end` is less than its predecessor. The first value
  /// has one too.
  boolean ascend(int[] values, int start, int end);

  /// Returns whether no value from `start` to `end` is less than its predecessor. The first value
  /// has one too.
  boolean ascend(long[] values, int start, int end);

  /// Returns whether the values from `start` to `end` are less than `limit`, all taken as unsigned.
  boolean areBelow(byte[] values, int start, int end, byte limit);

  /// Returns whether the values from `start` to `end` are less than `limit`, all taken as unsigned.
  boolean areBelow(short[] values, int start, int end, short limit);

  /// Returns whether the values from `start` to `end` are less than `limit`, all taken as unsigned.
  boolean areBelow(int[] values, int start, int end, int limit);

  /// Returns whether the values from `start` to `end` are less than `limit`, all taken as unsigned.
  boolean areBelow(long[] values, int start, int end, long limit);

  /// Returns a description for the log.
  String description();

  /// Returns the vector kernels if their module is present, otherwise the scalar ones. The first
  /// call loads them.
  static Kernels chosen() {
    return Chosen.KERNELS;
  }

  /// Holds the chosen kernels.
  final class Chosen {
    private static final Kernels KERNELS =
        VectorModule.isPresent() ? new VectorKernels() : new ScalarKernels();

    private Chosen() {}
  }
}
