package dev.quiver.server.pages;

import dev.quiver.formats.Format;
import dev.quiver.server.http.Json;
import dev.quiver.server.transfer.Responder;
import dev.quiver.sql.query.Queries;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// The OpenAPI document as YAML and JSON, and Swagger UI as a page to try the service.
///
/// The document is written by hand: handlers read the request themselves, so their signatures do
/// not describe it. A test compares the document with them. The page has the frame of all pages,
/// and in it Swagger UI as its webjar has it, which a script of ours starts with the document.
@RestController
final class ApiController implements WebMvcConfigurer {

  private static final String DOCUMENT = "openapi.yaml";
  private static final String PAGE = "/swagger-ui/";
  private static final String BODY =
      """
      <link rel="stylesheet" href="/swagger-ui/swagger-ui.css">
      %s
      <header><h1>Quiver API</h1>
      <p>Try each request here. <a href="/docs/http-api">The documentation</a> says more, and\
       <a href="/openapi">OpenAPI</a> tells programs.</p>
      <h2 class="unseen">Requests</h2></header>
      <div id="swagger-ui"></div>
      <script src="/swagger-ui/swagger-ui-bundle.js"></script>
      <script src="/swagger-ui/swagger-initializer.js"></script>\
      """;
  private static final String YAML_MEDIA_TYPE = "application/vnd.oai.openapi";

  private final Responder responder;
  private final Queries queries;

  /// The document as JSON, or null before its first request, so that a start need not parse it.
  private volatile byte @Nullable [] json;

  ApiController(Responder responder, Queries queries) {
    this.responder = responder;
    this.queries = queries;
  }

  @GetMapping("/api")
  void entry(HttpServletResponse response) {
    response.setStatus(HttpServletResponse.SC_FOUND);
    response.setHeader("Location", PAGE + "index.html");
  }

  /// The page, whose headers are those of every file beside it.
  @GetMapping(PAGE + "index.html")
  void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
    responder.sendText(request, response, Format.HTML.mediaType(), this::rendered);
  }

  private byte[] rendered() {
    return PageTemplate.render(
        PageTemplate.Section.API,
        "Quiver API",
        BODY.formatted(PageTemplate.stylesheet("lib/api.css")),
        "lib/api-page.js",
        queries.isAvailable());
  }

  @GetMapping("/openapi")
  void json(HttpServletRequest request, HttpServletResponse response) throws IOException {
    responder.sendText(request, response, Json.MEDIA_TYPE, this::jsonDocument);
  }

  @GetMapping("/openapi.yaml")
  void yaml(HttpServletRequest request, HttpServletResponse response) throws IOException {
    responder.sendText(request, response, YAML_MEDIA_TYPE, ApiController::document);
  }

  private byte[] jsonDocument() throws IOException {
    byte[] document = json;
    if (document == null) {
      try (InputStream input = open(DOCUMENT)) {
        document = Json.render(new Yaml(new SafeConstructor(new LoaderOptions())).load(input));
      }
      json = document;
    }
    return document;
  }

  private static byte[] document() throws IOException {
    try (InputStream input = open(DOCUMENT)) {
      return input.readAllBytes();
    }
  }

  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    registry
        .addResourceHandler(PAGE + "**")
        .addResourceLocations(
            "classpath:/dev/quiver/server/pages/swagger-ui/",
            "classpath:/META-INF/resources/webjars/swagger-ui/" + version() + "/")
        .setCacheControl(CacheControl.noCache());
  }

  /// Returns the version of Swagger UI, which is part of the paths in its webjar.
  private static String version() {
    Properties properties = new Properties();
    try (InputStream input = open("/META-INF/maven/org.webjars/swagger-ui/pom.properties")) {
      properties.load(input);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  private static InputStream open(String name) {
    return Objects.requireNonNull(ApiController.class.getResourceAsStream(name), name);
  }
}
