package dev.quiver.server.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.test.context.TestPropertySource;

/// Files as R writes them, appended to datasets that other tools began. Each has the same rows.
@TestPropertySource(
    properties = {"quiver.storage.path=${test.folder}/files-of-r", "quiver.sample=false"})
class FilesOfRTest extends RunningService {

  /// Of R 4.2, `write.csv(frame, row.names = FALSE)`.
  private static final String BASE =
      """
      "name","count","ratio","flag","day","at"
      "Ada",1e+05,0.5,TRUE,2024-01-31,2024-01-31 10:00:00
      "O""Hara, Bob",2,NaN,NA,NA,NA
      NA,NA,NA,FALSE,1999-12-31,1999-12-31 23:59:59
      """;

  /// Of data.table's `fwrite(frame)`.
  private static final String DATA_TABLE =
      """
      name,count,ratio,flag,day,at
      Ada,1e+05,0.5,TRUE,2024-01-31,2024-01-31T10:00:00Z
      "O""Hara, Bob",2,NaN,,,
      ,,,FALSE,1999-12-31,1999-12-31T23:59:59Z
      """;

  /// Of readr's `write_csv(frame)`.
  private static final String READR =
      """
      name,count,ratio,flag,day,at
      Ada,1e5,0.5,TRUE,2024-01-31,2024-01-31T10:00:00Z
      "O""Hara, Bob",2,NaN,NA,NA,NA
      NA,NA,NA,FALSE,1999-12-31,1999-12-31T23:59:59Z
      """;

  private static final String ROWS =
      """
      Ada,100000,0.5,true,2024-01-31,2024-01-31T10:00:00
      "O""Hara, Bob",2,NaN,,,
      ,,,false,1999-12-31,1999-12-31T23:59:59
      """;

  /// Returns a frame of pandas without rows.
  ///
  /// @param zone of its timestamps, or null
  private static byte[] pandas(@Nullable String zone) throws IOException {
    return Streams.empty(
        Field.of("name", true, new ArrowType.LargeUtf8()),
        Field.of("count", true, new ArrowType.Int(64, true)),
        Field.of("ratio", true, new ArrowType.FloatingPoint(Precision.DOUBLE)),
        Field.of("flag", true, new ArrowType.Bool()),
        Field.of("day", true, new ArrowType.Date(DateUnit.DAY)),
        Field.of("at", true, new ArrowType.Timestamp(TimeUnit.NANOSECOND, zone)));
  }

  private HttpResponse<byte[]> send(String method, String path, String csv) throws Exception {
    byte[] body = csv.getBytes(UTF_8);
    return method.equals("PUT")
        ? put(path, body, "Content-Type", "text/csv")
        : post(path, body, "Content-Type", "text/csv");
  }

  private static String file(String writer) {
    return switch (writer) {
      case "base" -> BASE;
      case "data.table" -> DATA_TABLE;
      default -> READR;
    };
  }

  @ParameterizedTest
  @CsvSource({
    "base, csv, false, csv.null=NA",
    "base, pandas, false, csv.null=NA",
    "data.table, csv, true, ''",
    "data.table, pandas, true, ''",
    "readr, csv, true, csv.null=NA",
    "readr, pandas, true, csv.null=NA"
  })
  void rowsAreAppendedWithoutLoss(String writer, String begun, boolean zoned, String options)
      throws Exception {
    String path = "/datasets/r-%s-%s".formatted(writer, begun);
    HttpResponse<byte[]> created =
        begun.equals("csv")
            ? send(
                "PUT",
                path,
                "name,count,ratio,flag,day,at\nEve,7,0.25,True,2024-03-01,2024-03-01 08:00:00%s\n"
                    .formatted(zoned ? "Z" : ""))
            : put(path, pandas(zoned ? "UTC" : null));
    assertThat(created.statusCode()).as(text(created)).isEqualTo(201);
    HttpResponse<byte[]> appended = send("POST", path + "?" + options, file(writer));
    assertThat(appended.statusCode()).as(text(appended)).isEqualTo(200);
    String rows = text(get(path + ".csv?offset=-3")).replaceFirst(".*\\R", "");
    String times = rows.replaceAll("(:[0-9]{2})\\.0+", "$1").replaceAll("([0-9])Z", "$1");
    assertThat(times).isEqualToNormalizingNewlines(ROWS);
  }

  /// Text may be `NA`, so that it is null only where that is stated.
  @Test
  void missingValueOfRHasAHint() throws Exception {
    put("/datasets/r-hint", pandas(null));
    HttpResponse<byte[]> rejected = send("POST", "/datasets/r-hint", BASE);
    assertThat(rejected.statusCode()).isEqualTo(422);
    assertThat(json(rejected).get("hint").asString()).contains("csv.null=NA");
  }

  /// By default, `write.csv` writes the names of rows as a column without a name.
  @Test
  void namesOfRowsAreAColumn() throws Exception {
    String named = "\"\",\"n\"\n\"1\",1\n\"2\",1e+05\n";
    assertThat(send("PUT", "/datasets/r-rows", "\"\",\"n\"\n\"1\",5\n").statusCode())
        .isEqualTo(201);
    HttpResponse<byte[]> appended = send("POST", "/datasets/r-rows", named);
    assertThat(appended.statusCode()).as(text(appended)).isEqualTo(200);
    assertThat(text(get("/datasets/r-rows.csv")))
        .isEqualToNormalizingNewlines("\"\",n\n1,5\n1,1\n2,100000\n");
    send("PUT", "/datasets/r-other", "n\n5\n");
    HttpResponse<byte[]> rejected = send("POST", "/datasets/r-other", named);
    assertThat(rejected.statusCode()).isEqualTo(409);
    assertThat(json(rejected).get("hint").asString()).contains("columns=extend");
    assertThat(send("POST", "/datasets/r-other?columns=extend", named).statusCode()).isEqualTo(200);
  }
}
