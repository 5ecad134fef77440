package dev.quiver.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.server.http.EntityTag;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

/// When SHA-256 is computed. `ReprDigestTest` compares digests with received bytes.
class StoredDigestsTest {

  private static final int LIMIT = 1000;

  private final AtomicInteger readings = new AtomicInteger();
  private final StoredDigests digests =
      new StoredDigests(
          new Limit("quiver.limits.digest-bytes", LIMIT),
          new ResponseAdmission(
              new Limit("quiver.limits.generated-responses", 2),
              Duration.ofSeconds(60),
              new InFlightBytes(new Limit("quiver.limits.in-flight-bytes", 1 << 20))));

  private static int crc32c(byte[] content) {
    CRC32C checksum = new CRC32C();
    checksum.update(content);
    return (int) checksum.getValue();
  }

  private Representation stored(String tag, int byteSize, @Nullable Integer checksum) {
    return storedWith(tag, byteSize, new StoredChecksum(checksum, /* sha256= */ null));
  }

  private Representation storedWith(String tag, int byteSize, StoredChecksum checksum) {
    byte[] content = new byte[byteSize];
    Arrays.fill(content, (byte) 'a');
    BodyPart part =
        new BodyPart.Range(
            (byteOffset, count, sink) -> {
              readings.incrementAndGet();
              sink.write(MemorySegment.ofArray(content).asSlice(byteOffset, count));
            },
            0,
            byteSize);
    return new Representation(
            "type",
            EntityTag.of(tag),
            Instant.EPOCH,
            false,
            Map.of(),
            new BodySource.Ready(FixedLengthBody.of(part)))
        .with(checksum);
  }

  private @Nullable String header(Representation representation, String... wanted)
      throws IOException {
    MockHttpServletRequest request = new MockHttpServletRequest();
    for (String line : wanted) {
      request.addHeader("Want-Repr-Digest", line);
    }
    return digests.header(request, representation);
  }

  @ParameterizedTest
  @CsvSource({"999, true", "1000, true", "1001, false"})
  void limitBoundsTheBytesThatAreRead(int byteSize, boolean computed) throws IOException {
    String header = header(stored("limited", byteSize, null), "sha-256=1");
    assertThat(header != null).isEqualTo(computed);
    assertThat(readings).hasValue(computed ? 1 : 0);
  }

  /// The digest is that of `printf aaa | sha256sum`.
  @Test
  void computesEachDigestOnce() throws IOException {
    String expected = "sha-256=:mDSHbc+wXLFnpcJJU+uljErImxrfV/KPL50JrxB+6PA=:";
    for (int i = 0; i < 3; i++) {
      assertThat(header(stored("three", 3, null), "sha-256=1")).isEqualTo(expected);
    }
    assertThat(readings).hasValue(1);
    assertThat(header(stored("other", 3, null), "sha-256=1")).isEqualTo(expected);
    assertThat(readings).hasValue(2);
  }

  @Test
  void readsNothingUnlessTheClientWantsTheDigest() throws IOException {
    byte[] content = new byte[] {'a', 'a'};
    Representation two = stored("two", 2, crc32c(content));
    for (String wanted :
        new String[] {"", "sha-256=0", "sha-512=3", "sha-256", "sha-256=11", "?"}) {
      assertThat(header(two, wanted)).startsWith("crc32c=:").doesNotContain("sha-256");
    }
    assertThat(header(two)).startsWith("crc32c=:").doesNotContain("sha-256");
    assertThat(header(two, "crc32c=0")).isNull();
    assertThat(readings).hasValue(0);
    assertThat(header(two, "sha-256=10;a=1 , md5=1", "crc32c=0")).startsWith("sha-256=:");
    assertThat(header(two, "sha-256=3")).matches("crc32c=:.{8}:, sha-256=:.{44}:");
  }

  /// No limit applies to a digest that is known without reading.
  @ParameterizedTest
  @ValueSource(ints = {0, LIMIT, LIMIT + 1})
  void sendsTheDigestThatTheUploadBrought(int byteSize) throws IOException {
    Representation brought =
        storedWith("brought", byteSize, new StoredChecksum(1, "00ff".repeat(16)));
    String sha256 = "sha-256=:AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8=:";
    assertThat(header(brought, "sha-256=1")).isEqualTo("crc32c=:AAAAAQ==:, " + sha256);
    assertThat(header(brought, "sha-256=1, crc32c=0")).isEqualTo(sha256);
    assertThat(header(brought)).isEqualTo("crc32c=:AAAAAQ==:");
    assertThat(readings).hasValue(0);
  }

  /// SHA-256 of damaged bytes would vouch for them.
  @Test
  void damagedBytesHaveNoSha256() throws IOException {
    assertThat(header(stored("damaged", 5, 1), "sha-256=1")).isEqualTo("crc32c=:AAAAAQ==:");
  }
}
