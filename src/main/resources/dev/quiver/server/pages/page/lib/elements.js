// Elements of a page, and names and numbers as their text.
// @ts-check

/** @typedef {{ [name: string]: string | number | boolean | URL | null | undefined | ((event: any) => any) }} Attributes */
/** @typedef {Node | string | null | undefined} Child */

/**
 * Makes an element. Attributes that are null or false are left out; `on…` are listeners.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {Child[]} children of which null ones are left out
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      made.addEventListener(key.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? '' : String(value));
    }
  }
  made.append(...present(children));
  return made;
}

/**
 * A button that does something.
 *
 * @param {string | Child[]} label its text, or what stands for it, such as an icon with a text
 * @param {(event: MouseEvent) => unknown} action
 * @param {Attributes} [attributes]
 */
export function button(label, action, attributes = {}) {
  return element('button', { type: 'button', onclick: action, ...attributes }, ...(typeof label === 'string' ? [label] : label));
}

/**
 * Leaves out what is null or undefined.
 *
 * @template T
 * @param {(T | null | undefined)[]} all
 * @returns {T[]}
 */
export function present(all) {
  return /** @type {T[]} */ (all.filter((each) => each !== null && each !== undefined));
}

// Control characters, and those that are invisible or change the direction of the text around them. A joiner (200D) is
// part of many emoji.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

/**
 * Replaces hidden characters by their code points or pictures.
 *
 * @param {string} text
 */
export function visible(text) {
  return text.replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20
      ? String.fromCodePoint(0x2400 + code)
      : `⟨${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/**
 * A name from the data, which cannot change the direction of the text around it.
 *
 * @param {string} text
 */
export function isolated(text) {
  return element('bdi', {}, text);
}

/** @param {number | string} number */
export const grouped = (number) => Number(number).toLocaleString('en-US');

/**
 * A number of any length as text, with groups of three digits before its point if there are five or more. Four may be a year.
 *
 * @param {string} text
 */
export const groupedDigits = (text) => text.replace(/^([-+]?)(\d{5,})(?=\.\d*$|$)/, (_, sign, whole) => sign + whole.replace(/\B(?=(?:\d{3})+$)/g, ','));

/**
 * A number of things, such as 1 row or 2 rows.
 *
 * @param {number} number
 * @param {string} thing
 */
export const counted = (number, thing) => `${grouped(number)} ${thing}${number === 1 ? '' : 's'}`;

/**
 * A number of bytes, such as 12.3 MB.
 *
 * @param {number} count
 */
export function byteSize(count) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let size = count;
  let unit = 0;
  // Three digits of 999.5 or more are those of 1000.
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 ? size : size.toPrecision(3)} ${units[unit]}`;
}

const status = element('div', { class: 'status', role: 'status', 'aria-live': 'polite' });
/** @type {number | undefined} */
let resting;

/**
 * Tells something for a moment.
 *
 * @param {string} text
 */
export function tell(text) {
  if (!status.isConnected) {
    document.body.append(status);
  }
  status.textContent = text;
  clearTimeout(resting);
  resting = setTimeout(() => (status.textContent = ''), 4000);
}
