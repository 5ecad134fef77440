package dev.quiver.server.resource;

/// The paths of resources outside datasets, and the suffixes of those below a dataset.
public final class Paths {

  public static final String DATASETS = "/datasets";

  /// The datasets as the files of a folder.
  public static final String INDEX = DATASETS + "/";

  public static final String DATASET = DATASETS + "/{dataset}";
  public static final String CONVERT = "/convert";

  /// The uploads that go on after their response.
  public static final String JOBS = "/jobs";

  public static final String JOB = JOBS + "/{job}";

  /// Uploads that arrive in several requests.
  public static final String UPLOADS = "/uploads";

  public static final String UPLOAD = UPLOADS + "/{upload}";

  /// Statements. Formats follow as suffixes.
  public static final String SQL = "/sql";

  /// The progress of a running statement.
  public static final String STATEMENT = SQL + "/statements/{statement}";

  /// Follows a path with a variant in each format that has a suffix.
  public static final String IN_ANY_FORMAT = ".{format}";

  /// Follows a path with a variant in each format that is sent while it is made.
  public static final String IN_STREAMED_FORMAT = ".{streamed}";

  public static final String INSPECT = "/inspect";
  public static final String DOCUMENTS = "/docs";

  /// The scripts and styles of pages.
  public static final String ASSETS = "/assets";

  /// Follows the path of a dataset.
  public static final String COMPACT = "/compact";

  public static final String VERIFY = "/verify";

  public static final String STATISTICS = "/statistics";

  public static final String EVENTS = "/events";
  public static final String LINKS = "/links";

  /// The query parameter of links.
  public static final String LINK_PARAMETER = "link";

  /// The query parameter of conditions.
  public static final String CONDITION_PARAMETER = "where";

  /// The query parameter of a text that rows have.
  public static final String SEARCH_PARAMETER = "search";

  private Paths() {}

  /// Returns whether a path denotes a result, with or without a suffix.
  public static boolean isSql(String path) {
    return path.equals(SQL) || path.startsWith(SQL + ".");
  }
}
