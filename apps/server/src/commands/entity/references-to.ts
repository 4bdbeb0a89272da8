import { namesIn } from '@cadmus/model/configuration-names'
import type { ReferenceItem } from '@cadmus/model/contract/shared'
import type { EntityContent } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'
import { namesInClosure } from '../../store/closure-rows.ts'
import type { Db } from '../../store/database.ts'
import { membershipsOf } from '../../store/entity-delete.ts'
import { referrersOf } from '../../store/entity-reference.ts'
import { entitiesByIds, type EntityRow, type StoredEntity } from '../../store/entity.ts'
import { configurationOf, type StoredConfiguration } from '../../store/manifest-configuration.ts'
import { manifestsByIds, type ManifestRow } from '../../store/manifest.ts'
import { manifestsAbove } from '../../store/referring-manifests.ts'

/** So many are told in a refusal; the whole list has a call of its own. */
export const toldAtOnce = 1000

/** Entities that are asked about, or about to go. */
export type Target = Pick<EntityRow, 'id' | 'uid' | 'name' | 'manifest_id'>

/** What refers to entities, from outside of them: what a deletion has to take care of, and the list that a person reads. */
export type References = {
  items: ReferenceItem[]
  entities: readonly StoredEntity[]
  configurations: readonly Naming[]
}

/** `names` are the folded ones that mean an entity that goes. */
type Naming = { manifest: ManifestRow; stored: StoredConfiguration; names: ReadonlyMap<string, Target> }

/** `withManifest` goes with the entities: what it says of them does not count. */
export async function referencesTo(
  db: Db,
  organisationId: number,
  targets: readonly Target[],
  withManifest?: number,
): Promise<References> {
  const byId = new Map(targets.map(target => [target.id, target]))
  const links = (await referrersOf(db, organisationId, [...byId.keys()])).filter(({ fromId }) => !byId.has(fromId))
  const found = await entitiesByIds(
    db,
    organisationId,
    links.map(({ fromId }) => fromId),
  )
  const entities = [...found.values()].toSorted((a, b) => a.id - b.id)
  const memberships = [...(await membershipsOf(db, organisationId, [...byId.keys()])).values()].flat()
  const places = memberships.filter(({ manifest_id: id }) => id !== withManifest)
  const inPlace = places.filter(row => byId.get(row.entity_id)?.manifest_id !== row.manifest_id)
  const manifestIds = memberships.map(row => row.manifest_id)
  const configurations = await configurationsNaming(db, organisationId, byId, { manifestIds, withManifest })
  return {
    entities,
    configurations,
    items: [
      ...entities.flatMap(entity => referencesIn(entity, byId)),
      ...(await listings(db, organisationId, inPlace, byId)),
      ...configurations.flatMap(({ manifest, stored, names }) =>
        namesIn(stored.configuration).flatMap(({ kind, item, entity }) => {
          const target = names.get(foldName(entity))
          return target ? [{ ...placeOf('manifest', manifest, target), kind, item }] : []
        }),
      ),
    ],
  }
}

type Targets = ReadonlyMap<number, Target>

function referencesIn(entity: StoredEntity, targets: Targets): ReferenceItem[] {
  const { extendsEntity, entityAttributes }: EntityContent = entity.content
  const parent = extendsEntity && targets.get(extendsEntity.id)
  const heir: ReferenceItem[] = parent ? [{ ...placeOf('entity', entity, parent), kind: 'extends' }] : []
  const relationships = entityAttributes.flatMap(({ uid, foreignKeyTypeAttribute: item, ...relationship }) => {
    const target = targets.get(relationship.associatedEntity.id)
    const named = { item, itemUid: uid }
    if (target) return [{ ...placeOf('entity', entity, target), ...named, kind: 'relationship' as const }]
    return relationship.alternativeTargets.flatMap(({ entity: { id } }): ReferenceItem[] => {
      const other = targets.get(id)
      return other ? [{ ...placeOf('entity', entity, other), ...named, kind: 'alternativeTarget' }] : []
    })
  })
  return [...heir, ...relationships]
}

async function listings(
  db: Db,
  organisationId: number,
  rows: readonly { manifest_id: number; entity_id: number }[],
  targets: Targets,
): Promise<ReferenceItem[]> {
  const ids = [...new Set(rows.map(row => row.manifest_id))]
  const manifests = new Map((await manifestsByIds(db, organisationId, ids)).map(manifest => [manifest.id, manifest]))
  return rows.flatMap((row): ReferenceItem[] => {
    const manifest = manifests.get(row.manifest_id)
    const target = targets.get(row.entity_id)
    return manifest && target ? [{ ...placeOf('manifest', manifest, target), kind: 'member' }] : []
  })
}

/** The configurations, of these manifests and of those above them, that name one of the targets. */
export async function configurationsNaming(
  db: Db,
  organisationId: number,
  targets: Targets,
  { manifestIds, withManifest }: { manifestIds: readonly number[]; withManifest: number | undefined },
): Promise<Naming[]> {
  const targetsByName = new Map([...targets.values()].map(target => [foldName(target.name), target]))
  const targetsByUid = new Map([...targets.values()].map(target => [target.uid, target]))
  const naming: Naming[] = []
  for (const manifest of await manifestsAbove(db, organisationId, manifestIds)) {
    if (manifest.configuration_hash === null || manifest.id === withManifest) continue
    const stored = await configurationOf(db, manifest)
    const known = new Map(stored.named.map(({ name, uid }) => [foldName(name), uid]))
    const going = new Map<string, Target>()
    const unknown = new Map<string, Target>()
    for (const { entity } of namesIn(stored.configuration)) {
      const name = foldName(entity)
      const uid = known.get(name)
      const target = uid === undefined ? targetsByName.get(name) : targetsByUid.get(uid)
      if (target) (uid === undefined ? unknown : going).set(name, target)
    }
    // Of what is only a name, a namesake that stays is what the name means from then on.
    const closure = unknown.size > 0 ? await namesInClosure(db, organisationId, [manifest]) : []
    for (const { id, name } of closure) if (!targets.has(id)) unknown.delete(foldName(name))
    const names = new Map([...going, ...unknown])
    if (names.size > 0) naming.push({ manifest, stored, names })
  }
  return naming
}

export function placeOf(
  document: ReferenceItem['document'],
  { id, uid, name, path }: Pick<EntityRow | ManifestRow, 'id' | 'uid' | 'name' | 'path'>,
  target: Pick<Target, 'id' | 'name'>,
  attribute?: { uid: string; name: string },
): Omit<ReferenceItem, 'kind'> {
  const which = attribute ? { attribute: { uid: attribute.uid, name: attribute.name } } : {}
  const to = { id: target.id, name: target.name, ...which }
  return { document, id, uid, name, path, item: '', itemUid: null, target: to }
}
