import type { ProblemAnswer } from '@cadmus/model/contract/problem'
import type { DatabaseType } from '@cadmus/model/database-types'

export type ExportOptions = {
  warnings: readonly ProblemAnswer[]
  databaseType: DatabaseType
  applyAutoIncrement: boolean
}

export type Script = { script: string; notes: number }

/** States of the database-schema export: validation, options, script. */
export type ExportDialog =
  | { step: 'validating' }
  | { step: 'refused'; message: string; problems: readonly ProblemAnswer[] }
  /** `shown`: the script for these options, once it is previewed. */
  | {
      step: 'options'
      options: ExportOptions
      shown: Script | null
      working: 'preview' | 'export' | null
      error: string | null
    }

export type ExportDialogEvent =
  | { type: 'validated'; message: string; problems: readonly ProblemAnswer[]; databaseTypes: readonly DatabaseType[] }
  | { type: 'refused'; message: string }
  /** Problems were resolved: validates again. */
  | { type: 'resolved' }
  | { type: 'databaseType'; databaseType: DatabaseType }
  | { type: 'applyAutoIncrement'; apply: boolean }
  | { type: 'preview' }
  | { type: 'previewed'; script: Script }
  | { type: 'back' }
  | { type: 'export' }
  | { type: 'failed'; message: string }

export function nextExportDialog(state: ExportDialog, event: ExportDialogEvent): ExportDialog {
  if (event.type === 'validated') return afterValidation(event)
  if (event.type === 'refused') return { step: 'refused', message: event.message, problems: [] }
  if (event.type === 'resolved') return { step: 'validating' }
  if (state.step !== 'options') return state
  const { options } = state
  switch (event.type) {
    case 'databaseType':
      return { ...state, options: { ...options, databaseType: event.databaseType } }
    case 'applyAutoIncrement':
      return { ...state, options: { ...options, applyAutoIncrement: event.apply } }
    case 'preview':
    case 'export':
      return { ...state, working: event.type, error: null }
    case 'previewed':
      return { ...state, working: null, shown: event.script }
    case 'back':
      return { ...state, shown: null, error: null }
    case 'failed':
      return { ...state, working: null, error: event.message }
  }
}

function afterValidation({
  message,
  problems,
  databaseTypes,
}: Extract<ExportDialogEvent, { type: 'validated' }>): ExportDialog {
  if (problems.some(({ severity }) => severity === 'error')) return { step: 'refused', message, problems }
  const databaseType = databaseTypes[0] ?? 'postgresql'
  const options = { warnings: problems, databaseType, applyAutoIncrement: true }
  return { step: 'options', options, shown: null, working: null, error: null }
}
