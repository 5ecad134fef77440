// A reader of the metadata of Arrow IPC files and streams: FlatBuffers as Message.fbs, Schema.fbs and File.fbs describe
// them. It reads no data, and checks every offset and length against the bytes that there are. It needs no browser.
// @ts-check

/** @typedef {[key: string, value: string]} Pair */

/**
 * A field of a schema, with the roles of its buffers.
 *
 * @typedef {object} IpcField
 * @property {string} name
 * @property {boolean} nullable
 * @property {string} arrowType
 * @property {boolean} isUnion
 * @property {boolean} isView
 * @property {string[]} roles
 * @property {{ id: string, indexType: string } | null} dictionary
 * @property {IpcField[]} children
 * @property {Pair[]} metadata
 */

/** @typedef {{ fields: IpcField[], metadata: Pair[], isBigEndian: boolean }} Schema */

/**
 * The values of a table `RecordBatch`. Offsets of buffers are relative to the body.
 *
 * @typedef {object} Batch
 * @property {number} rows
 * @property {string | null} codec
 * @property {{ length: number, nullCount: number | null }[]} nodes
 * @property {{ offset: number, length: number }[]} buffers
 * @property {number[]} variadic
 */

/**
 * A message: what all have, a schema, and what dictionaries and record batches have.
 *
 * @typedef {{ kind: string, version: string, bodyLength: number, metadata: Pair[], schema?: Schema, id?: string, isDelta?: boolean }
 *     & Partial<Batch>} Message
 */

/** @typedef {{ offset: number, metaDataLength: number, bodyLength: number }} Block */

/**
 * The layout of a field of a message, as that of a stored version has it.
 *
 * @typedef {object} FieldLayout
 * @property {number} [column]
 * @property {string} path
 * @property {number} length
 * @property {number | null} nullCount
 * @property {{ role: string, offset: number, length: number }[]} buffers
 */

const MOST_DEPTH = 64;
const MOST_METADATA_BYTES = 256 << 20;
const MOST_FINDINGS = 100;
const CONTINUATION = 0xffffffff;
const READ_AHEAD_BYTES = 1 << 16;
const MAGIC = 'ARROW1';
/** The length of the footer and the magic after it. */
const TRAILER_BYTES = 4 + MAGIC.length;

/** Bytes that are not those of the format. */
export class Malformed extends Error {
  /**
   * @param {string} expected
   * @param {unknown} found
   * @param {number} at the offset in the file
   */
  constructor(expected, found, at) {
    super(`Expected ${expected} but found ${found} at byte ${at}`);
    this.name = 'Malformed';
    this.offset = at;
  }
}

/** A FlatBuffer, of which at most as many tables and characters are read as it has bytes, so that sharing costs nothing. */
class FlatBuffer {
  /**
   * @param {Uint8Array} bytes
   * @param {number} base
   */
  constructor(bytes, base) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.base = base;
    this.tables = bytes.length;
    this.characters = bytes.length;
  }

  /**
   * Returns a position if `length` bytes follow it.
   *
   * @param {number} position
   * @param {number} length
   * @param {string} what
   */
  check(position, length, what) {
    if (position < 0 || length > this.bytes.length - position) {
      throw new Malformed(`${length} bytes of ${what}`, `${Math.max(0, this.bytes.length - position)}`, this.base + position);
    }
    return position;
  }

  root() {
    return this.table(this.offset(0, 'the root'), 'the root table');
  }

  /**
   * Follows the offset at a position.
   *
   * @param {number} position
   * @param {string} what
   */
  offset(position, what) {
    const target = position + this.view.getUint32(this.check(position, 4, what), true);
    if (target >= this.bytes.length) {
      throw new Malformed(`an offset of ${what} within ${this.bytes.length} bytes`, target - position, this.base + position);
    }
    return target;
  }

  /**
   * @param {number} position
   * @param {string} what
   */
  table(position, what) {
    if (this.tables-- === 0) {
      throw new Malformed(`at most ${this.bytes.length} tables`, 'more', this.base + position);
    }
    return new Table(this, position, what);
  }

  /**
   * @param {number} position
   * @param {string} what
   */
  text(position, what) {
    const length = this.view.getUint32(this.check(position, 4, what), true);
    this.check(position + 4, length, what);
    this.characters -= length;
    if (this.characters < 0) {
      throw new Malformed(`at most ${this.bytes.length} characters of text`, 'more', this.base + position);
    }
    return new TextDecoder().decode(this.bytes.subarray(position + 4, position + 4 + length));
  }
}

