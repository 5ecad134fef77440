package dev.quiver.server.write;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.store.log.UploadStore;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/// The limits of the resumable uploads of one principal, on both sides, while others go on.
@TestPropertySource(
    properties = {
      "quiver.auth.limits.stored-bytes=20KB",
      "quiver.auth.limits.uploads=2",
      "quiver.uploads.open=12",
      "quiver.limits.idle-seconds=5",
      "quiver.sample=false",
      "quiver.storage.path=${test.folder}/resumable-principals"
    })
class ResumableUploadsOfPrincipalsTest extends ResumableUploads {

  private static final int LIMIT_BYTES = 20 << 10;

  @Autowired private UploadStore uploads;

  /// The members of a list come from one source.
  @DynamicPropertySource
  static void configureTokens(DynamicPropertyRegistry registry) {
    token(registry, 0, "one");
    token(registry, 1, "two");
    token(registry, 2, "large");
    token(registry, 3, "sharing");
    registry.add("quiver.auth.tokens[3].limits.uploads", () -> 0);
    registry.add("quiver.auth.tokens[2].limits.uploads", () -> 3);
    registry.add("quiver.auth.tokens[2].limits.stored-bytes", () -> "0B");
  }

  private static void token(DynamicPropertyRegistry registry, int index, String name) {
    String key = "quiver.auth.tokens[%d].".formatted(index);
    registry.add(key + "name", () -> name);
    registry.add(key + "sha256", () -> Sha256.hex(name));
    registry.add(key + "permissions", () -> "write:*");
  }

  private HttpResponse<byte[]> createAs(String principal) throws Exception {
    return create("PUT", "/datasets/a", NEWEST, "Authorization", "Bearer " + principal);
  }

  private HttpResponse<byte[]> patchAs(String principal, String upload, int offset, int byteSize)
      throws Exception {
    return request(
        "PATCH",
        upload,
        new byte[byteSize],
        NEWEST,
        "Authorization",
        "Bearer " + principal,
        "Content-Type",
        "application/partial-upload",
        "Upload-Offset",
        Integer.toString(offset),
        "Upload-Complete",
        "?0");
  }

  private int deleteAs(String principal, String upload) throws Exception {
    return request("DELETE", upload, new byte[0], NEWEST, "Authorization", "Bearer " + principal)
        .statusCode();
  }

  @Test
  void eachPrincipalHasItsPlaces() throws Exception {
    String first = header(createAs("one"), "Location");
    String second = header(createAs("one"), "Location");
    HttpResponse<byte[]> third = createAs("one");
    assertThat(third.statusCode()).as(text(third)).isEqualTo(429);
    assertThat(json(third).get("limit").get("key").asString())
        .isEqualTo("quiver.auth.limits.uploads");
    assertThat(header(third, "Retry-After")).isNotEmpty();
    String other = header(createAs("two"), "Location");
    String[] large = new String[3];
    for (int i = 0; i < large.length; i++) {
      large[i] = header(createAs("large"), "Location");
    }
    HttpResponse<byte[]> fourth = createAs("large");
    assertThat(fourth.statusCode()).isEqualTo(429);
    assertThat(text(fourth)).contains("quiver.auth.tokens[].limits.uploads");

    assertThat(deleteAs("one", first)).isEqualTo(204);
    String again = header(createAs("one"), "Location");
    assertThat(again).isNotEmpty();
    assertThat(deleteAs("one", second)).isEqualTo(204);
    assertThat(deleteAs("one", again)).isEqualTo(204);
    assertThat(deleteAs("two", other)).isEqualTo(204);
    for (String upload : large) {
      assertThat(deleteAs("large", upload)).isEqualTo(204);
    }
    assertThat(uploads.open().count()).isZero();
  }

  @Test
  void quarterOfThePlacesStaysForOthers() throws Exception {
    List<String> open = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      String upload = header(createAs("sharing"), "Location");
      assertThat(patchAs("sharing", upload, 0, 1).statusCode()).isEqualTo(204);
      open.add(upload);
    }
    HttpResponse<byte[]> rejected = createAs("sharing");
    assertThat(rejected.statusCode()).isEqualTo(503);
    assertThat(text(rejected))
        .contains("fewer than 9 open uploads of one client (quiver.uploads.open)");
    String other = header(createAs("two"), "Location");
    // Eight are three quarters of what is left.
    assertThat(deleteAs("sharing", open.removeFirst())).isEqualTo(204);
    assertThat(text(createAs("sharing"))).contains("fewer than 8 open uploads of one client");
    assertThat(deleteAs("sharing", open.removeFirst())).isEqualTo(204);
    String empty = header(createAs("sharing"), "Location");
    // It may have just begun.
    assertThat(createAs("sharing").statusCode()).isEqualTo(503);
    List<String> next = new ArrayList<>();
    eventually(() -> {
      HttpResponse<byte[]> created = createAs("sharing");
      assertThat(created.statusCode()).isEqualTo(201);
      next.add(header(created, "Location"));
    });
    assertThat(deleteAs("sharing", empty)).isEqualTo(404);
    assertThat(deleteAs("sharing", next.getFirst())).isEqualTo(204);
    assertThat(deleteAs("two", other)).isEqualTo(204);
    for (String upload : open) {
      assertThat(deleteAs("sharing", upload)).isEqualTo(204);
    }
    assertThat(uploads.open().count()).isZero();
  }

  @Test
  void eachPrincipalHasItsBytesOfParts() throws Exception {
    String first = header(createAs("one"), "Location");
    String second = header(createAs("one"), "Location");
    assertThat(patchAs("one", first, 0, LIMIT_BYTES - 10).statusCode()).isEqualTo(204);
    HttpResponse<byte[]> full = patchAs("one", second, 0, 11);
    assertThat(full.statusCode()).as(text(full)).isEqualTo(507);
    assertThat(json(full).get("type").asString()).isEqualTo("urn:quiver:problem:quota-exceeded");
    assertThat(text(full)).contains("quiver.auth.limits.stored-bytes");
    assertThat(patchAs("one", second, 0, 10).statusCode()).isEqualTo(204);

    String other = header(createAs("two"), "Location");
    assertThat(patchAs("two", other, 0, LIMIT_BYTES).statusCode()).isEqualTo(204);
    String large = header(createAs("large"), "Location");
    assertThat(patchAs("large", large, 0, 2 * LIMIT_BYTES).statusCode()).isEqualTo(204);
    assertThat(deleteAs("one", first)).isEqualTo(204);
    assertThat(deleteAs("one", second)).isEqualTo(204);
    assertThat(deleteAs("two", other)).isEqualTo(204);
    assertThat(deleteAs("large", large)).isEqualTo(204);
    assertThat(uploads.open()).isEqualTo(new UploadStore.Open(0, 0));
  }
}
