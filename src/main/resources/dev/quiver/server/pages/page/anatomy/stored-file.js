// The file of a stored version as a source of its anatomy, which the service tells.
// @ts-check

import { element } from '../lib/elements.js';
import { json, linked, needsToken, send } from '../lib/requests.js';
import { fragment } from '../lib/url-state.js';

/** The file of a stored version. */
export class StoredFile {
  /** @param {string} path that of the version */
  static async open(path) {
    const [index, { extents }, isGuarded] = await Promise.all([json(`${path}/layout?count=1`), json(`${path}/blobs`), needsToken(`${path}/layout`)]);
    const { dictionaries } = index.dictionaries > 0 ? await json(`${path}/batches?count=1`) : { dictionaries: [] };
    return new StoredFile(path, index, dictionaries, extents, isGuarded);
  }

  /**
   * @param {string} path
   * @param {any} index
   * @param {any[]} dictionaries
   * @param {{ blob: string, length: number }[]} extents
   * @param {boolean} isGuarded
   */
  constructor(path, index, dictionaries, extents, isGuarded) {
    this.path = path;
    this.isGuarded = isGuarded;
    this.file = index.file;
    this.bytes = index.bytes;
    this.batches = index.batches;
    this.dictionaries = dictionaries;
    this.schema = index.schema;
    this.footer = index.footer;
    this.blobs = extents;
  }

  /**
   * The places of some batches.
   *
   * @param {number} from
   * @param {number} count
   */
  async extents(from, count) {
    /** @type {{ batches: import('./ipc.js').Block[] }} */
    const { batches } = await json(`${this.path}/batches?from=${from}&count=${count}`);
    return batches.map(({ offset, metaDataLength, bodyLength }, i) => ({ index: from + i, offset, length: metaDataLength + bodyLength }));
  }

  /**
   * @param {string} kind
   * @param {number} index
   */
  async message(kind, index) {
    const from = kind === 'batch' ? this.dictionaries.length + index : index;
    const { messages } = await json(`${this.path}/layout?from=${from}&count=1`);
    return messages[0];
  }

  /** The layout has the sizes of all buffers. */
  async complete() {}

  /**
   * @param {number} offset
   * @param {number} length
   */
  command(offset, length) {
    const token = this.isGuarded ? ' -H "Authorization: Bearer $TOKEN"' : '';
    return `curl${token} -r ${offset}-${offset + length - 1} '${location.origin}${linked(this.file).replaceAll("'", '%27')}'`;
  }

  /**
   * @param {number} offset
   * @param {number} length
   */
  async read(offset, length) {
    const response = await send(this.file, { headers: { Range: `bytes=${offset}-${offset + length - 1}` } });
    return new Uint8Array(await response.arrayBuffer());
  }

  /** @param {string} kind */
  async facts(kind) {
    return kind === 'schema'
      ? element('p', {}, element('a', { href: fragment('schema') }, 'Its columns'))
      : element('p', {}, element('small', {}, 'It has the places of all messages, and the schema once more.'));
  }
}
