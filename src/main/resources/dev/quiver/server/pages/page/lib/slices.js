// Long work in slices, between which the browser paints and responds.
// @ts-check

const SLICE_MILLISECONDS = 12;

/** The slices of some work. */
export class Slices {
  #end = performance.now() + SLICE_MILLISECONDS;

  /** @param {AbortSignal} signal ends the work */
  constructor(signal) {
    this.signal = signal;
  }

  /** Whether the work should pause. */
  get isOver() {
    return performance.now() > this.#end;
  }

  /** Pauses, and throws if the work is of no use any more. */
  async next() {
    await new Promise((resume) => setTimeout(resume));
    this.signal.throwIfAborted();
    this.#end = performance.now() + SLICE_MILLISECONDS;
  }
}
