import { mayDeleteVersion, mayManageVersions } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { newVersion } from '@cadmus/model/rules/version'
import { compareVersions } from '@cadmus/model/version'
import { invalid, notFound } from '../../errors/api-error.ts'
import { appendAudit, type AuditEntry } from '../../store/audit.ts'
import { deleteFrozenVersion, freezeVersion, frozenVersion, frozenVersionNumbers } from '../../store/entity-version.ts'
import type { StoredEntity } from '../../store/entity.ts'
import { type Change, type Ids, LostRace, transact } from '../change.ts'
import { entityState, requireAllowed, requireEntity } from './entity-state.ts'

/** Freezes the present state under its number; the new number is the latest, which alone can be edited. */
export async function addEntityVersion(change: Change, id: number, version: string): Promise<void> {
  const { organisationId, actor } = change
  await transact(change, 1, async (tx, ids) => {
    const entity = await requireEntity(tx, organisationId, id)
    requireAllowed(mayManageVersions(entityState(entity)))
    const existing = [...(await frozenVersionNumbers(tx, organisationId, id)), entity.latest_version]
    const problem = newVersion(version, { existing })
    if (problem !== undefined) throw invalid(problem, [{ path: 'version', message: problem }])
    if (!(await freezeVersion(tx, organisationId, entity, version, actor))) throw new LostRace()
    const description = messages.audit.versionAdded(version, entity.name)
    await appendAudit(tx, organisationId, actor, [entryOf(ids, entity, description, entity.content_hash)])
  })
}

/** Deletes a version that is not the latest. */
export async function deleteEntityVersion(change: Change, id: number, version: string): Promise<void> {
  const { organisationId, actor } = change
  await transact(change, 1, async (tx, ids) => {
    const entity = await requireEntity(tx, organisationId, id)
    const existing = [...(await frozenVersionNumbers(tx, organisationId, id)), entity.latest_version]
    if (!existing.some(other => compareVersions(other, version) === 0)) throw notFound('The version')
    const verdict = mayDeleteVersion(version, existing, mayManageVersions(entityState(entity)))
    if (!verdict.allowed && verdict.reason === messages.versionLatest)
      throw invalid(verdict.reason, [{ path: 'version', message: verdict.reason }])
    requireAllowed(verdict)
    const frozen = await frozenVersion(tx, organisationId, id, version)
    if (!frozen) throw notFound('The version')
    if (!(await deleteFrozenVersion(tx, organisationId, id, version))) throw new LostRace()
    const description = messages.audit.versionDeleted(version, entity.name)
    await appendAudit(tx, organisationId, actor, [entryOf(ids, entity, description, frozen.content_hash)])
  })
}

function entryOf(ids: Ids, entity: StoredEntity, description: string, originalHash: string): AuditEntry {
  return {
    id: ids.next(),
    kind: 'ENTITY',
    targetId: entity.id,
    action: 'UPDATE',
    name: entity.name,
    path: entity.path,
    description,
    originalHash,
    updatedHash: entity.content_hash,
  }
}
