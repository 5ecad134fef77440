package dev.quiver.server.read;

import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.text.TextBlocks;
import dev.quiver.server.read.TextLengths.Purpose;
import dev.quiver.server.transfer.BodyPart;
import dev.quiver.server.transfer.FixedLengthBody;
import dev.quiver.server.transfer.MeasurableText;
import dev.quiver.store.blob.BlobSink;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Rows as text whose length is shared with other requests for the same text.
///
/// @param tag the entity tag of the text
record MeasurableRows(RowsBody rows, String tag, TextLengths lengths) implements MeasurableText {

  @Override
  public boolean isSmall() {
    return rows.isSmall();
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    lengths.countRendering(Purpose.RESPONSE);
    lengths.stream(
        tag,
        sink,
        timed -> {
          TextBlocks blocks = rows.write(timed);
          lengths.countBytes(Purpose.RESPONSE, blocks.byteSize());
          return blocks;
        });
  }

  @Override
  public @Nullable FixedLengthBody known() {
    TextBlocks blocks = lengths.known(tag);
    return blocks == null ? null : body(blocks);
  }

  @Override
  public @Nullable FixedLengthBody measure(PermitSource permits) throws IOException {
    TextBlocks blocks = lengths.measure(tag, progress -> render(permits, progress));
    return blocks == null ? null : body(blocks);
  }

  private @Nullable TextBlocks render(PermitSource permits, TextMeasurement.Progress progress)
      throws IOException {
    try (Permit _ = permits.acquire()) {
      lengths.countRendering(Purpose.LENGTH);
      TextBlocks blocks = rows.measure(progress);
      lengths.countBytes(Purpose.LENGTH, blocks == null ? 0 : blocks.byteSize());
      return blocks;
    }
  }

  private FixedLengthBody body(TextBlocks blocks) {
    long byteSize = blocks.byteSize();
    return FixedLengthBody.of(
        new BodyPart.Range(
            (offset, size, sink) -> {
              Purpose purpose = size == byteSize ? Purpose.RESPONSE : Purpose.RANGE;
              lengths.countRendering(purpose);
              lengths.countBytes(purpose, rows.write(blocks, offset, size, sink));
            },
            0,
            byteSize));
  }
}
