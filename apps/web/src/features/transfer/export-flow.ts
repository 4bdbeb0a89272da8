import type { ProblemAnswer } from '@cadmus/model/contract/shared'
import type { DatabaseType } from '@cadmus/model/database-types'
import { exportOptions, type ExportOptions } from '@cadmus/model/export-formats'
import { defaultOf, type SqlExport, sqlExportNames, sqlExportOption, valueFault } from '@cadmus/model/sql-export'

export type Preview = { script: string; notes: number }

/** States of an export: validation, then options, notes and preview. */
export type ExportDialog =
  | { step: 'validating' }
  | { step: 'refused'; message: string; problems: readonly ProblemAnswer[] }
  | {
      step: 'ready'
      warnings: readonly ProblemAnswer[]
      options: ExportOptions
      /** The notes line by line; null if they are unknown. */
      notes: readonly string[] | 'loading' | null
      /** The preview for these options, once it is requested. */
      shown: Preview | null
      working: 'preview' | 'export' | null
      error: string | null
    }

export type ReadyExport = Extract<ExportDialog, { step: 'ready' }>

export type ExportDialogEvent =
  /** `databaseTypes`: the types of the licence, the default first. `sqlExport`: the options of the configuration. */
  | {
      type: 'validated'
      message: string
      problems: readonly ProblemAnswer[]
      databaseTypes: readonly DatabaseType[]
      sqlExport?: Partial<SqlExport>
    }
  | { type: 'refused'; message: string }
  /** Problems were resolved: validates again. */
  | { type: 'resolved' }
  | { type: 'options'; options: Partial<ExportOptions> }
  | { type: 'notes'; notes: readonly string[] | null }
  | { type: 'preview' }
  /** `options`: those of the preview, which may have changed since. */
  | { type: 'previewed'; script: Preview; options?: ExportOptions }
  | { type: 'back' }
  | { type: 'export' }
  | { type: 'failed'; message: string }

export function nextExportDialog(state: ExportDialog, event: ExportDialogEvent): ExportDialog {
  if (event.type === 'validated') return afterValidation(event)
  if (event.type === 'refused') return { step: 'refused', message: event.message, problems: [] }
  if (event.type === 'resolved') return { step: 'validating' }
  if (state.step !== 'ready') return state
  switch (event.type) {
    case 'options':
      return { ...state, options: { ...state.options, ...event.options } }
    case 'notes':
      return { ...state, notes: event.notes }
    case 'preview':
    case 'export':
      return { ...state, working: event.type, error: null }
    case 'previewed':
      if (event.options && event.options !== state.options) return { ...state, working: null }
      return { ...state, working: null, shown: event.script, error: null }
    case 'back':
      return { ...state, shown: null, error: null }
    case 'failed':
      return { ...state, working: null, error: event.message }
  }
}

/** What is wrong with the options; undefined if nothing is. */
export function optionsFault({ sqlExport }: ExportOptions): string | undefined {
  for (const name of sqlExportNames) {
    const fault = valueFault(name, sqlExport[name] ?? defaultOf(name))
    if (fault !== undefined) return `${sqlExportOption(name).label}: ${fault}`
  }
  return undefined
}

function afterValidation({
  message,
  problems,
  databaseTypes,
  sqlExport = {},
}: Extract<ExportDialogEvent, { type: 'validated' }>): ExportDialog {
  if (problems.some(({ severity }) => severity === 'error')) return { step: 'refused', message, problems }
  const options = {
    databaseType: databaseTypes[0] ?? 'postgresql',
    applyAutoIncrement: exportOptions.applyAutoIncrement.default,
    sqlExport,
  }
  return { step: 'ready', warnings: problems, options, notes: 'loading', shown: null, working: null, error: null }
}
