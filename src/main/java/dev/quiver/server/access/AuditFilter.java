package dev.quiver.server.access;

import dev.quiver.server.access.Access.AuditedWrite;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.ProblemWriter;
import dev.quiver.server.http.RequestId;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.VersionHeaders;
import dev.quiver.server.transfer.Exchange;
import dev.quiver.store.access.Principal;
import dev.quiver.store.log.AuditEvent;
import dev.quiver.store.log.AuditLog;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.UriUtils;

/// Writes a line to the audit log for every write, every rejected request, and every link that was
/// used, at the end of the request.
public final class AuditFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  private static final Set<String> READING_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  /// No or bad credentials, no permission, a wrong host, too many requests, no space.
  private static final Set<Integer> REFUSALS = Set.of(401, 403, 421, 429, 507);

  private static final int FAILED_STATUS = 500;

  private final transient AuditLog log;
  private final transient Set<String> earlier;

  AuditFilter(AuditLog log, Set<String> earlier) {
    this.log = log;
    this.earlier = earlier;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (writes(request.getMethod(), request.getServletPath()) && log.refusesWrites()) {
      ProblemWriter.write(
          request,
          response,
          Problem.of(
                  ProblemType.AUDIT_UNAVAILABLE,
                  "Expected a place for a line in the audit log but found none (quiver.audit.on-failure)")
              .withHint(
                  "Let the operator make room for the file at quiver.audit.path, and send the write again."));
      return;
    }
    boolean complete = false;
    try {
      chain.doFilter(request, response);
      complete = true;
    } finally {
      if (complete && request.isAsyncStarted()) {
        request.getAsyncContext().addListener(new Completion(request, response));
      } else {
        // An unreported failure becomes a 500.
        boolean told = complete || response.isCommitted();
        record(request, response, told ? response.getStatus() : FAILED_STATUS);
      }
    }
  }

  /// Returns whether a request may change the store.
  private static boolean writes(String method, String path) {
    return !READING_METHODS.contains(method)
        && !Paths.isSql(path)
        && !path.equals(Paths.INSPECT)
        && !path.equals(Paths.CONVERT);
  }

  private void record(HttpServletRequest request, HttpServletResponse response, int status) {
    Access access = Access.find(request);
    AuditedWrite write = access == null ? null : access.audited();
    String method = write == null ? request.getMethod() : write.method();
    String path =
        write == null
            ? request.getServletPath()
            : UriUtils.decode(write.path(), StandardCharsets.UTF_8);
    boolean refused = REFUSALS.contains(status) || access != null && access.isDenied();
    boolean linked = access != null && access.isLinked();
    boolean writes = writes(method, path);
    if (!writes && !refused && !linked) {
      return;
    }
    DatasetReference reference = dataset(request, access, write);
    String location = response.getHeader("Location");
    String name =
        reference != null
            ? reference.name().value()
            : location != null && location.startsWith(Paths.INDEX)
                ? location.substring(Paths.INDEX.length())
                : null;
    boolean isPart = write == null && beginsOrContinues(request, location);
    long byteSize = !writes ? 0 : write == null ? byteSize(request) : write.byteSize();
    log.write(
        new AuditEvent(
            Instant.now(),
            RequestId.of(request),
            access == null ? Principal.ANONYMOUS : access.principal().id(),
            request.getRemoteAddr(),
            isPart ? "upload-part" : action(method, path, linked),
            name,
            version(reference, response),
            byteSize > 0 ? byteSize : null,
            status));
  }

  private @Nullable DatasetReference dataset(
      HttpServletRequest request, @Nullable Access access, @Nullable AuditedWrite write) {
    DatasetReference known = access == null ? null : access.auditedDataset();
    if (known != null) {
      return known;
    }
    if (write == null) {
      // A delete may have freed the name, so that the path means another dataset now.
      return (access == null ? Route.of(request, earlier) : access.route()).dataset();
    }
    return Route.find(write.method(), PathContainer.parsePath(write.path()), earlier).dataset();
  }

  /// Returns whether a request has left an upload of which more is to come, or tried to continue
  /// one.
  private static boolean beginsOrContinues(HttpServletRequest request, @Nullable String location) {
    return request.getMethod().equals("PATCH") && isOfUpload(request.getServletPath())
        || location != null && isOfUpload(location);
  }

  private static boolean isOfUpload(String path) {
    return path.startsWith(Paths.UPLOADS + "/");
  }

  /// Returns the declared size of the body, or else the received size.
  private static long byteSize(HttpServletRequest request) {
    long declared = request.getContentLengthLong();
    return declared >= 0 ? declared : Exchange.of(request).receivedByteCount();
  }

  private static @Nullable Long version(
      @Nullable DatasetReference reference, HttpServletResponse response) {
    String version = response.getHeader(VersionHeaders.VERSION);
    return version != null ? Long.valueOf(version) : reference == null ? null : reference.version();
  }

  private static String action(String method, String path, boolean linked) {
    boolean below = path.startsWith(Paths.INDEX);
    if (!writes(method, path)) {
      return linked ? "read-by-link" : "read";
    }
    return switch (method) {
      case "PUT" -> "upload";
      case "DELETE" ->
          below ? "delete" : isOfUpload(path) || path.startsWith(Paths.JOBS) ? "cancel" : "other";
      case "POST" -> {
        if (below && path.endsWith(Paths.COMPACT)) {
          yield "compact";
        }
        if (below && path.endsWith(Paths.VERIFY)) {
          yield "verify";
        }
        if (below && path.endsWith(Paths.LINKS)) {
          yield "link";
        }
        yield below ? "append" : "upload";
      }
      default -> "other";
    };
  }

  /// Records a request that goes on after its thread.
  private final class Completion implements AsyncListener {

    private final HttpServletRequest request;
    private final HttpServletResponse response;

    private Completion(HttpServletRequest request, HttpServletResponse response) {
      this.request = request;
      this.response = response;
    }

    @Override
    public void onComplete(AsyncEvent event) {
      record(request, response, response.getStatus());
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      // Its completion follows.
    }

    @Override
    public void onError(AsyncEvent event) {
      // Its completion follows.
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }
}
