import type { DatabaseType } from '@cadmus/model/database-types'
import { importKinds, type ImportKind } from '@cadmus/model/import-formats'

type Named = { id: number; name: string }

/** State of the import dialog. Steps: kind, target manifest (entity only), file. */
export type ImportDialog = {
  step: 1 | 2 | 3
  kind: 'entity' | 'manifest'
  importAs: ImportKind
  /** Whose SQL the scripts are; null: detected. */
  database: DatabaseType | null
  /** null: the entity belongs to no manifest. */
  target: Named | null
  file: File | null
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
  | { type: 'roots'; roots: readonly string[] }
  | { type: 'root'; root: string }
  | { type: 'next' }
  | { type: 'back' }

export function openImportDialog(kind: ImportDialog['kind'] = 'manifest', target: Named | null = null): ImportDialog {
  return { step: 1, kind, importAs: importKinds[0].wireName, database: null, target, ...chosenFile(null) }
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
    case 'roots':
      return { ...state, roots: event.roots, root: event.roots[0] ?? null }
    case 'root':
      return { ...state, root: event.root }
    case 'next':
      if (state.step === 1) return { ...state, step: state.kind === 'entity' ? 2 : 3 }
      return { ...state, step: 3 }
    case 'back':
      return { ...state, step: state.step === 3 && state.kind === 'entity' ? 2 : 1 }
  }
}

/** Whether leaving would lose input; a selected radio button alone does not count. */
export function hasEntered(state: ImportDialog, opened: ImportDialog): boolean {
  return state.file !== null || state.target?.id !== opened.target?.id
}

export function acceptedExtension(kind: ImportDialog['kind']): '.json' | '.zip' {
  return kind === 'entity' ? '.json' : '.zip'
}

/** Reason why the file is invalid; undefined if it is valid or no file is chosen. */
export function fileProblem(state: ImportDialog): string | undefined {
  const extension = acceptedExtension(state.kind)
  if (!state.file || state.file.name.toLowerCase().endsWith(extension)) return undefined
  return `Choose a ${extension} file.`
}

/** Why Next or Finish is unavailable; undefined if it is available. */
export function whyBlocked(state: ImportDialog): string | undefined {
  if (state.step < 3) return undefined
  return state.file === null ? `Choose a ${acceptedExtension(state.kind)} file.` : fileProblem(state)
}
