package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Problems are pages for browsers, and documents for all others.
class ProblemPageTest extends RunningService {

  /// The headers of Chromium and of Firefox.
  private static final String CHROMIUM =
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8";

  private static final String FIREFOX =
      "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

  @ParameterizedTest
  @ValueSource(strings = {CHROMIUM, FIREFOX, "text/html", "text/html, application/json;q=0.5"})
  void browsersGetPages(String accept) throws Exception {
    HttpResponse<byte[]> response =
        get("/datasets/smaple.csv", "Accept", accept, "Sec-Fetch-Mode", "navigate");
    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(header(response, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
    assertThat(header(response, "Vary")).isEqualTo("Accept");
    assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
    assertThat(header(response, "Content-Security-Policy")).contains("default-src 'none'");
    assertThat(text(response))
        .contains(
            "<title>404 Not found · Quiver</title>",
            "<h1>Not found</h1>",
            "<p>Expected a dataset but found none at smaple.</p>",
            "<p>Use <a href=\"/datasets/sample.csv\">/datasets/sample.csv</a>.</p>",
            "<a href=\"/\">",
            "<code>" + header(response, "X-Request-Id") + "</code>");
    HttpResponse<byte[]> head =
        head("/datasets/smaple.csv", "Accept", accept, "Sec-Fetch-Mode", "navigate");
    assertThat(head.statusCode()).isEqualTo(404);
    assertThat(header(head, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
    assertThat(head.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/*",
        "application/json",
        "application/json, text/html",
        "application/problem+json, text/html",
        "application/json, text/plain, */*",
        "text/html;q=0.5, application/json",
        // Of HttpURLConnection, and of a program that names HTML alone.
        "text/html, image/gif, image/jpeg, */*; q=0.2",
        "text/html",
      })
  void othersGetDocuments(String accept) throws Exception {
    HttpResponse<byte[]> response = get("/datasets/smaple.csv", "Accept", accept);
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(header(response, "Vary")).isEqualTo("Accept");
    assertThat(json(response).get("status").asInt()).isEqualTo(404);
  }

  @Test
  void scriptsOfPagesGetDocuments() throws Exception {
    for (String mode : List.of("cors", "same-origin", "no-cors")) {
      HttpResponse<byte[]> response =
          get(
              "/nowhere",
              "Accept",
              CHROMIUM,
              "Sec-Fetch-Mode",
              mode,
              "Sec-Fetch-Site",
              "same-origin");
      assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    }
  }

  /// Whichever layer finds the failure: a controller, a filter or Tomcat.
  @Test
  void problemsOfEachLayerArePages() throws Exception {
    String accept = "\nAccept: " + CHROMIUM + "\nConnection: close\n\n";
    for (String request :
        List.of(
            "GET /datasets/sample.csv?limit=ten HTTP/1.1\nHost: localhost",
            "GET / HTTP/1.1\nHost: rebound.example",
            "TRACE / HTTP/1.1\nHost: localhost",
            "DELETE / HTTP/1.1\nHost: localhost",
            "GET /datasets?a=%zz HTTP/1.1\nHost: localhost",
            "GET /a%2Fb HTTP/1.1\nHost: localhost")) {
      assertThat(RawHttp.exchange(port, request + accept))
          .as(request)
          .startsWith("HTTP/1.1 4")
          .contains(
              "\r\nContent-Type: text/html;charset=UTF-8\r\n", "\r\nVary: Accept\r\n", "<h1>");
    }
  }

  private String hint(String path) throws Exception {
    HttpResponse<byte[]> response = get(path, "Accept", CHROMIUM);
    assertThat(response.statusCode()).as(text(response)).isGreaterThanOrEqualTo(400);
    return text(response).split("<p>")[2].split("</p>")[0];
  }

  /// Each link is followed.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/datasets/zyxwvu | ~/datasets~ lists the datasets.",
        "/datasets/sample@999999 | ask for ~/datasets/sample@",
        "/datasets/sample/batches/99 | /batches~ lists the batches.",
        "/zyxwvu/at/all | ~/openapi~ has all paths.",
        "/jbos | Use ~/jobs~.",
        "/query | Send the statement to ~/sql~, as the body or as q=.",
      })
  void pathsInHintsAreLinks(String path, String expected) throws Exception {
    String hint = hint(path);
    Matcher link = Pattern.compile("<a href=\"([^\"]*)\">([^<]*)</a>").matcher(hint);
    assertThat(link.find()).as(hint).isTrue();
    assertThat(link.group(1)).isEqualTo(link.group(2));
    assertThat(get(link.group(1), "Accept", CHROMIUM).statusCode()).as(hint).isEqualTo(200);
    assertThat(link.replaceAll("~$2~")).contains(expected);
  }

  @Test
  void documentsInHintsAreLinks() throws Exception {
    assertThat(hint("/help")).isEqualTo("<a href=\"/docs\">/docs</a> has the documents.");
  }

  /// Another method is needed, or the path stands for others, or is not of this service.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/upload",
        "/sql.csv?q=DELETE+FROM+sample",
        "/datasets/sample.csv?where=SELECT+1+FROM+%2Fetc%2Fpasswd",
        "/datasets/sample.csv?where=",
      })
  void otherTextInHintsIsNotALink(String path) throws Exception {
    assertThat(hint(path).replace("<a href=\"/sql\">/sql</a>", "/sql")).doesNotContain("<a");
  }

  @Test
  void textOfTheRequestIsNoMarkup() throws Exception {
    HttpResponse<byte[]> response =
        get("/datasets/sample.csv?limit=%3Cscript%3E%E2%80%AE", "Accept", CHROMIUM);
    assertThat(text(response)).contains("&lt;script&gt;\uFFFD").doesNotContain("<script>");
  }
}
