package dev.quiver.server;

import dev.quiver.server.http.LogContext;
import dev.quiver.server.http.RequestId;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// Adds the dataset of a request to its log lines. A request that waited goes on with another
/// thread, which no valve has seen.
@Component
final class RequestLogContext implements HandlerInterceptor, WebMvcConfigurer {

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(this);
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (isDispatchedAgain(request)) {
      LogContext.begin(RequestId.of(request));
    }
    if (request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
        instanceof Map<?, ?> variables) {
      LogContext.describe((String) variables.get("dataset"));
    }
    return true;
  }

  @Override
  public void afterCompletion(
      HttpServletRequest request,
      HttpServletResponse response,
      Object handler,
      @Nullable Exception failure) {
    if (isDispatchedAgain(request)) {
      LogContext.end();
    }
  }

  private static boolean isDispatchedAgain(HttpServletRequest request) {
    return request.getDispatcherType() == DispatcherType.ASYNC;
  }
}
