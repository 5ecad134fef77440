package dev.quiver.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// The limits on an index and on sorted lists, reached exactly and exceeded by one dataset.
@TestPropertySource(
    properties = {
      "quiver.sample=false",
      "quiver.storage.path=${test.folder}/list-limits",
      "quiver.limits.index-entries=3",
      "quiver.limits.sorted-datasets=2",
    })
class ListLimitsTest extends RunningService {

  @BeforeEach
  void upload() throws Exception {
    for (String name : new String[] {"a1", "a2", "b1", "b2"}) {
      put("/datasets/" + name, Streams.numbers(0, 1));
    }
    delete("/datasets/b2");
  }

  @Test
  void rejectsAnIndexAboveTheLimit() throws Exception {
    assertThat(text(get("/datasets/")).split("<a ", -1)).hasSize(1 + 3);
    put("/datasets/b2", Streams.numbers(0, 1));
    HttpResponse<byte[]> response = get("/datasets/");
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected at most 3 datasets in an index (quiver.limits.index-entries) but found more"
                + " at parameter prefix, which narrows it");
    assertThat(json(response).at("/limit/key").asString()).isEqualTo("quiver.limits.index-entries");
    assertThat(head("/datasets/").statusCode()).isEqualTo(413);
    assertThat(text(get("/datasets/?prefix=b")).split("<a ", -1)).hasSize(1 + 2);
  }

  @Test
  void rejectsASortedListAboveTheLimit() throws Exception {
    assertThat(json("/datasets?sort=-rows&prefix=a").get("datasets").size()).isEqualTo(2);
    for (String path : new String[] {"/datasets", "/datasets.csv", "/datasets.arrows"}) {
      assertThat(get(path + "?sort=name").statusCode()).isEqualTo(200);
      HttpResponse<byte[]> response = get(path + "?sort=-name&limit=1");
      assertThat(response.statusCode()).isEqualTo(413);
      assertThat(json(response).get("detail").asString())
          .isEqualTo(
              "Expected at most 2 datasets in another order than by name"
                  + " (quiver.limits.sorted-datasets) but found more at parameter sort; prefix and"
                  + " q narrow the list");
    }
  }
}
