package dev.quiver.dataset.version;

import dev.quiver.validate.Finding;

/// A record batch that was stored without a look at its values turned out to have some that break
/// the format's rules.
public final class InvalidVersionException extends DatasetException {

  private static final long serialVersionUID = 1;

  public InvalidVersionException(VersionSummary version, long batch, Finding finding) {
    super(
        "%s, record batch %d, %s, which was stored at level %s"
            .formatted(finding.sentence(), batch, place(version, finding), version.level()));
  }

  private static String place(VersionSummary version, Finding finding) {
    String dataset = version.name() + "@" + version.version();
    return finding.path().isEmpty() ? dataset : "field " + finding.path() + " of " + dataset;
  }
}
