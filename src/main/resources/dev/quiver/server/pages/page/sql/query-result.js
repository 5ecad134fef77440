// The result of a statement, message by message as it arrives: an IPC stream of a schema, dictionaries and batches.
// @ts-check

import { describeType } from '../grid/arrow-types.js';
import { tableOf } from '../grid/arrow-values.js';
import { Problem, base, json, send } from '../lib/requests.js';

/** The rows and the bytes of all results that the page keeps. A statement with more is ended. */
export const MOST_ROWS = 1_000_000;
export const MOST_BYTES = 64_000_000;

/** The sentence for a result whose end has not arrived. */
export const INCOMPLETE = 'The result is incomplete: the statement failed, or the connection was lost.';

const ASK_MILLISECONDS = 1_000;
const ID_BYTES = 16;
const PREFIX_BYTES = 8;
const SCHEMA = 1;
const DICTIONARY = 2;
const BATCH = 3;

/**
 * The body of a request that runs a statement.
 *
 * @param {string} sql
 * @param {Record<string, string>} parameters
 * @param {AbortSignal} signal
 */
export function asked(sql, parameters, signal) {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ sql, parameters }),
    signal,
  };
}

/** @typedef {import('../grid/grid.js').Field & { type: import('../grid/arrow-values.js').ValueType }} ResultField */

/**
 * A statement that runs, and the rows of it that have arrived, as a source for a grid. It dispatches `rows` after each
 * batch, and `ended`.
 */
export class Result extends EventTarget {
  /**
   * The state, of which `limited` is that the page keeps no more.
   *
   * @type {'running' | 'complete' | 'limited' | 'cancelled' | 'failed'}
   */
  state = 'running';
  rows = 0;
  bytes = 0;
  /** @type {ResultField[] | null} */
  fields = null;
  /** @type {unknown} */
  failure = null;
  /**
   * The latest known state of the statement, or null.
   *
   * @type {import('./statement-progress.js').StatementState | null}
   */
  progress = null;
  /**
   * The versions that were read, once they are known.
   *
   * @type {string | null}
   */
  versions = null;

  #id = randomId();
  #control = new AbortController();
  #started = performance.now();
  /** @type {number | null} */
  #ended = null;
  /** @type {Batch[]} */
  #batches = [];

  /**
   * @param {string} sql
   * @param {Record<string, string>} parameters
   * @param {{ rows: number, bytes: number }} [others] the size of the results that the page keeps beside this one
   */
  constructor(sql, parameters, others = { rows: 0, bytes: 0 }) {
    super();
    this.sql = sql;
    this.parameters = parameters;
    this.most = { rows: MOST_ROWS - others.rows, bytes: MOST_BYTES - others.bytes };
  }

  get seconds() {
    return ((this.#ended ?? performance.now()) - this.#started) / 1000;
  }

  async run() {
    this.#follow();
    try {
      const request = asked(this.sql, this.parameters, this.#control.signal);
      const response = await send(`${base}/sql.arrows`, { ...request, headers: { ...request.headers, 'Quiver-Statement': this.#id } });
      this.versions = response.headers.get('Quiver-Versions');
      await this.#read(new Messages(/** @type {ReadableStream<Uint8Array>} */ (response.body).getReader()));
    } catch (error) {
      if (this.state === 'running') {
        this.failure = this.#told(error);
        this.#end('failed');
      }
    }
  }

  /**
   * Asks how far the statement is until it has ended. Another service than the one that runs it does not know, so the next
   * answer may tell more than this one.
   */
  async #follow() {
    await pause();
    while (this.state === 'running') {
      // An old answer would look like a statement that stands still.
      const told = await json(`${base}/sql/statements/${this.#id}`, { signal: this.#control.signal }).catch(() => null);
      this.progress = told?.state === 'unknown' ? this.progress : told;
      await pause();
    }
  }

  /** Ends the statement: the service stops once its client has left. */
  cancel() {
    if (this.state === 'running') {
      this.#end('cancelled');
      this.#control.abort();
    }
  }

  /**
   * The window of a cell, which is that of its batch.
   *
   * @param {number} row
   * @returns {import('../grid/grid.js').Window}
   */
  at(row) {
    return this.#batch(row);
  }

  /** @param {number} row */
  #batch(row) {
    let low = 0;
    let high = this.#batches.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#batches[middle].row <= row) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return this.#batches[low];
  }

  /** All rows are here. */
  want() {}

  /**
   * The values of some rows of some columns: those of the batch of the first row.
   *
   * @param {number} row
   * @param {number} end the row after the last one
   * @param {[number, number]} columns the first one, and the one after the last
   */
  async values(row, end, columns) {
    const batch = this.#batch(row);
    const first = row - batch.row;
    const count = Math.min(end - row, batch.table.numRows - first);
    const found = batch.columns.slice(...columns);
    return { count, columns: found.map((values) => ({ type: values.type, at: (/** @type {number} */ i) => values.at(first + i) })) };
  }

  /**
   * The values of a column in parts, the one after the other.
   *
   * @param {number} column
   * @returns {{ values: import('../grid/arrow-values.js').Vector, count: number }[]}
   */
  parts(column) {
    return this.#batches.map(({ columns, table }) => ({ values: columns[column], count: table.numRows }));
  }

  /** @param {Messages} messages */
  async #read(messages) {
    /** @type {Uint8Array[]} */
    const shared = [];
    for (let message = await messages.next(); message && this.state === 'running'; message = await messages.next()) {
      const isData = message.type === BATCH || message.type === DICTIONARY;
      if (isData && this.bytes + message.byteSize > this.most.bytes) {
        this.#limit();
        return;
      }
      const bytes = await messages.body();
      this.bytes += bytes.length;
      if (message.type === SCHEMA) {
        shared.push(bytes);
        this.#describe(tableOf([bytes]).schema);
      } else if (message.type === DICTIONARY) {
        shared.push(bytes);
      } else if (message.type === BATCH) {
        this.#add(tableOf([...shared, bytes]));
        if (this.rows >= this.most.rows) {
          this.#limit();
          return;
        }
      }
    }
    if (this.state === 'running') {
      this.#end('complete');
    }
  }

  /** @param {FlechetteTable['schema']} schema */
  #describe(schema) {
    this.fields = schema.fields.map(({ name, type, nullable }) => ({ name, type, nullable, arrowType: describeType(type) }));
  }

  /** @param {FlechetteTable} table */
  #add(table) {
    if (table.numRows > 0) {
      this.#batches.push(new Batch(table, this.rows));
      this.rows += table.numRows;
      this.dispatchEvent(new Event('rows'));
    }
  }

  #limit() {
    this.#end('limited');
    this.#control.abort();
  }

  /** @param {Result['state']} state */
  #end(state) {
    this.state = state;
    this.#ended = performance.now();
    this.dispatchEvent(new Event('ended'));
  }

  /**
   * A result is complete only if its end has arrived.
   *
   * @param {unknown} error
   */
  #told(error) {
    return error instanceof Problem || this.fields === null
      ? error
      : new Problem(0, { detail: INCOMPLETE });
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, ASK_MILLISECONDS));

