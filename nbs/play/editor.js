// The box for SQL: CodeMirror with highlighting, and completion of what has been described.
import {autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap} from '@codemirror/autocomplete'
import {defaultKeymap, history, historyKeymap} from '@codemirror/commands'
import {SQLite, sql} from '@codemirror/lang-sql'
import {bracketMatching, syntaxHighlighting} from '@codemirror/language'
import {Compartment, Prec} from '@codemirror/state'
import {EditorView, drawSelection, keymap, placeholder} from '@codemirror/view'
import {classHighlighter} from '@lezer/highlight'

/** An editor in `parent`; `onRun` is called for Ctrl-Enter, `onChange` when the text has changed. */
export function makeEditor(parent, onRun, onChange) {
  const language = new Compartment()
  const known = schema => sql({dialect: SQLite, schema, upperCaseKeywords: true})
  const run = {key: 'Mod-Enter', run: editor => (closeCompletion(editor), onRun(), true)}
  const view = new EditorView({
    parent,
    extensions: [
      Prec.highest(keymap.of([run])),
      history(), drawSelection(), closeBrackets(), bracketMatching(), autocompletion(),
      language.of(known({})),
      syntaxHighlighting(classHighlighter),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
      EditorView.lineWrapping,
      EditorView.updateListener.of(({docChanged}) => docChanged && onChange()),
      EditorView.contentAttributes.of({'aria-label': 'SQL query', autocapitalize: 'off'}),
      placeholder('SELECT …'),
    ],
  })
  return {
    get text() { return view.state.doc.toString() },
    set text(text) {
      view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}})
    },
    /** tables: [{name, columns}], columns only of those that were described */
    complete(tables) {
      const schema = Object.fromEntries(tables.map(t => [t.name, t.columns ?? []]))
      view.dispatch({effects: language.reconfigure(known(schema))})
    },
  }
}
