// The schema of a version as a tree, of which only the visible lines are elements.
// @ts-check

import { plainType } from '../grid/plain-types.js';
import { counted, element, grouped, isolated, visible } from '../lib/elements.js';
import { stylesheet } from '../lib/modules.js';
import { json } from '../lib/requests.js';
import { goTo, readState, replaceState } from '../lib/url-state.js';

/** @typedef {{ fields: import('../sql/conditions.js').SchemaField[], metadata?: { key: string, value: string }[] }} SchemaDocument */

const LINE_PIXELS = 28;
const SPARE_LINES = 8;
const REST_MILLISECONDS = 150;
const MOST_TYPE_CHARACTERS = 200;
const EXTENSION = 'ARROW:extension:name';
const LONGEST_PREFIX_MILLISECONDS = 600;

/**
 * @param {HTMLElement} host
 * @param {import('./dataset-page.js').Dataset} dataset
 */
export async function create(host, dataset) {
  const [schema] = await Promise.all([json(`${dataset.path}/schema`), stylesheet('dataset/views.css')]);
  return new SchemaView(host, dataset, schema);
}

/**
 * The level of a line, of which the roots have 1.
 *
 * @param {Line | null} line
 * @returns {number}
 */
const levelOf = (line) => (line === null ? 0 : line.level);

/** A line of the tree: a field, an entry of metadata, or a group of them. */
class Line {
  isOpen = false;

  /**
   * @param {Line | null} parent
   * @param {number} place
   * @param {string} text
   * @param {object} [options]
   * @param {import('../sql/conditions.js').SchemaField | null} [options.field]
   * @param {string | null} [options.value]
   * @param {string} [options.detail]
   */
  constructor(parent, place, text, { field = null, value = null, detail = '' } = {}) {
    this.parent = parent;
    this.place = place;
    this.text = text;
    this.field = field;
    this.value = value;
    this.detail = detail;
    this.level = levelOf(parent) + 1;
    /** @type {Line[]} */
    this.children = [];
    /** The place among its siblings that are shown, how many of them there are, and its place among all lines. */
    this.position = 0;
    this.count = 0;
    this.line = 0;
    this.isShown = true;
    this.leadsOn = false;
  }

  get isParent() {
    return this.children.length > 0;
  }
}

/**
 * The lines of a schema document. Its metadata comes before its fields.
 *
 * @param {SchemaDocument} schema
 */
function nodes({ fields, metadata = [] }) {
  const roots = [];
  if (metadata.length > 0) {
    const group = new Line(null, 0, 'schema metadata', { detail: `${grouped(metadata.length)} ${metadata.length === 1 ? 'entry' : 'entries'}` });
    group.children = entries(group, metadata, 0);
    group.isOpen = metadata.length <= 5;
    roots.push(group);
  }
  roots.push(...fields.map((field, i) => fieldNode(null, roots.length + i, field)));
  roots.forEach((root, i) => (root.place = i));
  return roots;
}

/**
 * @param {Line} parent
 * @param {{ key: string, value: string }[]} metadata
 * @param {number} first
 */
function entries(parent, metadata, first) {
  return metadata.map(({ key, value }, i) => new Line(parent, first + i, key, { value }));
}

/**
 * @param {Line | null} parent
 * @param {number} place
 * @param {import('../sql/conditions.js').SchemaField} field
 */
function fieldNode(parent, place, field) {
  const node = new Line(parent, place, field.name, { field });
  node.children = field.children.map((child, i) => fieldNode(node, i, child));
  node.children.push(...entries(node, field.metadata ?? [], node.children.length));
  return node;
}

class SchemaView {
  #first = -1;
  /** @type {number | undefined} */
  #resting;
  /** The beginning of a name that is being typed, and when its last character was. */
  #prefix = '';
  #typedAt = 0;

