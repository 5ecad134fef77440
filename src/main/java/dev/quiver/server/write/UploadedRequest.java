package dev.quiver.server.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.server.http.IdempotencyKeyHeader;
import dev.quiver.server.http.MediaTypes;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.RetargetedRequest;
import dev.quiver.server.transfer.IncomingBody;
import dev.quiver.server.transfer.TransferRateGuard;
import dev.quiver.store.log.DamagedPartException;
import dev.quiver.store.log.ResumableUpload;
import dev.quiver.store.version.IdempotencyKey;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.tomcat.util.buf.MessageBytes;
import org.apache.tomcat.util.http.Parameters;
import org.jspecify.annotations.Nullable;

/// The request that a client would have sent if its body had arrived at once: what the first
/// request stated, with the bytes of all parts. Its connection is that of the last request.
final class UploadedRequest extends RetargetedRequest {

  private static final Logger LOG = System.getLogger(UploadedRequest.class.getName());

  /// The headers that the first request fixes, in lower case.
  private static final Set<String> FIXED =
      Set.of(
          "accept",
          "content-encoding",
          "content-type",
          "idempotency-key",
          "if-match",
          "if-modified-since",
          "if-none-match",
          "if-unmodified-since",
          "prefer",
          "repr-digest");

  /// The headers that only parts have.
  private static final Set<String> HIDDEN =
      Set.of(
          "content-digest",
          "content-length",
          "expect",
          "transfer-encoding",
          "upload-complete",
          "upload-draft-interop-version",
          "upload-length",
          "upload-offset");

  private final ResumableUpload.Request first;
  private final @Nullable String id;
  private final long byteSize;
  private final ByteSource content;
  private boolean damaged;

  /// @param id the upload, or null for a request whose body comes later
  UploadedRequest(
      HttpServletRequest request,
      ResumableUpload.Request first,
      @Nullable String id,
      long byteSize,
      ByteSource content) {
    super(request, first.method(), path(first), query(first), parameters(query(first)));
    this.first = first;
    this.id = id;
    this.byteSize = byteSize;
    this.content = content;
  }

  /// Returns the target and the headers of a request that count once the body is whole.
  static ResumableUpload.Request first(HttpServletRequest request) {
    List<ResumableUpload.Header> headers = new ArrayList<>();
    for (String name : FIXED) {
      for (String value : Collections.list(request.getHeaders(name))) {
        boolean unknownType =
            name.equals("content-type")
                && value.toLowerCase(Locale.ROOT).startsWith(MediaTypes.PARTIAL_UPLOAD);
        if (!unknownType) {
          headers.add(new ResumableUpload.Header(name, value));
        }
      }
    }
    String query = request.getQueryString();
    return new ResumableUpload.Request(
        request.getMethod(), request.getRequestURI() + (query == null ? "" : "?" + query), headers);
  }

  /// Returns the path of a request, without its query.
  static String path(ResumableUpload.Request first) {
    int mark = first.target().indexOf('?');
    return mark < 0 ? first.target() : first.target().substring(0, mark);
  }

  private static @Nullable String query(ResumableUpload.Request first) {
    int mark = first.target().indexOf('?');
    return mark < 0 ? null : first.target().substring(mark + 1);
  }

  private static Map<String, String[]> parameters(@Nullable String query) {
    Map<String, String[]> parameters = new LinkedHashMap<>();
    if (query != null) {
      Parameters parsed = new Parameters();
      MessageBytes bytes = MessageBytes.newInstance();
      byte[] encoded = query.getBytes(StandardCharsets.ISO_8859_1);
      bytes.setBytes(encoded, 0, encoded.length);
      parsed.setQueryStringCharset(StandardCharsets.UTF_8);
      parsed.setQuery(bytes);
      parsed.handleQueryParameters();
      for (String name : Collections.list(parsed.getParameterNames())) {
        parameters.put(name, parsed.getParameterValues(name));
      }
    }
    return parameters;
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals("content-length")) {
      return Collections.enumeration(List.of(Long.toString(byteSize)));
    }
    if (HIDDEN.contains(lower)) {
      return Collections.emptyEnumeration();
    }
    return FIXED.contains(lower)
        ? Collections.enumeration(
            first.headers().stream()
                .filter(header -> header.name().equals(lower))
                .map(ResumableUpload.Header::value)
                .toList())
        : super.getHeaders(name);
  }

  @Override
  public @Nullable String getHeader(String name) {
    Enumeration<String> values = getHeaders(name);
    return values.hasMoreElements() ? values.nextElement() : null;
  }

  @Override
  public Enumeration<String> getHeaderNames() {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(Collections.list(super.getHeaderNames()));
    names.addAll(FIXED);
    names.removeIf(name -> !getHeaders(name).hasMoreElements());
    return Collections.enumeration(names);
  }

  @Override
  public @Nullable String getContentType() {
    return getHeader("Content-Type");
  }

  @Override
  public long getContentLengthLong() {
    return byteSize;
  }

  @Override
  public int getContentLength() {
    return (int) Math.min(byteSize, Integer.MAX_VALUE);
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    if (name.equals(IncomingBody.class.getName())) {
      // The parts do not come from the connection.
      return null;
    }
    if (name.equals(TransferRateGuard.EXEMPT)) {
      return true;
    }
    return name.equals(IdempotencyKeyHeader.UPLOAD_ATTRIBUTE) && id != null
        ? new IdempotencyKey("upload:" + id)
        : super.getAttribute(name);
  }

  /// Returns whether a read has found bytes that are not those that arrived.
  boolean isDamaged() {
    return damaged;
  }

  @Override
  public ServletInputStream getInputStream() {
    return new Input();
  }

  /// The parts as a stream, of whose connection nothing is unread.
  private final class Input extends ServletInputStream {

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
      try {
        return (int) content.read(MemorySegment.ofArray(bytes).asSlice(offset, count));
      } catch (DamagedPartException e) {
        damaged = true;
        LOG.log(Level.ERROR, "An upload cannot be stored", e);
        throw Problem.of(ProblemType.DAMAGED, String.valueOf(e.getMessage()))
            .with("blob", e.blob())
            .asException();
      } catch (IOException e) {
        // The store has failed, not the client; or another service has stored the upload meanwhile.
        LOG.log(Level.WARNING, "The parts of an upload cannot be read", e);
        throw Problem.of(
                ProblemType.STORE_UNAVAILABLE,
                "Expected the parts of the upload but found that they cannot be read now")
            .withHeader("Retry-After", "1")
            .asException();
      }
    }

    @Override
    public boolean isFinished() {
      return true;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("Expected a blocking reader but found a listener");
    }
  }
}
