import type { ProblemAnswer } from '@cadmus/model/contract/problem'

/** States of a folder export: validation, omissions, download. */
export type FolderDialog =
  | { step: 'validating' }
  | { step: 'refused'; message: string; problems: readonly ProblemAnswer[] }
  /** `omissions`: line by line; null if they are unknown. */
  | {
      step: 'ready'
      warnings: readonly ProblemAnswer[]
      omissions: readonly string[] | 'loading' | null
      working: boolean
      error: string | null
    }

export type FolderDialogEvent =
  | { type: 'validated'; message: string; problems: readonly ProblemAnswer[] }
  | { type: 'refused'; message: string }
  /** Problems were resolved: validates again. */
  | { type: 'resolved' }
  | { type: 'omissions'; omissions: readonly string[] | null }
  | { type: 'export' }
  | { type: 'failed'; message: string }

export function nextFolderDialog(state: FolderDialog, event: FolderDialogEvent): FolderDialog {
  if (event.type === 'validated') return afterValidation(event)
  if (event.type === 'refused') return { step: 'refused', message: event.message, problems: [] }
  if (event.type === 'resolved') return { step: 'validating' }
  if (state.step !== 'ready') return state
  switch (event.type) {
    case 'omissions':
      return { ...state, omissions: event.omissions }
    case 'export':
      return { ...state, working: true, error: null }
    case 'failed':
      return { ...state, working: false, error: event.message }
  }
}

function afterValidation({ message, problems }: Extract<FolderDialogEvent, { type: 'validated' }>): FolderDialog {
  if (problems.some(({ severity }) => severity === 'error')) return { step: 'refused', message, problems }
  return { step: 'ready', warnings: problems, omissions: 'loading', working: false, error: null }
}
