package dev.quiver.server;

import dev.quiver.formats.Format;
import dev.quiver.server.resource.Paths;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.autoconfigure.WebMvcRegistrations;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/// Maps a handler of [Paths#IN_ANY_FORMAT] or [Paths#IN_STREAMED_FORMAT] to a path for each of
/// these formats, so that other suffixes are unknown.
@Component
final class FormatRoutes implements WebMvcRegistrations {

  @Override
  public RequestMappingHandlerMapping getRequestMappingHandlerMapping() {
    return new RequestMappingHandlerMapping() {
      @Override
      protected @Nullable RequestMappingInfo getMappingForMethod(Method method, Class<?> type) {
        RequestMappingInfo mapped = super.getMappingForMethod(method, type);
        return mapped == null
            ? null
            : mapped
                .mutate()
                .paths(
                    mapped.getPatternValues().stream()
                        .flatMap(FormatRoutes::paths)
                        .toArray(String[]::new))
                .options(getBuilderConfiguration())
                .build();
      }
    };
  }

  private static Stream<String> paths(String pattern) {
    if (pattern.endsWith(Paths.IN_ANY_FORMAT)) {
      return paths(pattern, Paths.IN_ANY_FORMAT, Format.SUFFIXED);
    }
    return pattern.endsWith(Paths.IN_STREAMED_FORMAT)
        ? paths(pattern, Paths.IN_STREAMED_FORMAT, Format.STREAMED)
        : Stream.of(pattern);
  }

  private static Stream<String> paths(String pattern, String variable, List<Format> formats) {
    String path = pattern.substring(0, pattern.length() - variable.length());
    return formats.stream().map(format -> path + format.suffix());
  }
}
