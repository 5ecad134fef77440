package dev.quiver.server.admin;

import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.transfer.ResponseAdmission;
import dev.quiver.store.Datasets;
import dev.quiver.store.UploadCounts;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.log.AuditLog;
import dev.quiver.store.write.Compactor;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.nio.file.Path;
import org.springframework.stereotype.Component;

/// The metrics of limits, disks and background work, which are read when they are requested.
@Component
final class ServiceMetrics implements MeterBinder {

  private static final String BYTES = "bytes";

  private final BlobStore store;
  private final Datasets datasets;
  private final InFlightBytes inFlight;
  private final ResponseAdmission admission;
  private final AuditLog audit;
  private final QuiverProperties properties;

  ServiceMetrics(
      BlobStore store,
      Datasets datasets,
      InFlightBytes inFlight,
      ResponseAdmission admission,
      AuditLog audit,
      QuiverProperties properties) {
    this.store = store;
    this.datasets = datasets;
    this.inFlight = inFlight;
    this.admission = admission;
    this.audit = audit;
    this.properties = properties;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("quiver.in.flight", inFlight, InFlightBytes::taken)
        .baseUnit(BYTES)
        .register(registry);
    Gauge.builder("quiver.in.flight.maximum", inFlight, InFlightBytes::maximum)
        .baseUnit(BYTES)
        .register(registry);
    Gauge.builder("quiver.generated.responses", admission, ResponseAdmission::generatedCount)
        .register(registry);
    Gauge.builder("quiver.generated.responses.waiting", admission, ResponseAdmission::waitingCount)
        .register(registry);
    UploadCounts uploads = datasets.uploadCounts();
    FunctionCounter.builder("quiver.uploads", uploads, UploadCounts::uploads).register(registry);
    FunctionCounter.builder("quiver.uploads.rows", uploads, UploadCounts::rows).register(registry);
    Compactor compactor = datasets.compactor();
    FunctionCounter.builder("quiver.compactions", compactor, Compactor::compactionCount)
        .register(registry);
    FunctionCounter.builder("quiver.compactions.failures", compactor, Compactor::failureCount)
        .register(registry);
    Gauge.builder("quiver.compactions.queued", compactor, Compactor::queuedCount)
        .register(registry);
    FunctionCounter.builder("quiver.audit.events", audit, AuditLog::eventCount).register(registry);
    FunctionCounter.builder("quiver.audit.failures", audit, AuditLog::failureCount)
        .register(registry);
    FunctionCounter.builder("quiver.audit.lost", audit, AuditLog::lostCount).register(registry);
    disk(registry, "store", store.scratchFolder());
    disk(registry, "spool", properties.spool().path());
    if (store.isRemote()) {
      Gauge.builder("quiver.store.cache", store, BlobStore::cachedByteSize)
          .baseUnit(BYTES)
          .register(registry);
    }
  }

  /// A folder that does not exist yet is on the disk of its nearest parent that does.
  private static void disk(MeterRegistry registry, String name, Path folder) {
    Gauge.builder("quiver.disk.free", folder, ServiceMetrics::freeByteSize)
        .baseUnit(BYTES)
        .tag("folder", name)
        .register(registry);
  }

  private static double freeByteSize(Path folder) {
    Path present = folder.toAbsolutePath();
    while (present.getParent() != null && !present.toFile().exists()) {
      present = present.getParent();
    }
    return present.toFile().getUsableSpace();
  }
}