  /**
   * @param {HTMLElement} host
   * @param {import('./dataset-page.js').Dataset} dataset
   * @param {SchemaDocument} schema
   */
  constructor(host, { path, described }, schema) {
    this.path = path;
    this.roots = nodes(schema);
    /**
     * The lines that are not below a closed one.
     *
     * @type {Line[]}
     */
    this.lines = [];
    /** The text that is searched for, and the number of lines that contain it. */
    this.query = '';
    this.matches = 0;
    this.columns = new Map(schema.fields.map((field, i) => [field, i]));
    this.search = element('input', { type: 'search', 'aria-label': 'Search fields', placeholder: 'Search fields', spellcheck: 'false' });
    this.search.addEventListener('input', () => {
      clearTimeout(this.#resting);
      this.#resting = setTimeout(() => this.#seek(this.search.value.trim()), REST_MILLISECONDS);
    });
    this.count = element('output', { class: 'count' });
    this.space = element('div', { class: 'space', role: 'none' });
    this.tree = element('div', { class: 'tree', role: 'tree', tabindex: 0, 'aria-label': 'Schema' }, this.space);
    this.empty = element('p', { class: 'empty', hidden: true });
    // The counts of the version and its statement, which stand before the schema without scripts.
    const schemaHead = described.findIndex((node) => node.nodeName === 'H2' && node.textContent === 'Schema');
    const head = described.slice(0, schemaHead);
    head.forEach((node) => node instanceof Element && node.className === 'scroll' && node.setAttribute('tabindex', '0'));
    host.replaceChildren(...head, element('div', { class: 'bar' }, this.search, this.count), this.tree, this.empty);
    this.tree.addEventListener('scroll', () => this.#paint());
    this.tree.addEventListener('keydown', (event) => this.#pressed(event));
    this.tree.addEventListener('click', (event) => this.#clicked(event));
    new ResizeObserver(() => this.#paint(true)).observe(this.tree);
    this.active = this.roots[0] ?? null;
  }

  /** @param {string} query */
  #seek(query) {
    replaceState({ q: query });
    this.show(readState().values);
  }

  /** @param {Map<string, string>} values */
  show(values) {
    const query = values.get('q') ?? '';
    if (this.search !== document.activeElement) {
      this.search.value = query;
    }
    this.#match(query.toLowerCase());
    const total = counted(this.columns.size, 'column');
    this.count.textContent = query === '' ? total : `${grouped(this.matches)} found in ${total}`;
    this.#arrange();
  }

  /**
   * Leaves out the lines that neither match nor lead to one that does.
   *
   * @param {string} query
   */
  #match(query) {
    this.matches = 0;
    this.query = query;
    /**
     * @param {Line} node
     * @returns {boolean}
     */
    const visit = (node) => {
      const isMatch = query !== '' && `${node.text}\n${node.value ?? ''}`.toLowerCase().includes(query);
      this.matches += isMatch ? 1 : 0;
      // Every child is visited.
      const below = node.children.map(visit).some(Boolean);
      node.isShown = query === '' || isMatch || below || false;
      node.leadsOn = below;
      return isMatch || below;
    };
    this.roots.forEach(visit);
    // All that is below a match stays.
    /**
     * @param {Line} node
     * @param {boolean} isBelow
     */
    const keep = (node, isBelow) => {
      node.isShown ||= isBelow;
      const isMatch = query !== '' && node.text.toLowerCase().includes(query);
      node.children.forEach((child) => keep(child, isBelow || isMatch));
    };
    this.roots.forEach((root) => keep(root, false));
    if (query !== '') {
      /** @param {Line} node */
      const open = (node) => {
        node.isOpen ||= node.leadsOn;
        node.children.forEach(open);
      };
      this.roots.forEach(open);
    }
  }

  /** Lists the lines that are not below a closed one. */
  #arrange() {
    this.lines = [];
    /** @param {Line[]} siblings */
    const add = (siblings) => {
      const shown = siblings.filter(({ isShown }) => isShown);
      shown.forEach((node, i) => {
        node.position = i + 1;
        node.count = shown.length;
        node.line = this.lines.length;
        this.lines.push(node);
        if (node.isOpen) {
          add(node.children);
        }
      });
    };
    add(this.roots);
    if (!this.lines.includes(this.active)) {
      this.active = this.lines[0] ?? null;
    }
    this.space.style.height = `${this.lines.length * LINE_PIXELS}px`;
    this.tree.hidden = this.lines.length === 0;
    this.empty.hidden = !this.tree.hidden;
    this.empty.textContent = this.query === '' ? 'No columns' : 'No field has this in its name or metadata';
    this.#paint(true);
  }

  /** Makes the elements of the lines that are in sight. */
  #paint(isChanged = false) {
    // The browser may not yet have scrolled to the end of fewer lines.
    const end = Math.max(0, this.lines.length * LINE_PIXELS - this.tree.clientHeight);
    const first = Math.max(0, Math.floor(Math.min(this.tree.scrollTop, end) / LINE_PIXELS) - SPARE_LINES);
    if (first === this.#first && !isChanged) {
      return;
    }
    this.#first = first;
    const count = Math.ceil(this.tree.clientHeight / LINE_PIXELS) + 2 * SPARE_LINES;
    const shown = this.lines.slice(first, first + count);
    // The line with the focus is there, wherever it is.
    if (this.active && !shown.includes(this.active)) {
      shown.push(this.active);
    }
    this.space.replaceChildren(...shown.map((node) => this.#item(node)));
    if (this.active) {
      this.tree.setAttribute('aria-activedescendant', `line-${this.active.line}`);
    }
  }

  /** @param {Line} node */
  #item(node) {
    const item = element(
      'div',
      {
        class: `item${node === this.active ? ' active' : ''}`,
        id: `line-${node.line}`,
        role: 'treeitem',
        'aria-level': node.level,
        'aria-posinset': node.position,
        'aria-setsize': node.count,
        'aria-expanded': node.isParent ? String(node.isOpen) : null,
        'aria-selected': String(node === this.active),
        'data-line': node.line,
      },
      element('span', { class: 'name' }, element('span', { class: 'mark', 'aria-hidden': 'true' }, node.isParent ? (node.isOpen ? '▾' : '▸') : ''), named(node)),
      ...described(node),
    );
    item.style.top = `${node.line * LINE_PIXELS}px`;
    item.style.setProperty('--level', String(node.level - 1));
    return item;
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.active) {
      return;
    }
    const { line, isOpen, isParent, parent } = this.active;
    const page = Math.max(1, Math.floor(this.tree.clientHeight / LINE_PIXELS) - 1);
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: line + 1, ArrowUp: line - 1, Home: 0, End: this.lines.length - 1, PageDown: line + page, PageUp: line - page };
    if (event.key in moves) {
      this.#goTo(moves[event.key]);
    } else if (event.key === 'ArrowRight') {
      if (isParent && !isOpen) {
        this.#toggle(this.active);
      } else if (isParent) {
        this.#goTo(line + 1);
      }
    } else if (event.key === 'ArrowLeft') {
      if (isParent && isOpen) {
        this.#toggle(this.active);
      } else if (parent) {
        this.#goTo(parent.line);
      }
    } else if (event.key === 'Enter') {
      this.#open(this.active);
    } else if (event.key === '*') {
      const siblings = parent?.children ?? this.roots;
      siblings.forEach((node) => (node.isOpen = node.isParent));
      this.#arrange();
    } else if (event.key.length === 1 && event.key !== '/') {
      this.#type(event.key);
    } else {
      return;
    }
    event.preventDefault();
  }

