package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.ServerSentEvents;
import dev.quiver.store.ReplicaProcess;
import dev.quiver.store.blob.S3ProxyServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Clients follow a dataset on two services that share a bucket: by `since` with `Prefer: wait`,
/// and by events. Each sees every row once, in order, whichever service writes, compacts, stops or
/// is killed.
@Tag("long")
class FollowersTest {

  private static final int APPENDS = 40;
  private static final Pattern KEY = Pattern.compile("<Key>([^<]+)</Key>");

  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<ReplicaProcess> replicas = new ArrayList<>();
  private String bucket = "";
  private int rows;

  @BeforeAll
  static void startTheStore() {
    S3ProxyServer.endpoint();
  }

  /// A client of one service, which tries again while that is away.
  private abstract class Follower implements AutoCloseable {

    final String origin;

    /// The rows since each time at which they were replaced.
    private final List<List<Integer>> seen = new ArrayList<>();

    private volatile boolean stopped;

    Follower(String origin) {
      this.origin = origin;
    }

    /// Follows until the dataset is deleted.
    ///
    /// @return the status or the event that told of the deletion
    String run() throws Exception {
      while (!stopped) {
        try {
          String end = follow();
          if (end != null) {
            return end;
          }
        } catch (IOException away) {
          TimeUnit.MILLISECONDS.sleep(100);
        }
      }
      return "stopped";
    }

    /// Follows for a while.
    abstract @Nullable String follow() throws IOException, InterruptedException;

    synchronized void replaced(List<Integer> all) {
      seen.add(new ArrayList<>(all));
    }

    synchronized void appended(List<Integer> further) {
      seen.getLast().addAll(further);
    }

    synchronized List<List<Integer>> seen() {
      return seen.stream().map(List::copyOf).toList();
    }

    @Override
    public void close() {
      stopped = true;
    }
  }

  private final class WaitingFollower extends Follower {

    private @Nullable String since;

    WaitingFollower(String origin) {
      super(origin);
    }

    @Override
    @Nullable String follow() throws IOException, InterruptedException {
      String query = since == null ? "" : "?since=" + since;
      HttpResponse<String> response =
          get(origin + "/datasets/followed.csv" + query, "Prefer", "wait=3");
      switch (response.statusCode()) {
        case 200 -> {
          List<Integer> rows = numbers(response.body());
          if (since == null) {
            replaced(rows);
          } else {
            appended(rows);
          }
          since = response.headers().firstValue("Quiver-Version").orElseThrow();
        }
        case 409 -> since = null;
        case 410 -> {
          return json(response).get("type").asString();
        }
        default -> throw new IOException("Away: " + response.statusCode());
      }
      return null;
    }
  }

  private final class ListeningFollower extends Follower {

    private final List<Long> told = new CopyOnWriteArrayList<>();
    private @Nullable String last;

    ListeningFollower(String origin) {
      super(origin);
    }

    @Override
    @Nullable String follow() throws IOException, InterruptedException {
      String url = origin + "/datasets/followed/events";
      try (ServerSentEvents events =
          last == null
              ? ServerSentEvents.open(url)
              : ServerSentEvents.open(url, "Last-Event-ID", last)) {
        if (events.status() != 200) {
          throw new IOException("Away: " + events.status());
        }
        for (ServerSentEvents.Event event = events.next(); event != null; event = events.next()) {
          JsonNode data = event.data();
          assertThat(event.id()).isEqualTo(data.get("version").asString());
          if (data.get("kind").asString().equals("delete")) {
            return "delete";
          }
          read(data);
          told.add(data.get("version").longValue());
          last = event.id();
        }
      }
      return null;
    }

    private void read(JsonNode data) throws IOException, InterruptedException {
      boolean isAppend = data.get("kind").asString().equals("append") && last != null;
      HttpResponse<String> response =
          get(
              origin
                  + "/datasets/followed@%d.csv%s"
                      .formatted(
                          data.get("version").longValue(), isAppend ? "?since=" + last : ""));
      if (response.statusCode() != 200) {
        throw new IOException("Away: " + response.statusCode());
      }
      List<Integer> rows = numbers(response.body());
      if (isAppend) {
        assertThat(rows).hasSize(data.get("rows").intValue());
        appended(rows);
      } else {
        replaced(rows);
      }
      assertThat(seen().getLast()).hasSize(data.get("totalRows").intValue());
    }
  }

