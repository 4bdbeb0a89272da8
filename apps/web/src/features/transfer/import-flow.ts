import type { DatabaseType } from '@cadmus/model/database-types'
import { eitherOf } from '@cadmus/model/display'
import { reviewDialogTexts } from '@cadmus/model/messages/import-review'
import { importKindOf, importKinds, type ImportKind } from '@cadmus/model/import-formats'

type Named = { id: number; name: string }

/** State of the import dialog. Steps: kind, target manifest (entity only), file, review (manifest only, optional). */
export type ImportDialog = {
  step: 1 | 2 | 3 | 4
  kind: 'entity' | 'manifest'
  importAs: ImportKind
  /** Whose SQL the scripts are; null: detected. */
  database: DatabaseType | null
  /** null: the entity belongs to no manifest. */
  target: Named | null
  file: File | null
  /** A script instead of a file. */
  pasted: string
  /** Root manifests of a file that has several, and the chosen one. */
  roots: readonly string[]
  root: string | null
}

export type ImportDialogEvent =
  | { type: 'open'; kind?: ImportDialog['kind']; target?: Named }
  | { type: 'kind'; kind: ImportDialog['kind'] }
  | { type: 'importAs'; importAs: ImportKind }
  | { type: 'database'; database: DatabaseType | null }
  | { type: 'target'; target: Named | null }
  | { type: 'file'; file: File | null }
  | { type: 'paste'; pasted: string }
  | { type: 'roots'; roots: readonly string[] }
  | { type: 'root'; root: string }
  | { type: 'review' }
  | { type: 'next' }
  | { type: 'back' }

export function openImportDialog(kind: ImportDialog['kind'] = 'manifest', target: Named | null = null): ImportDialog {
  return { step: 1, kind, importAs: importKinds[0].wireName, database: null, target, pasted: '', ...chosenFile(null) }
}

/** The roots are known only after the server has read the file. */
function chosenFile(file: File | null) {
  return { file, roots: [], root: null }
}

export function nextImportDialog(state: ImportDialog, event: ImportDialogEvent): ImportDialog {
  switch (event.type) {
    case 'open':
      return openImportDialog(event.kind, event.target)
    case 'kind':
      return { ...state, kind: event.kind, ...chosenFile(null) }
    case 'importAs':
      return { ...state, importAs: event.importAs, ...chosenFile(state.file) }
    case 'database':
      return { ...state, database: event.database }
    case 'target':
      return { ...state, target: event.target }
    case 'file':
      return { ...state, ...chosenFile(event.file) }
    case 'paste':
      return { ...state, pasted: event.pasted }
    case 'roots':
      return { ...state, roots: event.roots, root: event.roots[0] ?? null }
    case 'root':
      return { ...state, root: event.root }
    case 'review':
      return { ...state, step: 4 }
    case 'next':
      if (state.step === 1) return { ...state, step: state.kind === 'entity' ? 2 : 3 }
      return { ...state, step: 3 }
    case 'back':
      if (state.step === 4) return { ...state, step: 3 }
      return { ...state, step: state.step === 3 && state.kind === 'entity' ? 2 : 1 }
  }
}

/** Longer texts make a text field slow. */
const longestText = 20_000

/** A long pasted script becomes a file; null for others, which stay text. */
export function longPaste(text: string): ImportDialogEvent | null {
  return text.length > longestText ? { type: 'file', file: scriptFile(text) } : null
}

function scriptFile(text: string): File {
  return new File([text], 'pasted.sql')
}

/** Whether leaving would lose input; a selected radio button alone does not count. */
export function hasEntered(state: ImportDialog, opened: ImportDialog): boolean {
  return upload(state) !== null || state.target?.id !== opened.target?.id
}

/** Whether SQL is imported, of a database that can be chosen, from a file or pasted. */
export function isSqlImport({ kind, importAs }: Pick<ImportDialog, 'kind' | 'importAs'>): boolean {
  return kind === 'manifest' && importKindOf(importAs).isSql
}

/** The chosen file, or the pasted script as one. */
export function upload(state: ImportDialog): File | null {
  const isPasted = isSqlImport(state) && state.pasted.trim() !== ''
  return state.file ?? (isPasted ? scriptFile(state.pasted) : null)
}

export function acceptedExtensions({ kind, importAs }: Pick<ImportDialog, 'kind' | 'importAs'>): readonly string[] {
  return kind === 'entity' ? ['.json'] : importKindOf(importAs).extensions
}

/** Reason why the file is invalid; undefined if it is valid or no file is chosen. */
export function fileProblem(state: ImportDialog): string | undefined {
  const extensions = acceptedExtensions(state)
  const name = state.file?.name.toLowerCase()
  if (name === undefined || extensions.some(end => name.endsWith(end))) return undefined
  return `Choose a ${eitherOf(extensions)} file.`
}

/** Why Next or Finish is unavailable; undefined if it is available. */
export function whyBlocked(state: ImportDialog): string | undefined {
  if (state.step < 3 || upload(state) !== null) return state.step < 3 ? undefined : fileProblem(state)
  return `Choose a ${eitherOf(acceptedExtensions(state))} file${isSqlImport(state) ? ', or paste a script' : ''}.`
}

/** The names of the steps of the dialog, and the current one. */
export function stepsOf({ kind, step }: Pick<ImportDialog, 'kind' | 'step'>): { steps: string[]; current: number } {
  if (kind === 'entity') return { steps: ['What to import', 'Target manifest', 'File'], current: step - 1 }
  const steps = ['What to import', 'File', ...(step === 4 ? [reviewDialogTexts.step] : [])]
  return { steps, current: Math.max(0, step - 2) }
}
