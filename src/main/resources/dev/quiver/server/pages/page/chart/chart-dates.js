// Texts that are dates or times, and the form that all texts of a column have.
// @ts-check

/** @typedef {import('./chart-columns.js').Column} Column */

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const SHORT_MONTHS = MONTHS.map((name) => name.slice(0, 3)).join('|');
const DATES = [
  ...['%Y-%m-%d', '%Y/%m/%d', '%Y.%m.%d', '%d.%m.%Y'],
  ...['%b', '%B'].flatMap((month) => [`%d-${month}-%Y`, `%d${month}%Y`, `%d ${month} %Y`, `${month} %d %Y`, `${month} %d, %Y`]),
  ...['%m/%d/%Y', '%d/%m/%Y', '%m-%d-%Y', '%d-%m-%Y', '%m/%d/%y', '%d/%m/%y', '%m-%d-%y', '%d-%m-%y'],
];
const CLOCKS = ['%H:%M', '%H:%M:%S', '%H:%M:%S.%f', '%I:%M %p', '%I:%M:%S %p'];
const TIMES = ['', ...['T', ' ', ', '].flatMap((separator) => CLOCKS.flatMap((clock) => [`${separator}${clock}`, `${separator}${clock}Z`]))];
/** @type {Record<string, string>} */
const DIRECTIVES = {
  '%Y': '[12]\\d{3}',
  '%y': '\\d\\d',
  '%m': '(?:0?[1-9]|1[0-2])',
  '%d': '(?:0?[1-9]|[12]\\d|3[01])',
  '%b': `(?:${SHORT_MONTHS})`,
  '%B': `(?:${MONTHS.join('|')})`,
  '%H': '(?:[01]?\\d|2[0-3])',
  '%I': '(?:0?[1-9]|1[0-2])',
  '%M': '[0-5]\\d',
  '%S': '[0-5]\\d',
  '%f': '\\d{1,6}',
  '%p': '[AP]M',
};

/** The form of texts that may be dates, of which the service tells, so that few others are sent. */
export const MAYBE_DATE = `(?i)^(\\d{1,4}[-/.]\\d{1,2}[-/.]\\d{1,4}|\\d{1,2}[- ]?(${SHORT_MONTHS})[a-z]*[- ]?\\d{4}|(${SHORT_MONTHS})[a-z]* \\d{1,2},? \\d{4})([T ,].*)?$`;

/** @type {[string, RegExp][] | null} */
let forms = null;

/** The forms with their patterns. */
function allForms() {
  forms ??= DATES.flatMap((date) =>
    TIMES.map((time) => {
      const pattern = `${date}${time}`.replaceAll('.', '\\.').replace(/%\w/g, (directive) => DIRECTIVES[directive]);
      // Versions of programs have points as well.
      return /** @type {[string, RegExp]} */ ([date + time, new RegExp(`^${date === '%Y.%m.%d' ? pattern.replaceAll('0?', '0') : pattern}$`, 'i')]);
    }),
  );
  return forms;
}

/**
 * The form that all texts have, or null. Dates such as 01/02/2024, which read in two ways, have none unless one of them tells.
 *
 * @param {string[]} texts
 */
function formOf(texts) {
  const found = allForms().flatMap(([form, pattern]) => (texts.every((text) => pattern.test(text)) ? [form] : []));
  const isAmbiguous = found.some((form) => form.startsWith('%m')) && found.some((form) => /^%d[/-]%m/.test(form));
  return isAmbiguous ? null : (found[0] ?? null);
}

/**
 * A column of texts as one of times, if all of some of its texts have one form.
 *
 * @param {Column} column
 * @param {string[]} texts
 * @returns {Column}
 */
export function dated(column, texts) {
  const form = formOf(texts);
  if (form === null) {
    return column;
  }
  const isDate = !form.includes('%M');
  const time = `try_strptime(${column.sql}, '${form}')`;
  return { ...column, kind: 'time', sql: isDate ? `CAST(${time} AS DATE)` : time, isDate, isZoned: form.endsWith('Z') };
}
