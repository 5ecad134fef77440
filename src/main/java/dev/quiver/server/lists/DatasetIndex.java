package dev.quiver.server.lists;

import dev.quiver.formats.Format;
import dev.quiver.server.transfer.StreamingBody;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// The list of datasets as a folder of files, in the form that web servers give their folders.
///
/// Programs that mirror a folder read every link as a file of it, so each dataset has one, and the
/// page has no others. It has the columns of Apache's `mod_autoindex`: the name, the time of the
/// last modification, and the size, here always in bytes.
public record DatasetIndex(DatasetSource datasets) implements StreamingBody {

  private static final String START =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <title>Index of /datasets/</title>
      </head>
      <body>
      <h1>Index of /datasets/</h1>
      <pre>%-48s%-18s%16s<hr>
      """
          .formatted("Name", "Last modified", "Size");
  private static final String END =
      """
      <hr></pre>
      </body>
      </html>
      """;

  private static final int NAME_WIDTH = 47;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    write(START, sink);
    datasets.list(page -> {
      StringBuilder lines = new StringBuilder();
      page.forEach(dataset -> append(lines, dataset));
      write(lines.toString(), sink);
    });
    write(END, sink);
  }

  private static void append(StringBuilder lines, VersionSummary dataset) {
    // The characters of names need no escape, neither in HTML nor in a URL.
    String file = dataset.name() + Format.FILE.suffix();
    lines.append("<a href=\"").append(file).append("\">").append(file).append("</a>");
    lines.repeat(' ', Math.max(1, 1 + NAME_WIDTH - file.length()));
    TIME.formatTo(dataset.committedAt(), lines);
    String byteSize = Long.toString(dataset.file().byteSize());
    lines.repeat(' ', Math.max(2, 18 - byteSize.length())).append(byteSize).append('\n');
  }

  private static void write(String text, BlobSink sink) throws IOException {
    sink.write(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
  }
}
