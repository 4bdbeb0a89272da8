import type { ProblemAnswer } from '@cadmus/model/contract/problem'

/** The export of a manifest as a folder of documents between its events: it validates first, then says what stays behind, and writes. */
export type FolderDialog =
  | { step: 'validating' }
  | { step: 'refused'; message: string; problems: readonly ProblemAnswer[] }
  /** `unsaid`: what the folder will not say, line by line; null where nobody can tell. */
  | {
      step: 'ready'
      warnings: readonly ProblemAnswer[]
      unsaid: readonly string[] | 'asked' | null
      working: boolean
      error: string | null
    }

export type FolderDialogEvent =
  | { type: 'validated'; message: string; problems: readonly ProblemAnswer[] }
  | { type: 'refused'; message: string }
  /** What was wrong was mended: everything is looked at again. */
  | { type: 'resolved' }
  | { type: 'told'; unsaid: readonly string[] | null }
  | { type: 'export' }
  | { type: 'failed'; message: string }

export function nextFolderDialog(state: FolderDialog, event: FolderDialogEvent): FolderDialog {
  if (event.type === 'validated') return afterValidation(event)
  if (event.type === 'refused') return { step: 'refused', message: event.message, problems: [] }
  if (event.type === 'resolved') return { step: 'validating' }
  if (state.step !== 'ready') return state
  switch (event.type) {
    case 'told':
      return { ...state, unsaid: event.unsaid }
    case 'export':
      return { ...state, working: true, error: null }
    case 'failed':
      return { ...state, working: false, error: event.message }
  }
}

function afterValidation({ message, problems }: Extract<FolderDialogEvent, { type: 'validated' }>): FolderDialog {
  if (problems.some(({ severity }) => severity === 'error')) return { step: 'refused', message, problems }
  return { step: 'ready', warnings: problems, unsaid: 'asked', working: false, error: null }
}
