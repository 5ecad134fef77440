package dev.quiver.store.version;

import dev.quiver.arrow.validate.Finding;

/// Reports a record batch whose values break the format's rules, and were not checked when the
/// batch was stored.
public final class InvalidVersionException extends DatasetException {

  private static final long serialVersionUID = 1;

  public InvalidVersionException(VersionSummary version, long batch, Finding finding) {
    super(
        "%s, record batch %d, %s, which was stored at level %s"
            .formatted(finding.sentence(), batch, place(version, finding), version.file().level()));
  }

  private static String place(VersionSummary version, Finding finding) {
    String dataset = version.name() + "@" + version.version();
    return finding.path().isEmpty() ? dataset : "field " + finding.path() + " of " + dataset;
  }
}
