import { entityDocument } from '@cadmus/model/entity-document'
import { messages } from '@cadmus/model/messages'
import { importEntity } from '../../api/entities.ts'
import type { ApiError } from '../../api/error.ts'
import type { Scope } from '../../api/scope.ts'
import { undoCreationAction } from '../../commands/restore.ts'
import { jsonFile } from '../../api/download.ts'
import { placeOf, type DraftKey } from '../../drafts/draft-key.ts'
import { notify } from '../../ui/notices.ts'
import { openIn, workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { entityStore, type OpenEntity } from '../../drafts/entity-store.ts'

/** Name and manifest of the new entity; null for no manifest. */
export type NewPlace = { name: string; manifest: { id: number; name: string } | null }

/** The place without its refused part, and the reason. */
export function refusedPlace(place: NewPlace, failure: ApiError): { place: NewPlace; problem: string } {
  // Only the manifest can be missing: the entity is new.
  if (failure.status !== 404 || !place.manifest) return { place, problem: failure.message }
  return { place: { ...place, manifest: null }, problem: messages.deleted.manifestGone(place.manifest.name) }
}

/**
 * Creates the entity as an import would: uids are kept, so that references resolve again, and dangling references are
 * allowed.
 */
export async function recreateEntity(key: DraftKey, open: OpenEntity, { name, manifest }: NewPlace): Promise<void> {
  const { saved, content } = open.draft
  const { path, currentVersion: version } = saved
  const file = jsonFile(name, entityDocument({ ...content, name }, { path, version }))
  const { scope } = placeOf(key)
  const { entity, report } = await importEntity(file, manifest?.id ?? -1, { scope })
  entityStore.dispatch(key, { kind: 'recreated' })
  show(entity, saved.id, scope)
  const lines = report.filter(({ severity }) => severity !== 'info').map(({ message }) => message)
  notify(
    lines.length === 0 ? 'success' : 'warning',
    [messages.deleted.saved(entity.name), ...new Set(lines)].join('\n'),
    undoCreationAction('entity', [entity], scope),
  )
}

/** Replaces the tab of the deleted entity, unless another version of it has unsaved changes. */
function show({ id, name, path }: { id: number; name: string; path: string }, before: number, scope: Scope): void {
  openIn(scope)({ kind: 'entity', id, name, path })
  const { tabs, drafts, closeTabs } = workbench.getState()
  const old = tabIdOf({ kind: 'entity', id: before }, scope)
  const isOpen = tabs.some(({ tabId }) => tabId === tabIdOf({ kind: 'entity', id }))
  if (isOpen && !drafts.has(old)) closeTabs([old])
}
