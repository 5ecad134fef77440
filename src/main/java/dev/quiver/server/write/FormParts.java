package dev.quiver.server.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Reads the parts of a `multipart/form-data` body one after the other, as they arrive: RFC 7578.
///
/// ```text
/// Body      → [Preamble] Delimiter Part (Delimiter Part)* Delimiter "--" [Epilogue]
/// Delimiter → CRLF "--" Boundary           the first one without CRLF where the body starts
/// Part      → Padding CRLF (Header CRLF)* CRLF Content
/// ```
///
/// Memory is bounded: content is returned as it is found, a delimiter may span any reads, and
/// everything but the content of data counts towards one limit.
///
/// The servlet's own parts exist only once the whole form is received. The streaming iterators of
/// Tomcat 11 and of Commons FileUpload 2.0.0-M5 fail cases of `FormPartsTest`:
///
/// * They accept a body that ends within the last delimiter, or before the first one, as complete.
/// * They end the form at padding after a delimiter, which receivers have to handle (RFC 2046
///   §5.1).
/// * They accept a line feed alone after a delimiter, skip header lines without a colon, skip parts
///   without a name, and look for the end of an empty header in the content.
/// * They leave the epilogue unread, and their errors have no byte offset.
///
/// Tomcat's `MultipartStream`, below its iterator, passes every test if it only finds the
/// delimiters. That saves no code. For a form of 300 MB, the service then takes 2.7 times the CPU
/// time if `metadata` comes first, and 2.4 times if `data` does (medians of six alternating uploads
/// each).
public final class FormParts {

  /// The hint for clients that write forms themselves.
  static final String FORM_HINT = "Send the form by a library, or by curl -F file=@FILE URL.";

  private static final int BUFFER_BYTES = 64 << 10;

  private final ByteSource body;
  private final byte[] delimiter;
  private final Limit limit;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  /// The range of the buffer that is not consumed yet, and the offset of its start in the body. It
  /// begins with a line end that is not part of the body, since a line end precedes each delimiter.
  private int start;

  private int end = 2;
  private long startOffset = -2;

  /// The end of the content in the buffer. If [#delimited], a delimiter starts there.
  private int contentEnd;

  private boolean delimited;
  private boolean inContent = true;
  private long limitedByteCount;

  /// @param limit the limit on everything but the content of data
  public FormParts(ByteSource body, Boundary boundary, Limit limit) {
    this.body = body;
    this.delimiter = ("\r\n--" + boundary.value()).getBytes(StandardCharsets.ISO_8859_1);
    this.limit = limit;
    buffer[0] = '\r';
    buffer[1] = '\n';
  }

  /// Returns the next part, once the content of the previous one is read to its end.
  ///
  /// @return the part, or null at the end of the body
  /// @throws ProblemException if the body is not a form: status 400
  @Nullable FormPart next() throws IOException {
    if (startOffset < 0) {
      skipContent();
    }
    if (inContent) {
      throw new IllegalStateException("The content of the previous part was not read to its end");
    }
    int first = nextByte("-- or a line end after the boundary");
    if (first == '-') {
      require('-', nextByte("-- after the last boundary"), "-- after the last boundary");
      skipEpilogue();
      return null;
    }
    String expected = "a line end after the boundary";
    while (first == ' ' || first == '\t') {
      first = nextByte(expected);
    }
    require('\r', first, expected);
    require('\n', nextByte(expected), expected);
    FormPart.Builder part = new FormPart.Builder();
    for (String line = nextLine(); !line.isEmpty(); line = nextLine()) {
      part.add(line);
    }
    inContent = true;
    delimited = false;
    contentEnd = start;
    return part.build();
  }

  /// Returns the content of the part that [#next] returned last.
  ByteSource content() {
    return this::readContent;
  }

