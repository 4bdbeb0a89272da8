import type { Configuration, GenerateType } from '@cadmus/model/configuration'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { newEntityContent } from '@cadmus/model/entity'
import type { MemberType } from '@cadmus/model/manifest'
import { customEntityPath } from '@cadmus/model/paths'
import { notFound } from '../../errors/api-error.ts'
import type { NewEntity, StoredEntity } from '../../store/entity.ts'
import { manifestById, manifestContent, type ManifestRow, type Member } from '../../store/manifest.ts'
import type { Change, Ids } from '../change.ts'
import { checkNames, copiesOf } from './copies.ts'
import { foundEntities } from './found-entities.ts'

export type ManifestPlan = {
  name: string
  description: string
  importsPath: readonly string[]
  /** Copied, as the manifest's own. */
  entityIds: readonly number[]
  /** Made new, each with its automatic key. */
  entityNames: readonly string[]
  subManifestIds: readonly number[]
  /** The manifest to duplicate, -1 = none. */
  duplicateId: number
  /** Its secrets encrypted; null = the duplicated manifest's, or none. */
  configuration: Configuration | null
  /** What of it the configuration is to say. */
  generateType: GenerateType
  version: string
  /** The organisation's licence limits. */
  licence: string
}

/** What is copied: the duplicated manifest's parts first, then the entities that were chosen. */
export type Original = {
  manifest: ManifestRow | null
  members: readonly { entity: StoredEntity; type: MemberType }[]
  subManifestIds: readonly number[]
}

/** Read before the transaction, which must stay short: what is copied may be large. */
export async function readOriginal({ store, organisationId }: Change, plan: ManifestPlan): Promise<Original> {
  const db = store.of(organisationId)
  const chosen = await foundEntities(db, organisationId, plan.entityIds)
  const added = chosen.map(entity => ({ entity, type: 'EXCLUSIVE' as const }))
  const subManifestIds = [...new Set(plan.subManifestIds)]
  if (plan.duplicateId < 0) return { manifest: null, members: added, subManifestIds }
  const manifest = await manifestById(db, organisationId, plan.duplicateId)
  if (manifest === undefined) throw notFound('The manifest to duplicate')
  const content = await manifestContent(db, manifest)
  const entities = await foundEntities(
    db,
    organisationId,
    content.entities.map(({ id }) => id),
  )
  const members = entities.map((entity, index) => ({
    entity,
    // What a predefined manifest lists becomes the duplicate's own; what an own one has in place stays in place.
    type: manifest.organisation_id === 0 ? ('EXCLUSIVE' as const) : (content.entities[index]?.type ?? 'EXCLUSIVE'),
  }))
  return {
    manifest,
    members: [...members, ...added],
    subManifestIds: [...new Set([...content.subManifests, ...plan.subManifestIds])],
  }
}

/** The manifest about to be made, and the entities that its sub-manifests bring. */
export type Destination = {
  organisationId: number
  manifest: { id: number; name: string }
  closure: readonly EntityReference[]
}

/** The entities to make and the members in their order: the copies and what stays in place, then the custom ones. */
export async function planMembers(
  plan: ManifestPlan,
  { members }: Original,
  destination: Destination,
  ids: Ids,
): Promise<{ created: NewEntity[]; members: Member[] }> {
  const names = plan.entityNames.map(name => name.trim())
  checkNames([...members.map(({ entity }) => entity.name), ...names], [], 'entities')
  const sources = members.filter(({ type }) => type === 'EXCLUSIVE').map(({ entity }) => entity)
  const copies = await copiesOf(sources, () => destination.manifest, destination.closure, ids)
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
