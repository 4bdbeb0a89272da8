import type { Enumeration } from '@cadmus/model/enumeration'
import { enumerationTexts } from '@cadmus/model/messages/enumerations'
import { paneTexts } from '@cadmus/model/messages/text-pane'
import type { TextReading } from '@cadmus/model/text/marked-text'
import { isEqual } from '@cadmus/model/equal'
import { entitiesChangedBy, saveEnumerations } from '../api/enumerations.ts'
import { messageOf } from '../api/error.ts'
import { manifestQuery } from '../api/manifests.ts'
import { queryClient } from '../api/query-client.ts'
import { currentScope } from '../api/scope.ts'
import { listedNames } from '../commands/entity-words.ts'
import { editDraft } from '../drafts/edit-draft.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { notify } from '../ui/notices.ts'
import { confirm } from '../workbench/confirm.ts'
import type { TextSource } from './text-source.ts'

type Enumerations = readonly Enumeration[]

/** What a text changes in the enumerations of its manifest, by name. */
export function enumerationChanges(before: Enumerations, after: Enumerations) {
  const [old, now] = [new Map(before.map(one => [one.uid, one])), new Map(after.map(one => [one.uid, one]))]
  return {
    added: after.filter(({ uid }) => !old.has(uid)).map(({ name }) => name),
    changed: after.filter(one => old.has(one.uid) && !isEqual(old.get(one.uid), one)).map(({ name }) => name),
    deleted: before.filter(({ uid }) => !now.has(uid)).map(({ name }) => name),
  }
}

/**
 * Saves the enumerations that a text has in its manifest, which changes the attributes of its entities with them; lines that name a new one
 * choose it in the drafts. Returns why it failed; null if it is done, or if the user decided otherwise.
 */
export async function saveTextEnumerations(
  { enumerations, choosing }: TextReading,
  before: Enumerations,
  { id, source }: { id: number; source: TextSource },
): Promise<string | null> {
  if (!enumerations) return null
  const scope = currentScope()
  try {
    const { etag } = await queryClient.ensureQueryData(manifestQuery(id, undefined, scope))
    const base = { etag, scope }
    if (!(await mayDelete(id, { before, after: enumerations }, base))) return null
    const saved = await saveEnumerations(id, enumerations, { ...base, before })
    const undo = () => {
      saved.undo().catch((failure: unknown) => notify('error', messageOf(failure, enumerationTexts.failed)))
    }
    notify('success', paneTexts.savedEnumerations, { label: 'Undo', run: undo })
  } catch (failure) {
    return messageOf(failure, enumerationTexts.failed)
  }
  for (const [entity, edits] of choosing) {
    const existing = source.loaded(entity)
    if (existing) editDraft({ store: entityStore, saved: existing.entity, etag: existing.etag }, () => [...edits])
  }
  return null
}

/** Asks before enumerations are deleted that attributes use. */
async function mayDelete(
  id: number,
  { before, after }: { before: Enumerations; after: Enumerations },
  base: Parameters<typeof entitiesChangedBy>[2],
): Promise<boolean> {
  const { deleted } = enumerationChanges(before, after)
  if (deleted.length === 0) return true
  const left = new Set(after.map(({ uid }) => uid))
  const remaining = before.filter(({ uid }) => left.has(uid))
  const users = await entitiesChangedBy(id, remaining, base)
  const names = listedNames(deleted)
  return confirm({
    title: enumerationTexts.question(names),
    text:
      users.length === 0
        ? enumerationTexts.unused
        : enumerationTexts.usedBy(listedNames(users.map(({ name }) => name))),
    confirmLabel: enumerationTexts.deletion,
    danger: true,
  })
}