class Table {
  /**
   * @param {FlatBuffer} buffer
   * @param {number} position
   * @param {string} what
   */
  constructor(buffer, position, what) {
    this.buffer = buffer;
    this.position = position;
    this.what = what;
    const { view } = buffer;
    this.vtable = position - view.getInt32(buffer.check(position, 4, what), true);
    if (this.vtable < 0 || this.vtable >= buffer.bytes.length) {
      throw new Malformed(`an offset of the slots of ${what} within ${buffer.bytes.length} bytes`, this.vtable, buffer.base + position);
    }
    const size = view.getUint16(buffer.check(this.vtable, 4, `the slots of ${what}`), true);
    this.size = view.getUint16(this.vtable + 2, true);
    if (size < 4 || size % 2 !== 0) {
      throw new Malformed(`an even size of 4 or more of the slots of ${what}`, size, buffer.base + this.vtable);
    }
    buffer.check(this.vtable, size, `the slots of ${what}`);
    buffer.check(position, this.size, what);
    this.slots = (size - 4) / 2;
  }

  /**
   * The position of a value, or null if it is absent.
   *
   * @param {number} number
   * @param {number} length
   * @param {string} name
   */
  slot(number, length, name) {
    const { buffer } = this;
    const at = number < this.slots ? buffer.view.getUint16(this.vtable + 4 + 2 * number, true) : 0;
    if (at === 0) {
      return null;
    }
    if (at < 4 || at + length > this.size) {
      throw new Malformed(`${name} within the ${this.size} bytes of ${this.what}`, `an offset of ${at}`, buffer.base + this.vtable + 4 + 2 * number);
    }
    return this.position + at;
  }

  /**
   * @param {number} number
   * @param {string} name
   */
  byte(number, name) {
    const at = this.slot(number, 1, name);
    return at === null ? 0 : this.buffer.bytes[at];
  }

  /**
   * @param {number} number
   * @param {string} name
   */
  short(number, name) {
    const at = this.slot(number, 2, name);
    return at === null ? 0 : this.buffer.view.getInt16(at, true);
  }

  /**
   * @param {number} number
   * @param {string} name
   * @param {number} [absent]
   */
  int(number, name, absent = 0) {
    const at = this.slot(number, 4, name);
    return at === null ? absent : this.buffer.view.getInt32(at, true);
  }

  /**
   * A long as text, exactly.
   *
   * @param {number} number
   * @param {string} name
   */
  id(number, name) {
    const at = this.slot(number, 8, name);
    return at === null ? '0' : String(this.buffer.view.getBigInt64(at, true));
  }

  /**
   * A length or an offset.
   *
   * @param {number} number
   * @param {string} name
   */
  long(number, name) {
    const at = this.slot(number, 8, name);
    return at === null ? 0 : size(this.buffer, at, name);
  }

  /**
   * @param {number} number
   * @param {string} name
   */
  table(number, name) {
    const at = this.slot(number, 4, name);
    return at === null ? null : this.buffer.table(this.buffer.offset(at, name), name);
  }

  /**
   * @param {number} number
   * @param {string} name
   */
  required(number, name) {
    const found = this.table(number, name);
    if (found === null) {
      throw new Malformed(name, 'none', this.buffer.base + this.position);
    }
    return found;
  }

  /**
   * @param {number} number
   * @param {string} name
   */
  text(number, name) {
    const at = this.slot(number, 4, name);
    return at === null ? null : this.buffer.text(this.buffer.offset(at, name), name);
  }

