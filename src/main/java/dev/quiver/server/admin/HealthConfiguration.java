package dev.quiver.server.admin;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.sql.execution.WorkerPools;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.Spool;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The conditions of readiness. Without the store or its space, no replica can do its work: a 503.
/// Without the spool or workers, reads and writes of Arrow data go on: a 200 that reports it.
@Configuration(proxyBeanMethods = false)
class HealthConfiguration {

  private static final String DEGRADED = "DEGRADED";

  @Bean
  HealthIndicator spaceHealthIndicator(BlobStore store) {
    return indicator(
        store::hasSpace,
        Status.OUT_OF_SERVICE.getCode(),
        "Expected space left in the store but found none; reads go on");
  }

  @Bean
  HealthIndicator storeHealthIndicator(BlobStore store, QuiverProperties properties) {
    return indicator(
        store::isReachable,
        Status.OUT_OF_SERVICE.getCode(),
        "Expected a response from the store but found none at " + properties.storage().key());
  }

  @Bean
  HealthIndicator spoolHealthIndicator(Spool spool) {
    return indicator(
        spool::isWritable,
        DEGRADED,
        "Expected a writable folder at quiver.spool.path but found none; SQL, files of other"
            + " formats and jobs fail");
  }

  @Bean
  HealthIndicator workersHealthIndicator(WorkerPools pools) {
    return indicator(
        () -> !pools.isFailing(),
        DEGRADED,
        "Expected a worker that starts but found none; SQL and files of other formats fail");
  }

  /// The check of an indicator.
  @FunctionalInterface
  private interface Check {
    boolean holds() throws IOException;
  }

  private static HealthIndicator indicator(Check check, String code, String description) {
    Health failing = Health.status(new Status(code, description)).build();
    return () -> {
      try {
        return check.holds() ? Health.up().build() : failing;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }
}
