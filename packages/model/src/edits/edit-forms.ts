import * as z from 'zod'
import { entityForm } from '../content.ts'
import { isRecord } from '../equal.ts'
import { upgradedPart, withItems, type Part } from '../stored/nested-forms.ts'
import type { StoredForm } from '../stored/stored-form.ts'
import { configurationEditSchema, type ConfigurationEdit } from './configuration-edit.ts'
import { editFormat } from './edit-log.ts'
import { entityEditSchema, type EntityEdit } from './entity-edit.ts'
import { manifestEditSchema, type ManifestEdit } from './manifest-edit.ts'

// The edits of requests, log and drafts, which state their format. All kinds of documents have one number: a new format of a content or a
// changed kind of edit is a new `editFormat`.

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
  // Format 0, in drafts on entities of format 1, has parts of that format.
  upgrades: { 0: edits => withCurrentParts(edits, entityForm, entityParts, 1) },
}

const configurationEdits: StoredForm<ConfigurationEdit[]> = {
  name: 'configuration edits',
  format: editFormat,
  schema: z.array(configurationEditSchema),
  upgrades: {},
}

const manifestEdits: StoredForm<ManifestEdit[]> = {
  name: 'manifest edits',
  format: editFormat,
  schema: z.array(manifestEditSchema),
  upgrades: {},
}

export const editForms = { entity: entityEdits, manifest: manifestEdits, configuration: configurationEdits }

/** Edits whose items are parts of a content, converted from one format of the content to the next. `lists`: by kind of edit. */
function withCurrentParts(
  edits: unknown,
  form: StoredForm<unknown>,
  lists: Readonly<Record<string, string>>,
  from: number,
): unknown {
  const convertedIn = (key: string, part: Part) => (item: unknown) =>
    isRecord(item) ? { ...item, [key]: upgradedPart(part, item[key], from, from + 1) } : item
  const converted = (edit: unknown): unknown => {
    const list = isRecord(edit) ? lists[String(edit.kind)] : undefined
    if (list === undefined) return edit
    const added = withItems(edit, 'added', convertedIn('item', { form, list }))
    return withItems(added, 'changes', convertedIn('change', { form, list, isPartial: true }))
  }
  return Array.isArray(edits) ? edits.map(converted) : edits
}