  /**
   * The elements of a vector: their number, and the position of the first one.
   *
   * @param {number} number
   * @param {number} length
   * @param {string} name
   */
  vector(number, length, name) {
    const at = this.slot(number, 4, name);
    if (at === null) {
      return { count: 0, start: 0 };
    }
    const { buffer } = this;
    const position = buffer.offset(at, name);
    const count = buffer.view.getUint32(buffer.check(position, 4, name), true);
    if (count * length > buffer.bytes.length - position - 4) {
      throw new Malformed(`at most ${Math.floor((buffer.bytes.length - position - 4) / length)} ${name}`, count, buffer.base + position);
    }
    return { count, start: position + 4 };
  }

  /**
   * @template T
   * @param {number} number
   * @param {string} name
   * @param {(table: Table) => T} read
   */
  tables(number, name, read) {
    const { count, start } = this.vector(number, 4, name);
    /** @type {T[]} */
    const made = [];
    for (let i = 0; i < count; i++) {
      made.push(read(this.buffer.table(this.buffer.offset(start + 4 * i, name), name)));
    }
    return made;
  }

  /**
   * The pairs of custom metadata.
   *
   * @param {number} number
   * @returns {Pair[]}
   */
  pairs(number) {
    return this.tables(number, 'custom metadata', (pair) => [pair.text(0, 'a key') ?? '', pair.text(1, 'a value') ?? '']);
  }
}

/**
 * Reads a long that is a length, a count or an offset.
 *
 * @param {FlatBuffer} buffer
 * @param {number} position
 * @param {string} name
 */
function size(buffer, position, name) {
  const value = buffer.view.getBigInt64(position, true);
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new Malformed(`${name} from 0 to 2⁵³`, value, buffer.base + position);
  }
  return Number(value);
}

// Types: the code of the union, and the roles of their buffers.

const VALUES = ['VALIDITY', 'DATA'];
const TEXTS = ['VALIDITY', 'OFFSETS', 'DATA'];
const LISTS = ['VALIDITY', 'OFFSETS'];
const VIEWS = ['VALIDITY', 'VIEWS'];
const LIST_VIEWS = ['VALIDITY', 'SLOT_OFFSETS', 'SIZES'];
const INT = 2;
const UNION = 14;
const UNITS = ['s', 'ms', 'us', 'ns'];

/** @type {{ name: (type: Table) => string, roles: string[] | null }[]} */
const TYPES = [
  { name: () => 'null', roles: [] },
  { name: (type) => `${type.byte(1, 'the sign') ? 'int' : 'uint'}${type.int(0, 'the bit width')}`, roles: VALUES },
  { name: (type) => `float${constant(type, 0, ['16', '32', '64'])}`, roles: VALUES },
  { name: () => 'binary', roles: TEXTS },
  { name: () => 'utf8', roles: TEXTS },
  { name: () => 'bool', roles: VALUES },
  { name: (type) => `decimal${type.int(2, 'the bit width', 128)}(${type.int(0, 'the precision')}, ${type.int(1, 'the scale')})`, roles: VALUES },
  { name: (type) => constant(type, 0, ['date32[day]', 'date64[ms]'], 1), roles: VALUES },
  { name: (type) => `time${type.int(1, 'the bit width', 32)}[${constant(type, 0, UNITS, 1)}]`, roles: VALUES },
  { name: timestamp, roles: VALUES },
  { name: (type) => `interval[${constant(type, 0, ['year_month', 'day_time', 'month_day_nano'])}]`, roles: VALUES },
  { name: () => 'list', roles: LISTS },
  { name: () => 'struct', roles: ['VALIDITY'] },
  { name: (type) => constant(type, 0, ['sparse_union', 'dense_union']), roles: null },
  { name: (type) => `fixed_size_binary[${type.int(0, 'the width')}]`, roles: VALUES },
  { name: (type) => `fixed_size_list[${type.int(0, 'the size')}]`, roles: ['VALIDITY'] },
  { name: (type) => (type.byte(0, 'the order') ? 'map[keys sorted]' : 'map'), roles: LISTS },
  { name: (type) => `duration[${constant(type, 0, UNITS, 1)}]`, roles: VALUES },
  { name: () => 'large_binary', roles: TEXTS },
  { name: () => 'large_utf8', roles: TEXTS },
  { name: () => 'large_list', roles: LISTS },
  { name: () => 'run_end_encoded', roles: [] },
  { name: () => 'binary_view', roles: VIEWS },
  { name: () => 'utf8_view', roles: VIEWS },
  { name: () => 'list_view', roles: LIST_VIEWS },
  { name: () => 'large_list_view', roles: LIST_VIEWS },
];

