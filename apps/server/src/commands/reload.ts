import { mayReloadEntity, mayReloadManifest } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { forbidden, notFound } from '../errors/api-error.ts'
import type { Db } from '../store/database.ts'
import { manifestById, type ManifestRow } from '../store/manifest.ts'
import { entityChanged, manifestChanged } from './audit.ts'
import { type Change, transact } from './change.ts'
import { entityState, requireEntity } from './entity/entity-state.ts'
import { stateOf } from './manifest/manifest-permission.ts'

/**
 * Reloads a predefined entity from the library, with other changes in its folder. The entry is in the log of the administrator's
 * organisation, because the library has no log.
 */
export async function reloadEntity(change: Change, id: number, loadLibrary: () => Promise<void>): Promise<void> {
  const { organisationId, isAdmin, store } = change
  const before = await requireEntity(store.of(organisationId), organisationId, id)
  if (!mayReloadEntity(entityState(before), { isAdmin })) throw forbidden(messages.onlyPredefinedReload, 'locked')
  await loadLibrary()
  await transact(change, 1, async (tx, work) => {
    const after = await requireEntity(tx, organisationId, id)
    if (after.content_hash === before.content_hash) return
    work.audit(entityChanged(before, { ...after, hash: after.content_hash }, auditTexts.reloaded(after.name)))
  })
}

/** Reloads a predefined manifest from the library; see `reloadEntity`. */
export async function reloadManifest(change: Change, id: number, loadLibrary: () => Promise<void>): Promise<void> {
  const { organisationId, isAdmin, store } = change
  const before = await requireManifest(store.of(organisationId), organisationId, id)
  if (!mayReloadManifest(stateOf(before), { isAdmin }))
    throw forbidden(messages.administration.onlyPredefinedManifests, 'locked')
  await loadLibrary()
  await transact(change, 1, async (tx, work) => {
    const after = await requireManifest(tx, organisationId, id)
    if (after.content_hash === before.content_hash) return
    const changed = { before: before.content_hash, after: after.content_hash, restoration: {} }
    work.audit(manifestChanged(after, changed, auditTexts.reloadedManifest(after.name)))
  })
}

async function requireManifest(db: Db, organisationId: number, id: number): Promise<ManifestRow> {
  const row = await manifestById(db, organisationId, id)
  if (row === undefined) throw notFound('The manifest')
  return row
}
