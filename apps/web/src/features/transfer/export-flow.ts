import type { DatabaseType } from '@cadmus/model/database-types'

/** A problem that an export goes on with; `databases` where it is about some and not about others. */
export type ExportWarning = {
  message: string
  path: readonly { kind: string; name: string }[]
  databases?: readonly DatabaseType[]
}

/** The database-schema export between its events: it validates first, then asks for the options, then writes. */
export type ExportDialog =
  | { step: 'validating' }
  | { step: 'refused'; message: string }
  | {
      step: 'options'
      warnings: readonly ExportWarning[]
      databaseType: DatabaseType
      applyAutoIncrement: boolean
      error: string | null
    }
  | { step: 'exporting'; warnings: readonly ExportWarning[]; databaseType: DatabaseType; applyAutoIncrement: boolean }
  | { step: 'done' }

export type ExportDialogEvent =
  | { type: 'valid'; warnings: readonly ExportWarning[]; databaseTypes: readonly DatabaseType[] }
  | { type: 'refused'; message: string }
  | { type: 'databaseType'; databaseType: DatabaseType }
  | { type: 'applyAutoIncrement'; apply: boolean }
  | { type: 'export' }
  | { type: 'exported' }
  | { type: 'failed'; message: string }

export function nextExportDialog(state: ExportDialog, event: ExportDialogEvent): ExportDialog {
  switch (event.type) {
    case 'valid':
      return {
        step: 'options',
        warnings: event.warnings,
        databaseType: event.databaseTypes[0] ?? 'postgresql',
        applyAutoIncrement: true,
        error: null,
      }
    case 'refused':
      return { step: 'refused', message: event.message }
    case 'databaseType':
      return state.step === 'options' ? { ...state, databaseType: event.databaseType } : state
    case 'applyAutoIncrement':
      return state.step === 'options' ? { ...state, applyAutoIncrement: event.apply } : state
    case 'export': {
      if (state.step !== 'options') return state
      const { warnings, databaseType, applyAutoIncrement } = state
      return { step: 'exporting', warnings, databaseType, applyAutoIncrement }
    }
    case 'exported':
      return { step: 'done' }
    case 'failed':
      return state.step === 'exporting' ? { ...state, step: 'options', error: event.message } : state
  }
}

/** What to tell of an export for this database: each place, from the entity on, with what is said of it. */
export function warningsFor(warnings: readonly ExportWarning[], databaseType: DatabaseType): string[] {
  return warnings
    .filter(({ databases }) => databases?.includes(databaseType) ?? true)
    .map(({ message, path }) => {
      const place = path.filter(({ kind }) => kind !== 'manifest').map(({ name }) => name)
      return place.length === 0 ? message : `${place.join('.')}: ${message}`
    })
}