/**
 * The name of a constant of an enum.
 *
 * @param {Table} type
 * @param {number} number
 * @param {string[]} names
 * @param {number} [absent]
 */
function constant(type, number, names, absent = 0) {
  const at = type.slot(number, 2, 'a unit');
  const value = at === null ? absent : type.buffer.view.getInt16(at, true);
  if (names[value] === undefined) {
    throw new Malformed(`a constant from 0 to ${names.length - 1}`, value, type.buffer.base + (at ?? type.position));
  }
  return names[value];
}

/** @param {Table} type */
function timestamp(type) {
  const zone = type.text(1, 'the time zone');
  return `timestamp[${constant(type, 0, UNITS)}${zone ? `, ${zone}` : ''}]`;
}

/**
 * @param {Table} table
 * @param {number} depth
 * @returns {IpcField}
 */
function field(table, depth) {
  if (depth > MOST_DEPTH) {
    throw new Malformed(`at most ${MOST_DEPTH} levels of fields`, 'more', table.buffer.base + table.position);
  }
  const code = table.byte(2, 'the code of a type');
  const type = TYPES[code - 1];
  if (!type) {
    throw new Malformed(`a type from 1 to ${TYPES.length}`, code, table.buffer.base + table.position);
  }
  const arrowType = type.name(table.required(3, 'a type'));
  const encoding = table.table(4, 'a dictionary encoding');
  const index = encoding?.table(1, 'an index type');
  return {
    name: table.text(0, 'a name') ?? '',
    nullable: table.byte(1, 'the nullability') !== 0,
    arrowType,
    isUnion: code === UNION,
    isView: type.roles === VIEWS,
    roles: type.roles ?? (arrowType === 'dense_union' ? ['TYPE_IDS', 'SLOT_OFFSETS'] : ['TYPE_IDS']),
    dictionary: encoding
      ? { id: encoding.id(0, 'the id of a dictionary'), indexType: index ? TYPES[INT - 1].name(index) : 'int32' }
      : null,
    children: table.tables(5, 'fields', (child) => field(child, depth + 1)),
    metadata: table.pairs(6),
  };
}

/**
 * @param {Table} table
 * @returns {Schema}
 */
function schema(table) {
  return { fields: table.tables(1, 'fields', (each) => field(each, 1)), metadata: table.pairs(2), isBigEndian: table.short(0, 'the endianness') === 1 };
}

/**
 * The text of a field's type with those of its children.
 *
 * @param {IpcField} field
 * @returns {string}
 */
export function typeText(field) {
  const nested = field.children.map((child) => `${child.name}: ${typeText(child)}`).join(', ');
  const own = extensionName(field) ?? field.arrowType;
  const type = nested === '' ? own : `${own}<${nested}>`;
  return field.dictionary ? `dictionary<${field.dictionary.indexType}, ${type}>` : type;
}

/**
 * The name of an extension type whose text differs from that of its storage.
 *
 * @param {IpcField} field
 */
function extensionName({ arrowType, metadata }) {
  const [, extension] = metadata.find(([key]) => key === 'ARROW:extension:name') ?? [];
  if (extension === 'arrow.uuid' && arrowType === 'fixed_size_binary[16]') {
    return 'uuid';
  }
  return extension === 'arrow.json' && arrowType.includes('utf8') ? 'json' : null;
}

// Messages

const HEADERS = [null, 'schema', 'dictionary', 'batch', 'tensor', 'sparse tensor'];
const VERSIONS = ['V1', 'V2', 'V3', 'V4', 'V5'];
const CODECS = ['LZ4_FRAME', 'ZSTD'];

