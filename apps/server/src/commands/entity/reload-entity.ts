import { mayReloadEntity } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { forbidden } from '../../errors/api-error.ts'
import { appendAudit } from '../../store/audit.ts'
import { type Change, transact } from '../change.ts'
import { entityState, requireEntity } from './entity-state.ts'

/**
 * Reads a predefined entity again from the library. The library is one: what else changed in its folder comes with it. The
 * administrator's organisation has the entry of it, as the library has no log of its own.
 */
export async function reloadEntity(change: Change, id: number, loadLibrary: () => Promise<void>): Promise<void> {
  const { organisationId, actor, isAdmin, store } = change
  const before = await requireEntity(store.of(organisationId), organisationId, id)
  if (!mayReloadEntity(entityState(before), { isAdmin })) throw forbidden(messages.onlyPredefinedReload, 'locked')
  await loadLibrary()
  await transact(change, 1, async (tx, ids) => {
    const after = await requireEntity(tx, organisationId, id)
    if (after.content_hash === before.content_hash) return
    const entry = {
      id: ids.next(),
      kind: 'ENTITY' as const,
      targetId: id,
      action: 'UPDATE' as const,
      name: after.name,
      path: after.path,
      description: messages.audit.reloaded(after.name),
      originalHash: before.content_hash,
      updatedHash: after.content_hash,
    }
    await appendAudit(tx, organisationId, actor, [entry])
  })
}
