package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.Lz4Frame;
import dev.quiver.arrow.codec.Zstandard;
import dev.quiver.server.pages.Assets;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The entity tag of every representation, character for character: caches and clients hold tags of
/// earlier releases, and a different tag for the same bytes makes them fetch everything again.
class EntityTagsTest extends RunningService {

  private static final String ARROW_FILE = "application/vnd.apache.arrow.file";
  private static final String ARROW_STREAM = "application/vnd.apache.arrow.stream";

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/tags").statusCode() == 404) {
      put("/datasets/tags?batches=keep", Streams.table(Codec.NONE, 30, 0, 50, 20));
      put("/datasets/tags-zstd?batches=keep", Streams.table(Codec.ZSTD, 30, 0, 50, 20));
      put("/datasets/tags-lz4?batches=keep", Streams.table(Codec.LZ4, 30, 50));
      put(
          "/datasets/tags-mixed?batches=keep",
          Streams.inCodecs(100, Codec.NONE, Codec.ZSTD, Codec.LZ4));
      put("/datasets/tags-wide", Streams.columns(30));
    }
  }

  /// Asserts that the tag consists of the commit id, the version 1 and `variant`. Its `{zstd}`,
  /// `{lz4}` and `{jdk}` stand for the versions of the libraries, `{assets}` for the hash of the
  /// files of pages.
  private void assertVariant(String path, String variant, String... headers) throws Exception {
    String dataset = path.split("[.?/]", 2)[0];
    String file = header(head("/datasets/" + dataset + ".arrow"), "ETag");
    assertThat(file).matches("\"[0-9a-z]+\\.1\"");
    String expected =
        variant
            .replace("{zstd}", Zstandard.INSTANCE.libraryVersion())
            .replace("{lz4}", Lz4Frame.INSTANCE.libraryVersion())
            .replace("{jdk}", Runtime.version().toString())
            .replace("{assets}", Assets.hash());
    HttpResponse<byte[]> response = get("/datasets/" + path, headers);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "ETag"))
        .isEqualTo(file.substring(0, file.length() - 1) + expected + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "tags.arrow, ''",
    "tags.arrows, .arrows",
    "tags.arrow?codec=none, ''",
    "tags-wide.arrow?dictionaries=used, ''",
    "tags-mixed.arrows?dictionaries=used, .arrows",
    "tags-zstd.arrow?codec=zstd, ''",
    "tags-mixed.arrows, .arrows",
    "tags/batches/0, .batches-0",
    "tags/batches/0-2.arrows, .batches-0-2",
    "tags/batches/2-2, .batches-2",
    "tags/batches/1?codec=none, .batches-1"
  })
  void keepsTheEntityTagsOfStoredBytes(String path, String variant) throws Exception {
    assertVariant(path, variant);
  }

  @ParameterizedTest
  @CsvSource({
    "tags-zstd.arrow?codec=none, .arrow-none-2",
    "tags-zstd.arrows?codec=none, .arrows-none-2",
    "tags.arrow?codec=zstd, .arrow-zstd-2-{zstd}",
    "tags.arrows?codec=lz4, .arrows-lz4-2-{lz4}",
    "tags-mixed.arrow?codec=lz4, .arrow-lz4-2-{lz4}",
    "tags/batches/0?codec=zstd, .batches-0-zstd-2-{zstd}",
    "tags-zstd/batches/0-2?codec=none, .batches-0-2-none-2",
    "tags.arrow?columns=number&limit=3&codec=zstd, .arrow-columns-0-rows-0-3-1-zstd-2-{zstd}",
    "tags-zstd.arrows?limit=3&codec=none, .arrows-rows-0-3-1-none-2",
    "tags-zstd.arrow?dictionaries=used&codec=none, .arrow-dictionaries-used-1-none-2",
    "tags-zstd.arrow?dictionaries=used&codec=zstd, .arrow-dictionaries-used-1-{zstd}"
  })
  void keepsTheEntityTagsOfRecompressedBytes(String path, String variant) throws Exception {
    assertVariant(path, variant);
  }

  @ParameterizedTest
  @CsvSource({
    "tags.arrow?columns=number, .arrow-columns-0-1",
    "tags.arrows?columns=number, .arrows-columns-0-1",
    "'tags.arrow?columns=color,number', .arrow-columns-1.0-1",
    "tags.arrow?columns=point.y, .arrow-columns-2(1)-1",
    "tags.arrow?limit=3, .arrow-rows-0-3-1",
    "tags-zstd.arrows?limit=3, .arrows-rows-0-3-1-{zstd}",
    "tags-zstd.arrows?limit=30, .arrows-rows-0-30-1",
    "tags-zstd.arrows?limit=31, .arrows-rows-0-31-1-{zstd}",
    "tags-zstd.arrows?offset=29&limit=51, .arrows-rows-29-80-1-{zstd}",
    "tags.arrow?offset=-3, .arrow-rows-97-100-1",
    "tags.arrow?sample=3, .arrow-rows-0-100-sample-3-1",
    "tags-zstd.arrows?offset=10&sample=3, .arrows-rows-10-100-sample-3-1-{zstd}",
    "tags.arrow?dictionaries=used, .arrow-dictionaries-used-1",
    "tags-zstd.arrows?dictionaries=used&limit=30, .arrows-rows-0-30-dictionaries-used-1-{zstd}",
    "tags-zstd.arrow?columns=color&dictionaries=used, .arrow-columns-1-dictionaries-used-1-{zstd}",
    "tags-zstd.arrow?columns=color&dictionaries=all, .arrow-columns-1-1",
    "tags-zstd.arrow?columns=number&dictionaries=used, .arrow-columns-0-1",
    "tags-lz4.arrow?offset=1, .arrow-rows-1-80-1-{lz4}",
    "tags-lz4.arrow?columns=number&offset=1, .arrow-columns-0-rows-1-80-1-{lz4}",
    "tags-mixed.arrow?limit=3, .arrow-rows-0-3-1-{lz4}-{zstd}"
  })
  void keepsTheEntityTagsOfSelections(String path, String variant) throws Exception {
    assertVariant(path, variant);
  }

  /// The hash is the start of the SHA-256 of `29.28.27` and so on to `0`, computed by another
  /// implementation.
  @ParameterizedTest
  @CsvSource({
    "tags-wide.arrow, .arrow-columns-sha256-8ad0061ad58cd97bb091d1ca14bd0065-1",
    "tags-wide.csv, .csv-2-number-columns-sha256-8ad0061ad58cd97bb091d1ca14bd0065-1"
  })
  void keepsTheEntityTagsOfSelectionsOfManyColumns(String path, String variant) throws Exception {
    List<String> columns = new ArrayList<>();
    for (int i = 29; i >= 0; i--) {
      columns.add("[" + i + "]");
    }
    String query = "?columns=" + String.join(",", columns).replace("[", "%5B").replace("]", "%5D");
    assertVariant(path + query, variant);
  }

  @ParameterizedTest
  @CsvSource({
    "tags.json, .json-2-number",
    "tags.csv?max-value-bytes=10, .csv-2-number-max-10-1",
    "tags.csv?text=exact, .csv-2-number",
    "tags.csv?text=safe, .csv-2-number-safe-1",
    "tags.csv?text=safe&max-value-bytes=10, .csv-2-number-safe-1-max-10-1",
    "tags.csv?max-value-bytes=10&limit=3, .csv-2-number-max-10-1-rows-0-3-1",
    "tags.csv?max-value-bytes=9223372036854775807, .csv-2-number",
    "tags.jsonl, .jsonl-2-number",
    "tags.csv, .csv-2-number",
    "tags.json?numbers=string, .json-2-string",
    "tags.jsonl?numbers=string, .jsonl-2-string",
    "tags.csv?numbers=string&columns=number, .csv-2-string-columns-0-1",
    "tags-zstd.csv?limit=3, .csv-2-number-rows-0-3-1"
  })
  void keepsTheEntityTagsOfText(String path, String variant) throws Exception {
    assertVariant(path, variant);
    assertVariant(path, variant + ".zstd-2-{zstd}", "Accept-Encoding", "zstd");
    assertVariant(path, variant + ".gzip-2-{jdk}", "Accept-Encoding", "gzip");
  }

  @ParameterizedTest
  @CsvSource({
    "tags/schema, .schema-1",
    "tags/batches, .index-0-1000",
    "tags/batches?from=2&count=5, .index-2-5",
    "tags/blobs, .blobs"
  })
  void keepsTheEntityTagsOfDocuments(String path, String variant) throws Exception {
    assertVariant(path, variant);
    assertVariant(path, variant + ".zstd-2-{zstd}", "Accept-Encoding", "zstd");
  }

  @ParameterizedTest
  @CsvSource({"tags/partitions, 8", "tags/partitions?count=3, 3"})
  void keepsTheEntityTagsOfPartitions(String path, int count) throws Exception {
    int urls = List.of("http://localhost:" + port).hashCode();
    assertVariant(path, ".partitions-%d-%08x".formatted(count, urls));
  }

  @ParameterizedTest
  @CsvSource({
    "tags, " + ARROW_STREAM + ", .arrows",
    "tags, " + ARROW_FILE + ", ''",
    "tags-zstd, " + ARROW_STREAM + ", .arrows-none-2",
    "tags-zstd?limit=3, " + ARROW_FILE + ", .arrow-rows-0-3-1-none-2",
    "tags-zstd, " + ARROW_STREAM + ";codecs=zstd, .arrows",
    "tags, " + ARROW_STREAM + ";codecs=lz4, .arrows-lz4-2-{lz4}",
    "tags, application/json, .json-2-number",
    "tags, text/csv, .csv-2-number",
    "tags, text/html, .html-7-{assets}",
    "tags?columns=number&limit=3, text/html, .html-7-{assets}-columns-0-rows-0-3-1",
    "tags?max-value-bytes=10, text/html, .html-7-{assets}-max-10-1",
    "tags, multipart/mixed, .arrows.mixed-1",
    "tags-zstd, multipart/mixed, .arrows-none-2.mixed-1",
    "tags?include_footnotes, multipart/mixed, .arrows.mixed-footnotes-1",
    "tags?columns=number, multipart/mixed, .arrows-columns-0-1.mixed-1",
    "tags/schema, " + ARROW_STREAM + ", .schema-arrows"
  })
  void keepsTheEntityTagsOfNegotiatedRepresentations(String path, String accept, String variant)
      throws Exception {
    assertVariant(path, variant, "Accept", accept);
  }

  @ParameterizedTest
  @CsvSource({
    "tags, " + ARROW_STREAM + ", zstd, .arrows.zstd-2-{zstd}",
    "tags, " + ARROW_FILE + ", zstd, .zstd-2-{zstd}",
    "tags, " + ARROW_STREAM + ", 'gzip, identity;q=0', .arrows.gzip-2-{jdk}",
    "tags-zstd, " + ARROW_STREAM + ", zstd, .arrows-none-2.zstd-2-{zstd}",
    "tags?columns=number, " + ARROW_STREAM + ", zstd, .arrows-columns-0-1.zstd-2-{zstd}",
    "tags, text/html, gzip, .html-7-{assets}.gzip-2-{jdk}",
    "tags, multipart/mixed, zstd, .arrows.mixed-1.zstd-2-{zstd}"
  })
  void keepsTheEntityTagsOfContentCodedRepresentations(
      String path, String accept, String coding, String variant) throws Exception {
    assertVariant(path, variant, "Accept", accept, "Accept-Encoding", coding);
  }
}
