package dev.quiver.server.admin;

import dev.quiver.store.Datasets;
import dev.quiver.store.log.AuditEvent;
import dev.quiver.store.log.AuditLog;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.time.Instant;
import org.springframework.stereotype.Component;

/// Writes a line to the audit log for each version that the service writes by itself.
@Component
final class OwnWritesAudit {

  private static final String PRINCIPAL = "service";

  private final AuditLog audit;

  OwnWritesAudit(Datasets datasets, AuditLog audit) {
    this.audit = audit;
    datasets.ownWrites().observeBy(this::record);
  }

  private void record(VersionSummary written) {
    audit.write(
        new AuditEvent(
            Instant.now(),
            /* requestId= */ null,
            PRINCIPAL,
            /* client= */ null,
            written.kind() == VersionKind.DELETE ? "expire" : "compact",
            written.name().value(),
            written.version(),
            /* bytes= */ null,
            /* status= */ null));
  }
}
