package dev.quiver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A client of server-sent events, which interprets a stream as the HTML standard §9.2.6 says.
public final class ServerSentEvents implements AutoCloseable {

  /// Only a failure takes this long.
  private static final int TIMEOUT_MILLIS = 60_000;

  private final HttpURLConnection connection;
  private final BufferedReader lines;
  private int comments;

  private ServerSentEvents(HttpURLConnection connection) throws IOException {
    this.connection = connection;
    InputStream body =
        connection.getResponseCode() < 400
            ? connection.getInputStream()
            : connection.getErrorStream();
    this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
  }

  /// Opens a stream, or finds an error.
  ///
  /// @param headers names and values
  public static ServerSentEvents open(String url, String... headers) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    for (int i = 0; i < headers.length; i += 2) {
      connection.setRequestProperty(headers[i], headers[i + 1]);
    }
    return new ServerSentEvents(connection);
  }

  /// @param id the last id of the stream so far
  public record Event(String type, @Nullable String id, JsonNode data) {

    @Override
    public String toString() {
      return type + " " + id + " " + data;
    }
  }

  public int status() throws IOException {
    return connection.getResponseCode();
  }

  /// Returns the value of a header, or null if absent.
  public @Nullable String header(String name) {
    return connection.getHeaderField(name);
  }

  /// Waits for the next event, and returns null at the end of the stream.
  public @Nullable Event next() throws IOException {
    String type = "message";
    String id = null;
    StringBuilder data = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      int colon = line.indexOf(':');
      String field = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + 1).replaceFirst("^ ", "");
      switch (field) {
        case "" -> {
          if (colon == 0) {
            comments++;
          } else if (!data.isEmpty()) {
            JsonNode json = JsonMapper.shared().readTree(data.toString());
            return new Event(type, id, json);
          }
        }
        case "event" -> type = value;
        case "id" -> id = value;
        case "data" -> data.append(value).append('\n');
        default -> {
          // Unknown fields are ignored.
        }
      }
    }
    return null;
  }

  /// Waits for a comment between events.
  public void awaitComment() throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(":")) {
        comments++;
        return;
      }
    }
    throw new AssertionError("Expected a comment but found the end of the stream");
  }

  /// Returns the number of comments so far.
  public int comments() {
    return comments;
  }

  /// Reads the rest of the body, for an error.
  public JsonNode problem() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      text.append(line);
    }
    return JsonMapper.shared().readTree(text.toString());
  }

  @Override
  public void close() {
    connection.disconnect();
  }
}
