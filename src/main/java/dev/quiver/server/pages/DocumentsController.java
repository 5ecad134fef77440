package dev.quiver.server.pages;

import dev.quiver.server.http.Problem;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.transfer.Representation;
import dev.quiver.server.transfer.Responder;
import dev.quiver.sql.query.Queries;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The documents of the project, as pages and as Markdown.
@RestController
final class DocumentsController {

  private final Responder responder;
  private final Queries queries;

  DocumentsController(Responder responder, Queries queries) {
    this.responder = responder;
    this.queries = queries;
  }

  @GetMapping(Paths.DOCUMENTS)
  void index(HttpServletRequest request, HttpServletResponse response) throws IOException {
    page(DocumentPages.INDEX, request, response);
  }

  @GetMapping(Paths.DOCUMENTS + "/{page}")
  void page(@PathVariable String page, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Representation found = DocumentPages.find(page, queries.isAvailable());
    if (found == null) {
      throw Problem.notFound(request.getRequestURI())
          .withHint("%s%s lists the documents.".formatted(PublicPath.prefix(), Paths.DOCUMENTS))
          .asException();
    }
    responder.send(request, response, found);
  }
}
