package dev.quiver.web;

import io.swagger.v3.core.util.Yaml31;
import io.swagger.v3.oas.models.OpenAPI;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The description of the service in OpenAPI, as JSON and as a page to try it on.
///
/// It is written by hand, since handlers take whole requests, and a test holds it to them.
@Configuration(proxyBeanMethods = false)
class ApiConfiguration {

  @Bean
  OpenAPI api() throws IOException {
    try (InputStream document = ApiConfiguration.class.getResourceAsStream("openapi.yaml")) {
      return Yaml31.mapper().readValue(Objects.requireNonNull(document), OpenAPI.class);
    }
  }
}
