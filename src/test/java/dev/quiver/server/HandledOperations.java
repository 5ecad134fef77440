package dev.quiver.server;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.context.ApplicationContext;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/// The operations of the handlers of the service.
record HandledOperations(ApplicationContext context) {

  /// Returns the method and a path of each handler, such as `DELETE /datasets/x`.
  Set<String> all() {
    Set<String> all = new TreeSet<>();
    for (RequestMappingInfoHandlerMapping mapping :
        context.getBeansOfType(RequestMappingInfoHandlerMapping.class).values()) {
      for (RequestMappingInfo info : mapping.getHandlerMethods().keySet()) {
        for (String pattern : info.getPatternValues()) {
          for (RequestMethod method : info.getMethodsCondition().getMethods()) {
            all.add(method + " " + path(pattern));
            if (method == RequestMethod.GET) {
              all.add("HEAD " + path(pattern));
            }
          }
        }
      }
    }
    for (SimpleUrlHandlerMapping mapping :
        context.getBeansOfType(SimpleUrlHandlerMapping.class).values()) {
      mapping.getUrlMap().keySet().forEach(pattern -> all.add("GET " + path(pattern)));
    }
    // The path of a group of the health, whose handler in Spring is for any group.
    all.remove("GET /health/x");
    all.remove("HEAD /health/x");
    all.addAll(List.of("GET /health/liveness", "GET /health/readiness"));
    return all;
  }

  private static String path(String pattern) {
    return pattern.replace("/**", "/x").replaceAll("\\{[^}]*}", "x");
  }
}
