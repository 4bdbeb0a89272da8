import { mayDeleteVersion, mayManageVersions } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { newVersion } from '@cadmus/model/rules/version'
import { invalid, notFound } from '../../errors/api-error.ts'
import { lockEntities } from '../../store/entity-lock.ts'
import { deleteFrozenVersion, freezeVersion, frozenVersionNumbers } from '../../store/entity-version.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { entityEntry } from '../audit.ts'
import { type Change, WriteConflict, transact } from '../change.ts'
import { storedBefore } from '../named-save.ts'
import { entityState, requireAllowed, requireEntity } from './entity-state.ts'

/** Freezes the current state under its version number; the new version becomes the latest, which alone can be edited. */
export async function addEntityVersion(change: Change, id: number, version: string): Promise<void> {
  const { organisationId, actor } = change
  await transact(change, 1, async (tx, work) => {
    if (await storedBefore(tx, change, id)) return
    const entity = await requireEntity(tx, organisationId, id)
    requireAllowed(mayManageVersions(entityState(entity)))
    const existing = [...(await frozenVersionNumbers(tx, organisationId, id)), entity.latest_version]
    const problem = newVersion(version, { existing })
    if (problem !== undefined) throw invalid(problem, [{ path: 'version', message: problem }])
    const lookup = await referenceLookup(tx, organisationId, [entity.content])
    const frozen = { content: refreshed(entity.content, lookup), next: version }
    if (!(await freezeVersion(tx, organisationId, entity, frozen, actor))) throw new WriteConflict()
    const hash = entity.content_hash
    work.audit(
      entityEntry(entity, {
        action: 'UPDATE',
        description: messages.audit.versionAdded(version, entity.name),
        version,
        before: hash,
        after: hash,
        restoration: {
          entity: { latest_version: entity.latest_version },
          versions: { put: [], drop: [entity.latest_version] },
        },
      }),
    )
  })
}

/** Deletes a version that is not the latest. */
export async function deleteEntityVersion(change: Change, id: number, version: string): Promise<void> {
  const { store, organisationId } = change
  await transact(change, 1, async (tx, work) => {
    await lockEntities(tx, store, organisationId, [id])
    const entity = await requireEntity(tx, organisationId, id)
    const existing = [...(await frozenVersionNumbers(tx, organisationId, id)), entity.latest_version]
    if (!existing.includes(version)) throw notFound('The version')
    const verdict = mayDeleteVersion(version, existing, mayManageVersions(entityState(entity)))
    if (!verdict.allowed && verdict.reason === messages.versionLatest)
      throw invalid(verdict.reason, [{ path: 'version', message: verdict.reason }])
    requireAllowed(verdict)
    const frozen = await deleteFrozenVersion(tx, organisationId, id, version)
    if (!frozen) throw new WriteConflict()
    work.audit(
      entityEntry(entity, {
        action: 'UPDATE',
        description: messages.audit.versionDeleted(version, entity.name),
        version: frozen.version,
        before: frozen.content_hash,
        after: entity.content_hash,
        restoration: { versions: { put: [frozen], drop: [] } },
      }),
    )
  })
}