/** A name that cannot be guessed. Pages without TLS have random values, but not `randomUUID`. */
function randomId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

class Batch {
  /** @type {import('../grid/arrow-values.js').Vector[] | null} */
  #columns = null;

  /**
   * @param {FlechetteTable} table
   * @param {number} row
   */
  constructor(table, row) {
    this.table = table;
    this.row = row;
    this.column = 0;
  }

  get columns() {
    this.#columns ??= this.table.schema.fields.map((_, i) => this.table.getChildAt(i));
    return this.#columns;
  }
}

/** The messages of a stream, each from its prefix to the end of its body. */
class Messages {
  #reader;
  /** @type {Uint8Array} */
  #rest = new Uint8Array(0);
  #head = new Uint8Array(0);
  #bodyByteSize = 0;

  /** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
  constructor(reader) {
    this.#reader = reader;
  }

  /** The type and the size of the next message, or null at the end of the stream. */
  async next() {
    const prefix = await this.#take(new Uint8Array(PREFIX_BYTES), 0);
    const metadataByteSize = new DataView(prefix.buffer).getInt32(4, true);
    if (metadataByteSize === 0) {
      return null;
    }
    const head = new Uint8Array(PREFIX_BYTES + metadataByteSize);
    head.set(prefix);
    await this.#take(head, PREFIX_BYTES);
    const { type, bodyByteSize } = described(new DataView(head.buffer, PREFIX_BYTES));
    this.#head = head;
    this.#bodyByteSize = bodyByteSize;
    return { type, byteSize: head.length + bodyByteSize };
  }

  /** The bytes of the message that [next] has told. */
  async body() {
    const bytes = new Uint8Array(this.#head.length + this.#bodyByteSize);
    bytes.set(this.#head);
    return this.#take(bytes, this.#head.length);
  }

  /**
   * Fills bytes from an offset on.
   *
   * @param {Uint8Array} bytes
   * @param {number} offset
   */
  async #take(bytes, offset) {
    let at = offset;
    while (at < bytes.length) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#reader.read();
        if (done) {
          throw new TypeError(`Expected the end of the stream but found the end of the response after ${at} bytes of a message`);
        }
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, bytes.length - at);
      bytes.set(part, at);
      at += part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
    return bytes;
  }
}

/**
 * The type of a message and the size of its body, from its table: Message.fbs.
 *
 * @param {DataView} metadata
 */
function described(metadata) {
  const table = metadata.getInt32(0, true);
  const slots = table - metadata.getInt32(table, true);
  const slotsEnd = metadata.getUint16(slots, true);
  /** @param {number} index */
  const position = (index) => {
    const slot = 4 + 2 * index;
    const offset = slot < slotsEnd ? metadata.getUint16(slots + slot, true) : 0;
    return offset === 0 ? null : table + offset;
  };
  const type = position(1);
  const body = position(3);
  return {
    type: type === null ? 0 : metadata.getUint8(type),
    bodyByteSize: body === null ? 0 : Number(metadata.getBigInt64(body, true)),
  };
}