/**
 * The members of a table `Message`: `kind`, `version`, `bodyLength`, `metadata`, and those of its header.
 *
 * @param {Uint8Array} bytes
 * @param {number} base
 * @returns {Message}
 */
export function message(bytes, base) {
  const root = new FlatBuffer(bytes, base).root();
  const code = root.byte(1, 'the code of a header');
  const kind = HEADERS[code];
  if (!kind) {
    throw new Malformed(`a header from 1 to ${HEADERS.length - 1}`, code, base + root.position);
  }
  const header = root.required(2, 'a header');
  /** @type {Message} */
  const found = {
    kind,
    version: version(root),
    bodyLength: root.long(3, 'the length of the body'),
    metadata: root.pairs(4),
  };
  if (kind === 'schema') {
    found.schema = schema(header);
  } else if (kind === 'dictionary') {
    found.id = header.id(0, 'the id of a dictionary');
    found.isDelta = header.byte(2, 'the mark of a delta') !== 0;
    Object.assign(found, batch(header.required(1, 'the values of a dictionary'), found.bodyLength));
  } else if (kind === 'batch') {
    Object.assign(found, batch(header, found.bodyLength));
  }
  return found;
}

/** @param {Table} table */
function version(table) {
  const found = table.short(0, 'the version');
  if (!VERSIONS[found]) {
    throw new Malformed('a version from 0 to 4', found, table.buffer.base + table.position);
  }
  return VERSIONS[found];
}

/**
 * The members of a table `RecordBatch`. Offsets of buffers are relative to the body.
 *
 * @param {Table} table
 * @param {number} bodyLength
 */
function batch(table, bodyLength) {
  const { buffer } = table;
  const compression = table.table(3, 'a compression');
  const codec = compression ? CODECS[compression.byte(0, 'the codec')] : null;
  if (codec === undefined) {
    throw new Malformed('codec 0 or 1', compression?.byte(0, 'the codec'), buffer.base + (compression?.position ?? 0));
  }
  const nodes = structs(table, 1, 'nodes', (at) => ({ length: size(buffer, at, 'a length'), nullCount: nullCount(buffer, at + 8) }));
  const buffers = structs(table, 2, 'buffers', (at) => {
    const offset = size(buffer, at, 'the offset of a buffer');
    const length = size(buffer, at + 8, 'the length of a buffer');
    if (length > bodyLength - offset) {
      throw new Malformed(`a buffer within the ${bodyLength} bytes of the body`, `${length} bytes from ${offset} on`, buffer.base + at);
    }
    return { offset, length };
  });
  const { count, start } = table.vector(4, 8, 'counts of data buffers');
  const variadic = [];
  for (let i = 0; i < count; i++) {
    variadic.push(size(buffer, start + 8 * i, 'the count of data buffers'));
  }
  return { rows: table.long(0, 'a length'), codec, nodes, buffers, variadic };
}

/**
 * A null count, which old writers give as -1 if it is unknown.
 *
 * @param {FlatBuffer} buffer
 * @param {number} position
 */
function nullCount(buffer, position) {
  return buffer.view.getBigInt64(position, true) === -1n ? null : size(buffer, position, 'a null count');
}

/**
 * @template T
 * @param {Table} table
 * @param {number} number
 * @param {string} name
 * @param {(position: number) => T} read
 */
function structs(table, number, name, read) {
  const { count, start } = table.vector(number, 16, name);
  /** @type {T[]} */
  const made = [];
  for (let i = 0; i < count; i++) {
    made.push(read(start + 16 * i));
  }
  return made;
}

/**
 * The fields of a batch in the order of their nodes, as the layout of a stored version has them: with offsets in the file.
 *
 * @param {IpcField[]} fields those of the schema, or one of them for a dictionary
 * @param {Message} found
 * @param {number} bodyOffset the offset of the body in the file
 * @param {number} at the offset of the message, for failures
 * @returns {FieldLayout[]}
 */
