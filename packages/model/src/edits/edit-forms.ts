import * as z from 'zod'
import { entityForm, manifestForm } from '../content.ts'
import { isRecord } from '../equal.ts'
import { limits } from '../limits.ts'
import { type Part, partUpgrade, withItems } from '../stored/nested-forms.ts'
import { type StoredForm, unchanged } from '../stored/stored-form.ts'
import { type ConfigurationEdit, configurationEditSchema } from './configuration-edits.ts'
import { type EntityEdit, entityEditSchema } from './entity-edits.ts'
import { type ManifestEdit, manifestEditSchema } from './manifest-edits.ts'

// Stored forms of the edits in requests, the log and drafts.

/**
 * Format of the edits of all kinds of documents, whose contents share one numbering: the newest of these. Edits of
 * formats 0 and 1 contain parts of contents of formats 1 and 2; format 2 moves columns by uid.
 */
export const editFormat = Math.max(entityForm.format, manifestForm.format)

/** Lists of the parts in an entity, by kind of edit. */
const entityParts = {
  addAttributes: 'typeAttributes',
  changeAttributes: 'typeAttributes',
  addRelationships: 'entityAttributes',
  changeRelationships: 'entityAttributes',
}

const entityEdits: StoredForm<EntityEdit[]> = {
  name: 'entity edits',
  format: editFormat,
  schema: z.array(entityEditSchema),
  // Drafts on entities of format 1 have format 0.
  upgrades: { ...upgradesFrom(0, entityForm, entityParts), 1: withMoves },
}

const manifestEdits: StoredForm<ManifestEdit[]> = {
  name: 'manifest edits',
  format: editFormat,
  schema: z.array(manifestEditSchema),
  upgrades: upgradesFrom(1, manifestForm),
}

const configurationEdits: StoredForm<ConfigurationEdit[]> = {
  name: 'configuration edits',
  format: editFormat,
  schema: z.array(configurationEditSchema),
  upgrades: upgradesFrom(1),
}

export const editForms = { entity: entityEdits, manifest: manifestEdits, configuration: configurationEdits }

/** Upgrades of edits whose items are parts of a content, derived from its upgrades. `lists`: by kind of edit. */
function upgradesFrom(first: number, form?: StoredForm<unknown>, lists: Readonly<Record<string, string>> = {}) {
  const upgrades: Record<number, (edits: unknown) => unknown> = {}
  for (let format = first; format < editFormat; format++) {
    const from = format === 0 ? 1 : format
    const isSame = format === 1 || (form?.upgrades[from] ?? unchanged) === unchanged
    upgrades[format] = form && !isSame ? edits => withUpgradedParts(edits, form, lists, from) : unchanged
  }
  return upgrades
}

/** Format 2 adds moves to the positions. */
function withMoves(edits: unknown): unknown {
  const isMove = (edit: unknown) => isRecord(edit) && edit['kind'] === 'moveColumns'
  return Array.isArray(edits)
    ? edits.map((edit: unknown) => (isMove(edit) ? { moves: [], ...Object(edit) } : edit))
    : edits
}

function withUpgradedParts(
  edits: unknown,
  form: StoredForm<unknown>,
  lists: Readonly<Record<string, string>>,
  from: number,
): unknown {
  const convertedIn = (key: string, part: Part) => {
    const upgrade = partUpgrade(part, from, from + 1)
    return (item: unknown) => (isRecord(item) ? { ...item, [key]: upgrade(item[key]) } : item)
  }
  const converted = (edit: unknown): unknown => {
    const list = isRecord(edit) ? lists[String(edit.kind)] : undefined
    if (list === undefined) return edit
    const added = withItems(edit, 'added', convertedIn('item', { form, list }))
    return withItems(added, 'changes', convertedIn('change', { form, list, isPartial: true }))
  }
  return Array.isArray(edits) ? edits.map(converted) : edits
}

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
