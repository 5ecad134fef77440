package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.sql.query.ParquetFiles;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/// Datasets as Parquet files over HTTP. `test_parquet.py` covers types and other programs, and
/// `store.blob.KeptFilesTest` how long the files are kept.
class ParquetTest extends RunningService {

  private static final String TYPE = "application/vnd.apache.parquet";

  @Autowired private ParquetFiles parquetFiles;

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/parquet").statusCode() == 404) {
      put("/datasets/parquet?batches=keep", Streams.table(Codec.ZSTD, 30, 0, 50, 20));
    }
  }

  @Test
  void fileHasALengthRangesAndAnEntityTag() throws Exception {
    HttpResponse<byte[]> head = head("/datasets/parquet.parquet");
    HttpResponse<byte[]> whole = get("/datasets/parquet.parquet");
    assertThat(whole.statusCode()).as(text(whole)).isEqualTo(200);
    assertThat(header(whole, "Content-Type")).isEqualTo(TYPE);
    assertThat(header(whole, "Accept-Ranges")).isEqualTo("bytes");
    assertThat(header(whole, "Arrow-Row-Count")).isEqualTo("100");
    assertThat(header(whole, "Content-Disposition")).contains("\"parquet.parquet\"");
    assertThat(header(whole, "Cache-Control")).isEqualTo("no-cache");
    byte[] body = whole.body();
    assertThat(new String(body, 0, 4, StandardCharsets.US_ASCII)).isEqualTo("PAR1");
    assertThat(header(head, "Content-Length")).isEqualTo("" + body.length);
    String tag = header(whole, "ETag");
    assertThat(tag).startsWith("\"").isEqualTo(header(head, "ETag"));
    HttpResponse<byte[]> range = get("/datasets/parquet.parquet", "Range", "bytes=-8");
    assertThat(range.statusCode()).isEqualTo(206);
    assertThat(range.body())
        .isEqualTo(Arrays.copyOfRange(body, body.length - 8, body.length))
        .endsWith("PAR1".getBytes(StandardCharsets.US_ASCII));
    assertThat(
            get("/datasets/parquet.parquet", "Range", "bytes=5-20", "If-Range", tag).statusCode())
        .isEqualTo(206);
    HttpResponse<byte[]> changed =
        get("/datasets/parquet.parquet", "Range", "bytes=5-20", "If-Range", "\"other\"");
    assertThat(changed.statusCode()).isEqualTo(200);
    assertThat(changed.body()).isEqualTo(body);
    assertThat(get("/datasets/parquet.parquet", "Range", "bytes=" + body.length + "-").statusCode())
        .isEqualTo(416);
    HttpResponse<byte[]> version = get("/datasets/parquet@1.parquet");
    assertThat(version.body()).isEqualTo(body);
    assertThat(header(version, "Cache-Control")).contains("immutable");
  }

  @Test
  void fileIsWrittenOnceAndNotForAClientThatHasIt() throws Exception {
    put("/datasets/parquet-once", Streams.table(Codec.NONE, 30));
    long before = parquetFiles.writtenCount();
    String tag = "\"none\"";
    for (int i = 0; i < 3; i++) {
      HttpResponse<byte[]> response =
          get("/datasets/parquet-once.parquet", "Range", "bytes=" + i + "-10");
      assertThat(response.statusCode()).isEqualTo(206);
      tag = header(response, "ETag");
    }
    assertThat(parquetFiles.writtenCount()).isEqualTo(before + 1);
    put("/datasets/parquet-known", Streams.table(Codec.NONE, 30));
    String known = header(head("/datasets/parquet-known.arrow"), "ETag").replace("\"", "");
    String suffix = tag.substring(tag.indexOf(".parquet"));
    HttpResponse<byte[]> unchanged =
        get("/datasets/parquet-known.parquet", "If-None-Match", "\"" + known + suffix);
    assertThat(unchanged.statusCode()).isEqualTo(304);
    assertThat(parquetFiles.writtenCount()).isEqualTo(before + 1);
  }

  @Test
  void mediaTypeSelectsTheFile() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/parquet", "Accept", TYPE);
    assertThat(response.body()).isEqualTo(get("/datasets/parquet.parquet").body());
    assertThat(header(response, "Vary")).contains("Accept");
    assertThat(header(get("/datasets/parquet.arrow"), "Link"))
        .contains("</datasets/parquet@1.parquet>; rel=\"alternate\"; type=\"" + TYPE + "\"");
    assertThat(header(get("/datasets/parquet.parquet"), "Link"))
        .contains("</datasets/parquet@1.parquet>; rel=\"latest-version\"");
    assertThat(json("/datasets/parquet/versions").at("/versions/0/links/parquet").asString())
        .isEqualTo("/datasets/parquet@1.parquet");
  }

  @Test
  void convertedBodyIsAFileOfTheSameBytes() throws Exception {
    byte[] body = Streams.table(Codec.ZSTD, 30, 0, 50, 20);
    for (String query : new String[] {"", "?columns=color&offset=5"}) {
      HttpResponse<byte[]> converted = post("/convert" + query, body, "Accept", TYPE);
      assertThat(converted.statusCode()).as(text(converted)).isEqualTo(200);
      assertThat(converted.body()).isEqualTo(get("/datasets/parquet.parquet" + query).body());
      assertThat(header(converted, "Content-Type")).isEqualTo(TYPE);
      assertThat(header(converted, "Content-Length")).isEqualTo("" + converted.body().length);
      assertThat(header(converted, "Content-Disposition")).contains("\"converted.parquet\"");
    }
    assertThat(post("/convert?codec=zstd", body, "Accept", TYPE).statusCode()).isEqualTo(400);
    HttpResponse<byte[]> csv =
        post(
            "/convert",
            "a,b\n1,x\n".getBytes(StandardCharsets.UTF_8),
            "Accept",
            TYPE,
            "Content-Type",
            "text/csv");
    assertThat(csv.statusCode()).as(text(csv)).isEqualTo(200);
    put("/datasets/parquet-of-csv.parquet", csv.body());
    assertThat(text(get("/datasets/parquet-of-csv.csv"))).isEqualTo("a,b\r\n1,x\r\n");
  }

  /// The rows come back as another dataset, whose text is compared.
  @Test
  void resultOfAStatementIsAFile() throws Exception {
    String sql = "select * exclude (point) from parquet order by number desc";
    HttpResponse<byte[]> file = post("/sql.parquet", sql.getBytes(StandardCharsets.UTF_8));
    assertThat(file.statusCode()).as(text(file)).isEqualTo(200);
    assertThat(header(file, "Content-Type")).isEqualTo(TYPE);
    assertThat(header(file, "Content-Length")).isEqualTo("" + file.body().length);
    assertThat(header(file, "Content-Disposition"))
        .isEqualTo("attachment; filename=\"result.parquet\"");
    put("/datasets/parquet-result.parquet", file.body());
    assertThat(text(get("/datasets/parquet-result.jsonl")))
        .isEqualTo(text(post("/sql.jsonl", sql.getBytes(StandardCharsets.UTF_8))));
    String path = "/sql?q=" + URLEncoder.encode(sql, StandardCharsets.UTF_8);
    HttpResponse<byte[]> accepted = get(path, "Accept", TYPE);
    assertThat(accepted.body()).isEqualTo(file.body());
    assertThat(header(accepted, "Accept-Ranges")).isEqualTo("none");
    String tag = header(accepted, "ETag");
    long before = parquetFiles.writtenCount();
    assertThat(get(path, "Accept", TYPE, "If-None-Match", tag).statusCode()).isEqualTo(304);
    HttpResponse<byte[]> head = head("/sql.parquet" + path.substring(4));
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(header(head, "Content-Length")).isEmpty();
    assertThat(parquetFiles.writtenCount()).isEqualTo(before);
  }

  @Test
  void reportsAResultThatNoFileHolds() throws Exception {
    for (String query : new String[] {"codec=zstd", "max-value-bytes=9"}) {
      assertThat(get("/sql.parquet?q=select+1&" + query).statusCode()).as(query).isEqualTo(400);
    }
    HttpResponse<byte[]> empty = get("/sql.parquet?q=select+1+a+where+false");
    put("/datasets/parquet-nothing.parquet", empty.body());
    assertThat(text(get("/datasets/parquet-nothing.csv"))).isEqualTo("a\r\n");
    HttpResponse<byte[]> span = get("/sql.parquet?q=select+interval+1+month+as+s");
    assertThat(span.statusCode()).isEqualTo(422);
    assertThat(JSON.readTree(span.body()).get("column").asString()).isEqualTo("s");
    String late =
        "/sql.parquet?q=select+(case+when+i=3000000+then+'x'+else+'1'+end)::int+from+range(4000000)+t(i)";
    HttpResponse<byte[]> failed = get(late);
    assertThat(failed.statusCode()).as(text(failed)).isEqualTo(422);
  }

  /// The rows come back as another dataset, whose text is compared.
  @Test
  void columnsAndRowsAreSelected() throws Exception {
    post("/datasets/parquet-grown", Streams.table(Codec.ZSTD, 10));
    post("/datasets/parquet-grown", Streams.table(Codec.ZSTD, 20));
    Set<String> tags = new HashSet<>();
    for (String path :
        new String[] {
          "parquet@1.parquet",
          "parquet@1.parquet?columns=color,number",
          "parquet@1.parquet?columns=point.y&offset=3&limit=40",
          "parquet@1.parquet?offset=-5",
          "parquet@1.parquet?limit=0",
          "parquet@1.parquet?sample=7",
          "parquet@1.parquet?where=number%20%25%207%20%3D%203&columns=point",
          "parquet-grown.parquet?since=1&where=color%20%3D%20%27red%27",
        }) {
      HttpResponse<byte[]> file = get("/datasets/" + path);
      assertThat(file.statusCode()).as(text(file)).isEqualTo(200);
      tags.add(header(file, "ETag"));
      HttpResponse<byte[]> stored = put("/datasets/parquet-back.parquet", file.body());
      assertThat(stored.statusCode()).as(text(stored)).isLessThan(300);
      assertThat(text(get("/datasets/parquet-back.jsonl")))
          .isEqualTo(text(get("/datasets/" + path.replace(".parquet", ".jsonl"))));
    }
    assertThat(tags).hasSize(8);
  }

  @Test
  void parametersOfOtherFormatsAreRejected() throws Exception {
    for (String query : new String[] {"codec=zstd", "dictionaries=used", "max-value-bytes=9"}) {
      HttpResponse<byte[]> response = get("/datasets/parquet.parquet?" + query);
      assertThat(response.statusCode()).as(query).isEqualTo(400);
    }
    assertThat(get("/datasets/parquet.parquet?columns=absent").statusCode()).isEqualTo(400);
    assertThat(get("/datasets/absent.parquet").statusCode()).isEqualTo(404);
    assertThat(get("/datasets.parquet").statusCode()).isEqualTo(404);
  }

  @Test
  void typeThatParquetLacksIsNamed() throws Exception {
    Field span = Field.of("span", true, new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO));
    put(
        "/datasets/parquet-interval",
        Streams.empty(
            Field.of("a", true, new ArrowType.Utf8()),
            Field.of("s", true, new ArrowType.Struct(), span)));
    for (String method : new String[] {"GET", "HEAD"}) {
      String path = "/datasets/parquet-interval.parquet";
      HttpResponse<byte[]> response = method.equals("GET") ? get(path) : head(path);
      assertThat(response.statusCode()).isEqualTo(422);
    }
    JsonNode problem = JSON.readTree(get("/datasets/parquet-interval.parquet").body());
    assertThat(problem.get("column").asString()).isEqualTo("s.span");
    assertThat(problem.get("arrowType").asString()).isEqualTo("interval[month_day_nano]");
    assertThat(get("/datasets/parquet-interval.parquet?columns=a").statusCode()).isEqualTo(200);
  }
}
