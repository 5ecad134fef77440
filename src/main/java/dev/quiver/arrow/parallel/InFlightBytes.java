package dev.quiver.arrow.parallel;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// A limit on the memory that all requests together hold for their input, and for the metadata that
/// their responses decode. No number of requests can exceed it. Shared by threads.
///
/// Responses have at most half of it, however long their clients take, so that uploads always have
/// the rest.
public final class InFlightBytes {

  private static final String WHAT = "bytes in flight";

  private final Limit limit;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong takenByResponses = new AtomicLong();

  /// The number of responses that hold each shared value, by its key. Guards itself.
  private final Map<String, Integer> holders = new HashMap<>();

  /// @param maximum bytes for all requests together; 0 for a quarter of the heap
  public InFlightBytes(long maximum) {
    this(new Limit("in-flight-bytes", maximum));
  }

  /// @param limit on the bytes for all requests together; a maximum of 0 stands for a quarter of
  ///   the heap
  public InFlightBytes(Limit limit) {
    long heapBytes = Runtime.getRuntime().maxMemory();
    this.limit = limit.maximum() == 0 ? new Limit(limit.name(), heapBytes / 4) : limit;
  }

  /// Opens an empty charge for one request.
  public Charge open() {
    return new Charge();
  }

  /// Opens a charge of one response, which holds nothing yet.
  public ResponseCharge openResponse() {
    return new ResponseCharge();
  }

  /// Returns the maximum for all requests together, and so for one alone.
  public long maximum() {
    return limit.maximum();
  }

  /// Returns the bytes that all requests hold now.
  public long taken() {
    return taken.get();
  }

  /// Never charges an excess, even briefly, since other requests would be rejected meanwhile.
  private boolean tryTakeWithin(long maximum, long byteSize) {
    long before;
    do {
      before = taken.get();
      if (byteSize > maximum - before) {
        return false;
      }
    } while (!taken.compareAndSet(before, before + byteSize));
    return true;
  }

  /// The bytes of one request, until it is closed. Used by one thread.
  public final class Charge implements AutoCloseable {

    private long held;

    /// Charges more bytes, before they are allocated.
    ///
    /// @throws TooLargeInputException if this request alone would exceed the limit
    /// @throws OverloadedException if all requests together would
    public void take(long byteSize, InputLocation place) {
      long holding = held + byteSize;
      limit.check(holding, WHAT, place);
      if (!tryTakeWithin(limit.maximum(), byteSize)) {
        throw new OverloadedException(limit, WHAT);
      }
      held = holding;
    }

    /// Charges more bytes, unless all requests would then hold more than half of the limit. For
    /// optional memory.
    public boolean tryTake(long byteSize) {
      boolean isTaken = tryTakeWithin(limit.maximum() / 2, byteSize);
      held += isTaken ? byteSize : 0;
      return isTaken;
    }

    public void giveBack(long byteSize) {
      held -= byteSize;
      taken.addAndGet(-byteSize);
    }

    @Override
    public void close() {
      giveBack(held);
    }
  }

  private void takeForResponse(long byteSize) {
    long before;
    do {
      before = takenByResponses.get();
      if (byteSize > limit.maximum() / 2 - before) {
        throw new OverloadedException(limit, WHAT);
      }
    } while (!takenByResponses.compareAndSet(before, before + byteSize));
    if (!tryTakeWithin(limit.maximum(), byteSize)) {
      takenByResponses.addAndGet(-byteSize);
      throw new OverloadedException(limit, WHAT);
    }
  }

  private void giveBackOfResponse(long byteSize) {
    takenByResponses.addAndGet(-byteSize);
    taken.addAndGet(-byteSize);
  }

  /// The bytes of one response, until it is closed. A response that needs more than responses may
  /// have is charged all of that, and so goes alone. Used by one thread.
  public final class ResponseCharge implements AutoCloseable {

    private final Map<String, Long> shared = new HashMap<>();
    private long held;
    private long documentByteSize;

    /// Charges more bytes, before they are allocated.
    ///
    /// @throws OverloadedException if all responses together would exceed their part
    public void take(long byteSize) {
      long granted = Math.min(byteSize, room());
      takeForResponse(granted);
      held += granted;
    }

    /// Charges the next bytes of a document, before they are allocated. It counts as half of what
    /// responses may have at most, so that it also fits beside a shared value.
    ///
    /// @throws TooLargeInputException if the document alone has more than responses may have
    /// @throws OverloadedException if all responses together would exceed their part
    public void takeForDocument(long byteSize) {
      long grown = documentByteSize + byteSize;
      new Limit(limit.name(), limit.maximum() / 2)
          .check(grown, "bytes of a document", InputLocation.UNKNOWN);
      long granted = Math.min(grown, limit.maximum() / 4) - held;
      takeForResponse(granted);
      held += granted;
      documentByteSize = grown;
    }

    /// Charges a value that all responses with this key share, before it is loaded. It counts once,
    /// for as long as any of them is open.
    ///
    /// @throws OverloadedException if all responses together would exceed their part
    public void share(String key, long byteSize) {
      // Two responses must agree on the size, whatever else each of them holds.
      long granted = Math.min(byteSize, limit.maximum() / 4);
      synchronized (holders) {
        if (shared.containsKey(key)) {
          return;
        }
        if (!holders.containsKey(key)) {
          takeForResponse(granted);
        }
        holders.merge(key, 1, Integer::sum);
        shared.put(key, granted);
      }
    }

    private long room() {
      long sharedBytes = shared.values().stream().mapToLong(Long::longValue).sum();
      return limit.maximum() / 2 - held - sharedBytes;
    }

    @Override
    public void close() {
      synchronized (holders) {
        shared.forEach((key, byteSize) -> {
          if (holders.merge(key, -1, (before, change) -> before == 1 ? null : before + change)
              == null) {
            giveBackOfResponse(byteSize);
          }
        });
        shared.clear();
      }
      giveBack();
    }

    /// Gives back all but shared values.
    public void giveBack() {
      giveBackOfResponse(held);
      held = 0;
    }
  }
}
