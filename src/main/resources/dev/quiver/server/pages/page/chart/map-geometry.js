// Geometries of rows: WKB (OGC 06-103r4, and EWKB of PostGIS) and GeoJSON (RFC 7946), as GeoJSON that a map draws.
// @ts-check

/** @typedef {{ type: string, coordinates?: any, geometries?: Geometry[] }} Geometry */

const TYPES = ['', 'Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon', 'GeometryCollection'];
const [HAS_Z, HAS_M, HAS_SRID] = [0x80000000, 0x40000000, 0x20000000];
const MOST_DEPTH = 8;
const NUMBER_BYTES = 8;

/**
 * The geometry of a value, or null if it is invalid.
 *
 * @param {Uint8Array | string} value
 * @returns {Geometry | null}
 */
export function geometryOf(value) {
  try {
    const found = typeof value === 'string' ? parsed(value) : new Reader(value).geometry(0);
    return isWithin(found, 0) ? wound(found) : null;
  } catch {
    return null;
  }
}

/** @param {string} text */
function parsed(text) {
  const found = JSON.parse(text);
  return found?.type === 'Feature' ? found.geometry : found;
}

/**
 * Whether a geometry has coordinates of its type, and all of them are degrees.
 *
 * @param {Geometry} geometry
 * @param {number} depth
 * @returns {boolean}
 */
function isWithin(geometry, depth) {
  if (geometry.type === 'GeometryCollection') {
    return depth < MOST_DEPTH && (geometry.geometries ?? []).every((each) => isWithin(each, depth + 1));
  }
  const levels = { Point: 0, MultiPoint: 1, LineString: 1, MultiLineString: 2, Polygon: 2, MultiPolygon: 3 }[geometry.type];
  return levels !== undefined && areDegrees(geometry.coordinates, levels);
}

/**
 * @param {any} coordinates
 * @param {number} levels that of lists around positions
 * @returns {boolean}
 */
function areDegrees(coordinates, levels) {
  return levels > 0
    ? Array.isArray(coordinates) && coordinates.every((each) => areDegrees(each, levels - 1))
    : Math.abs(coordinates[0]) <= 360 && Math.abs(coordinates[1]) <= 90;
}

/**
 * A geometry whose polygons are wound as the library expects, clockwise: others would be all of the globe but themselves.
 *
 * @param {Geometry} geometry
 * @returns {Geometry}
 */
function wound(geometry) {
  switch (geometry.type) {
    case 'Polygon':
      return { ...geometry, coordinates: windRings(geometry.coordinates) };
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map(windRings) };
    case 'GeometryCollection':
      return { ...geometry, geometries: geometry.geometries?.map(wound) };
    default:
      return geometry;
  }
}

/** @param {number[][][]} rings */
function windRings(rings) {
  return rings.map((ring, i) => (isClockwise(ring) === (i === 0) ? ring : ring.toReversed()));
}

/** @param {number[][]} ring */
function isClockwise(ring) {
  return ring.reduce((sum, [x, y], i) => sum + (x - (ring[i - 1] ?? ring[ring.length - 1])[0]) * (y + (ring[i - 1] ?? ring[ring.length - 1])[1]), 0) > 0;
}

/** The positions of a geometry.
 *
 * @param {Geometry} geometry
 * @returns {Generator<[number, number]>}
 */
export function* positions(geometry) {
  if (geometry.type === 'GeometryCollection') {
    for (const each of geometry.geometries ?? []) {
      yield* positions(each);
    }
  } else {
    yield* flat(geometry.coordinates);
  }
}

/**
 * @param {any} coordinates
 * @returns {Generator<[number, number]>}
 */
function* flat(coordinates) {
  if (typeof coordinates[0] === 'number') {
    yield coordinates;
  } else {
    for (const each of coordinates) {
      yield* flat(each);
    }
  }
}

/** Reads WKB. A view throws if bytes are missing. */
class Reader {
  #at = 0;
  #isLittle = true;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /**
   * @param {number} depth
   * @returns {Geometry}
   */
  geometry(depth) {
    if (depth > MOST_DEPTH) {
      throw new RangeError(`Expected at most ${MOST_DEPTH} levels of collections`);
    }
    this.#isLittle = this.view.getUint8(this.#at++) === 1;
    const code = this.#integer();
    if (code & HAS_SRID) {
      this.#integer();
    }
    const plain = code & 0x0fffffff;
    const dimension = Math.floor(plain / 1000);
    const extra = dimension > 0 ? (dimension === 3 ? 2 : 1) : Number((code & HAS_Z) !== 0) + Number((code & HAS_M) !== 0);
    const type = TYPES[plain % 1000];
    switch (type) {
      case 'Point':
        return { type, coordinates: this.#position(extra) };
      case 'LineString':
        return { type, coordinates: this.#list(() => this.#position(extra)) };
      case 'Polygon':
        return { type, coordinates: this.#list(() => this.#list(() => this.#position(extra))) };
      case 'MultiPoint':
      case 'MultiLineString':
      case 'MultiPolygon':
        return { type, coordinates: this.#list(() => this.geometry(depth + 1).coordinates) };
      default:
        return { type, geometries: this.#list(() => this.geometry(depth + 1)) };
    }
  }

  #integer() {
    const found = this.view.getUint32(this.#at, this.#isLittle);
    this.#at += 4;
    return found;
  }

  /** @param {number} extra the numbers of a position beside longitude and latitude */
  #position(extra) {
    const found = [this.view.getFloat64(this.#at, this.#isLittle), this.view.getFloat64(this.#at + NUMBER_BYTES, this.#isLittle)];
    this.#at += (2 + extra) * NUMBER_BYTES;
    return found;
  }

  /**
   * @template T
   * @param {() => T} read
   */
  #list(read) {
    const found = [];
    // A wrong number ends at the end of the bytes.
    for (let left = this.#integer(); left > 0; left--) {
      found.push(read());
    }
    return found;
  }
}