export function layout(fields, found, bodyOffset, at) {
  const { nodes = [], buffers: places = [], variadic = [], version } = found;
  /** @type {FieldLayout[]} */
  const made = [];
  const next = { node: 0, buffer: 0, variadic: 0 };
  /**
   * @template T
   * @param {T[]} list
   * @param {keyof typeof next} key
   * @param {string} what
   * @returns {T}
   */
  const take = (list, key, what) => {
    if (next[key] >= list.length) {
      throw new Malformed(`more than ${list.length} ${what}`, 'the end', at);
    }
    return list[next[key]++];
  };
  /**
   * @param {IpcField} each
   * @param {number} column
   * @param {string} path
   */
  const visit = (each, column, path) => {
    const { length, nullCount } = take(nodes, 'node', 'nodes');
    const buffers = rolesOf(each, version, () => take(variadic, 'variadic', 'counts of data buffers'), places.length).map((role) => {
      const buffer = take(places, 'buffer', 'buffers');
      return { role, offset: bodyOffset + buffer.offset, length: buffer.length };
    });
    made.push({ column, path, length, nullCount, buffers });
    if (!each.dictionary) {
      each.children.forEach((child) => visit(child, column, `${path}.${child.name}`));
    }
  };
  fields.forEach((each, column) => visit(each, column, each.name));
  if (next.node !== nodes.length) {
    throw new Malformed(`${next.node} nodes`, nodes.length, at);
  }
  if (next.buffer !== places.length) {
    throw new Malformed(`${next.buffer} buffers`, places.length, at);
  }
  return made;
}

/**
 * @param {IpcField} each
 * @param {string} version
 * @param {() => number} variadic
 * @param {number} most
 * @returns {string[]}
 */
function rolesOf(each, version, variadic, most) {
  if (each.dictionary) {
    return VALUES;
  }
  if (each.isUnion && version !== 'V5') {
    return ['VALIDITY', ...each.roles];
  }
  if (each.isView) {
    // As many as there are buffers at most: the count is not to be trusted.
    return [...each.roles, ...Array(Math.min(variadic(), most + 1)).fill('DATA')];
  }
  return each.roles;
}

/**
 * The field whose dictionary has an id, as one of the dictionary's values, or null.
 *
 * @param {IpcField[]} fields
 * @param {string | undefined} id
 * @returns {IpcField | null}
 */
export function valuesOf(fields, id) {
  for (const each of fields) {
    const found = each.dictionary?.id === id ? { ...each, dictionary: null } : valuesOf(each.children, id);
    if (found) {
      return found;
    }
  }
  return null;
}

// Files

/**
 * The bytes of a file, read in pieces.
 *
 * @param blob a File or a Blob
 */
export class Bytes {
  #start = 0;
  #kept = new Uint8Array(0);

  /** @param {Blob} blob */
  constructor(blob) {
    this.blob = blob;
    this.size = blob.size;
  }

  /**
   * @param {number} offset
   * @param {number} length
   * @param {string} what
   */
  async read(offset, length, what) {
    if (!Number.isSafeInteger(offset) || offset < 0 || length < 0 || length > this.size - offset) {
      throw new Malformed(`${length} bytes of ${what}`, `${Math.max(0, this.size - offset)}`, offset);
    }
    if (offset < this.#start || offset + length > this.#start + this.#kept.length) {
      const end = Math.min(this.size, offset + Math.max(length, READ_AHEAD_BYTES));
      this.#kept = await this.#slice(offset, end, length, what);
      this.#start = offset;
    }
    return this.#kept.subarray(offset - this.#start, offset - this.#start + length);
  }

  /**
   * @param {number} offset
   * @param {number} end
   * @param {number} length
   * @param {string} what
   */
  async #slice(offset, end, length, what) {
    try {
      return new Uint8Array(await this.blob.slice(offset, end).arrayBuffer());
    } catch {
      // A browser gives a file up once it is modified.
      throw new Malformed(`${length} bytes of ${what}`, 'that the file was modified or removed', offset);
    }
  }
}

/** @param {Uint8Array} bytes */
const ascii = (bytes) => String.fromCharCode(...bytes);

