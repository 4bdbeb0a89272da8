import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { closeSearchPanel, highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  type EditorViewConfig,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'

export type CodeEditor = {
  text: () => string
  /** Moves the caret to the offset, scrolls it into view and focuses the editor. */
  goTo: (at: number) => void
  destroy: () => void
}

/** Milliseconds after Escape. */
const tabFocusTime = 10_000

type EditorOptions = { label: string; text: string; language: Extension; onChange: () => void }

/** Creates an editor in an element and focuses it. */
export function createCodeEditor(host: HTMLElement, { label, text, language, onChange }: EditorOptions): CodeEditor {
  const changed = EditorView.updateListener.of(update => update.docChanged && onChange())
  const view = showEditor(
    host,
    EditorState.create({ doc: text, extensions: [editorExtensions(label), history(), language, changed] }),
  )
  view.focus()
  return {
    text: () => view.state.doc.toString(),
    goTo(at) {
      view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) }, scrollIntoView: true })
      view.focus()
    },
    destroy: () => view.destroy(),
  }
}

/** Shows a state in a shadow root with constructed style sheets: the Content-Security-Policy forbids style elements. */
export function showEditor(
  host: HTMLElement,
  state: EditorState,
  dispatchTransactions?: EditorViewConfig['dispatchTransactions'],
): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true })
  return new EditorView({ root, parent: root, state, ...(dispatchTransactions ? { dispatchTransactions } : {}) })
}

/** What all editors have, apart from their language and history. Tab indents; after Escape it moves the focus. */
export function editorExtensions(label: string): Extension {
  return [
    lineNumbers(),
    foldGutter({ markerDOM }),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    EditorState.phrases.of(phrases),
    syntaxHighlighting(colours),
    theme,
    // Precedes the keymap, which may consume the key.
    EditorView.domEventHandlers({
      keydown({ key }, editor) {
        if (key === 'Escape') editor.setTabFocusMode(tabFocusTime)
        return false
      },
    }),
    keymap.of([{ key: 'Escape', run: leaveSearch, scope: 'search-panel' }]),
    keymap.of([indentWithTab, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap]),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
  ]
}

/** Escape in the search has the same effect on Tab as in the text. */
function leaveSearch(editor: EditorView): boolean {
  editor.setTabFocusMode(tabFocusTime)
  return closeSearchPanel(editor)
}

function markerDOM(open: boolean): HTMLElement {
  const marker = document.createElement('span')
  marker.textContent = open ? '⌄' : '›'
  marker.title = open ? 'Fold' : 'Unfold'
  return marker
}

/** Sentence case, as in the rest of the UI. */
const phrases = {
  next: 'Next',
  previous: 'Previous',
  all: 'All',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--text)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--success)' },
  { tag: [tags.number, tags.bool], color: 'var(--accent)' },
  { tag: tags.null, color: 'var(--muted)' },
  { tag: [tags.punctuation, tags.separator, tags.bracket], color: 'var(--muted)' },
  { tag: tags.invalid, color: 'var(--danger)' },
])

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '12px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--text)', padding: '6px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--bg)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-foldGutter span': { display: 'inline-block', width: '12px', cursor: 'pointer', textAlign: 'center' },
  '.cm-activeLine': { backgroundColor: 'var(--hover)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--hover)', color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--danger-soft)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--info-soft)' },
  '.cm-searchMatch': { backgroundColor: 'var(--info-soft)', outline: '1px solid var(--info)' },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'var(--accent-soft)', outlineColor: 'var(--accent)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--bg)', borderColor: 'var(--control-line)', color: 'var(--muted)' },
  '.cm-panels': { backgroundColor: 'var(--bg)', color: 'var(--text)', fontFamily: 'var(--font)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '6px 32px 6px 8px',
  },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px', fontSize: '12px' },
  '.cm-textfield': {
    height: '24px',
    padding: '0 6px',
    border: '1px solid var(--control-line)',
    borderRadius: 'var(--radius-item)',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    fontSize: '12px',
  },
  ':is(.cm-textfield, .cm-button, .cm-panel.cm-search button, .cm-panel.cm-search input):focus-visible': {
    outline: '2px solid var(--accent)',
    outlineOffset: '1px',
  },
  '.cm-button': {
    height: '24px',
    padding: '0 8px',
    border: '1px solid var(--control-line)',
    borderRadius: 'var(--radius-item)',
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    fontSize: '12px',
    cursor: 'pointer',
  },
  '.cm-panel.cm-search [name=close]': { width: '24px', height: '24px', color: 'var(--muted)', cursor: 'pointer' },
})
