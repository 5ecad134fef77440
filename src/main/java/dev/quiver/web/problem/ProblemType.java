package dev.quiver.web.problem;

import java.util.Locale;

/// The kinds of problem, each with a URI that never changes: RFC 9457 §3.1.1.
public enum ProblemType {
  BAD_REQUEST("bad-request", 400, "The request is not what this resource takes"),
  MALFORMED("malformed", 400, "The body is not what the Arrow format says"),
  TRUNCATED("truncated", 400, "The body ends too early"),
  DIGEST_MISMATCH("digest-mismatch", 400, "The body is not what its digest says"),
  UNAUTHORIZED("unauthorized", 401, "This needs a token"),
  READ_ONLY("read-only", 403, "This service does not take writes"),
  CROSS_SITE("cross-site", 403, "A page of another site may not do this"),
  NOT_FOUND("not-found", 404, "There is nothing here"),
  METHOD_NOT_ALLOWED("method-not-allowed", 405, "This resource does not have this method"),
  NOT_ACCEPTABLE("not-acceptable", 406, "There is no such representation"),
  TIMEOUT("timeout", 408, "The body came too slowly"),
  CONFLICT("conflict", 409, "The dataset is in a state that does not allow this"),
  SCHEMA_MISMATCH("schema-mismatch", 409, "The body has another schema than the dataset"),
  GONE("gone", 410, "The dataset, or this version of it, is not there any more"),
  PRECONDITION_FAILED("precondition-failed", 412, "A condition of the request does not hold"),
  TOO_LARGE("too-large", 413, "The body passes a limit"),
  UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", 415, "The body is of a type that is not taken"),
  RANGE_NOT_SATISFIABLE("range-not-satisfiable", 416, "The range lies outside the representation"),
  EXPECTATION_FAILED("expectation-failed", 417, "The request expects what is not known here"),
  MISDIRECTED("misdirected", 421, "The Host is not one of this service"),
  UNSUPPORTED("unsupported", 422, "The body uses a part of the Arrow format that is not read here"),
  INTERNAL("internal", 500, "The service failed"),
  INVALID_VERSION("invalid-version", 500, "Data that was stored unchecked is not valid"),
  NOT_IMPLEMENTED("not-implemented", 501, "The request needs what this service does not have"),
  OVERLOADED("overloaded", 503, "The service has too much to do at the moment"),
  DAMAGED("damaged", 503, "The file that holds the data was changed, and is to be imported again"),
  STORE_UNAVAILABLE("store-unavailable", 503, "The store does not answer at the moment"),
  HTTP_VERSION("http-version", 505, "The request is of another version of HTTP"),
  STORAGE_FULL("storage-full", 507, "The store has no space left");

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

  /// The URI of a kind of this problem, as its fragment tells.
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
