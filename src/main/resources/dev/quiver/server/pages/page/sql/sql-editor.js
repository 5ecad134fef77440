// The editor of a statement: a text area at once, and CodeMirror in its place as soon as that is here.

import { element } from '../lib/elements.js';
import { datasetPath, json } from '../lib/requests.js';
import { FUNCTIONS, KEYWORDS, RESERVED, TYPES } from './sql-keywords.js';
import { expectsTable, quoted, tables, tokens } from './statement.js';

const MOST_NAMES = 50;
const MOST_NAME_CHARACTERS = 100;
const MOST_TABLES = 8;
const MOST_COLUMNS = 5_000;
const NOT_A_NAME = new Set(RESERVED);

/**
 * An editor. It dispatches `changed` after each change of the text, and `run` when the keys for that are pressed.
 */
export class Editor extends EventTarget {
  #view = null;
  #library = null;
  #wrong = null;

  constructor({ label, hint, text }) {
    super();
    this.label = label;
    this.hint = hint;
    this.area = element('textarea', {
      'aria-label': label,
      placeholder: hint,
      rows: 8,
      spellcheck: 'false',
      autocapitalize: 'off',
      autocomplete: 'off',
      oninput: () => this.dispatchEvent(new Event('changed')),
      onkeydown: (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          this.dispatchEvent(new Event('run'));
        }
      },
    });
    this.area.value = text;
    this.element = element('div', { class: 'editor' }, this.area);
  }

  /** Puts CodeMirror into the place of the text area. If it cannot be fetched, the text area stays. */
  async improve() {
    this.#library = await import('../vendor/codemirror-6.43.15.min.js');
    const { area } = this;
    const hasFocus = document.activeElement === area;
    const host = element('div', { class: 'code' });
    // Its styles are sheets of a shadow root, which the policy permits.
    const root = host.attachShadow({ mode: 'open' });
    this.element.replaceChildren(host);
    const { EditorState, EditorView } = this.#library;
    this.#view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: area.value,
        selection: { anchor: Math.min(area.selectionStart, area.value.length), head: Math.min(area.selectionEnd, area.value.length) },
        extensions: this.#extensions(),
      }),
    });
    if (hasFocus) {
      this.#view.focus();
    }
  }

  get text() {
    return this.#view ? this.#view.state.doc.toString() : this.area.value;
  }

  set text(text) {
    if (this.#view) {
      this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
    } else {
      this.area.value = text;
      this.dispatchEvent(new Event('changed'));
    }
  }

  /** The selected part of the text with its start, or all of it. */
  get chosen() {
    const { from, to } = this.#view
      ? this.#view.state.selection.main
      : { from: this.area.selectionStart, to: this.area.selectionEnd };
    const selected = this.text.slice(from, to);
    return selected.trim() === '' ? { sql: this.text, start: 0 } : { sql: selected, start: from };
  }

  /** Selects a part of the text. */
  select(from, to) {
    const [start, end] = [from, to].map((position) => Math.min(position, this.text.length));
    if (this.#view) {
      this.#view.dispatch({ selection: { anchor: start, head: end }, scrollIntoView: true });
    } else {
      this.area.setSelectionRange(start, end);
    }
  }

  focus() {
    (this.#view ?? this.area).focus();
  }

  /** Writes text in place of the selection. */
  insert(text) {
    if (this.#view) {
      this.#view.dispatch(this.#view.state.replaceSelection(text));
    } else {
      this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, 'end');
      this.dispatchEvent(new Event('changed'));
    }
    this.focus();
  }

  /** Underlines what is wrong until the text changes, and goes there. */
  mark(from, length) {
    const end = this.text.length;
    const start = Math.min(from, Math.max(0, end - 1));
    const to = Math.min(end, start + Math.max(1, length));
    if (this.#view) {
      this.#view.dispatch({ effects: this.#wrong.of({ from: start, to }), selection: { anchor: start }, scrollIntoView: true });
    } else {
      this.area.setSelectionRange(start, to);
    }
  }

  unmark() {
    this.#view?.dispatch({ effects: this.#wrong.of(null) });
  }

  #extensions() {
    const library = this.#library;
    const { EditorView, autocompletion, bracketMatching, closeBrackets, history, lineNumbers, placeholder, syntaxHighlighting } = library;
    return [
      lineNumbers(),
      history(),
      bracketMatching(),
      closeBrackets(),
      placeholder(this.hint),
      language(library),
      autocompletion({ override: [complete], icons: false }),
      syntaxHighlighting(highlights(library)),
      theme(library),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({
        'aria-label': this.label,
        'aria-description': 'Control-Enter runs the statement, or what is selected of it. Tab leaves the editor.',
        spellcheck: 'false',
      }),
      EditorView.updateListener.of((update) => update.docChanged && this.dispatchEvent(new Event('changed'))),
      this.#marks(),
      this.#keys(),
      replacing(library),
    ];
  }

  #keys() {
    const { Prec, acceptCompletion, closeBracketsKeymap, closeCompletion, completionKeymap, defaultKeymap, historyKeymap, keymap } = this.#library;
    const run = (view) => {
      closeCompletion(view);
      this.dispatchEvent(new Event('run'));
      return true;
    };
    return [
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run }, { key: 'Ctrl-Enter', run }])),
      // Tab accepts a completion while there are some. Otherwise it leaves the editor, as everywhere on the page.
      keymap.of([{ key: 'Tab', run: acceptCompletion }, ...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
    ];
  }

  #marks() {
    const { Decoration, EditorView, StateEffect, StateField } = this.#library;
    this.#wrong = StateEffect.define();
    const mark = Decoration.mark({ class: 'wrong' });
    return StateField.define({
      create: () => Decoration.none,
      update: (marks, transaction) => {
        const told = transaction.effects.find((effect) => effect.is(this.#wrong));
        if (told) {
          return told.value && told.value.to > told.value.from ? Decoration.set([mark.range(told.value.from, told.value.to)]) : Decoration.none;
        }
        return transaction.docChanged ? Decoration.none : marks;
      },
      provide: (field) => EditorView.decorations.from(field),
    });
  }
}

