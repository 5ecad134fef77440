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

/// Reads each stream whose URL is a line of standard input, with the JDK's HTTP client and Arrow
/// Java, and tells on a line of its own how many rows and batches it has and the sum of its column
/// `id`, or the error.
class Reader {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  public static void main(String[] arguments) throws InterruptedException {
    PrintStream answers = System.out;
    // Of logging nobody says where it goes.
    System.setOut(System.err);
    Scanner urls = new Scanner(System.in);
    while (urls.hasNextLine()) {
      answers.println(told(URI.create(urls.nextLine())));
      answers.flush();
    }
  }

  private static String told(URI url) throws InterruptedException {
    try {
      return read(url);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      return "error\t" + e.toString().replace('\n', ' ');
    }
  }

  private static String read(URI url) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(url).build();
    HttpResponse<InputStream> answer = CLIENT.send(request, BodyHandlers.ofInputStream());
    long rows = 0;
    long batches = 0;
    long sum = 0;
    try (InputStream body = answer.body();
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
