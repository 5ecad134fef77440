package dev.quiver.server.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.SpooledFile;
import dev.quiver.store.write.SpooledBody;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// An upload as a form: a part `data` or a file of any name, and optionally a part `metadata`
/// before or after it.
///
/// If the data comes first, it is spooled until the metadata is known; otherwise it is ingested as
/// it arrives. Either way the form is read to its end before a version becomes visible.
final class FormUpload implements AutoCloseable {

  private final FormParts parts;
  private final WriteRequest write;
  private final UploadFormat.Data format;
  private final ByteSource content;

  /// The data if it came first, or null.
  private final @Nullable SpooledBody spooled;

  /// Reads a form up to its data, or to its end if the data comes first.
  ///
  /// @param request the write as far as the form does not say
  /// @param datasets spools the data if it comes first
  FormUpload(
      WriteRequest request, UploadFormat.Form form, ByteSource body, Limit limit, Datasets datasets)
      throws IOException {
    this.parts = new FormParts(body, form.boundary(), limit);
    FormPart first = parts.next();
    if (isMetadata(first)) {
      FormMetadata metadata = metadata(parts);
      this.format = format(requireData(parts.next()), form);
      this.write = request.named(form, metadata, format);
      this.content = untilEndOfForm(parts.content());
      this.spooled = null;
      return;
    }
    this.format = format(requireData(first), form);
    SpooledBody data = datasets.spool(parts.content());
    try {
      this.write = request.named(form, metadataAfterData(parts), format);
      this.content = data.source();
      this.spooled = data;
    } catch (IOException | RuntimeException | Error e) {
      try (data) {
        throw e;
      }
    }
  }

  /// Receives a whole form, and keeps its data.
  ///
  /// @param request the write as far as the form does not say
  static Writes.Received receive(
      WriteRequest request,
      UploadFormat.Form form,
      ByteSource body,
      Limit limit,
      ArrowBodies bodies,
      Spool spool,
      Datasets datasets)
      throws IOException {
    FormParts parts = new FormParts(body, form.boundary(), limit);
    FormPart part = parts.next();
    FormMetadata before = isMetadata(part) ? metadata(parts) : null;
    UploadFormat.Data format = format(requireData(before == null ? part : parts.next()), form);
    bodies.requireReadable(format);
    SpooledFile file = SpooledFile.of(bodies.limited(format, parts.content()), spool);
    try {
      FormMetadata metadata = before;
      if (metadata == null) {
        metadata = metadataAfterData(parts);
      } else {
        requireNone(parts.next());
      }
      WriteRequest write = request.named(form, metadata, format).checked(datasets);
      return new Writes.Received(write, format, file);
    } catch (IOException | RuntimeException | Error e) {
      try (file) {
        throw e;
      }
    }
  }

  /// Returns the write with what the form says of it.
  WriteRequest write() {
    return write;
  }

  /// Returns the format of the data.
  UploadFormat.Data format() {
    return format;
  }

  /// Returns the data.
  ByteSource content() {
    return content;
  }

  private static UploadFormat.Data format(FormPart part, UploadFormat.Form form) {
    return UploadFormat.of(part.contentType(), part.fileName(), form.options());
  }

  private static FormMetadata metadata(FormParts parts) throws IOException {
    return FormMetadata.parse(parts.readLimitedContent());
  }

  /// Reads the form from the end of its data to its own.
  private static FormMetadata metadataAfterData(FormParts parts) throws IOException {
    FormPart next = parts.next();
    if (!isMetadata(next)) {
      requireNone(next);
      return FormMetadata.NONE;
    }
    FormMetadata metadata = metadata(parts);
    requireNone(parts.next());
    return metadata;
  }

  /// Returns a source that ends only at the end of the whole form.
  private ByteSource untilEndOfForm(ByteSource data) {
    return new ByteSource() {
      private boolean ended;

      @Override
      public long read(MemorySegment destination) throws IOException {
        long count = data.read(destination);
        if (count < 0 && !ended) {
          ended = true;
          requireNone(parts.next());
        }
        return count;
      }
    };
  }

  @Override
  public void close() throws IOException {
    if (spooled != null) {
      spooled.close();
    }
  }

  private static boolean isMetadata(@Nullable FormPart part) {
    return part != null && part.name().equals("metadata");
  }

  private static FormPart requireData(@Nullable FormPart part) {
    if (part == null || isMetadata(part) || !part.isFile() && !part.name().equals("data")) {
      throw unexpected("a file or a part named data", part);
    }
    return part;
  }

  private static void requireNone(@Nullable FormPart part) {
    if (part != null) {
      throw unexpected("one file or part named data and at most one part named metadata", part);
    }
  }

  private static ProblemException unexpected(String expected, @Nullable FormPart part) {
    String found =
        part == null ? "the end" : "a part named " + Excerpt.of(part.name(), Problem.QUOTE_LENGTH);
    return Problem.badRequest(
        "Expected %s but found %s at the form".formatted(expected, found), FormParts.FORM_HINT);
  }
}
