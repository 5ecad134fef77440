package dev.quiver.web.http;

import dev.quiver.input.Excerpt;
import dev.quiver.memory.ByteSource;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The `Content-Digest` header of a request, over its body as sent: RFC 9530 §2.
///
/// `sha-256` and `sha-512` are checked. Other algorithms are either unknown or known to be weak,
/// and are ignored.
public final class ContentDigest {

  private static final Map<String, String> ALGORITHMS =
      Map.of("sha-256", "SHA-256", "sha-512", "SHA-512");

  /// A dictionary member whose value is a byte sequence: RFC 9651 §4.2.2.
  private static final Pattern MEMBER =
      Pattern.compile("[ \\t]*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]*):[ \\t]*(,(?=.)|$)");

  private final Map<String, byte[]> expected;

  private ContentDigest(Map<String, byte[]> expected) {
    this.expected = expected;
  }

  /// Returns the digests of a request, which may be empty.
  ///
  /// @throws ProblemException 400 if the value is invalid
  public static ContentDigest of(HttpServletRequest request) {
    String value = String.join(",", Collections.list(request.getHeaders("Content-Digest")));
    Map<String, byte[]> expected = new LinkedHashMap<>();
    Matcher member = MEMBER.matcher(value);
    int position = 0;
    while (position < value.length()) {
      if (!member.find(position) || member.start() != position) {
        throw unexpected(value);
      }
      if (ALGORITHMS.containsKey(member.group(1))) {
        expected.put(member.group(1), decode(member.group(2), value));
      }
      position = member.end();
    }
    return new ContentDigest(expected);
  }

  private static byte[] decode(String base64, String value) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw unexpected(value);
    }
  }

  private static ProblemException unexpected(String value) {
    return Problem.of(
            ProblemType.BAD_REQUEST,
            "Expected digests such as sha-256=:…: but found %s at header Content-Digest"
                .formatted(Excerpt.of(value, Problem.QUOTE_LENGTH)))
        .asException();
  }

  /// Returns a source of the same bytes that fails at the end if their digest is not the expected
  /// one.
  public ByteSource check(ByteSource body) {
    ByteSource checked = body;
    for (Map.Entry<String, byte[]> digest : expected.entrySet()) {
      checked = new Checked(checked, digest.getKey(), digest.getValue());
    }
    return checked;
  }

  private static final class Checked implements ByteSource {

    private final ByteSource source;
    private final String algorithm;
    private final byte[] expected;
    private final MessageDigest digest;
    private boolean ended;

    Checked(ByteSource source, String algorithm, byte[] expected) {
      this.source = source;
      this.algorithm = algorithm;
      this.expected = expected;
      this.digest = messageDigest(algorithm);
    }

    @Override
    public long read(MemorySegment destination) throws IOException {
      long count = source.read(destination);
      if (count > 0) {
        digest.update(destination.asSlice(0, count).asByteBuffer());
      } else if (count < 0 && !ended) {
        ended = true;
        requireExpected();
      }
      return count;
    }

    private void requireExpected() {
      byte[] found = digest.digest();
      if (!Arrays.equals(expected, found)) {
        throw Problem.of(
                ProblemType.DIGEST_MISMATCH,
                "Expected a body with the digest %s but found one with %s at header Content-Digest"
                    .formatted(text(expected), text(found)))
            .asException();
      }
    }

    private String text(byte[] value) {
      return "%s=:%s:".formatted(algorithm, Base64.getEncoder().encodeToString(value));
    }

    private static MessageDigest messageDigest(String algorithm) {
      try {
        return MessageDigest.getInstance(ALGORITHMS.get(algorithm));
      } catch (NoSuchAlgorithmException everyJavaHasThem) {
        throw new IllegalStateException(everyJavaHasThem);
      }
    }
  }
}
