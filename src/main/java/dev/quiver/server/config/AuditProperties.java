package dev.quiver.server.config;

import static dev.quiver.server.config.ConfigurationException.require;

import dev.quiver.store.log.AuditLog;
import java.nio.file.Path;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// The audit log.
///
/// @param path the file, or empty for none
/// @param fileBytes the size from which a new file begins
/// @param files the number of files that are kept
/// @param onFailure what happens to writes while the log cannot be written
public record AuditProperties(
    @DefaultValue("") String path,
    @DefaultValue("100MB") DataSize fileBytes,
    @DefaultValue("10") int files,
    @DefaultValue("continue") OnFailure onFailure) {

  /// The treatment of writes while the log cannot be written.
  public enum OnFailure {
    /// They go on, and their lines wait.
    CONTINUE,
    /// They are rejected.
    REFUSE
  }

  public AuditProperties {
    require(fileBytes.toBytes() >= 1, "1 or more bytes", fileBytes, "quiver.audit.file-bytes");
    require(files >= 1 && files <= 1_000, "1 to 1000", files, "quiver.audit.files");
  }

  public AuditLog log() {
    return new AuditLog(
        path.isEmpty() ? null : Path.of(path),
        fileBytes.toBytes(),
        files,
        onFailure == OnFailure.REFUSE);
  }
}
