// The colours of a page, which follow the system unless the user has chosen otherwise.
// @ts-check

import { element, tell } from './elements.js';
import { icon } from './icons.js';

const SCHEME = 'quiver.scheme';
const system = matchMedia('(prefers-color-scheme: dark)');

function kept() {
  try {
    return localStorage.getItem(SCHEME);
  } catch {
    // The browser keeps nothing.
    return null;
  }
}

/** Whether the colours are those on a dark ground. */
export const isDark = () => (kept() ?? (system.matches ? 'dark' : 'light')) === 'dark';

/**
 * Calls a listener after the colours have changed.
 *
 * @param {() => void} listener
 */
export function whenColoursChange(listener) {
  system.addEventListener('change', listener);
  addEventListener('coloured', listener);
}

/** Offers the other scheme beside the links to the other pages. */
function offerColours() {
  const button = element('button', { type: 'button' });
  const show = () => {
    document.documentElement.style.colorScheme = kept() ?? '';
    const other = isDark() ? 'Light' : 'Dark';
    button.replaceChildren(icon(isDark() ? 'light' : 'dark'));
    button.setAttribute('aria-label', `${other} colours`);
    button.title = `${other} colours`;
  };
  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark';
    try {
      if (next === (system.matches ? 'dark' : 'light')) {
        localStorage.removeItem(SCHEME);
      } else {
        localStorage.setItem(SCHEME, next);
      }
    } catch {
      tell('This browser does not let the page keep your choice');
    }
    show();
    dispatchEvent(new Event('coloured'));
  });
  system.addEventListener('change', show);
  // Another tab has changed it.
  addEventListener('storage', ({ key }) => key === SCHEME && (show(), dispatchEvent(new Event('coloured'))));
  show();
  document.querySelector('.site')?.append(button);
}

offerColours();