  @Test
  void eachFollowerSeesEveryRowOnceInOrder() throws Exception {
    bucket = S3ProxyServer.newBucket();
    start(0, 0);
    start(1, 0);
    put(0);
    List<Follower> followers =
        List.of(
            new WaitingFollower(origin(0)),
            new WaitingFollower(origin(1)),
            new ListeningFollower(origin(0)),
            new ListeningFollower(origin(1)));
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<String>> ends =
          followers.stream().map(follower -> threads.submit(follower::run)).toList();
      try {
        appendThroughCompactionsAndRestarts();
        List<List<Integer>> expected = new ArrayList<>(List.of(from(0, rows)));
        assertSeen(followers, expected);
        assertReportsAnExpiredVersion();
        int first = put(1);
        append(0);
        append(1);
        expected.add(from(first, rows));
        assertSeen(followers, expected);
        assertReportedEachVersionOnce(followers);
        assertThat(status("DELETE", origin(1) + "/datasets/followed", new byte[0])).isEqualTo(204);
        assertThat(ends.get(0).get()).isEqualTo("urn:quiver:problem:gone");
        assertThat(ends.get(1).get()).isEqualTo("urn:quiver:problem:gone");
        assertThat(ends.get(2).get()).isEqualTo("delete");
        assertThat(ends.get(3).get()).isEqualTo("delete");
        assertSeen(followers, expected);
        for (ReplicaProcess replica : replicas) {
          HttpResponse<String> gone =
              get(replica.origin() + "/datasets/followed/events", "Last-Event-ID", "50");
          assertThat(gone.statusCode()).isEqualTo(410);
        }
      } finally {
        followers.forEach(Follower::close);
        for (ReplicaProcess replica : replicas) {
          replica.close();
        }
      }
    }
  }

  /// Replaces a service by another one on the same port.
  private void start(int index, int port) throws IOException {
    ReplicaProcess started = ReplicaProcess.start(port, bucket, folder.resolve("cache" + index));
    if (index < replicas.size()) {
      replicas.set(index, started);
    } else {
      replicas.add(started);
    }
  }

  private String origin(int index) {
    return replicas.get(index).origin();
  }

  private void appendThroughCompactionsAndRestarts() throws Exception {
    for (int i = 0; i < APPENDS; i++) {
      append(i % 2);
      if (i % 7 == 6) {
        String compact = origin(i % 2) + "/datasets/followed/compact";
        assertThat(status("POST", compact, new byte[0])).isEqualTo(200);
      }
      if (i == APPENDS / 4 || i == APPENDS / 2) {
        int index = i == APPENDS / 4 ? 0 : 1;
        ReplicaProcess away = replicas.get(index);
        if (index == 0) {
          away.stop();
        } else {
          away.kill();
        }
        append(1 - index);
        append(1 - index);
        start(index, away.port());
      }
    }
  }

  private void append(int index) throws Exception {
    byte[] stream = Streams.numbers(rows, 2);
    assertThat(status("POST", origin(index) + "/datasets/followed", stream)).isEqualTo(200);
    rows += 2;
  }

  /// Creates or replaces the dataset.
  ///
  /// @return its first row
  private int put(int index) throws Exception {
    int first = rows;
    byte[] stream = Streams.numbers(first, 3);
    assertThat(status("PUT", origin(index) + "/datasets/followed", stream)).isIn(200, 201);
    rows += 3;
    return first;
  }

  private static List<Integer> from(int first, int end) {
    return IntStream.range(first, end).boxed().toList();
  }

  private static void assertSeen(List<Follower> followers, List<List<Integer>> expected) {
    for (Follower follower : followers) {
      eventually(() -> assertThat(follower.seen()).isEqualTo(expected));
    }
  }

  /// The list of versions leaves compactions out, too.
  private void assertReportedEachVersionOnce(List<Follower> followers) throws Exception {
    List<Long> versions = new ArrayList<>();
    json(get(origin(0) + "/datasets/followed/versions?limit=1000"))
        .get("versions")
        .forEach(version -> versions.addFirst(version.get("version").longValue()));
    assertThat(versions).hasSizeGreaterThan(APPENDS);
    for (Follower follower : followers) {
      if (follower instanceof ListeningFollower listening) {
        long first = listening.told.getFirst();
        assertThat(listening.told.stream().skip(1))
            .containsExactlyElementsOf(
                versions.stream().filter(version -> version > first).toList());
      }
    }
  }

  /// The oldest version is deleted from the bucket, as garbage collection does a day later.
  private void assertReportsAnExpiredVersion() throws Exception {
    URI listing = S3ProxyServer.endpoint().resolve("/" + bucket + "?prefix=manifests/");
    String oldest =
        KEY.matcher(get(listing.toString()).body())
            .results()
            .map(match -> match.group(1))
            .sorted()
            .toList()
            .getLast();
    URI key = S3ProxyServer.endpoint().resolve("/" + bucket + "/" + oldest);
    assertThat(status("DELETE", key.toString(), new byte[0])).isEqualTo(204);
    for (ReplicaProcess replica : replicas) {
      HttpResponse<String> since = get(replica.origin() + "/datasets/followed.csv?since=1");
      assertThat(since.statusCode()).isEqualTo(410);
      assertThat(json(since).get("oldest").intValue()).isEqualTo(2);
      HttpResponse<String> resumed =
          get(replica.origin() + "/datasets/followed/events", "Last-Event-ID", "1");
      assertThat(resumed.statusCode()).isEqualTo(410);
    }
  }

  private HttpResponse<String> get(String url, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private int status(String method, String url, byte[] body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .method(method, BodyPublishers.ofByteArray(body))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  private static List<Integer> numbers(String csv) {
    return csv.lines().skip(1).map(Integer::valueOf).toList();
  }

  private static JsonNode json(HttpResponse<String> response) {
    return JsonMapper.shared().readTree(response.body());
  }
}
