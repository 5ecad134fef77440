package dev.quiver.web.resource;

/// The paths of resources outside datasets, and the suffixes of those below a dataset.
public final class Paths {

  public static final String DATASETS = "/datasets";

  /// The datasets as the files of a folder.
  public static final String INDEX = DATASETS + "/";

  public static final String DATASET = DATASETS + "/{dataset}";
  public static final String CONVERT = "/convert";
  public static final String INSPECT = "/inspect";
  public static final String DOCUMENTS = "/docs";

  /// Follows the path of a dataset.
  public static final String COMPACT = "/compact";

  private Paths() {}
}
