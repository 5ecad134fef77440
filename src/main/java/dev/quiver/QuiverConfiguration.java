package dev.quiver;

import com.sun.management.OperatingSystemMXBean;
import dev.quiver.audit.AuditLog;
import dev.quiver.codec.Lz4Frame;
import dev.quiver.config.QuiverProperties;
import dev.quiver.config.RequestLimits;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.StoragePolicy;
import dev.quiver.dataset.ingest.DatasetOptions;
import dev.quiver.input.Limit;
import dev.quiver.inspect.InspectOptions;
import dev.quiver.job.Jobs;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.query.Queries;
import dev.quiver.query.execution.SqlOptions;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.LimitedBlobStore;
import dev.quiver.storage.S3Options;
import dev.quiver.storage.filesystem.FolderBlobStore;
import dev.quiver.storage.s3.S3BlobStore;
import dev.quiver.upload.UploadStore;
import dev.quiver.validate.Validator;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.event.EventListener;

/// The beans of the layers that do not depend on Spring.
@Configuration(proxyBeanMethods = false)
class QuiverConfiguration {

  private static final System.Logger LOG = System.getLogger(QuiverConfiguration.class.getName());

  /// Selects the LZ4 decoder before any data is decoded.
  QuiverConfiguration(QuiverProperties properties) {
    Lz4Frame.decodeUnchecked(properties.uncheckedLz4());
  }

  @EventListener(ApplicationReadyEvent.class)
  void logKernels() {
    LOG.log(System.Logger.Level.DEBUG, "Data is validated by " + Validator.kernels());
  }

  @Bean
  BlobStore blobStore(QuiverProperties properties, StoreMetrics metrics) throws IOException {
    S3Options s3 = properties.storage().s3Options();
    BlobStore store =
        s3 == null
            ? FolderBlobStore.open(properties.storage().path(), properties.storage().sync())
            : S3BlobStore.open(s3, metrics);
    Limit limit = properties.limits().storage();
    return limit.maximum() == 0 ? store : LimitedBlobStore.of(store, limit);
  }

  @Bean
  InspectOptions inspectOptions(
      BlobStore store, InFlightBytes inFlight, QuiverProperties properties) {
    RequestLimits limits = properties.limits();
    return new InspectOptions(
        limits.arrow(),
        limits.request(),
        limits.report(),
        limits.uploadDictionaries(),
        properties.ingest().batchBytes().toBytes(),
        store.scratchFolder(),
        inFlight);
  }

  @Bean
  InFlightBytes inFlightBytes(QuiverProperties properties) {
    return new InFlightBytes(properties.limits().inFlight());
  }

  @Bean
  Datasets datasets(BlobStore store, InFlightBytes inFlight, QuiverProperties properties) {
    RequestLimits limits = properties.limits();
    return new Datasets(
        store,
        new DatasetOptions(
            limits.arrow(),
            limits.request(),
            inFlight,
            limits.uploadDictionaries(),
            properties.ingest().batchBytes().toBytes(),
            properties.ingest().level()),
        new StoragePolicy(
            properties.retentionPolicy(),
            properties.compaction().policy(),
            properties.storage().maxStaleness()));
  }

  @Bean
  AuditLog auditLog(QuiverProperties properties) {
    return properties.audit().log();
  }

  /// Jobs end before what they work with.
  @Bean
  @DependsOn("queries")
  Jobs jobs(BlobStore store, QuiverProperties properties) {
    return new Jobs(store, properties.jobs().options());
  }

  @Bean
  UploadStore uploadStore(BlobStore store) {
    return new UploadStore(store);
  }

  @Bean
  Queries queries(Datasets datasets, QuiverProperties properties) {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    SqlOptions options =
        properties.sqlOptions(
            system.getTotalMemorySize(),
            Runtime.getRuntime().maxMemory(),
            Runtime.getRuntime().availableProcessors());
    return properties.sql().enabled()
        ? Queries.of(datasets, options)
        : Queries.unavailable(
            datasets, options, "SQL is not available: it is disabled by quiver.sql.enabled");
  }
}
