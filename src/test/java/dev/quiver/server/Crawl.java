package dev.quiver.server;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A reader that follows every link which it finds in pages, documents, headers, scripts and style
/// sheets, as a client of a proxy would.
final class Crawl {

  /// Sends a GET.
  @FunctionalInterface
  interface Client {
    HttpResponse<byte[]> get(String path, String accept) throws Exception;
  }

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final Pattern IN_PAGE = Pattern.compile("\\b(?:href|src|action)=\"([^\"]*)\"");
  private static final Pattern IN_LINK = Pattern.compile("<([^>]*)>");
  private static final Pattern IN_SCRIPT =
      Pattern.compile("^(?:import|export) (?:[^']* from )?'([^']+)'", Pattern.MULTILINE);

  /// A path below the folder of all modules, which is the parent of the folder of each.
  private static final Pattern LOADED = Pattern.compile("\\bload\\('([^']+)'\\)");

  private static final Pattern IN_STYLE = Pattern.compile("url\\(\"?([^)\"]+)\"?\\)");

  private static final List<String> ACCEPTED =
      List.of("text/html, */*;q=0.8", "application/json, */*;q=0.8");

  private final Client client;
  private final Deque<URI> waiting = new ArrayDeque<>();
  private final Set<URI> seen = new LinkedHashSet<>();
  private final TreeMap<String, Integer> statuses = new TreeMap<>();

  Crawl(Client client) {
    this.client = client;
  }

  /// Follows all links from a URL on, and returns the status of each path with its query, the
  /// higher one of a browser and of a program.
  TreeMap<String, Integer> from(String start) throws Exception {
    add(URI.create(start), "");
    while (!waiting.isEmpty()) {
      URI url = waiting.remove();
      for (String accept : ACCEPTED) {
        HttpResponse<byte[]> response = client.get(path(url), accept);
        statuses.merge(path(url), response.statusCode(), Math::max);
        read(url, response);
      }
    }
    return statuses;
  }

  private void read(URI url, HttpResponse<byte[]> response) throws Exception {
    for (String name : List.of("Location", "Content-Location")) {
      response.headers().allValues(name).forEach(link -> add(url, link));
    }
    response.headers().allValues("Link").forEach(value -> addAll(url, IN_LINK, value));
    String type = response.headers().firstValue("Content-Type").orElse("");
    String text = new String(response.body(), StandardCharsets.UTF_8);
    if (type.startsWith("text/html")) {
      addAll(url, IN_PAGE, text);
    } else if (type.startsWith("text/javascript")) {
      addAll(url, IN_SCRIPT, text);
      LOADED.matcher(text).results().forEach(found -> add(url, "../" + found.group(1)));
    } else if (type.startsWith("text/css")) {
      addAll(url, IN_STYLE, text);
    } else if (type.startsWith("application/json") && !url.getPath().endsWith("openapi")) {
      addAll(url, JSON.readTree(response.body()));
    }
  }

  private void addAll(URI url, Pattern pattern, String text) {
    pattern.matcher(text).results().map(Crawl::link).forEach(link -> add(url, link));
  }

  private static String link(MatchResult found) {
    return found.group(1).replace("&amp;", "&").replace("&quot;", "\"").replace("&#39;", "'");
  }

  /// Adds the texts of a document that look like a path.
  private void addAll(URI url, JsonNode node) {
    if (node.isString()) {
      String text = node.asString();
      if (text.matches("/[a-z][^ ]*")) {
        add(url, text);
      }
    }
    List<JsonNode> children = new ArrayList<>();
    node.forEach(children::add);
    children.forEach(child -> addAll(url, child));
  }

  private void add(URI from, String link) {
    // Events have no end, and a fragment alone is of the same page.
    if (link.matches("(?s)#.*|(data|mailto|https?):.*|.*/events")) {
      return;
    }
    URI target = from.resolve(link.replaceFirst("#.*", "").replace("\"", "%22"));
    if (target.getRawPath() != null && seen.add(target)) {
      waiting.add(target);
    }
  }

  private static String path(URI url) {
    return url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery());
  }
}
