package dev.quiver.arrow.parallel;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// A limit on the memory that all requests together hold for their input, and for the metadata that
/// their responses decode. No number of requests can exceed it. Shared by threads.
///
/// Responses have at most half of it, however long their clients take, so that uploads always have
/// the rest. [Claimant]s share both, so that no one of them has all.
public final class InFlightBytes {

  private static final String WHAT = "bytes in flight";

  private final Limit limit;
  private final SharedBytes all;
  private final SharedBytes ofResponses;

  /// The shared values that responses hold, by their keys. Guards itself.
  private final Map<String, Holding> holdings = new HashMap<>();

  /// A shared value.
  ///
  /// @param claimant the one to whom it is charged
  /// @param count the number of responses that hold it
  private record Holding(Claimant claimant, int count) {}

  /// @param maximum bytes for all requests together; 0 for a quarter of the heap
  public InFlightBytes(long maximum) {
    this(new Limit("in-flight-bytes", maximum));
  }

  /// @param limit on the bytes for all requests together; a maximum of 0 stands for a quarter of
  ///   the heap
  public InFlightBytes(Limit limit) {
    long heapBytes = Runtime.getRuntime().maxMemory();
    this.limit = limit.maximum() == 0 ? new Limit(limit.name(), heapBytes / 4) : limit;
    this.all = new SharedBytes(this.limit.maximum());
    this.ofResponses = new SharedBytes(this.limit.maximum() / 2);
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
    return all.taken();
  }

  /// The bytes of one request, until it is closed. Used by one thread.
  public final class Charge implements AutoCloseable {

    private final Claimant claimant = Claimant.current();
    private long held;

    /// Charges more bytes, before they are allocated.
    ///
    /// @throws TooLargeInputException if this request alone would exceed the limit, or the share of
    ///   its claimant
    /// @throws OverloadedException if all requests together would, or those of the claimant
    public void take(long byteSize, InputLocation place) {
      new Limit(limit.name(), all.maximum(claimant)).check(held + byteSize, WHAT, place);
      if (!all.tryTake(claimant, byteSize)) {
        throw new OverloadedException(limit, WHAT);
      }
      held += byteSize;
    }

    /// Charges more bytes, unless all requests would then hold more than half of the limit. For
    /// optional memory.
    public boolean tryTake(long byteSize) {
      boolean isTaken = all.tryTakeWithin(limit.maximum() / 2, claimant, byteSize);
      held += isTaken ? byteSize : 0;
      return isTaken;
    }

    public void giveBack(long byteSize) {
      held -= byteSize;
      all.giveBack(claimant, byteSize);
    }

    @Override
    public void close() {
      giveBack(held);
    }
  }

  private void takeForResponse(Claimant claimant, long byteSize) {
    if (!ofResponses.tryTake(claimant, byteSize)) {
      throw new OverloadedException(limit, WHAT);
    }
    if (!all.tryTake(claimant, byteSize)) {
      ofResponses.giveBack(claimant, byteSize);
      throw new OverloadedException(limit, WHAT);
    }
  }

  private void giveBackOfResponse(Claimant claimant, long byteSize) {
    ofResponses.giveBack(claimant, byteSize);
    all.giveBack(claimant, byteSize);
  }

  /// The bytes of one response, until it is closed. A response that needs more than responses may
  /// have is charged all of that, and so goes alone. Used by one thread.
  public final class ResponseCharge implements AutoCloseable {

    private final Claimant claimant = Claimant.current();
    private final Map<String, Long> shared = new HashMap<>();
    private long held;
    private long documentByteSize;

    /// Charges more bytes, before they are allocated.
    ///
    /// @throws OverloadedException if all responses together would exceed their part
    public void take(long byteSize) {
      long granted = Math.min(byteSize, room());
      takeForResponse(claimant, granted);
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
      takeForResponse(claimant, granted);
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
      synchronized (holdings) {
        if (shared.containsKey(key)) {
          return;
        }
        Holding present = holdings.get(key);
        if (present == null) {
          takeForResponse(claimant, granted);
          present = new Holding(claimant, 0);
        }
        holdings.put(key, new Holding(present.claimant(), present.count() + 1));
        shared.put(key, granted);
      }
    }

    private long room() {
      long sharedBytes = shared.values().stream().mapToLong(Long::longValue).sum();
      return ofResponses.maximum(claimant) - held - sharedBytes;
    }

    @Override
    public void close() {
      synchronized (holdings) {
        shared.forEach(this::leave);
        shared.clear();
      }
      giveBack();
    }

    private void leave(String key, long byteSize) {
      Holding present = Objects.requireNonNull(holdings.get(key));
      if (present.count() == 1) {
        holdings.remove(key);
        giveBackOfResponse(present.claimant(), byteSize);
      } else {
        holdings.put(key, new Holding(present.claimant(), present.count() - 1));
      }
    }

    /// Gives back all but shared values.
    public void giveBack() {
      giveBackOfResponse(claimant, held);
      held = 0;
    }
  }
}
