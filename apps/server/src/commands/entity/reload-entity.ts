import { mayReloadEntity } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { forbidden } from '../../errors/api-error.ts'
import { entityChanged } from '../audit.ts'
import { type Change, transact } from '../change.ts'
import { entityState, requireEntity } from './entity-state.ts'

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
    work.audit(entityChanged(before, { ...after, hash: after.content_hash }, messages.audit.reloaded(after.name)))
  })
}
