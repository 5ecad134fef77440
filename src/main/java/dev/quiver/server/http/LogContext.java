package dev.quiver.server.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// The fields that the log lines of a thread have while it works for a request.
///
/// As an interceptor, it adds the dataset of the path, and begins again where a request that waited
/// goes on with another thread, which no valve has seen.
@Component
public final class LogContext implements HandlerInterceptor, WebMvcConfigurer {

  static final String REQUEST_ID = "requestId";
  static final String DATASET = "dataset";

  LogContext() {}

  public static void begin(String requestId) {
    MDC.put(REQUEST_ID, requestId);
  }

  public static void end() {
    MDC.remove(REQUEST_ID);
    MDC.remove(DATASET);
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(this);
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (isDispatchedAgain(request)) {
      begin(RequestId.of(request));
    }
    if (request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
            instanceof Map<?, ?> variables
        && variables.get("dataset") instanceof String dataset) {
      MDC.put(DATASET, dataset);
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
      end();
    }
  }

  private static boolean isDispatchedAgain(HttpServletRequest request) {
    return request.getDispatcherType() == DispatcherType.ASYNC;
  }
}