/**
 * Checks the magic before the first message of a file.
 *
 * @param {Bytes} bytes
 */
export async function checkMagic(bytes) {
  const found = ascii(await bytes.read(0, MAGIC.length, 'the magic'));
  if (found !== MAGIC) {
    throw new Malformed(`the magic ${MAGIC}`, JSON.stringify(found), 0);
  }
}

/**
 * The format of a file by its first bytes, or its last ones: `file`, `stream`, `feather`, `parquet` or null.
 *
 * @param {Bytes} bytes
 */
export async function formatOf(bytes) {
  const end = bytes.size < 8 ? '' : ascii(await bytes.read(bytes.size - MAGIC.length, MAGIC.length, 'the magic'));
  const start = await bytes.read(0, Math.min(bytes.size, 8), 'a start');
  const text = ascii(start);
  if (text.startsWith(MAGIC) || end === MAGIC) {
    return 'file';
  }
  if (text.startsWith('FEA1')) {
    return 'feather';
  }
  if (text.startsWith('PAR1')) {
    return 'parquet';
  }
  if (start.length < 8) {
    return null;
  }
  const [first, second] = new Uint32Array(start.slice().buffer);
  const isStream = first === CONTINUATION || (first > 0 && first < bytes.size && first % 4 === 0 && second < first);
  return isStream ? 'stream' : null;
}

/**
 * Reads the footer of a file: its `schema`, the blocks of its messages, where the footer lies, and `findings` about
 * blocks that lie elsewhere than in the file.
 *
 * @param {Bytes} bytes
 */
export async function readFooter(bytes) {
  const end = bytes.size - TRAILER_BYTES;
  if (end < MAGIC.length + 2) {
    throw new Malformed(`at least ${MAGIC.length + 2 + TRAILER_BYTES} bytes`, bytes.size, 0);
  }
  const trailer = await bytes.read(end, TRAILER_BYTES, 'the trailer');
  const magic = ascii(trailer.subarray(4));
  if (magic !== MAGIC) {
    throw new Malformed(`the magic ${MAGIC}`, JSON.stringify(magic), end + 4);
  }
  const length = new DataView(trailer.buffer, trailer.byteOffset).getInt32(0, true);
  if (length < 8 || length > Math.min(end - MAGIC.length - 2, MOST_METADATA_BYTES)) {
    throw new Malformed(`a footer of 8 to ${Math.min(end - MAGIC.length - 2, MOST_METADATA_BYTES)} bytes`, length, end);
  }
  const offset = end - length;
  const root = new FlatBuffer(await bytes.read(offset, length, 'the footer'), offset).root();
  /** @type {Malformed[]} */
  const findings = [];
  return {
    offset,
    length,
    version: version(root),
    schema: schema(root.required(1, 'a schema')),
    dictionaries: blocks(root, 2, 'dictionaries', offset, findings),
    batches: blocks(root, 3, 'record batches', offset, findings),
    metadata: root.pairs(4),
    findings,
  };
}

/**
 * The blocks of a footer as columns of numbers: `offset`, `metaDataLength` and `bodyLength`.
 *
 * @param {Table} root
 * @param {number} number
 * @param {string} name
 * @param {number} end
 * @param {Malformed[]} findings
 */
function blocks(root, number, name, end, findings) {
  const { buffer } = root;
  const { count, start } = root.vector(number, 24, name);
  const made = new Blocks(count);
  for (let i = 0; i < count; i++) {
    const at = start + 24 * i;
    try {
      made.add(size(buffer, at, 'the offset of a message'), buffer.view.getInt32(at + 8, true), size(buffer, at + 16, 'the length of a body'), end, buffer.base + at);
    } catch (error) {
      if (!(error instanceof Malformed)) {
        throw error;
      }
      if (findings.length < MOST_FINDINGS) {
        findings.push(error);
      }
    }
  }
  return made;
}

/** The places of messages. */
export class Blocks {
  count = 0;

  /** @param {number} capacity */
  constructor(capacity) {
    this.offset = new Float64Array(capacity);
    this.metaDataLength = new Int32Array(capacity);
    this.bodyLength = new Float64Array(capacity);
  }

