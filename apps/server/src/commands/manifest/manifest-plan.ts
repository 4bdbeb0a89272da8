import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Configuration, GenerateType } from '@cadmus/model/configuration'
import { newEntityContent } from '@cadmus/model/entity'
import type { EntityAttribute, EntityReference } from '@cadmus/model/entity-attribute'
import type { MemberType } from '@cadmus/model/manifest'
import { customEntityPath } from '@cadmus/model/paths'
import { notFound } from '../../errors/api-error.ts'
import { inBatches } from '../../store/statements.ts'
import type { Db } from '../../store/database.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { entitiesByIds, type NewEntity, type StoredEntity } from '../../store/entity.ts'
import { manifestById, manifestContent, type ManifestRow, type Member } from '../../store/manifest.ts'
import type { Change, Ids } from '../change.ts'
import { checkNames, copiesOf } from './copies.ts'

export type ManifestPlan = {
  name: string
  description: string
  importsPath: readonly string[]
  /** Copied into the manifest. */
  entityIds: readonly number[]
  /** Names of entities to create, each with an automatic key. */
  entityNames: readonly string[]
  subManifestIds: readonly number[]
  /** The manifest to duplicate, -1 = none. */
  duplicateId: number
  /** With encrypted secrets; null = the configuration of the duplicated manifest, or none. */
  configuration: Configuration | null
  /** Determines the API types of the configuration. */
  generateType: GenerateType
  version: string
  /** The organisation's licence limits. */
  licence: string
}

/** Items to copy: the duplicated manifest's members first, then the chosen entities. */
export type Original = {
  manifest: ManifestRow | null
  members: readonly { entity: StoredEntity; type: MemberType }[]
  subManifestIds: readonly number[]
}

/** Read before the transaction to keep it short: originals may be large. */
export async function readOriginal({ store, organisationId }: Change, plan: ManifestPlan): Promise<Original> {
  const db = store.of(organisationId)
  const chosen = await requireEntities(db, organisationId, plan.entityIds)
  const added = chosen.map(entity => ({ entity, type: 'EXCLUSIVE' as const }))
  const subManifestIds = [...new Set(plan.subManifestIds)]
  if (plan.duplicateId < 0) return { manifest: null, members: added, subManifestIds }
  const manifest = await manifestById(db, organisationId, plan.duplicateId)
  if (manifest === undefined) throw notFound('The manifest to duplicate')
  const content = await manifestContent(db, manifest)
  const entities = await requireEntities(
    db,
    organisationId,
    content.entities.map(({ id }) => id),
  )
  const members = entities.map((entity, index) => ({
    entity,
    // Members of a predefined manifest are copied; entities that a custom manifest lists in place are listed in place
    // again.
    type: manifest.organisation_id === 0 ? ('EXCLUSIVE' as const) : (content.entities[index]?.type ?? 'EXCLUSIVE'),
  }))
  return {
    manifest,
    members: [...members, ...added],
    subManifestIds: [...new Set([...content.subManifests, ...plan.subManifestIds])],
  }
}

/** The manifest to create, and the entities of its sub-manifests. */
type Destination = {
  organisationId: number
  manifest: { id: number; name: string }
  resolvedModel: readonly EntityReference[]
}

/** The entities to create and the members in order: copies and entities in place, then new ones. */
export async function planMembers(
  plan: ManifestPlan,
  { members }: Original,
  destination: Destination,
  ids: Ids,
): Promise<{ created: NewEntity[]; members: Member[] }> {
  const names = plan.entityNames.map(name => name.trim())
  checkNames([...members.map(({ entity }) => entity.name), ...names], [], 'entities')
  const sources = members.filter(({ type }) => type === 'EXCLUSIVE').map(({ entity }) => entity)
  const copies = await copiesOf(sources, () => destination.manifest, destination.resolvedModel, ids)
  const copyOf = new Map(sources.map((source, index) => [source.id, copies[index]]))
  const { manifest, organisationId } = destination
  const custom = names.map(name => ({
    id: ids.next(),
    path: customEntityPath(manifest.name, name),
    content: newEntityContent({ name }),
    manifestId: manifest.id,
  }))
  const own = (id: number): Member => ({ entityId: id, organisationId, type: 'EXCLUSIVE' })
  const listed = members.map(({ entity, type }): Member => {
    const copy = copyOf.get(entity.id)
    return copy ? own(copy.id) : { entityId: entity.id, organisationId: entity.organisation_id, type }
  })
  return { created: [...copies, ...custom], members: [...listed, ...custom.map(({ id }) => own(id))] }
}

const batchSize = 25
/** Limit of repeated reads. */
const passes = 10

/**
 * Entities by id in order, with current names in references; 404 for the first missing one. Consistent despite concurrent saves: a column
 * referred to by one of them exists in the returned state of its target.
 */
export async function requireEntities(db: Db, organisationId: number, ids: readonly number[]): Promise<StoredEntity[]> {
  const byId = new Map<number, StoredEntity>()
  await readInto(byId, db, organisationId, ids)
  for (let pass = 0; pass < passes; pass++) {
    const behind = targetsBehind(byId)
    if (behind.length === 0 || !(await readInto(byId, db, organisationId, behind))) break
  }
  return ids.map(id => {
    const entity = byId.get(id)
    if (entity === undefined || entity.hidden === 1) throw notFound(`The entity ${id}`)
    return entity
  })
}

/** Returns whether any state differs from an earlier read. */
async function readInto(
  byId: Map<number, StoredEntity>,
  db: Db,
  organisationId: number,
  ids: readonly number[],
): Promise<boolean> {
  let isOther = false
  for (const part of inBatches(ids, batchSize)) {
    const entities = await entitiesByIds(db, organisationId, part)
    const contents = [...entities.values()].map(({ content }) => content)
    const lookup = await referenceLookup(db, organisationId, contents)
    for (const [id, entity] of entities) {
      isOther ||= byId.get(id)?.content_hash !== entity.content_hash
      byId.set(id, { ...entity, content: refreshed(entity.content, lookup) })
    }
    // Contents are large, so it yields to the event loop.
    if (ids.length > batchSize) await nextTurn()
  }
  return isOther
}

/**
 * Entities read before a column was added that an entity read later refers to. Columns inherited from other entities
 * cannot be distinguished from these.
 */
function targetsBehind(byId: ReadonlyMap<number, StoredEntity>): number[] {
  const columns = new Set<string>()
  for (const { content } of byId.values())
    for (const { uid } of [...content.typeAttributes, ...content.entityAttributes]) columns.add(uid)
  const behind = new Set<number>()
  for (const { content } of byId.values())
    for (const { id, uid } of content.entityAttributes.flatMap(targetsOf))
      if (byId.has(id) && uid !== null && !columns.has(uid)) behind.add(id)
  return [...behind]
}

function targetsOf(item: EntityAttribute): { id: number; uid: string | null }[] {
  const { associatedEntity, associatedEntityTypeAttributeUid: uid, alternativeTargets } = item
  const others = alternativeTargets.map(({ entity, attributeUid }) => ({ id: entity.id, uid: attributeUid ?? null }))
  return [{ id: associatedEntity.id, uid: uid ?? null }, ...others]
}
