package dev.quiver.validate.kernel;

/// The inner loops of validation: whether all of so much is right.
///
/// They run over arrays on the heap, which [Blocks] fills. Loops over memory segments are compiled
/// for the kinds of segments that the whole process has used: with native, mapped and heap ones
/// among them each access becomes several virtual calls, and takes ten times as long or more.
public sealed interface Kernels permits ScalarKernels, VectorKernels {

  /// How many zeros text has before and after it, so that vectors may reach beyond its ends.
  int PADDING_BYTE_SIZE = 64;

  /// Whether no byte of padded text from `start` to `end` has its highest bit set.
  boolean isAscii(byte[] text, int start, int end);

  /// Whether padded text from `start` to `end` is made of whole characters, by the table of
  /// well-formed byte sequences of the Unicode standard.
  boolean isUtf8(byte[] text, int start, int end);

  /// Whether none of the values from `start` to `end` is less than the one before it, which the
  /// first has, too.
  boolean ascend(int[] values, int start, int end);

  /// Whether none of the values from `start` to `end` is less than the one before it, which the
  /// first has, too.
  boolean ascend(long[] values, int start, int end);

  /// Whether the values from `start` to `end` are less than `limit`, all taken as unsigned.
  boolean areBelow(byte[] values, int start, int end, byte limit);

  /// Whether the values from `start` to `end` are less than `limit`, all taken as unsigned.
  boolean areBelow(short[] values, int start, int end, short limit);

  /// Whether the values from `start` to `end` are less than `limit`, all taken as unsigned.
  boolean areBelow(int[] values, int start, int end, int limit);

  /// Whether the values from `start` to `end` are less than `limit`, all taken as unsigned.
  boolean areBelow(long[] values, int start, int end, long limit);

  /// What a log says that data are checked by.
  String description();

  /// The vector ones where the JVM was started with the module that they need. Whoever asks for
  /// these first loads them.
  static Kernels chosen() {
    return Chosen.KERNELS;
  }

  /// Keeps what was chosen.
  final class Chosen {
    private static final Kernels KERNELS =
        ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
            ? new VectorKernels()
            : new ScalarKernels();

    private Chosen() {}
  }
}
