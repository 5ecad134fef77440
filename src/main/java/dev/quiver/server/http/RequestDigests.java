package dev.quiver.server.http;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Excerpt;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The `Content-Digest` and `Repr-Digest` headers of a request: RFC 9530 §2 and §3.
///
/// Both are over the body as sent. A representation has its content coding (RFC 9110 §8.1), and a
/// body is never part of one, since a request with `Content-Range` is rejected.
///
/// `sha-256` and `sha-512` are checked. Other algorithms are either unknown or known to be weak,
/// and are ignored.
public final class RequestDigests {

  private static final String CONTENT = "Content-Digest";
  private static final List<String> HEADERS = List.of(CONTENT, ReprDigest.NAME);

  private static final Map<String, String> ALGORITHMS =
      Map.of(ReprDigest.SHA_256, "SHA-256", "sha-512", "SHA-512");

  /// A dictionary member whose value is a byte sequence: RFC 9651 §4.2.2.
  private static final Pattern MEMBER =
      Pattern.compile("[ \\t]*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]*):[ \\t]*(,(?=.)|$)");

  private final Map<String, List<Expected>> expected = new LinkedHashMap<>();

  private RequestDigests() {}

  /// A digest that the body must have.
  private record Expected(String header, byte[] digest) {}

  /// Returns the digests of a request, which may be empty.
  ///
  /// @throws ProblemException 400 if a value is invalid
  public static RequestDigests of(RequestHead head) {
    return of(head, HEADERS);
  }

  /// Returns the digests of the content of a request that has a part of a body, without those of
  /// the whole.
  ///
  /// @throws ProblemException 400 if a value is invalid
  public static RequestDigests ofPart(RequestHead head) {
    return of(head, List.of(CONTENT));
  }

  private static RequestDigests of(RequestHead head, List<String> headers) {
    RequestDigests digests = new RequestDigests();
    for (String header : headers) {
      digests.add(header, String.join(",", head.headers(header)));
    }
    return digests;
  }

  private void add(String header, String value) {
    Map<String, Expected> last = new LinkedHashMap<>();
    Matcher member = MEMBER.matcher(value);
    int position = 0;
    while (position < value.length()) {
      if (!member.find(position) || member.start() != position) {
        throw unexpected(header, value);
      }
      if (ALGORITHMS.containsKey(member.group(1))) {
        byte[] digest = decode(member.group(2), header, value);
        last.put(member.group(1), new Expected(header, digest));
      }
      position = member.end();
    }
    last.forEach((algorithm, digest) ->
        expected.computeIfAbsent(algorithm, _ -> new ArrayList<>()).add(digest));
  }

  private static byte[] decode(String base64, String header, String value) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw unexpected(header, value);
    }
  }

  private static ProblemException unexpected(String header, String value) {
    return Problem.badRequest(
        "Expected digests such as sha-256=:…: but found %s at header %s"
            .formatted(Excerpt.of(value, Problem.QUOTE_LENGTH), header));
  }

  /// Returns whether the request has none that are checked.
  public boolean isEmpty() {
    return expected.isEmpty();
  }

  /// Returns the SHA-256 that [#check] requires, as hexadecimal digits, or null if the request has
  /// none.
  public @Nullable String sha256() {
    List<Expected> digests = expected.getOrDefault(ReprDigest.SHA_256, List.of());
    return digests.isEmpty() ? null : HexFormat.of().formatHex(digests.getFirst().digest());
  }

  /// Returns a source of the same bytes that fails at the end if their digest is not the expected
  /// one.
  public ByteSource check(ByteSource body) {
    ByteSource checked = body;
    for (Map.Entry<String, List<Expected>> digests : expected.entrySet()) {
      checked = new Checked(checked, digests.getKey(), digests.getValue());
    }
    return checked;
  }

  private static final class Checked implements ByteSource {

    private final ByteSource source;
    private final String algorithm;
    private final List<Expected> expected;
    private final MessageDigest digest;
    private boolean ended;

    Checked(ByteSource source, String algorithm, List<Expected> expected) {
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
        requireExpected(digest.digest());
      }
      return count;
    }

    private void requireExpected(byte[] found) {
      for (Expected one : expected) {
        if (!Arrays.equals(one.digest, found)) {
          throw Problem.of(
                  ProblemType.DIGEST_MISMATCH,
                  "Expected a body with the digest %s but found one with %s at header %s"
                      .formatted(text(one.digest), text(found), one.header))
              .withHint(
                  "Send the body again; the digest is of the bytes as they are sent, after any compression.")
              .asException();
        }
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
