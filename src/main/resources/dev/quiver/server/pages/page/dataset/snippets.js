// Lines of code that read rows, in several languages. Nothing here touches the page.
//
// Text of the data is quoted by the rules of each language. Characters that are hidden, or that change the direction of the
// text around them, are escaped, so that a line does what it seems to do.
// @ts-check

const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

// A value that needs no quotes in any of the languages and no escape in a URL.
const PLAIN = /^[\w.,-]*$/;

/**
 * A literal of Python and of JavaScript.
 *
 * @param {string} text
 */
function codeLiteral(text) {
  return JSON.stringify(text).replace(HIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * A word of a POSIX shell. It has no hidden characters.
 *
 * @param {string} text
 */
function shellWord(text) {
  return /^[\w./:@%=,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * A component of a URL, in which nothing means anything to a shell or within quotes.
 *
 * @param {string} text
 */
function urlComponent(text) {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Lines that read some rows and columns of a version.
 *
 * @param {object} options
 * @param {string} options.origin of the service, without a slash at its end
 * @param {string} options.dataset a name, or a name and a version, which have no characters that need quotes
 * @param {Record<string, string>} options.parameters of the request, such as `where`, by name
 * @param {boolean} options.needsToken whether the lines send the token in the environment variable TOKEN
 * @returns {{ title: string, code: string }[]} each with a `title`, and `code`
 */
export function snippets({ origin, dataset, parameters, needsToken }) {
  const name = dataset.split('@')[0];
  const resource = new Resource(`${origin}/datasets/${dataset}`, Object.entries(parameters));
  const token = needsToken ? 'token' : 'open';
  return [
    { title: 'curl', code: curl(resource, 'arrow', name, needsToken) },
    { title: 'curl, as CSV', code: curl(resource, 'csv', name, needsToken) },
    { title: 'pandas', code: python(resource, 'arrow', ['pandas'], PANDAS[token]) },
    { title: 'pyarrow', code: python(resource, 'arrows', ['pyarrow', 'urllib.request'], PYARROW[token]) },
    { title: 'polars', code: needsToken ? python(resource, 'arrow', ['polars', 'urllib.request'], POLARS.token) : python(resource, 'arrow', ['polars'], POLARS.open) },
    { title: 'DuckDB', code: python(resource, 'arrows', ['duckdb', 'pyarrow', 'urllib.request'], DUCKDB[token]) },
    { title: 'R', code: r(resource, needsToken) },
    { title: 'JavaScript', code: javascript(resource, needsToken) },
  ];
}

/** A URL and the parameters of its query. */
class Resource {
  /**
   * @param {string} base
   * @param {[string, string][]} parameters
   */
  constructor(base, parameters) {
    this.base = base;
    this.parameters = parameters;
  }

  get isPlain() {
    return this.parameters.every(([, value]) => PLAIN.test(value));
  }

  /**
   * The URL with everything in it escaped.
   *
   * @param {string} suffix
   * @param {[string, string][]} [more]
   */
  url(suffix, more = []) {
    const query = [...more, ...this.parameters].map(([key, value]) => `${key}=${PLAIN.test(value) ? value : urlComponent(value)}`);
    return `${this.base}.${suffix}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  }
}

/**
 * @param {Resource} resource
 * @param {string} suffix
 * @param {string} name
 * @param {boolean} needsToken
 */
function curl(resource, suffix, name, needsToken) {
  // Without -f, a problem would become the file.
  const words = ['curl', '-fo', shellWord(`${name}.${suffix}`)];
  if (needsToken) {
    words.push('-H', '"Authorization: Bearer $TOKEN"');
  }
  if (resource.isPlain) {
    return [...words, shellWord(resource.url(suffix))].join(' ');
  }
  words.push('-G', shellWord(`${resource.base}.${suffix}`));
  for (const [key, value] of resource.parameters) {
    const isVisible = value.search(HIDDEN) < 0;
    words.push(
      PLAIN.test(value) || !isVisible ? '-d' : '--data-urlencode',
      shellWord(`${key}=${PLAIN.test(value) || isVisible ? value : urlComponent(value)}`),
    );
  }
  return words.join(' ');
}

const REQUEST = 'request = urllib.request.Request(url, headers={"Authorization": "Bearer " + os.environ["TOKEN"]})';

const PANDAS = {
  open: ['frame = pandas.read_feather(url)'],
  token: ['headers = {"Authorization": "Bearer " + os.environ["TOKEN"]}', 'frame = pandas.read_feather(url, storage_options=headers)'],
};
const PYARROW = {
  open: ['table = pyarrow.ipc.open_stream(urllib.request.urlopen(url)).read_all()'],
  token: [REQUEST, 'table = pyarrow.ipc.open_stream(urllib.request.urlopen(request)).read_all()'],
};
const POLARS = {
  open: ['frame = polars.read_ipc(url)'],
  token: [REQUEST, 'frame = polars.read_ipc(urllib.request.urlopen(request).read())'],
};
const DUCKDB = {
  open: [
    'stream = pyarrow.ipc.open_stream(urllib.request.urlopen(url))',
    'rows = duckdb.from_arrow(stream).query("dataset", "SELECT * FROM dataset").fetchall()',
  ],
  token: [
    REQUEST,
    'stream = pyarrow.ipc.open_stream(urllib.request.urlopen(request))',
    'rows = duckdb.from_arrow(stream).query("dataset", "SELECT * FROM dataset").fetchall()',
  ],
};

/**
 * @param {Resource} resource
 * @param {string} suffix
 * @param {string[]} modules
 * @param {string[]} lines
 */
function python(resource, suffix, modules, lines) {
  const standard = modules.filter((module) => module.startsWith('urllib'));
  if (lines.some((line) => line.includes('os.environ'))) {
    standard.push('os');
  }
  const isPlain = resource.isPlain;
  if (!isPlain) {
    standard.push('urllib.parse');
  }
  const imports = [standard.sort(), modules.filter((module) => !module.startsWith('urllib')).sort()];
  const head = imports.filter((group) => group.length > 0).map((group) => group.map((module) => `import ${module}\n`).join(''));
  const url = isPlain
    ? [`url = ${codeLiteral(resource.url(suffix))}`]
    : [
        'query = {',
        ...resource.parameters.map(([key, value]) => `    ${codeLiteral(key)}: ${codeLiteral(value)},`),
        '}',
        `url = ${codeLiteral(`${resource.base}.${suffix}?`)} + urllib.parse.urlencode(query)`,
      ];
  return `${head.join('\n')}\n${[...url, ...lines].join('\n')}`;
}

/**
 * @param {Resource} resource
 * @param {boolean} needsToken
 */
function r(resource, needsToken) {
  const url = codeLiteral(resource.url('csv'));
  return needsToken
    ? `headers <- c(Authorization = paste("Bearer", Sys.getenv("TOKEN")))\nframe <- read.csv(url(${url}, headers = headers))`
    : `frame <- read.csv(${url})`;
}

/**
 * @param {Resource} resource
 * @param {boolean} needsToken
 */
function javascript(resource, needsToken) {
  const options = needsToken ? ', {\n  headers: { Authorization: `Bearer ${process.env.TOKEN}` },\n}' : '';
  // The decoder has no codecs of its own.
  const parameters = [['codec', 'none'], ...resource.parameters];
  const head = "import { tableFromIPC } from '@uwdata/flechette';\n\n";
  const tail = `const response = await fetch(url${options});\nconst table = tableFromIPC(await response.arrayBuffer());`;
  if (resource.isPlain) {
    return `${head}const url = ${codeLiteral(resource.url('arrows', [['codec', 'none']]))};\n${tail}`;
  }
  const query = parameters.map(([key, value]) => `  ${key}: ${codeLiteral(value)},\n`).join('');
  return `${head}const query = new URLSearchParams({\n${query}});\nconst url = ${codeLiteral(`${resource.base}.arrows?`)} + query;\n${tail}`;
}
