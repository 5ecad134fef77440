package dev.quiver.web.request;

import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;
import dev.quiver.memory.ByteSource;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The parts of a `multipart/form-data` body, one after the other, as they arrive: RFC 7578.
///
/// ```text
/// Body      → [Preamble] Delimiter Part (Delimiter Part)* Delimiter "--" [Epilogue]
/// Delimiter → CRLF "--" Boundary           the first one without CRLF where the body starts
/// Part      → Padding CRLF (Header CRLF)* CRLF Content
/// ```
///
/// Memory is bounded, whatever comes: content is given as it is found, a delimiter may lie across
/// any reads, and all that is not the content of a part of data counts for one limit. Nothing is
/// believed but what the boundary says, so that a body of which only the end is missing is noticed.
/// Tomcat's own parts of a form are there only once all of it has come.
public final class FormParts {

  private static final int BUFFER_BYTES = 64 << 10;

  private final ByteSource body;
  private final byte[] delimiter;
  private final Limit limit;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  /// The bytes of the buffer that are not taken yet, and where the first of them stands in the
  /// body. A line end that is not there stands before it all, as one stands before each delimiter.
  private int start;

  private int end = 2;
  private long startOffset = -2;

  /// What lies before is content, and a delimiter stands there when it is [#delimited].
  private int contentEnd;

  private boolean delimited;
  private boolean inContent = true;
  private long limitedByteCount;

  /// @param limit on all but the content of data
  public FormParts(ByteSource body, Boundary boundary, Limit limit) {
    this.body = body;
    this.delimiter = ("\r\n--" + boundary.value()).getBytes(StandardCharsets.ISO_8859_1);
    this.limit = limit;
    buffer[0] = '\r';
    buffer[1] = '\n';
  }

  /// The next part, once all content of the one before was read.
  ///
  /// @return null when there is none and the body is at its end
  /// @throws ProblemException 400 for what is no form
  @Nullable FormPart next() throws IOException {
    if (startOffset < 0) {
      skipContent();
    }
    if (inContent) {
      throw new IllegalStateException("The content of a part was not read to its end");
    }
    int first = nextByte("-- or a line end after the boundary");
    if (first == '-') {
      require('-', nextByte("-- after the last boundary"), "-- after the last boundary");
      skipEpilogue();
      return null;
    }
    String what = "a line end after the boundary";
    while (first == ' ' || first == '\t') {
      first = nextByte(what);
    }
    require('\r', first, what);
    require('\n', nextByte(what), what);
    FormPart.Builder part = new FormPart.Builder();
    for (String line = nextLine(); !line.isEmpty(); line = nextLine()) {
      part.add(line);
    }
    inContent = true;
    delimited = false;
    contentEnd = start;
    return part.build();
  }

  /// The content of the part, for as long as it is the last that [#next] gave.
  ByteSource content() {
    return this::readContent;
  }

  /// All content of the part, which counts for the limit.
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
    MemorySegment scrap = MemorySegment.ofArray(new byte[1 << 10]);
    for (long count = readContent(scrap); count >= 0; count = readContent(scrap)) {
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

  /// Looks at bytes that were not looked at, each once: a delimiter has no line end but at its
  /// start, so that none begins within what is like the start of one.
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

  /// Most of the time is spent here, on data.
  private int nextCarriageReturn(int from) {
    byte[] bytes = buffer;
    int last = end;
    int index = from;
    while (index < last && bytes[index] != '\r') {
      index++;
    }
    return index;
  }

  /// How many bytes from `index` on are like the start of a delimiter.
  private int matched(int index) {
    int count = 0;
    int most = Math.min(delimiter.length, end - index);
    while (count < most && buffer[index + count] == delimiter[count]) {
      count++;
    }
    return count;
  }

  /// A line without its end.
  private String nextLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    String what = "a line end after a header of a part";
    for (int next = nextByte(what); next != '\r'; next = nextByte(what)) {
      if (next == '\n') {
        throw unexpected("a carriage return before a line feed", "none");
      }
      line.write(next);
    }
    require('\n', nextByte(what), what);
    return line.toString(StandardCharsets.UTF_8);
  }

  private int nextByte(String what) throws IOException {
    if (start == end && !fill()) {
      throw truncated(what);
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
    limit.check(limitedByteCount, "bytes of a form but for its data", InputLocation.UNKNOWN);
  }

  /// Reads more behind what is left, which is less than a delimiter.
  ///
  /// @return false at the end
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

  private void require(int expected, int found, String what) {
    if (found != expected) {
      throw unexpected(what, "%02X".formatted(found));
    }
  }

  private ProblemException unexpected(String expected, String found) {
    return Problem.of(
            ProblemType.BAD_REQUEST,
            "Expected %s but found %s at byte offset %d of the form"
                .formatted(expected, found, startOffset - 1))
        .with("byteOffset", startOffset - 1)
        .asException();
  }

  private ProblemException truncated(String expected) {
    long byteOffset = startOffset + end - start;
    return Problem.of(
            ProblemType.TRUNCATED,
            "Expected %s but found the end of the form at byte offset %d"
                .formatted(expected, byteOffset))
        .with("byteOffset", byteOffset)
        .asException();
  }
}
