// The drawer of a page: what stands beside the rows or over them until it is closed.
// @ts-check

import { element, present } from './elements.js';
import { icon } from './icons.js';
import { stylesheet } from './modules.js';

/**
 * The content of a drawer: its title and the nodes below it.
 *
 * @typedef {object} DrawerContent
 * @property {import('./elements.js').Child[]} title
 * @property {import('./elements.js').Child[]} nodes
 * @property {() => void} [closed] ends the work of the content, once the drawer closes or shows other content
 */

/** The drawer. It dispatches `closed` after the user has closed it. */
export class Drawer extends EventTarget {
  /** Ends the work of the content. */
  #end = () => {};
  /** @type {Element | null} */
  #opener = null;

  /** @param {() => HTMLElement | undefined} home what has the focus next if what opened the drawer is gone */
  constructor(home) {
    super();
    this.home = home;
    // Without its style, it stands below all else.
    stylesheet('lib/drawer.css').catch(() => null);
    this.element = element('aside', {
      class: 'drawer',
      tabindex: -1,
      hidden: true,
      onkeydown: (event) => {
        if (event.key === 'Escape') {
          // It ends this, and not what is behind.
          event.preventDefault();
          event.stopPropagation();
          this.close();
        }
      },
    });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /**
   * Shows other content.
   *
   * @param {DrawerContent} content
   * @param {boolean} [keepsFocus] whether the focus stays where it is: in the drawer, at the button of the same name
   */
  open({ title, nodes, closed = () => {} }, keepsFocus = false) {
    const { activeElement } = document;
    if (!this.isOpen) {
      this.#opener = activeElement;
    }
    const hadFocus = this.element.contains(activeElement);
    const label = activeElement?.textContent;
    this.#end();
    this.#end = closed;
    const heading = element('h2', { id: 'drawer-title' }, ...title);
    this.element.hidden = false;
    this.element.setAttribute('aria-labelledby', heading.id);
    this.element.replaceChildren(
      element('header', {}, heading, element('button', { type: 'button', 'aria-label': 'Close', title: 'Close', onclick: () => this.close() }, icon('close'))),
      ...present(nodes),
    );
    if (!keepsFocus) {
      this.element.focus();
    } else if (hadFocus) {
      const same = [...this.element.querySelectorAll('button')].find(({ textContent }) => textContent === label);
      (same ?? this.element).focus();
    }
  }

  /** Hides the drawer as its user does. */
  close() {
    this.hide();
    this.dispatchEvent(new Event('closed'));
  }

  /** Hides the drawer, ends what it does, and goes back to what opened it if that is still there. */
  hide() {
    this.#end();
    this.#end = () => {};
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.element.replaceChildren();
    if (hadFocus) {
      const isThere = this.#opener instanceof HTMLElement && this.#opener.isConnected && this.#opener !== document.body;
      (isThere ? /** @type {HTMLElement} */ (this.#opener) : this.home())?.focus();
    }
  }
}
