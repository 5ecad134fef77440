// A local file as a source of its anatomy: read where it is, by its footer or message by message, without any upload.
// @ts-check

import { element, grouped, isolated, visible } from '../lib/elements.js';
import { Blocks, Bytes, Malformed, checkMagic, formatOf, layout, readFooter, readMessage, typeText, valuesOf, walk } from './ipc.js';

/** @typedef {import('./ipc.js').Block} Block */
/** @typedef {import('./ipc.js').IpcField} IpcField */

/** The messages of a stream that are walked at once. */
const WALKED = 20_000;
const MOST_DICTIONARIES = 100_000;
const MOST_FIELDS = 1_000;
const MAGIC_BYTES = 8;
/** Where writers put the first message of a file. */
const STARTS = [MAGIC_BYTES, 64];
/** @type {Record<string, string>} */
const CODECS = { LZ4_FRAME: 'lz4', ZSTD: 'zstd' };

/** An Arrow file or stream. What is wrong with it is in its `findings`. */
export class LocalFile {
  /** @type {import('./file-map.js').Mark[]} */
  findings = [];
  /** @type {(Block & { length: number }) | null} */
  schema = null;
  /** @type {Awaited<ReturnType<typeof readFooter>> | null} */
  footer = null;
  /** @type {(Block & { length: number })[]} */
  dictionaries = [];
  /** @type {IpcField[]} */
  fields = [];
  /** @type {[string, string][]} */
  schemaMetadata = [];
  /** The end of the messages. */
  end = 0;
  #batches = new Blocks(0);
  /**
   * The batches in the order of their offsets, if the footer has another one.
   *
   * @type {number[] | null}
   */
  #order = null;
  #position = 0;
  #ended = true;

  /**
   * Reads what there is to know without the messages of a file, or the first messages of a stream.
   *
   * @param {File} file
   */
  static async open(file) {
    const bytes = new Bytes(file);
    const format = await formatOf(bytes);
    const made = new LocalFile(file, bytes, format);
    if (format === 'file') {
      await made.#readFile();
    } else {
      await made.#begin(0);
    }
    return made;
  }

  /**
   * @param {File} file
   * @param {Bytes} source
   * @param {string | null} format
   */
  constructor(file, source, format) {
    this.file = file;
    this.source = source;
    this.format = format;
    this.bytes = file.size;
  }

  get batches() {
    return this.#batches.count;
  }

  /** Whether there are messages that were not walked yet. */
  get hasMore() {
    return !this.#ended;
  }

  /** The label of the bytes after the last message. */
  get restLabel() {
    if (this.hasMore) {
      return 'Not read yet';
    }
    return this.footer || this.findings.length === 0 ? 'End' : 'Not readable';
  }

  async #readFile() {
    let footer;
    await checkMagic(this.source).catch((error) => this.#note(error));
    try {
      footer = await readFooter(this.source);
    } catch (error) {
      this.#note(error);
      // The messages before a damaged footer are those of a stream.
      await this.#begin(MAGIC_BYTES);
      return;
    }
    this.footer = footer;
    this.fields = footer.schema.fields;
    this.schemaMetadata = footer.schema.metadata;
    footer.findings.forEach((each) => this.#note(each));
    const { dictionaries } = footer;
    for (let i = 0; i < Math.min(dictionaries.count, MOST_DICTIONARIES); i++) {
      this.dictionaries.push(placed(dictionaries.at(i)));
    }
    this.#batches = footer.batches;
    this.end = footer.offset;
    const order = Array.from({ length: this.batches }, (_, i) => i);
    if (order.some((i) => i > 0 && this.#batches.offset[i] < this.#batches.offset[i - 1])) {
      this.#order = order.sort((a, b) => this.#batches.offset[a] - this.#batches.offset[b]);
    }
    this.schema = await this.#findSchema();
  }

  /** The place of the schema message, which a file may lack. */
  async #findSchema() {
    for (const start of STARTS) {
      /** @type {(Block & { length: number }) | null} */
      let found = null;
      try {
        await walk(this.source, start, 1, (message, block) => {
          found = message.kind === 'schema' ? placed(block) : null;
        });
      } catch (error) {
        if (!(error instanceof Malformed)) {
          throw error;
        }
      }
      if (found) {
        return found;
      }
    }
    return null;
  }

  /** @param {number} offset */
  async #begin(offset) {
    this.#position = offset;
    this.#ended = false;
    await this.walkOn();
  }

