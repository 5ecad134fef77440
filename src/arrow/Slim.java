import dev.quiver.arrow.Arrow;
import dev.quiver.arrow.ArrowFile;
import dev.quiver.arrow.ArrowWriter;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.validate.Level;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Copies two columns of a file to a stream, if their values are valid.
void main(String[] arguments) throws IOException {
  OutputStream output = Files.newOutputStream(Path.of(arguments[1]));
  try (ArrowFile file = Arrow.open(Path.of(arguments[0])).select("name", "people");
      var writer = Arrow.writeStream(output, file.schema(), Arrow.Compression.ZSTD)) {
    for (RecordBatch batch : file.validate(Level.DOMAIN)) {
      writer.write(batch);
    }
    writer.finish();
    IO.println(file.batchCount() + " batches of " + file.schema().fields());
  }
}
