import * as z from 'zod'
import { limits } from '../limits.ts'
import type { ConfigurationEdit } from './configuration-edit.ts'
import type { EntityEdit } from './entity-edit.ts'
import type { ManifestEdit } from './manifest-edit.ts'

export type Edit = EntityEdit | ManifestEdit | ConfigurationEdit

/** Cause of a change with derived edits: the entry with that sequence number. */
export const causeSchema = z.strictObject({
  kind: z.enum(['undo', 'redo', 'restore', 'merge']),
  sequence: z.number().int().positive(),
})
export type Cause = z.infer<typeof causeSchema>

/** Edits as stored in the log; null if there are none or if they are too large. */
export function loggedEdits(edits: readonly Edit[] = []): string | null {
  if (edits.length === 0) return null
  const text = JSON.stringify(edits)
  return text.length > limits.loggedEdits ? null : text
}
