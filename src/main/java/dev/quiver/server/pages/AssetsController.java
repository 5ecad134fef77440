package dev.quiver.server.pages;

import dev.quiver.server.http.Problem;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.transfer.Representation;
import dev.quiver.server.transfer.Responder;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The static files of the pages.
@RestController
final class AssetsController {

  private final Responder responder;

  AssetsController(Responder responder) {
    this.responder = responder;
  }

  @GetMapping(Paths.ASSETS + "/{hash}/{*name}")
  void asset(
      @PathVariable String hash,
      @PathVariable String name,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    Representation found = Assets.find(hash, name.substring(1));
    if (found == null) {
      throw Problem.notFound(request.getRequestURI())
          .withHint("Reload the page, which is of another release.")
          .asException();
    }
    responder.send(request, response, found);
  }
}
