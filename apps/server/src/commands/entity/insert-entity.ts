import type { EntityContent } from '@cadmus/model/entity'
import { mayEditManifest } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { customEntityPath } from '@cadmus/model/paths'
import type { Problem } from '@cadmus/model/problem'
import { entityProblems } from '@cadmus/model/rules/entity-content-rules'
import { newUid } from '@cadmus/model/uid'
import { appendAudit, type AuditEntry } from '../../store/audit.ts'
import type { Db } from '../../store/database.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { updateResolved } from '../../store/entity-reference.ts'
import { insertEntities, isUidTaken } from '../../store/entity.ts'
import { appendMembers } from '../../store/manifest-members.ts'
import { lockManifestNames, type ManifestRow } from '../../store/manifest.ts'
import type { Change, Ids } from '../change.ts'
import { lockedManifest } from '../manifest/may.ts'
import { referenceProblems } from './check-references.ts'
import { invalidEntity, type ErrorPlaces } from './invalid-entity.ts'
import { nameProblems } from './store-content.ts'

export type EntityToInsert = {
  content: EntityContent
  places: ErrorPlaces
  version: string
  /** The manifest that will own it; -1 = none. */
  manifestId: number
  /** What the audit says; default: that it was created. */
  description?: string
  /** What came from a file is kept even where it breaks a rule; names are unique all the same. */
  isFromFile?: boolean
}

/** A new entity of the organisation, as a member of its manifest where it has one, with the audit entries. Answers its id. */
export async function insertEntity(tx: Db, change: Change, ids: Ids, given: EntityToInsert): Promise<number> {
  const { organisationId, actor } = change
  const id = ids.next()
  await lockManifestNames(tx, organisationId)
  const manifest =
    given.manifestId > 0 ? await lockedManifest(tx, organisationId, given.manifestId, mayEditManifest) : undefined
  const problems = await problemsOf(tx, organisationId, id, given, manifest)
  if (problems.length > 0) throw invalidEntity(problems, given.places)

  const lookup = await referenceLookup(tx, organisationId, [given.content])
  const isTaken = await isUidTaken(tx, organisationId, given.content.uid)
  const content = { ...refreshed(given.content, lookup), uid: isTaken ? newUid() : given.content.uid }
  const path = customEntityPath(manifest?.name ?? null, content.name)
  const entity = { id, path, content, manifestId: manifest?.id ?? 0, version: given.version }
  const [hash = ''] = await insertEntities(tx, organisationId, [entity], actor)
  await updateResolved(tx, organisationId, [id])
  const entry: AuditEntry = {
    id: ids.next(),
    kind: 'ENTITY',
    targetId: id,
    action: 'CREATE',
    name: content.name,
    path,
    description: given.description ?? messages.audit.created(content.name),
    originalHash: null,
    updatedHash: hash,
  }
  const joined = manifest ? [await join(tx, change, ids, manifest, { id, name: content.name })] : []
  await appendAudit(tx, organisationId, actor, [entry, ...joined])
  return id
}

async function join(
  tx: Db,
  { organisationId, actor }: Change,
  ids: Ids,
  manifest: ManifestRow,
  entity: { id: number; name: string },
): Promise<AuditEntry> {
  const member = { entityId: entity.id, organisationId, type: 'EXCLUSIVE' as const }
  const { before, after } = await appendMembers(tx, manifest, [member], actor)
  return {
    id: ids.next(),
    kind: 'MANIFEST',
    targetId: manifest.id,
    action: 'UPDATE',
    name: manifest.name,
    path: manifest.path,
    description: messages.audit.joined(entity.name, manifest.name),
    originalHash: before,
    updatedHash: after,
  }
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
  const own = entityProblems(content, { id })
  const isNamed = !own.some(({ field, path }) => field === 'name' && path.length === 1)
  return [...(isNamed ? await names() : []), ...own, ...(await referenceProblems(tx, organisationId, content, { id }))]
}
