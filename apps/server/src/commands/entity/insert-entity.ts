import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { mayEditManifest } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { customEntityPath } from '@cadmus/model/paths'
import type { Problem } from '@cadmus/model/problem'
import { entityProblems } from '@cadmus/model/rules/entity'
import type { Db, Tx } from '../../store/database.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { updateResolved } from '../../store/entity-reference.ts'
import { insertEntities } from '../../store/entity.ts'
import { appendMembers } from '../../store/manifest-members.ts'
import { lockManifestNames, type ManifestRow } from '../../store/manifest.ts'
import { entityCreated, manifestChanged } from '../audit.ts'
import type { Change, Work } from '../change.ts'
import { lockedManifest } from '../manifest/manifest-permission.ts'
import { referenceProblems } from './check-references.ts'
import { invalidEntity, type ErrorPlaces } from './invalid-entity.ts'
import { resolveReferences } from './resolve-references.ts'
import { withPinnedTargets } from './pin-targets.ts'
import { uidProblems } from './uid-problems.ts'
import { newKeyProblems } from './settle-keys.ts'
import { nameProblems } from './store-content.ts'

export type EntityToInsert = {
  /** Id for references of the entity to itself. */
  id: number
  content: EntityContent
  places: ErrorPlaces
  version: string
  /** The owning manifest; -1 = none. */
  manifestId: number
  /** Audit text; default: that it was created. */
  description?: string
  /** Accepts imported values that break rules, except repeated names. */
  isFromFile?: boolean
  /** Receives a message for each reference to it that remains unresolved. */
  onLeftOpen?: (message: string) => void
}

/** Inserts an entity into the organisation and optionally its manifest, with audit entries. Returns its id. */
export async function insertEntity(tx: Tx, change: Change, work: Work, insertion: EntityToInsert): Promise<number> {
  const { organisationId, actor } = change
  const { id } = insertion
  await lockManifestNames(tx, organisationId)
  const manifest =
    insertion.manifestId > 0
      ? await lockedManifest(tx, organisationId, insertion.manifestId, mayEditManifest)
      : undefined
  const problems = await problemsOf(tx, organisationId, id, insertion, manifest)
  if (problems.length > 0) throw invalidEntity(problems, insertion.places)

  const path = customEntityPath(manifest?.name ?? null, insertion.content.name)
  const self = { id, uid: insertion.content.uid, name: insertion.content.name, path }
  const lookup = await referenceLookup(tx, organisationId, [insertion.content])
  const entityOf = (reference: EntityReference) => (reference.id === id ? self : lookup.entity(reference))
  const today = refreshed(insertion.content, { ...lookup, entity: entityOf })
  const content = await withPinnedTargets(tx, organisationId, today, id)
  const entity = { id, path, content, manifestId: manifest?.id ?? 0, version: insertion.version }
  const [hash = ''] = await insertEntities(tx, organisationId, [entity], actor)
  await updateResolved(tx, organisationId, [id])
  const thing = { id, name: content.name, path, latest_version: insertion.version }
  work.audit(entityCreated(thing, hash, insertion.description ?? messages.audit.created(content.name)))
  for (const message of await resolveReferences(tx, change, work, [self])) insertion.onLeftOpen?.(message)
  if (manifest) await join(tx, change, work, manifest, { id, name: content.name })
  return id
}

async function join(
  tx: Db,
  { organisationId, actor }: Change,
  work: Work,
  manifest: ManifestRow,
  entity: { id: number; name: string },
): Promise<void> {
  const member = { entityId: entity.id, organisationId, type: 'EXCLUSIVE' as const }
  const changed = await appendMembers(tx, manifest, [member], actor)
  work.audit(manifestChanged(manifest, changed, messages.audit.joined(entity.name, manifest.name)))
}

async function problemsOf(
  tx: Db,
  organisationId: number,
  id: number,
  { content, isFromFile }: EntityToInsert,
  manifest: ManifestRow | undefined,
): Promise<Problem[]> {
  const names = () => nameProblems(tx, organisationId, content.name, manifest?.id ?? 0, id)
  if (isFromFile) return names()
  const uids = await uidProblems(tx, organisationId, content, { id })
  const own = entityProblems(content, { id })
  const isNamed = !own.some(({ field, path }) => field === 'name' && path.length === 1)
  return [
    ...(isNamed ? await names() : []),
    ...own,
    ...uids,
    ...(await referenceProblems(tx, organisationId, content, { id })),
    ...(await newKeyProblems(tx, organisationId, { ...content, id, path: '' })),
  ]
}
