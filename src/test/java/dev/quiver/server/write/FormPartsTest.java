package dev.quiver.server.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.server.http.ProblemException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Parsing of multipart forms. `FormUploadTest` covers the use of their parts.
class FormPartsTest {

  private static final String DATA = "Content-Disposition: form-data; name=\"data\"\r\n\r\n";

  private static ByteSource inPieces(String body, int pieceByteSize) {
    byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
    ByteSource whole = ByteSource.of(MemorySegment.ofArray(bytes));
    return destination ->
        whole.read(destination.asSlice(0, Math.min(destination.byteSize(), pieceByteSize)));
  }

  private static FormParts parts(String body, int pieceByteSize, long limit) {
    return new FormParts(
        inPieces(body, pieceByteSize), new Boundary("b"), new Limit("form-metadata-bytes", limit));
  }

  /// Returns each part as `name=content`.
  private static List<String> read(FormParts parts, int readByteSize) throws IOException {
    List<String> read = new ArrayList<>();
    byte[] bytes = new byte[readByteSize];
    for (FormPart part = parts.next(); part != null; part = parts.next()) {
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      ByteSource source = parts.content();
      assertThat(source.read(MemorySegment.NULL)).isZero();
      for (long count = source.read(MemorySegment.ofArray(bytes));
          count >= 0;
          count = source.read(MemorySegment.ofArray(bytes))) {
        assertThat(count).isPositive();
        content.write(bytes, 0, (int) count);
      }
      read.add(part.name() + "=" + content.toString(StandardCharsets.ISO_8859_1));
    }
    return read;
  }

  private static List<String> read(String body) throws IOException {
    return read(parts(body, Integer.MAX_VALUE, 1_000_000), 1 << 16);
  }

  @Test
  void parsesFormPartsFromReadsOfAnySize() throws IOException {
    String body =
        "preamble\r\n--b\r\n"
            + DATA
            + "first\r\n\r\n-\r\n--\r\n--a\r\n\r\r\n--b \t\r\n"
            + "content-type: application/json; charset=utf-8\r\n"
            + "X-Other: whatever\r\n"
            + "CONTENT-DISPOSITION: form-data; filename=\"a;b\"; name=second\r\n\r\n"
            + "\r\n--b\r\n"
            + DATA
            + "--b\r\n--b--\r\nepilogue\r\n--b\r\n";
    for (int pieceByteSize = 1; pieceByteSize <= body.length(); pieceByteSize++) {
      for (int readByteSize : new int[] {1, 5, 1000}) {
        assertThat(read(parts(body, pieceByteSize, 1_000_000), readByteSize))
            .containsExactly("data=first\r\n\r\n-\r\n--\r\n--a\r\n\r", "second=", "data=--b");
      }
    }
  }

  @Test
  void acceptsFormsWithoutPreambleAndEpilogue() throws IOException {
    assertThat(read("--b\r\n" + DATA + "x\r\n--b--")).containsExactly("data=x");
    assertThat(read("--b--")).isEmpty();
    assertThat(read("\r\n--b--\r\n")).isEmpty();
  }

  /// Random line ends and dashes, with delimiters at all positions of the buffer.
  @Test
  void parsesContentThatResemblesADelimiter() throws IOException {
    Random random = new Random(7);
    for (int round = 0; round < 300; round++) {
      StringBuilder content = new StringBuilder();
      int byteSize = (64 << 10) - 200 + random.nextInt(250);
      for (int i = 0; i < byteSize; i++) {
        content.append("\r\n-bx".charAt(random.nextInt(5)));
      }
      String text = content.toString().replace("\r\n--b", "\r\n-xb");
      String body = "--b\r\n" + DATA + text + "\r\n--b\r\n" + DATA + "\r\n--b--";
      assertThat(read(parts(body, 1 + random.nextInt(100_000), 1_000_000), 5000))
          .containsExactly("data=" + text, "data=");
    }
  }

  @Test
  void returnsTheDeclaredTypeOfAFormPart() throws IOException {
    FormParts parts =
        parts("--b\r\nContent-Type: text/plain\r\n" + DATA + "\r\n--b--", 1000, 1_000_000);
    assertThat(parts.next()).isEqualTo(new FormPart("data", null, "text/plain"));
  }

