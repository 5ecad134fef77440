package dev.quiver.server.write;

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

/// The places of the resumable uploads of anonymous clients, which their networks share.
@TestPropertySource(
    properties = {
      "quiver.auth.anonymous=write:*",
      "quiver.trusted-proxies=127.0.0.1",
      "quiver.uploads.open=12",
      "quiver.sample=false",
      "quiver.storage.path=${test.folder}/resumable-networks"
    })
class ResumableUploadsOfNetworksTest extends ResumableUploads {

  private final List<String> open = new ArrayList<>();

  @Autowired private UploadStore uploads;

  @DynamicPropertySource
  static void configureToken(DynamicPropertyRegistry registry) {
    registry.add("quiver.auth.tokens[0].name", () -> "known");
    registry.add("quiver.auth.tokens[0].sha256", () -> Sha256.hex("known"));
    registry.add("quiver.auth.tokens[0].permissions", () -> "write:*");
  }

  private HttpResponse<byte[]> createAt(String address, String... more) throws Exception {
    List<String> headers = new ArrayList<>(List.of("X-Forwarded-For", address));
    headers.addAll(List.of(more));
    return create("PUT", "/datasets/a", NEWEST, headers.toArray(String[]::new));
  }

  /// Begins uploads that make no room for others, since they have a byte.
  private void occupy(int count, String address) throws Exception {
    for (int i = 0; i < count; i++) {
      HttpResponse<byte[]> created = createAt(address);
      assertThat(created.statusCode()).as(text(created)).isEqualTo(201);
      String upload = header(created, "Location");
      assertThat(patch(upload, new byte[1], 0, false, NEWEST).statusCode()).isEqualTo(204);
      open.add(upload);
    }
  }

  private void assertRejected(String sentence, HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(text(response)).contains(sentence);
  }

  @Test
  void eachNetworkLeavesAQuarterOfItsPlaces() throws Exception {
    occupy(9, "192.0.2.1");
    assertRejected(
        "fewer than 9 open uploads of one client (quiver.uploads.open)", createAt("192.0.2.1"));
    // Of three places that are left, a network of IPv6 has two, whatever its hosts are.
    occupy(1, "2001:db8:1:2::1");
    occupy(1, "2001:db8:1:2::2");
    assertRejected("fewer than 2 open uploads of one client", createAt("2001:db8:1:2::3"));
    occupy(1, "2001:db8:1:3::1");
    String[] token = {"Authorization", "Bearer known"};
    assertRejected(
        "fewer than 12 open uploads (quiver.uploads.open)", createAt("192.0.2.2", token));
    // Anonymous is one principal, so another network may continue or cancel an upload.
    assertThat(delete(open.removeFirst()).statusCode()).isEqualTo(204);
    HttpResponse<byte[]> created = createAt("192.0.2.2", token);
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(delete(header(created, "Location"), token).statusCode()).isEqualTo(204);
    for (String upload : open) {
      assertThat(delete(upload).statusCode()).isEqualTo(204);
    }
    assertThat(uploads.open().count()).isZero();
  }
}
