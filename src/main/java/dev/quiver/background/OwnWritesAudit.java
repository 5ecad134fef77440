package dev.quiver.background;

import dev.quiver.audit.AuditEvent;
import dev.quiver.audit.AuditLog;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.version.VersionKind;
import dev.quiver.dataset.version.VersionSummary;
import java.time.Instant;
import org.springframework.stereotype.Component;

/// Tells the audit log of the versions that the service writes by itself.
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