  /** Walks some more messages of a stream. */
  async walkOn() {
    try {
      const { offset, ended } = await walk(this.source, this.#position, WALKED, (message, block) => {
        this.#add(message, block);
        this.#position = block.offset + block.metaDataLength + block.bodyLength;
      });
      this.#position = offset;
      this.#ended = ended;
    } catch (error) {
      this.#ended = true;
      this.#note(error);
    }
    this.end = this.#position;
  }

  /**
   * @param {import('./ipc.js').Message} message
   * @param {import('./ipc.js').Block} block
   */
  #add(message, block) {
    if (message.schema && !this.schema) {
      this.schema = placed(block);
      this.fields = message.schema.fields;
      this.schemaMetadata = message.schema.metadata;
    } else if (message.kind === 'dictionary' && this.dictionaries.length < MOST_DICTIONARIES) {
      this.dictionaries.push(placed(block));
    } else if (message.kind === 'batch') {
      this.#batches.add(block.offset, block.metaDataLength, block.bodyLength, this.bytes, block.offset);
    } else {
      this.#note(new Malformed('a dictionary or a record batch', `a ${message.kind}`, block.offset));
    }
    if (!this.schema) {
      throw new Malformed('a schema', `a ${message.kind}`, block.offset);
    }
  }

  /** @param {unknown} error */
  #note(error) {
    if (!(error instanceof Malformed)) {
      throw error;
    }
    this.findings.push({ severity: 'error', text: error.message, offset: error.offset });
  }

  /**
   * @param {number} from
   * @param {number} count
   */
  async extents(from, count) {
    return Array.from({ length: Math.min(count, this.batches - from) }, (_, i) => {
      const index = this.#order ? this.#order[from + i] : from + i;
      return { index, ...placed(this.#batches.at(index)) };
    });
  }

  /**
   * A message with its buffers. If it is damaged, its `problem` is a sentence.
   *
   * @param {string} kind
   * @param {number} index
   * @returns {Promise<import('./file-parts.js').MessageLayout>}
   */
  async message(kind, index) {
    const block = kind === 'batch' ? this.#batches.at(index) : this.dictionaries[index];
    /** @type {import('./file-parts.js').MessageLayout} */
    const made = { ...placed(block), codec: null, fields: [] };
    try {
      const found = await readMessage(this.source, block);
      if (found.kind !== kind) {
        throw new Malformed(`a ${kind}`, `a ${found.kind}`, block.offset);
      }
      made.rows = found.rows;
      made.codec = CODECS[found.codec ?? ''] ?? null;
      /** @type {[string, string][]} */
      const facts = [['version', found.version], ...found.metadata];
      made.facts = facts;
      if (kind === 'dictionary') {
        made.dictionary = found.id;
        facts.push(['delta', found.isDelta ? 'yes' : 'no']);
      }
      made.fields = layout(this.#fieldsOf(found, block), found, block.offset + block.metaDataLength, block.offset);
      made.fields.forEach(({ buffers }) =>
        buffers.forEach((buffer) => {
          if (found.codec && buffer.length > 0) {
            buffer.inCodec = made.codec;
          } else {
            buffer.uncompressedLength = buffer.length;
          }
        }),
      );
    } catch (error) {
      if (!(error instanceof Malformed)) {
        throw error;
      }
      made.problem = error.message;
    }
    return made;
  }

  /**
   * @param {import('./ipc.js').Message} found
   * @param {import('./ipc.js').Block} block
   */
  #fieldsOf(found, block) {
    if (found.kind === 'batch') {
      return this.fields;
    }
    const values = valuesOf(this.fields, found.id);
    if (!values) {
      throw new Malformed('a field with the dictionary', found.id, block.offset);
    }
    return [values];
  }

  /**
   * Reads the lengths before the data of compressed buffers.
   *
   * @param {import('./file-parts.js').PlacedBuffer[]} buffers
   */
  async complete(buffers) {
    for (const buffer of buffers) {
      if (buffer.inCodec && buffer.uncompressedLength === undefined && buffer.length >= 8) {
        const start = await this.source.read(buffer.offset, 8, 'an uncompressed length');
        const length = new DataView(start.buffer, start.byteOffset).getBigInt64(0, true);
        if (length === -1n) {
          buffer.uncompressedLength = buffer.length - 8;
        } else {
          buffer.codec = buffer.inCodec;
          buffer.uncompressedLength = length >= 0n && length <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(length) : undefined;
        }
      }
    }
  }

  /**
   * @param {number} offset
   * @param {number} length
   */
  command(offset, length) {
    return `tail -c +${offset + 1} ${shellPattern(this.file.name)} | head -c ${length}`;
  }

  /**
   * @param {number} offset
   * @param {number} length
   */
  async read(offset, length) {
    return (await this.source.read(offset, length, 'data')).slice();
  }

  /**
   * Returns the facts of the schema or of the footer.
   *
   * @param {string} kind
   */
  async facts(kind) {
    if (kind === 'footer') {
      const { version, dictionaries, batches, metadata } = /** @type {NonNullable<typeof this.footer>} */ (this.footer);
      return pairs([['version', version], ['dictionaries', grouped(dictionaries.count)], ['record batches', grouped(batches.count)], ...metadata]);
    }
    return element('div', {}, columnTable(this.fields), pairs(this.schemaMetadata));
  }
}

/**
 * The name of a file for a shell. It is a pattern if the name has hidden characters, each of which any one matches.
 *
 * @param {string} name
 */
function shellPattern(name) {
  const quoted = `'${(name.startsWith('-') ? `./${name}` : name).replaceAll("'", "'\\''")}'`;
  return quoted.replace(/\p{C}/gu, "'?'");
}

/** @param {import('./ipc.js').Block} block */
function placed({ offset, metaDataLength, bodyLength }) {
  return { offset, metaDataLength, bodyLength, length: metaDataLength + bodyLength };
}

/** @param {[string, string][]} all */
function pairs(all) {
  return element('dl', { class: 'facts' }, ...all.map(([name, value]) => element('div', {}, element('dt', {}, isolated(visible(name))), element('dd', {}, isolated(visible(value))))));
}

/**
 * The columns of a schema as a table.
 *
 * @param {import('./ipc.js').IpcField[]} fields
 */
function columnTable(fields) {
  const shown = fields.slice(0, MOST_FIELDS);
  const rows = shown.map((each) =>
    element('tr', {}, element('td', {}, isolated(each.name === '' ? '(no name)' : visible(each.name))), element('td', {}, visible(typeText(each))), element('td', {}, each.nullable ? '' : 'not null')),
  );
  const heads = ['column', 'type', 'nulls'].map((text) => element('th', { scope: 'col' }, text));
  const rest = fields.length - shown.length;
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Columns' },
    element('table', {}, element('thead', {}, element('tr', {}, ...heads)), element('tbody', {}, ...rows)),
    rest > 0 ? element('p', {}, `and ${grouped(rest)} more`) : null,
  );
}