/**
 * Types over a selection without the browser's own editing, which would write the look of the selected text as a style
 * attribute, a violation of the policy.
 */
function replacing({ EditorView }) {
  return EditorView.domEventHandlers({
    beforeinput(event, view) {
      const { from, to, empty } = view.state.selection.main;
      if (event.inputType !== 'insertText' || !event.data || empty || view.composing) {
        return false;
      }
      const text = event.data;
      const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type' });
      if (!view.state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, text, insert))) {
        view.dispatch(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
      }
      event.preventDefault();
      return true;
    },
  });
}

function language({ SQLDialect, sql }) {
  const dialect = SQLDialect.define({
    keywords: KEYWORDS.join(' '),
    types: TYPES.join(' '),
    builtin: FUNCTIONS.join(' '),
    doubleDollarQuotedStrings: true,
    spaceAfterDashes: false,
    specialVar: '$',
  });
  return sql({ dialect });
}

function highlights({ HighlightStyle, tags }) {
  return HighlightStyle.define([
    { tag: tags.keyword, color: 'var(--keyword)', fontWeight: '600' },
    { tag: [tags.string, tags.special(tags.string)], color: 'var(--string)' },
    { tag: [tags.number, tags.bool, tags.null], color: 'var(--number)' },
    { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--quiet)', fontStyle: 'italic' },
    { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--accent)' },
  ]);
}