  /// Reads all content of the part, which counts towards the limit.
  byte[] readLimitedContent() throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    byte[] bytes = new byte[1 << 10];
    MemorySegment destination = MemorySegment.ofArray(bytes);
    for (long count = readContent(destination); count >= 0; count = readContent(destination)) {
      count(count);
      content.write(bytes, 0, (int) count);
    }
    return content.toByteArray();
  }

  private void skipContent() throws IOException {
    MemorySegment discarded = MemorySegment.ofArray(new byte[1 << 10]);
    for (long count = readContent(discarded); count >= 0; count = readContent(discarded)) {
      count(count);
    }
  }

  private void skipEpilogue() throws IOException {
    do {
      count(end - start);
      advance(end - start);
    } while (fill());
  }

  private long readContent(MemorySegment destination) throws IOException {
    while (inContent && destination.byteSize() > 0) {
      findContent();
      if (contentEnd > start) {
        int count = (int) Math.min(destination.byteSize(), contentEnd - start);
        MemorySegment.copy(buffer, start, destination, ValueLayout.JAVA_BYTE, 0, count);
        advance(count);
        return count;
      }
      if (delimited) {
        advance(delimiter.length);
        count(delimiter.length);
        inContent = false;
      } else if (!fill()) {
        throw truncated(new String(delimiter, 2, delimiter.length - 2, StandardCharsets.US_ASCII));
      }
    }
    return inContent ? 0 : -1;
  }

  /// Examines each new byte once. A delimiter has a line end only at its start, so none begins
  /// within a partial match.
  private void findContent() {
    while (!delimited) {
      contentEnd = nextCarriageReturn(contentEnd);
      int matched = matched(contentEnd);
      delimited = matched == delimiter.length;
      if (delimited || contentEnd + matched == end) {
        return;
      }
      contentEnd += matched;
    }
  }

  /// Returns the index of the next carriage return, or the end. A form spends most of its time
  /// here.
  private int nextCarriageReturn(int from) {
    byte[] bytes = buffer;
    int last = end;
    int index = from;
    while (index < last && bytes[index] != '\r') {
      index++;
    }
    return index;
  }

  /// Returns how many bytes from `index` on match the start of a delimiter.
  private int matched(int index) {
    int count = 0;
    int maximum = Math.min(delimiter.length, end - index);
    while (count < maximum && buffer[index + count] == delimiter[count]) {
      count++;
    }
    return count;
  }

  /// Returns a line without its end.
  private String nextLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    String expected = "a line end after a header of a part";
    for (int next = nextByte(expected); next != '\r'; next = nextByte(expected)) {
      if (next == '\n') {
        throw unexpected("a carriage return before a line feed", "none");
      }
      line.write(next);
    }
    require('\n', nextByte(expected), expected);
    return line.toString(StandardCharsets.UTF_8);
  }

  private int nextByte(String expected) throws IOException {
    if (start == end && !fill()) {
      throw truncated(expected);
    }
    int next = buffer[start] & 0xFF;
    advance(1);
    count(1);
    return next;
  }

  private void advance(int count) {
    start += count;
    startOffset += count;
  }

  private void count(long byteCount) {
    limitedByteCount += byteCount;
    limit.check(limitedByteCount, "bytes of a form besides its data", InputLocation.UNKNOWN);
  }

  /// Moves the rest, which is shorter than a delimiter, to the front and reads more behind it.
  ///
  /// @return false at the end of the body
  private boolean fill() throws IOException {
    int rest = end - start;
    System.arraycopy(buffer, start, buffer, 0, rest);
    contentEnd -= start;
    start = 0;
    end = rest;
    long count = body.read(MemorySegment.ofArray(buffer).asSlice(rest));
    end += (int) Math.max(count, 0);
    return count >= 0;
  }

  private void require(int required, int found, String expected) {
    if (found != required) {
      throw unexpected(expected, "%02X".formatted(found));
    }
  }

  private ProblemException unexpected(String expected, String found) {
    return Problem.of(
            ProblemType.BAD_REQUEST,
            "Expected %s but found %s at byte offset %d of the form"
                .formatted(expected, found, startOffset - 1))
        .withHint(FORM_HINT)
        .with("byteOffset", startOffset - 1)
        .asException();
  }

  private ProblemException truncated(String expected) {
    long byteOffset = startOffset + end - start;
    return Problem.of(
            ProblemType.TRUNCATED,
            "Expected %s but found the end of the form at byte offset %d"
                .formatted(expected, byteOffset))
        .withHint("Send the form again, to its last boundary.")
        .with("byteOffset", byteOffset)
        .asException();
  }
}
