package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// The limits on an index, on sorted lists and on totals, reached exactly and exceeded by one
/// dataset.
@TestPropertySource(
    properties = {
      "quiver.sample=false",
      "quiver.storage.path=${test.folder}/list-limits",
      "quiver.limits.index-entries=3",
      "quiver.limits.sorted-datasets=2",
      "quiver.limits.counted-datasets=3",
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

  @Test
  void rejectsATotalAboveTheLimit() throws Exception {
    assertThat(json("/datasets?total=true&limit=1").get("total").intValue()).isEqualTo(3);
    put("/datasets/b2", Streams.numbers(0, 1));
    HttpResponse<byte[]> response = get("/datasets?total=true&limit=1");
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected at most 3 datasets of a total (quiver.limits.counted-datasets) but found more"
                + " at parameter total; prefix and q narrow the list");
    assertThat(json("/datasets?total=true&prefix=b").get("total").intValue()).isEqualTo(2);
  }

  /// The datasets that a scan keeps are those that may be sorted.
  @Test
  void pagesBeyondTheDatasetsThatAScanKeepsHaveTheTotalAsWell() throws Exception {
    put("/datasets/b0", Streams.numbers(0, 1));
    delete("/datasets/b1");
    JsonNode page = json("/datasets?total=true&limit=2&after=a1");
    assertThat(page.get("total").intValue()).isEqualTo(3);
    assertThat(page.get("datasets").findValuesAsString("name")).containsExactly("a2", "b0");
    assertThat(page.has("next")).isFalse();
    delete("/datasets/b0");
  }
}
