package dev.quiver.web;

import io.swagger.v3.core.util.Yaml31;
import io.swagger.v3.oas.models.OpenAPI;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/// The description of the service in OpenAPI, as JSON and as a page to try it on.
///
/// It is written by hand, since handlers take whole requests, and a test holds it to them. Reading
/// it, and making what shows it, takes a good part of a start, and waits until somebody asks.
@Configuration(proxyBeanMethods = false)
class ApiConfiguration {

  private static final String PACKAGE = "org.springdoc.";

  @Bean
  @Lazy
  OpenAPI api() throws IOException {
    try (InputStream document = ApiConfiguration.class.getResourceAsStream("openapi.yaml")) {
      return Yaml31.mapper().readValue(Objects.requireNonNull(document), OpenAPI.class);
    }
  }

  @Bean
  static BeanFactoryPostProcessor pagesWhenAskedFor() {
    return beans -> {
      for (String name : beans.getBeanDefinitionNames()) {
        BeanDefinition definition = beans.getBeanDefinition(name);
        if (isOfPages(definition.getBeanClassName())
            || isOfPages(definition.getFactoryBeanName())) {
          definition.setLazyInit(true);
        }
      }
    };
  }

  private static boolean isOfPages(@Nullable String name) {
    return name != null && name.startsWith(PACKAGE);
  }
}
