package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RunningService;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/// The beans of a started service: every component once, and nothing that no request needs.
class ComponentsTest extends RunningService {

  @Autowired private ApplicationContext context;

  @Test
  void createsEveryComponentOnce() {
    var components =
        new ClassPathScanningCandidateComponentProvider(true)
            .findCandidateComponents("dev.quiver").stream()
                .map(BeanDefinition::getBeanClassName)
                .map(Objects::requireNonNull)
                .filter(name -> !name.contains("$"))
                .toList();

    assertThat(components).hasSizeGreaterThan(30);
    assertThat(components)
        .allSatisfy(name ->
            assertThat(context.getBeanNamesForType(Class.forName(name))).as(name).hasSize(1));
  }

  @Test
  void createsOnlyTheMessageConvertersThatRequestsNeed() {
    assertThat(context.getBean(RequestMappingHandlerAdapter.class).getMessageConverters())
        .extracting(converter -> converter.getClass().getSimpleName())
        .containsExactlyInAnyOrder(
            "ByteArrayHttpMessageConverter",
            "StringHttpMessageConverter",
            "LineConverter",
            "AllEncompassingFormHttpMessageConverter");
  }
}