  /**
   * @param {number} offset
   * @param {number} metaDataLength
   * @param {number} bodyLength
   * @param {number} end
   * @param {number} at the offset of what says so
   */
  add(offset, metaDataLength, bodyLength, end, at) {
    if (metaDataLength < 8 || metaDataLength > MOST_METADATA_BYTES || offset + metaDataLength + bodyLength > end) {
      const found = `${metaDataLength} and ${bodyLength} bytes from ${offset} on`;
      throw new Malformed(`the metadata and the body of a message before byte ${end}`, found, at);
    }
    if (this.count === this.offset.length) {
      const grown = new Blocks(Math.max(64, 2 * this.count));
      grown.offset.set(this.offset);
      grown.metaDataLength.set(this.metaDataLength);
      grown.bodyLength.set(this.bodyLength);
      ({ offset: this.offset, metaDataLength: this.metaDataLength, bodyLength: this.bodyLength } = grown);
    }
    this.offset[this.count] = offset;
    this.metaDataLength[this.count] = metaDataLength;
    this.bodyLength[this.count] = bodyLength;
    return this.count++;
  }

  /**
   * @param {number} i
   * @returns {Block}
   */
  at(i) {
    return { offset: this.offset[i], metaDataLength: this.metaDataLength[i], bodyLength: this.bodyLength[i] };
  }
}

/**
 * Reads the metadata of the message of a block.
 *
 * @param {Bytes} bytes
 * @param {Block} block
 */
export async function readMessage(bytes, { offset, metaDataLength, bodyLength }) {
  const start = await bytes.read(offset, metaDataLength, 'metadata');
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const prefix = view.getUint32(0, true) === CONTINUATION ? 8 : 4;
  const length = view.getInt32(prefix - 4, true);
  if (length < 4 || length > metaDataLength - prefix) {
    throw new Malformed(`metadata of 4 to ${metaDataLength - prefix} bytes`, length, offset + prefix - 4);
  }
  const found = message(start.subarray(prefix, prefix + length), offset + prefix);
  if (found.bodyLength !== bodyLength) {
    throw new Malformed(`a body of ${bodyLength} bytes`, found.bodyLength, offset);
  }
  return found;
}

/**
 * Walks the messages of a stream.
 *
 * @param {Bytes} bytes
 * @param {number} offset where it begins
 * @param {number} most the number of messages after which it stops
 * @param {(message: Message, block: Block) => unknown} met called with each message and its block; may return a promise
 * @returns {Promise<{ offset: number, length?: number, ended: boolean }>} the offset after the last message, and whether the stream has ended there
 */
export async function walk(bytes, offset, most, met) {
  for (let i = 0; i < most; i++) {
    if (offset === bytes.size) {
      return { offset, ended: true };
    }
    const start = await bytes.read(offset, Math.min(8, bytes.size - offset), 'a message');
    if (start.length < 4) {
      throw new Malformed('4 bytes of a length', start.length, offset);
    }
    const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
    const prefix = view.getUint32(0, true) === CONTINUATION ? 8 : 4;
    if (prefix > start.length) {
      throw new Malformed('8 bytes of a length', start.length, offset);
    }
    const length = view.getInt32(prefix - 4, true);
    if (length === 0) {
      return { offset, length: prefix, ended: true };
    }
    if (length < 4 || length > MOST_METADATA_BYTES) {
      throw new Malformed(`metadata of 4 to ${MOST_METADATA_BYTES} bytes`, length, offset + prefix - 4);
    }
    const found = message(await bytes.read(offset + prefix, length, 'metadata'), offset + prefix);
    const body = offset + prefix + length;
    if (found.bodyLength > bytes.size - body) {
      throw new Malformed(`a body of ${found.bodyLength} bytes`, bytes.size - body, body);
    }
    await met(found, { offset, metaDataLength: prefix + length, bodyLength: found.bodyLength });
    offset = body + found.bodyLength;
  }
  return { offset, ended: false };
}
