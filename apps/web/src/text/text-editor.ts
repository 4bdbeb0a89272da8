import {
  autocompletion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import type { TextModel, TextProblem } from '@cadmus/model/text/marked-text'
import { editorExtensions } from '../ui/code-editor.ts'
import { isModelText, isSql } from './pasted.ts'
import { textLanguage } from './language.ts'
import { withoutProject } from './without-project.ts'

export type TextEditorOptions = {
  label: string
  model: () => TextModel | null
  /** Undo and redo: of what is typed, then of the model. */
  step: (direction: 'undo' | 'redo') => boolean
  pasteSql: ((sql: string) => void) | undefined
}

const access = new Compartment()

export function textExtensions({ label, model, step, pasteSql }: TextEditorOptions): Extension {
  const take = (direction: 'undo' | 'redo') => ({ run: () => step(direction), preventDefault: true })
  return [
    Prec.high(
      keymap.of([
        { key: 'Mod-z', ...take('undo') },
        { key: 'Mod-Shift-z', ...take('redo') },
        { key: 'Mod-y', ...take('redo') },
        { key: 'F8', run: nextDiagnostic, shift: previousDiagnostic },
        ...completionKeymap,
      ]),
    ),
    editorExtensions(label),
    textLanguage,
    autocompletion({ override: [context => completed(context, model())], icons: false }),
    lintGutter(),
    EditorView.domEventHandlers({
      paste(event, { state, dispatch }) {
        const text = event.clipboardData?.getData('text/plain') ?? ''
        if (!pasteSql || state.readOnly) return false
        const isFirst = model()?.entities.length === 0 && isModelText(text)
        if (!isSql(text) && !isFirst) return false
        event.preventDefault()
        if (isSql(text)) pasteSql(text)
        else dispatch(state.update(state.replaceSelection(withoutProject(text)), { userEvent: 'input.paste' }))
        return true
      },
    }),
    EditorView.lineWrapping,
    theme,
    access.of([]),
  ]
}

/** Nothing is typed into a locked text. */
export function setLocked(isLocked: boolean) {
  return access.reconfigure(EditorState.readOnly.of(isLocked))
}

/** Marks the faults of the text. */
export function showProblems(state: EditorState, problems: readonly TextProblem[]) {
  const { length } = state.doc
  const diagnostics = problems.map(({ from, to, message }) => ({
    from: Math.min(from, length),
    to: Math.min(Math.max(from, to), length),
    severity: 'error' as const,
    message,
  }))
  return setDiagnostics(state, diagnostics)
}

async function completed(context: CompletionContext, model: TextModel | null): Promise<CompletionResult | null> {
  const { state, pos, explicit } = context
  if (model === null) return null
  const { completionsAt } = await import('@cadmus/model/text/completion')
  const offered = completionsAt(state.doc.toString(), pos, model)
  if (!offered || (!explicit && offered.from === pos)) return null
  const { from, to, options } = offered
  return { from, to, options: [...options], validFor: /^"?[\p{L}\p{M}\p{N}_ ]*$/u }
}

const list = {
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius-control)',
  backgroundColor: 'var(--raised)',
  color: 'var(--text)',
}

/** The images of the defaults are data addresses, which the Content-Security-Policy forbids. */
const theme = EditorView.theme({
  '.cm-tooltip': list,
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-lintRange-error, .cm-lintRange-active': {
    backgroundImage: 'none',
    backgroundColor: 'var(--danger-soft)',
    textDecoration: 'underline wavy var(--danger)',
    textDecorationSkipInk: 'none',
  },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--danger)' },
  '.cm-diagnostic': { padding: '4px 8px', maxWidth: '360px', whiteSpace: 'normal' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 2px' },
  '.cm-lint-marker': { width: '10px', height: '20px' },
  '.cm-lint-marker-error': { content: 'normal' },
  '.cm-lint-marker-error:after': { content: '"●"', color: 'var(--danger)', lineHeight: '20px' },
})
