import { ofRecord, type StoredForm } from '@cadmus/model/stored/stored-form'
import { checked, shaped, text, type Check } from './check.ts'

/** A draft in the browser's database. `draft`: the form of its kind of document. `at`: of its last change; '' if unknown. */
export type StoredDraftRecord = { document: string; title: string; draft?: unknown; at: string }

const isRecord: Check<StoredDraftRecord> = shaped({ document: text, title: text, at: text })

export const storedDraftForm: StoredForm<StoredDraftRecord> = {
  name: 'stored draft',
  format: 2,
  schema: checked(isRecord),
  // Format 1 had no time and title at first.
  unnumbered: 1,
  upgrades: { 1: ofRecord(stored => ({ title: '', at: '', ...stored })) },
}
