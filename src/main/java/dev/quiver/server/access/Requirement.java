package dev.quiver.server.access;

/// The permission that a route requires.
public enum Requirement {
  /// None: the route reveals nothing about datasets.
  NOTHING("none"),
  /// To read some datasets. The response has only those.
  READ_SOME("read, any name"),
  /// To read datasets of every name.
  READ_ALL("read, every name"),
  /// To read the dataset in the path.
  READ("read"),
  /// To write some datasets. The one that is written is checked once its name is known.
  WRITE_SOME("write, any name"),
  /// To write the dataset in the path.
  WRITE("write"),
  /// To have begun the job, or to be `admin`.
  JOB("own jobs, or admin"),
  /// To read some datasets, as every statement requires, and to have sent the statement.
  STATEMENT("own statements"),
  /// To have begun the upload, or to be `admin`.
  UPLOAD("own uploads, or admin");

  private final String text;

  Requirement(String text) {
    this.text = text;
  }

  /// Returns the requirement as the documents state it.
  @Override
  public String toString() {
    return text;
  }
}
