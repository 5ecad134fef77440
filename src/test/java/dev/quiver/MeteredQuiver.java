package dev.quiver;

import com.sun.management.ThreadMXBean;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Objects;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Bean;

/// The service, which prints the CPU time and the allocated heap bytes of each request, measured on
/// the thread that handled it.
public class MeteredQuiver {

  static void main(String[] arguments) {
    SpringApplication application = Quiver.application();
    application.addPrimarySources(List.of(MeteredQuiver.class));
    WebServerApplicationContext context = (WebServerApplicationContext) application.run(arguments);
    System.out.println("port " + Objects.requireNonNull(context.getWebServer()).getPort());
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> meter() {
    return factory -> factory.addEngineValves(new Meter());
  }

  private static final class Meter extends ValveBase {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    Meter() {
      super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
      if (Thread.currentThread().isVirtual()) {
        throw new IllegalStateException("The JVM does not measure virtual threads");
      }
      long cpuNanos = THREADS.getCurrentThreadCpuTime();
      long allocatedBytes = THREADS.getCurrentThreadAllocatedBytes();
      try {
        getNext().invoke(request, response);
      } finally {
        System.out.printf(
            "request %s %s %d %d %d%n",
            request.getMethod(),
            request.getRequestURI(),
            response.getStatus(),
            THREADS.getCurrentThreadCpuTime() - cpuNanos,
            THREADS.getCurrentThreadAllocatedBytes() - allocatedBytes);
      }
    }
  }
}
