package dev.quiver;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;

/// The service: `mvn spring-boot:run`, or `java -jar`.
@SpringBootApplication(exclude = ErrorMvcAutoConfiguration.class)
public class Quiver {

  /// What makes the service safe, also when a configuration file of one's own replaces
  /// `application.yml`.
  static final Map<String, Object> DEFAULTS =
      Map.ofEntries(
          Map.entry("server.address", "127.0.0.1"),
          Map.entry("server.shutdown", "graceful"),
          Map.entry("server.tomcat.max-connections", "2048"),
          Map.entry("server.tomcat.max-keep-alive-requests", "-1"),
          Map.entry("server.tomcat.max-swallow-size", "32MB"),
          Map.entry("logging.level.org.springframework.web.servlet.PageNotFound", "error"),
          Map.entry("logging.level.org.springframework.validation", "warn"),
          Map.entry("spring.servlet.multipart.enabled", "false"),
          Map.entry("spring.mvc.formcontent.filter.enabled", "false"),
          Map.entry("spring.web.resources.add-mappings", "false"),
          Map.entry("springdoc.api-docs.enabled", "true"),
          Map.entry("springdoc.api-docs.path", "/openapi"),
          Map.entry("springdoc.swagger-ui.enabled", "true"),
          Map.entry("springdoc.swagger-ui.path", "/api"),
          Map.entry("springdoc.paths-to-exclude", "/**"),
          Map.entry("management.endpoints.web.base-path", "/"),
          Map.entry("management.endpoints.web.discovery.enabled", "false"),
          Map.entry("management.endpoints.web.exposure.include", "health,prometheus"),
          Map.entry("management.endpoints.web.path-mapping.prometheus", "metrics"));

  static void main(String[] arguments) {
    application().run(arguments);
  }

  /// The service, not started yet.
  static SpringApplication application() {
    SpringApplication application = new SpringApplication(Quiver.class);
    application.setDefaultProperties(DEFAULTS);
    return application;
  }
}
