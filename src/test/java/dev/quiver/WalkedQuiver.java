package dev.quiver;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Bean;

/// The service made of [InstrumentedClasses]. For each request it prints the types of `server` and
/// `store` whose code ran on the request's thread, in the order of their first call.
public class WalkedQuiver {

  private static final List<String> OMITTED =
      List.of("server.config.", "store.blob.", "store.access.", "store.log.");

  private static final ThreadLocal<Set<String>> WALK = new ThreadLocal<>();

  static void main(String[] arguments) {
    SpringApplication application = Quiver.application();
    application.addPrimarySources(List.of(WalkedQuiver.class));
    WebServerApplicationContext context = (WebServerApplicationContext) application.run(arguments);
    System.out.println("port " + Objects.requireNonNull(context.getWebServer()).getPort());
  }

  /// Records the type of a method at its start.
  ///
  /// @param typeName the name of the top-level type, without `dev.quiver.`
  public static void entered(String typeName) {
    Set<String> walk = WALK.get();
    if (walk != null && isShown(typeName)) {
      walk.add(typeName);
    }
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> recorder() {
    return factory -> factory.addEngineValves(new Recorder());
  }

  private static final class Recorder extends ValveBase {

    Recorder() {
      super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
      Set<String> walk = new LinkedHashSet<>();
      WALK.set(walk);
      try {
        getNext().invoke(request, response);
      } finally {
        WALK.remove();
        System.out.println(
            walk.stream()
                .collect(
                    Collectors.joining(
                        " ",
                        "walk %s %d ".formatted(request.getMethod(), response.getStatus()),
                        "")));
      }
    }
  }

  private static boolean isShown(String typeName) {
    return (typeName.startsWith("server.") || typeName.startsWith("store."))
        && OMITTED.stream().noneMatch(typeName::startsWith);
  }
}
