// The parts of CodeMirror that the editor of statements uses, as one module.

export { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap } from '@codemirror/autocomplete';
export { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
export { sql, SQLDialect } from '@codemirror/lang-sql';
export { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
export { EditorState, Prec, StateEffect, StateField } from '@codemirror/state';
export { Decoration, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
export { tags } from '@lezer/highlight';
