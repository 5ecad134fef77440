package dev.quiver.server.http;

import java.util.Locale;

/// The problem types, each with a URI that never changes: RFC 9457 §3.1.1.
public enum ProblemType {
  BAD_REQUEST("bad-request", 400, "Bad request"),
  MALFORMED("malformed", 400, "Malformed Arrow data"),
  TRUNCATED("truncated", 400, "Truncated body"),
  END_OF_STREAM("end-of-stream", 400, "Missing end of stream"),
  DIGEST_MISMATCH("digest-mismatch", 400, "Digest mismatch"),
  INVALID_SQL("invalid-sql", 400, "Invalid statement"),
  SQL_NOT_ALLOWED("sql-not-allowed", 400, "Statement not allowed"),
  UNKNOWN_DATASET("unknown-dataset", 400, "Unknown dataset in a statement"),
  UNSUPPORTED_TYPE("unsupported-type", 400, "Type that statements cannot use"),
  UNAUTHORIZED("unauthorized", 401, "Token required"),
  FORBIDDEN("forbidden", 403, "Permission required"),
  READ_ONLY("read-only", 403, "Service is read-only"),
  CROSS_SITE("cross-site", 403, "Cross-site request rejected"),
  NOT_FOUND("not-found", 404, "Not found"),
  METHOD_NOT_ALLOWED("method-not-allowed", 405, "Method not allowed"),
  NOT_ACCEPTABLE("not-acceptable", 406, "Not acceptable"),
  TIMEOUT("timeout", 408, "Request body too slow"),
  CONFLICT("conflict", 409, "Conflict with the state of the dataset"),
  REPLACED("replaced", 409, "Rows replaced since that version"),
  SCHEMA_MISMATCH("schema-mismatch", 409, "Schema mismatch"),
  GONE("gone", 410, "Dataset or version no longer available"),
  EXPIRED("expired", 410, "Dataset or version has expired"),
  PRECONDITION_FAILED("precondition-failed", 412, "Precondition failed"),
  TOO_LARGE("too-large", 413, "Limit exceeded"),
  QUERY_MEMORY("query-memory", 413, "Too much memory needed"),
  UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", 415, "Unsupported media type"),
  RANGE_NOT_SATISFIABLE("range-not-satisfiable", 416, "Range not satisfiable"),
  EXPECTATION_FAILED("expectation-failed", 417, "Expectation failed"),
  MISDIRECTED("misdirected", 421, "Misdirected request"),
  UNSUPPORTED("unsupported", 422, "Unsupported Arrow feature"),
  INVALID_FILE("invalid-file", 422, "File that cannot be read"),
  INVALID_VALUE("invalid-value", 422, "Value that a statement cannot convert"),
  TOO_MANY_REQUESTS("too-many-requests", 429, "Too many requests of this principal"),
  INTERNAL("internal", 500, "Internal server error"),
  INVALID_VERSION("invalid-version", 500, "Invalid stored data"),
  NOT_IMPLEMENTED("not-implemented", 501, "Not implemented"),
  OVERLOADED("overloaded", 503, "Service overloaded"),
  DAMAGED("damaged", 503, "Stored data is damaged"),
  AUDIT_UNAVAILABLE("audit-unavailable", 503, "Audit log unavailable"),
  ISSUER_UNAVAILABLE("issuer-unavailable", 503, "Issuer of tokens unavailable"),
  STORE_UNAVAILABLE("store-unavailable", 503, "Store unavailable"),
  WORKER_UNAVAILABLE("worker-unavailable", 503, "No worker starts"),
  QUERY_TIMEOUT("query-timeout", 504, "Took too long"),
  HTTP_VERSION("http-version", 505, "HTTP version not supported"),
  QUOTA_EXCEEDED("quota-exceeded", 507, "Too many stored bytes of this principal"),
  STORAGE_FULL("storage-full", 507, "Storage full");

  private final String name;
  private final int status;
  private final String title;

  ProblemType(String name, int status, String title) {
    this.name = name;
    this.status = status;
    this.title = title;
  }

  String uri() {
    return "urn:quiver:problem:" + name;
  }

  /// Returns the URI of a kind of this problem, with the kind as its fragment.
  String uri(Enum<?> kind) {
    return uri() + "#" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public int status() {
    return status;
  }

  String title() {
    return title;
  }
}
