package dev.quiver.web.representation;

import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.web.http.AcceptEncoding;
import dev.quiver.web.http.CodingPolicy;
import dev.quiver.web.http.MediaRanges;
import dev.quiver.web.http.VaryHeader;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.request.CodecParameter;
import dev.quiver.web.resource.StoredFormat;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The codec of the buffers of Arrow data whose URL says neither what they are nor in which codec:
/// one that the client lists in `Accept`, else none. Readers in browsers have none.
///
/// @param codec null for those in which the data are stored
/// @param contentType says the codecs that the client has to know
/// @param codings content codings are for buffers that are not compressed
public record BufferCodecs(
    @Nullable CodecParameter codec, String contentType, CodingPolicy codings) {

  private static final String ZSTD = "zstd";
  private static final String LZ4 = "lz4";

  /// Looks at `Accept` and `Accept-Encoding`, unless the parameter `codec` says it.
  ///
  /// @throws ProblemException 400 when the parameter is no codec, 406 when it is one and the client
  ///   refuses what has no content coding
  public static BufferCodecs choose(
      HttpServletRequest request,
      HttpServletResponse response,
      StoredFormat format,
      VersionSummary summary) {
    VaryHeader.add(response, "Accept");
    VaryHeader.add(response, "Accept-Encoding");
    AcceptEncoding encodings = AcceptEncoding.of(request);
    CodecParameter asked = CodecParameter.of(request);
    if (asked != null && asked != CodecParameter.NONE) {
      encodings.choose(CodingPolicy.NEVER, false);
      return new BufferCodecs(asked, format.mediaType(), CodingPolicy.NEVER);
    }
    boolean codecs = asked == null && encodings.takesIdentity();
    return of(
        codecs ? MediaRanges.of(request).codecs(format.mediaType()) : Set.of(), format, summary);
  }

  private static BufferCodecs of(Set<String> listed, StoredFormat format, VersionSummary summary) {
    boolean zstd = listed.contains(ZSTD);
    boolean lz4 = listed.contains(LZ4);
    if (summary.mixedCodecs() && zstd && lz4) {
      return coded(null, format, "\"zstd, lz4\"");
    }
    if (zstd && !(lz4 && CodecParameter.LZ4.isOf(summary))) {
      return coded(CodecParameter.ZSTD, format, ZSTD);
    }
    if (lz4) {
      return coded(CodecParameter.LZ4, format, LZ4);
    }
    return new BufferCodecs(CodecParameter.NONE, format.mediaType(), CodingPolicy.ARROW);
  }

  private static BufferCodecs coded(
      @Nullable CodecParameter codec, StoredFormat format, String codecs) {
    return new BufferCodecs(codec, format.mediaType() + "; codecs=" + codecs, CodingPolicy.NEVER);
  }
}
