package dev.quiver.web.request;

import dev.quiver.codec.BufferCodec;
import dev.quiver.codec.Lz4Frame;
import dev.quiver.codec.Zstandard;
import dev.quiver.dataset.read.RecompressedMessages;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.metadata.CompressionType;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What the parameter `codec` of a read asks for: the codec of all buffers.
public enum CodecParameter {
  NONE(null, null),
  LZ4(CompressionType.LZ4_FRAME, Lz4Frame.INSTANCE),
  ZSTD(CompressionType.ZSTD, Zstandard.INSTANCE);

  private static final String NAME = "codec";

  private final @Nullable CompressionType compression;
  private final @Nullable BufferCodec library;

  CodecParameter(@Nullable CompressionType compression, @Nullable BufferCodec library) {
    this.compression = compression;
    this.library = library;
  }

  /// What a request asks for, or null when all is to be as it is stored.
  ///
  /// @throws ProblemException 400 when it is no codec
  public static @Nullable CodecParameter of(HttpServletRequest request) {
    return request.getParameter(NAME) == null
        ? null
        : Parameters.choice(request, NAME, CodecParameter.class, NONE);
  }

  /// @throws ProblemException 400 when a request for text asks for a codec
  static void refuseForText(HttpServletRequest request) {
    String value = request.getParameter(NAME);
    if (value != null) {
      throw Problem.of(
              ProblemType.BAD_REQUEST,
              "Expected no codec, which only Arrow data have, but found \"%s\" at parameter %s"
                  .formatted(value, NAME))
          .asException();
    }
  }

  /// Null for none.
  public @Nullable CompressionType compression() {
    return compression;
  }

  /// Whether all bodies of a version are stored in it.
  public boolean isOf(VersionSummary summary) {
    return !summary.mixedCodecs() && summary.codec() == compression;
  }

  /// The variant of the entity tag: no two that differ have the same.
  ///
  /// @param part what the representation is of, such as `arrows`
  public String variant(String part) {
    String word = name().toLowerCase(Locale.ROOT);
    String variant = "%s-%s-%d".formatted(part, word, RecompressedMessages.FORMAT_NUMBER);
    return withLibraryVersion(variant);
  }

  /// `variant` of bytes that are compressed here in this codec.
  public String withLibraryVersion(String variant) {
    return library == null ? variant : variant + "-" + library.libraryVersion();
  }
}