function theme({ EditorView }) {
  return EditorView.theme({
    '&': { background: 'var(--page)', color: 'var(--text)', fontSize: '14px', minHeight: '9.5rem', maxHeight: '45vh' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', minHeight: '9.5rem', overflow: 'auto' },
    '.cm-content': { caretColor: 'var(--text)', padding: '.5rem 0' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '.cm-gutters': { background: 'var(--raised)', borderRight: '1px solid var(--line)', color: 'var(--quiet)' },
    '.cm-placeholder': { color: 'var(--quiet)' },
    '&.cm-focused .cm-matchingBracket': { background: 'var(--chosen)', outline: 'none' },
    '.cm-selectionBackground, ::selection': { background: 'var(--chosen)' },
    '.wrong': { textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '3px', background: 'color-mix(in srgb, var(--bad) 12%, transparent)' },
    '.cm-tooltip': { background: 'var(--page)', border: '1px solid var(--line)', borderRadius: '.35rem', color: 'var(--text)', overflow: 'hidden' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxWidth: 'min(40rem, 90vw)' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '.1rem .6rem' },
    '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--chosen)', color: 'var(--text)' },
    '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
    '.cm-completionDetail': { color: 'var(--quiet)', fontStyle: 'normal', marginLeft: '1rem' },
  });
}

// Completion

const WORDS = [
  ...KEYWORDS.map((word) => ({ label: word.toUpperCase(), type: 'keyword', boost: -1 })),
  ...TYPES.map((word) => ({ label: word.toUpperCase(), type: 'type', boost: -3 })),
  ...FUNCTIONS.map((word) => ({ label: word, apply: `${word}(`, type: 'function', detail: 'function', boost: -2 })),
];

/** What may stand at the cursor: a dataset, a column of the datasets that the statement names, or a word of SQL. */
async function complete(context) {
  const sql = context.state.doc.toString();
  const before = tokens(sql.slice(0, context.pos));
  const last = before.at(-1);
  const isOpen = last?.end === context.pos && (last.kind === 'word' || (last.kind === 'quoted' && !closed(last.text)));
  const inText = last?.end === context.pos && (last.kind === 'comment' || (last.kind === 'text' && !/.['$]$/.test(last.text)));
  if (inText || last?.kind === 'number' && last.end === context.pos) {
    return null;
  }
  const from = isOpen ? last.start : context.pos;
  const rest = isOpen ? before.slice(0, -1) : before;
  if (expectsTable(rest)) {
    return completeTable(isOpen ? last.text.replace(/^"/, '') : '', from, context);
  }
  const isMember = rest.at(-1)?.text === '.' && rest.at(-1).end === from;
  if (!isOpen && !isMember && !context.explicit) {
    return null;
  }
  const named = tables(sql);
  const owner = isMember ? rest.at(-2)?.text.replaceAll('"', '') : null;
  const datasets = isMember ? [named.get(owner)].filter(Boolean) : [...new Set(named.values())].slice(0, MOST_TABLES);
  const columns = (await Promise.all(datasets.map(columnsOf))).flat();
  if (isLeft(context)) {
    return null;
  }
  return {
    from,
    options: isMember || last?.kind === 'quoted' && isOpen ? columns : [...columns, ...WORDS],
    validFor: /^"?[\p{L}\p{N}_]*$/u,
  };
}

/** Whether the completion comes too late: the user has typed on, or is elsewhere. */
const isLeft = (context) => context.aborted || (context.view && !context.view.hasFocus);

const closed = (text) => text.length > 1 && /^"(?:[^"]|"")*"$/.test(text);

/** Datasets by their first letters, since there may be very many. */
async function completeTable(prefix, from, context) {
  const parameters = new URLSearchParams({ limit: MOST_NAMES, prefix });
  let found;
  try {
    found = await json(`/datasets?${parameters}`);
  } catch {
    return null;
  }
  if (isLeft(context)) {
    return null;
  }
  const options = found.datasets
    .filter(({ damaged }) => !damaged)
    .map(({ name, rows }) => ({
      label: name,
      apply: quoted(name, NOT_A_NAME),
      type: 'class',
      detail: `${Number(rows).toLocaleString('en-US')} rows`,
    }));
  return { from, options, filter: false };
}

const schemas = new Map();

/** The columns of a dataset, which are fetched once. */
async function columnsOf(dataset) {
  if (!schemas.has(dataset)) {
    schemas.set(dataset, fetchColumns(dataset).catch(() => null));
  }
  const found = await schemas.get(dataset);
  if (found === null) {
    schemas.delete(dataset);
  }
  return found ?? [];
}

/** The columns, or null of a dataset that does not exist: half a name, as a rule, which is asked for without a failure. */
async function fetchColumns(dataset) {
  const [, name, version] = /^([^]*?)(?:@(\d+))?$/.exec(dataset);
  const parameters = new URLSearchParams({ limit: 1, prefix: name, ...placeBefore(name) });
  const { datasets } = await json(`/datasets?${parameters}`);
  if (datasets[0]?.name !== name) {
    return null;
  }
  const { fields } = await json(`${datasetPath(name, version ?? null)}/schema`);
  return fields.slice(0, MOST_COLUMNS).map(completionOf);
}

/** The place before a name in the list, where digits come before the end of a name, and small letters after it. */
function placeBefore(name) {
  return name.length < MOST_NAME_CHARACTERS ? { after: `${name}9`.padEnd(MOST_NAME_CHARACTERS, 'z') } : {};
}

function completionOf({ name, arrowType }) {
  return { label: name, apply: quoted(name, NOT_A_NAME), type: 'property', detail: arrowType.slice(0, 40), boost: 2 };
}