  private static void assertRejected(ThrowingCallable reading, String type, String detail) {
    assertThatThrownBy(reading)
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.problem().type()).isEqualTo("urn:quiver:problem:" + type))
        .hasMessage(detail);
  }

  @Test
  void reportsTruncationAtEveryByteOfAForm() {
    String body = "pre\r\n--b\r\n" + DATA + "content\r\n--b--";
    for (int byteSize = 0; byteSize < body.length(); byteSize++) {
      String truncated = body.substring(0, byteSize);
      assertThatThrownBy(() -> read(truncated))
          .isInstanceOf(ProblemException.class)
          .hasMessageStartingWith("Expected ")
          .hasMessageEndingWith("but found the end of the form at byte offset " + byteSize);
    }
    assertRejected(
        () -> read("--b\r\n" + DATA + "content\r\n-"),
        "truncated",
        "Expected --b but found the end of the form at byte offset 62");
    assertRejected(
        () -> read(""), "truncated", "Expected --b but found the end of the form at byte offset 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--bx | a line end after the boundary but found 78 at byte offset 3 of the form",
        "--b~x | a line end after the boundary but found 78 at byte offset 4 of the form",
        "--b-x | -- after the last boundary but found 78 at byte offset 4 of the form",
        "--b~~no colon~~ | a name and a colon in each line but found none at the header of a part",
        "--b~~: no name~~ | a name and a colon in each line but found none at the header of a part",
        "--b~~ folded: x~~ | a name and a colon in each line but found none at the header of a part",
        "--b~~~~ | a Content-Disposition but found none at the header of a part",
        "--b~~Content-Disposition: attachment; name=x~~~~ | form-data and a name but found"
            + " attachment; name=x at Content-Disposition of a part",
        "--b~~Content-Disposition: form-data~~~~ | form-data and a name but found form-data at"
            + " Content-Disposition of a part",
        "--b~~Content-Disposition: form-data; name=a~~Content-Disposition: form-data; name=b~~~~ |"
            + " one Content-Disposition but found two at the header of a part",
        "--b~~Content-Transfer-Encoding: base64~~~~ | no encoding but found base64 at"
            + " Content-Transfer-Encoding of a part",
      })
  void rejectsMalformedForms(String body, String detail) {
    String text = body.replace("~~", "\r\n").replace("~", "\r");
    assertRejected(() -> read(text), "bad-request", "Expected " + detail);
  }

  @Test
  void rejectsALineFeedWithoutACarriageReturn() {
    assertRejected(
        () -> read("--b\nContent-Disposition: form-data; name=a\n\nx\n--b--"),
        "bad-request",
        "Expected a line end after the boundary but found 0A at byte offset 3 of the form");
    assertRejected(
        () -> read("--b\r\nX: x\n\n"),
        "bad-request",
        "Expected a carriage return before a line feed but found none at"
            + " byte offset 9 of the form");
  }

  @Test
  void acceptsTransferEncodingsThatLeaveContentUnchanged() throws IOException {
    assertThat(read("--b\r\nContent-Transfer-Encoding: Binary\r\n" + DATA + "x\r\n--b--"))
        .containsExactly("data=x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"preamble", "padding", "header", "parts", "metadata", "epilogue"})
  void limitsEverythingOfAFormExceptTheData(String where) throws IOException {
    assertThat(isAccepted(where, 1000)).isTrue();
    assertThatThrownBy(() -> isAccepted(where, 20_000))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageStartingWith(
            "Expected at most 10000 bytes of a form besides its data (form-metadata-bytes) but"
                + " found ");
  }

  private static boolean isAccepted(String where, int byteSize) throws IOException {
    String filler = "x".repeat(byteSize);
    String data = "--b\r\n" + DATA + "x".repeat(100_000) + "\r\n";
    String body =
        switch (where) {
          case "preamble" -> filler + "\r\n" + data + "--b--";
          case "padding" -> data + "--b" + " ".repeat(byteSize) + "\r\n" + DATA + "\r\n--b--";
          case "header" -> "--b\r\nX: " + filler + "\r\n" + DATA + "\r\n--b--";
          case "parts" -> ("--b\r\n" + DATA + "\r\n").repeat(byteSize / 50) + "--b--";
          case "metadata" -> "--b\r\n" + DATA + filler + "\r\n--b--";
          default -> data + "--b--\r\n" + filler;
        };
    FormParts parts = parts(body, Integer.MAX_VALUE, 10_000);
    if (where.equals("metadata")) {
      parts.next();
      return parts.readLimitedContent().length == byteSize;
    }
    return !read(parts, 1 << 16).isEmpty();
  }

  @Test
  void formMetadataLimitIsExact() throws IOException {
    String body = "--b\r\n" + DATA + "data\r\n--b--";
    long overheadBytes = body.length() - "data".length() + 2;
    assertThat(read(parts(body, 1000, overheadBytes), 10)).containsExactly("data=data");
    assertThatThrownBy(() -> read(parts(body, 1000, overheadBytes - 1), 10))
        .isInstanceOf(TooLargeInputException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a ", "é", "a\"b", "a\nb"})
  void rejectsInvalidFormBoundaries(String value) {
    assertRejected(
        () -> new Boundary(value),
        "bad-request",
        "Expected a boundary of 1 to 70 characters but found \""
            + value
            + "\" at header"
            + " Content-Type");
  }

  @Test
  void rejectsFormBoundariesOverSeventyCharacters() throws IOException {
    Boundary longest = new Boundary("'()+_,-./:=? 0aZ".repeat(5).substring(0, 70));
    String body = "--" + longest.value() + "\r\n" + DATA + "x\r\n--" + longest.value() + "--";
    FormParts parts =
        new FormParts(inPieces(body, 3), longest, new Limit("form-metadata-bytes", 1000));
    assertThat(read(parts, 10)).containsExactly("data=x");
    assertThatThrownBy(() -> new Boundary("x".repeat(71))).isInstanceOf(ProblemException.class);
  }
}
