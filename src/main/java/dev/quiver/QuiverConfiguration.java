package dev.quiver;

import com.sun.management.OperatingSystemMXBean;
import dev.quiver.arrow.codec.Lz4Frame;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.validate.Validator;
import dev.quiver.server.admin.StoreMetrics;
import dev.quiver.server.config.ConfigurationException;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.inspect.InspectOptions;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.sql.execution.WorkerPools;
import dev.quiver.sql.query.ColumnProfiles;
import dev.quiver.sql.query.Conditions;
import dev.quiver.sql.query.EvaluationTurns;
import dev.quiver.sql.query.ForeignFiles;
import dev.quiver.sql.query.ParquetFiles;
import dev.quiver.sql.query.Queries;
import dev.quiver.store.Datasets;
import dev.quiver.store.StoragePolicy;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.LimitedBlobStore;
import dev.quiver.store.blob.S3Options;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.blob.s3.S3BlobStore;
import dev.quiver.store.log.AuditLog;
import dev.quiver.store.log.Jobs;
import dev.quiver.store.log.UploadStore;
import dev.quiver.store.write.DatasetOptions;
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
    LOG.log(System.Logger.Level.DEBUG, () -> "Data is validated by " + Validator.kernels());
  }

  @Bean
  BlobStore blobStore(QuiverProperties properties, StoreMetrics metrics) {
    try {
      return openStore(properties, metrics);
    } catch (IOException e) {
      throw ConfigurationException.of("a store that can be used", e, properties.storage().key());
    }
  }

  private static BlobStore openStore(QuiverProperties properties, StoreMetrics metrics)
      throws IOException {
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

  /// Jobs end before the beans that they use, and those that these use.
  @Bean
  @DependsOn({"queries", "foreignFiles", "auditLog"})
  Jobs jobs(BlobStore store, QuiverProperties properties) {
    return new Jobs(store, properties.jobs().options());
  }

  @Bean
  UploadStore uploadStore(BlobStore store) {
    return new UploadStore(store);
  }

  @Bean
  SqlOptions sqlOptions(QuiverProperties properties) {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return properties.sqlOptions(
        system.getTotalMemorySize(),
        Runtime.getRuntime().maxMemory(),
        Runtime.getRuntime().availableProcessors());
  }

  @Bean
  WorkerPools workerPools(SqlOptions options, QuiverProperties properties) {
    return properties.sql().enabled()
        ? WorkerPools.of(options)
        : WorkerPools.unavailable(
            options, "SQL is not available: it is disabled by quiver.sql.enabled");
  }

  @Bean
  Spool spool(SqlOptions options) {
    return new Spool(options.pool().spoolFolder(), options.spooled());
  }

  @Bean
  Queries queries(Datasets datasets, SqlOptions options, WorkerPools pools, Spool spool) {
    return new Queries(datasets, options, pools, spool);
  }

  @Bean
  EvaluationTurns evaluationTurns(SqlOptions options) {
    return new EvaluationTurns(options.pool());
  }

  @Bean
  Conditions conditions(WorkerPools pools, SqlOptions options, EvaluationTurns turns, Spool spool) {
    return new Conditions(pools, options, turns, spool);
  }

  @Bean
  ColumnProfiles columnProfiles(SqlOptions options, EvaluationTurns turns) {
    return new ColumnProfiles(options, turns);
  }

  @Bean
  ForeignFiles foreignFiles(
      WorkerPools pools, SqlOptions options, Spool spool, InFlightBytes inFlight) {
    return new ForeignFiles(
        pools.files(), options.filePool(), options.pages(), options.workbook(), spool, inFlight);
  }

  @Bean
  ParquetFiles parquetFiles(WorkerPools pools, SqlOptions options, Spool spool) {
    return new ParquetFiles(pools.files(), options.filePool(), spool);
  }
}
