import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Scanner;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;

/// Reads the streams at the URLs on standard input, with the JDK's HTTP client and Arrow Java.
/// For each, it prints a line with the numbers of rows and batches and the sum of the column `id`,
/// or with the error.
class Reader {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  public static void main(String[] arguments) throws InterruptedException {
    PrintStream results = System.out;
    // Logging may write to standard output, so it is redirected.
    System.setOut(System.err);
    Scanner urls = new Scanner(System.in);
    while (urls.hasNextLine()) {
      results.println(result(URI.create(urls.nextLine())));
      results.flush();
    }
  }

  private static String result(URI url) throws InterruptedException {
    try {
      return read(url);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      return "error\t" + e.toString().replace('\n', ' ');
    }
  }

  private static String read(URI url) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(url).build();
    HttpResponse<InputStream> response = CLIENT.send(request, BodyHandlers.ofInputStream());
    long rows = 0;
    long batches = 0;
    long sum = 0;
    try (InputStream body = response.body();
        BufferAllocator memory = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(body, memory, CommonsCompressionFactory.INSTANCE)) {
      while (reader.loadNextBatch()) {
        BigIntVector ids = (BigIntVector) reader.getVectorSchemaRoot().getVector("id");
        for (int i = 0; i < ids.getValueCount(); i++) {
          sum += ids.get(i);
        }
        rows += ids.getValueCount();
        batches++;
      }
    }
    return "read\t" + rows + "\t" + batches + "\t" + sum;
  }
}
