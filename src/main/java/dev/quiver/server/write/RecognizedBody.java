package dev.quiver.server.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.DecodedFile;
import dev.quiver.formats.FileCoding;
import dev.quiver.formats.Format;
import dev.quiver.formats.csv.CsvRecognition;
import dev.quiver.formats.json.JsonRecognition;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A body whose format nothing states, with the format that its bytes tell.
///
/// @param format the format of a file of another format, or null for Arrow data
/// @param isText whether text tells the format, which may be an error instead of data
/// @param source the whole body, including the first bytes
record RecognizedBody(@Nullable Format format, boolean isText, ByteSource source) {

  /// The first bytes by which text is recognized. A header and a row fit, unless they have
  /// thousands of columns.
  private static final int SAMPLE_BYTE_SIZE = 64 << 10;

  /// Reads the first bytes of a body: a few, and of text a sample.
  static RecognizedBody of(DecodedFile file, UploadFormat.Undeclared undeclared)
      throws IOException {
    MemorySegment first = FileCoding.readStart(file);
    byte[] start = first.toArray(ValueLayout.JAVA_BYTE);
    Format named = file.name() == null ? null : Format.ofName(file.name());
    boolean isNamed = named != null && named.family() != Format.Family.ARROW;
    Format found = isNamed ? named : Format.ofStart(start);
    boolean isStated = isNamed || found != Format.JSON || undeclared.isJson();
    if (found != null && isStated || !CsvRecognition.mayBeText(start)) {
      return new RecognizedBody(found, /* isText= */ false, ByteSource.joined(first, file));
    }
    byte[] sample = Arrays.copyOf(start, SAMPLE_BYTE_SIZE);
    MemorySegment rest = MemorySegment.ofArray(sample).asSlice(start.length);
    long restByteSize = file.readFully(rest);
    boolean isWhole = restByteSize < rest.byteSize();
    byte[] read = Arrays.copyOf(sample, start.length + (int) restByteSize);
    ByteSource source = ByteSource.joined(MemorySegment.ofArray(read), file);
    Format text = ofText(read, isWhole);
    return new RecognizedBody(text, text != null, source);
  }

  private static @Nullable Format ofText(byte[] sample, boolean isWhole) {
    if (JsonRecognition.isRows(sample, isWhole)) {
      return Format.JSON;
    }
    return CsvRecognition.isTable(sample, isWhole) ? Format.CSV : null;
  }
}