  /**
   * Goes to the next line that begins with what was typed.
   *
   * @param {string} character
   */
  #type(character) {
    this.#prefix = performance.now() - this.#typedAt < LONGEST_PREFIX_MILLISECONDS ? this.#prefix + character.toLowerCase() : character.toLowerCase();
    this.#typedAt = performance.now();
    const start = this.active.line + (this.#prefix.length === 1 ? 1 : 0);
    for (let i = 0; i < this.lines.length; i++) {
      const node = this.lines[(start + i) % this.lines.length];
      if (node.text.toLowerCase().startsWith(this.#prefix)) {
        this.#goTo(node.line);
        return;
      }
    }
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const item = /** @type {HTMLElement | null} */ (event.target instanceof Element && event.target.closest('[data-line]'));
    if (item) {
      this.active = this.lines[Number(item.dataset.line)];
      if (this.active.isParent) {
        this.#toggle(this.active);
      } else {
        this.#paint(true);
      }
    }
  }

  /** @param {Line} node */
  #toggle(node) {
    node.isOpen = !node.isOpen;
    this.#arrange();
  }

  /**
   * Opens the column of a line among the rows.
   *
   * @param {Line} node
   */
  #open(node) {
    let root = node;
    while (root.parent) {
      root = root.parent;
    }
    if (root.field) {
      goTo('rows', { column: this.columns.get(root.field) || null });
    } else {
      this.#toggle(root);
    }
  }

  /** @param {number} line */
  #goTo(line) {
    const target = Math.min(Math.max(0, line), this.lines.length - 1);
    this.active = this.lines[target];
    const top = target * LINE_PIXELS;
    if (top < this.tree.scrollTop) {
      this.tree.scrollTop = top;
    } else if (top + LINE_PIXELS > this.tree.scrollTop + this.tree.clientHeight) {
      this.tree.scrollTop = top + LINE_PIXELS - this.tree.clientHeight;
    }
    this.#paint(true);
  }
}

/** @param {Line} line */
function named({ text, field, value }) {
  const shown = text === '' ? '(no name)' : visible(text);
  return element('bdi', { title: shown, class: field === null && value !== null ? 'key' : null }, shown);
}

/**
 * Returns the nodes beside the name of a line.
 *
 * @param {Line} line
 */
function described({ field, value, detail }) {
  if (!field) {
    const shown = visible(value ?? detail);
    return [element('span', { class: 'value', title: shown }, element('bdi', {}, shown))];
  }
  const type = visible(field.arrowType);
  const notes = [];
  const extension = field.metadata?.find(({ key }) => key === EXTENSION);
  if (extension) {
    notes.push(element('span', { class: 'note' }, 'extension ', isolated(visible(extension.value))));
  }
  if (field.dictionary) {
    const { id, indexType, isOrdered } = field.dictionary;
    const index = `${indexType.isSigned ? '' : 'u'}int${indexType.bitWidth}`;
    notes.push(element('span', { class: 'note' }, `dictionary ${id}, ${index} indices${isOrdered ? ', ordered' : ''}`));
  }
  return [
    element('span', { class: 'plain', title: type }, visible(plainType(field.arrowType))),
    element('span', { class: 'type', title: type }, type.length > MOST_TYPE_CHARACTERS ? `${type.slice(0, MOST_TYPE_CHARACTERS)}…` : type),
    element('span', { class: 'null' }, field.nullable ? '' : 'not null'),
    element('span', { class: 'notes' }, ...notes),
  ];
}
