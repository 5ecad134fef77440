package dev.quiver.server.read;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.formats.Format;
import dev.quiver.server.http.AcceptEncoding;
import dev.quiver.server.http.CodingPolicy;
import dev.quiver.server.http.MediaRanges;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.VaryHeader;
import dev.quiver.server.resource.ParameterParser;
import dev.quiver.store.version.VersionSummary;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;

/// The codec of Arrow buffers if the URL names neither a format nor a codec. It is one that the
/// client lists in `Accept`. Otherwise, buffers are uncompressed, since readers in browsers support
/// no codec.
///
/// @param codec the codec of all bodies
/// @param contentType lists the codecs that the client must support
/// @param codings the content codings, which are only allowed for uncompressed buffers
public record NegotiatedCodec(RequestedCodec codec, String contentType, CodingPolicy codings) {

  /// Negotiates by `Accept` and `Accept-Encoding`, unless the parameter `codec` is present.
  ///
  /// @throws ProblemException 400 if the parameter is not a codec, or 406 if it is one and the
  ///   client rejects responses without a content coding
  public static NegotiatedCodec choose(
      HttpServletRequest request,
      HttpServletResponse response,
      Format format,
      VersionSummary summary) {
    VaryHeader.add(response, "Accept");
    VaryHeader.add(response, "Accept-Encoding");
    AcceptEncoding encodings = AcceptEncoding.of(request);
    RequestedCodec requested = ParameterParser.codec(request);
    if (requested.of(Codec.NONE) != Codec.NONE) {
      encodings.choose(CodingPolicy.NEVER, false);
      return new NegotiatedCodec(requested, format.mediaType(), CodingPolicy.NEVER);
    }
    boolean codecs = requested.equals(RequestedCodec.PRESERVE) && encodings.acceptsIdentity();
    return of(
        codecs ? MediaRanges.of(request).codecs(format.mediaType()) : Set.of(), format, summary);
  }

  private static NegotiatedCodec of(Set<String> listed, Format format, VersionSummary summary) {
    boolean zstd = listed.contains(Codec.ZSTD.word());
    boolean lz4 = listed.contains(Codec.LZ4.word());
    if (summary.file().mixedCodecs() && zstd && lz4) {
      return coded(RequestedCodec.PRESERVE, format, "\"zstd, lz4\"");
    }
    if (zstd && !(lz4 && summary.file().isAllIn(Codec.LZ4))) {
      return coded(Codec.ZSTD, format);
    }
    if (lz4) {
      return coded(Codec.LZ4, format);
    }
    return new NegotiatedCodec(
        new RequestedCodec(Codec.NONE), format.mediaType(), CodingPolicy.ARROW);
  }

  private static NegotiatedCodec coded(Codec codec, Format format) {
    return coded(new RequestedCodec(codec), format, codec.word());
  }

  private static NegotiatedCodec coded(RequestedCodec codec, Format format, String codecs) {
    return new NegotiatedCodec(
        codec, format.mediaType() + "; codecs=" + codecs, CodingPolicy.NEVER);
  }
}
