// The editor of a statement: a text area at once, and CodeMirror in its place as soon as that is here.
// @ts-check

import { element } from '../lib/elements.js';
import { complete } from './sql-completion.js';
import { FUNCTIONS, KEYWORDS, RESERVED, TYPES } from './sql-keywords.js';
import { quoted, tokens } from './statement.js';

const NO_NAMES = new Set(RESERVED);

/**
 * An editor. It dispatches `changed` after each change of the text, and `run` when the keys for that are pressed.
 */
export class Editor extends EventTarget {
  /**
   * The view of CodeMirror, its library and the effect that marks what is wrong, of which the bundle has no types.
   *
   * @type {any}
   */
  #view = null;
  /** @type {any} */
  #library = null;
  /** @type {any} */
  #wrong = null;

  /**
   * @param {object} options
   * @param {string} options.label
   * @param {string} options.hint
   * @param {string} options.text
   */
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

  /** @param {string} text */
  set text(text) {
    if (this.#view) {
      this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
    } else {
      this.area.value = text;
      this.dispatchEvent(new Event('changed'));
    }
  }

  /** @returns {{ from: number, to: number }} */
  get #selection() {
    return this.#view ? this.#view.state.selection.main : { from: this.area.selectionStart, to: this.area.selectionEnd };
  }

  /** The selected part of the text with its start, or all of it. */
  get chosen() {
    const { from, to } = this.#selection;
    const selected = this.text.slice(from, to);
    return selected.trim() === '' ? { sql: this.text, start: 0 } : { sql: selected, start: from };
  }

  /**
   * Selects a part of the text.
   *
   * @param {number} from
   * @param {number} to
   */
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

  /**
   * Writes text in place of the selection.
   *
   * @param {string} text
   */
  insert(text) {
    if (this.#view) {
      this.#view.dispatch(this.#view.state.replaceSelection(text));
    } else {
      this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, 'end');
      this.dispatchEvent(new Event('changed'));
    }
    this.focus();
  }

  /**
   * Writes the name of a table or a column at the cursor: after a comma if it follows another name, and after a space if it
   * follows a keyword.
   *
   * @param {string} name
   */
  insertName(name) {
    const before = this.text.slice(0, this.#selection.from);
    const last = tokens(before).at(-1);
    const follows = last !== undefined && last.end === before.length && (['word', 'quoted', 'number'].includes(last.kind) || last.text === ')');
    const isKeyword = last?.kind === 'word' && NO_NAMES.has(last.text.toLowerCase());
    this.insert(`${!follows ? '' : isKeyword ? ' ' : ', '}${quoted(name, NO_NAMES)}`);
  }

  /**
   * Underlines what is wrong until the text changes, and goes there.
   *
   * @param {number} from
   * @param {number} length
   */
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
      EditorView.updateListener.of((/** @type {any} */ update) => update.docChanged && this.dispatchEvent(new Event('changed'))),
      this.#marks(),
      this.#keys(),
      replacing(library),
    ];
  }

  #keys() {
    const { Prec, acceptCompletion, closeBracketsKeymap, closeCompletion, completionKeymap, defaultKeymap, historyKeymap, keymap } = this.#library;
    /** @param {any} view */
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
      update: (/** @type {any} */ marks, /** @type {any} */ transaction) => {
        const told = transaction.effects.find((/** @type {any} */ effect) => effect.is(this.#wrong));
        if (told) {
          return told.value && told.value.to > told.value.from ? Decoration.set([mark.range(told.value.from, told.value.to)]) : Decoration.none;
        }
        return transaction.docChanged ? Decoration.none : marks;
      },
      provide: (/** @type {any} */ field) => EditorView.decorations.from(field),
    });
  }
}

/**
 * Types over a selection without the browser's own editing, which would write the look of the selected text as a style
 * attribute, a violation of the policy.
 *
 * @param {any} library
 */
function replacing({ EditorView }) {
  return EditorView.domEventHandlers({
    /**
     * @param {InputEvent} event
     * @param {any} view
     */
    beforeinput(event, view) {
      const { from, to, empty } = view.state.selection.main;
      if (event.inputType !== 'insertText' || !event.data || empty || view.composing) {
        return false;
      }
      const text = event.data;
      const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type' });
      if (!view.state.facet(EditorView.inputHandler).some((/** @type {any} */ handler) => handler(view, from, to, text, insert))) {
        view.dispatch(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
      }
      event.preventDefault();
      return true;
    },
  });
}

/** @param {any} library */
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

/** @param {any} library */
function highlights({ HighlightStyle, tags }) {
  return HighlightStyle.define([
    { tag: tags.keyword, color: 'var(--keyword)', fontWeight: '600' },
    { tag: [tags.string, tags.special(tags.string)], color: 'var(--string)' },
    { tag: [tags.number, tags.bool, tags.null], color: 'var(--number)' },
    { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--quiet)', fontStyle: 'italic' },
    { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--accent)' },
  ]);
}

/** @param {any} library */
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
