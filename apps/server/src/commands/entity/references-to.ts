import type { Configuration } from '@cadmus/model/configuration'
import type { ReferenceItem } from '@cadmus/model/contract/shared'
import type { EntityContent } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'
import { namesInClosure } from '../../store/closure-rows.ts'
import type { Db } from '../../store/database.ts'
import { membershipsOf } from '../../store/entity-delete.ts'
import { referrersOf } from '../../store/entity-reference.ts'
import { entitiesByIds, type EntityRow, type StoredEntity } from '../../store/entity.ts'
import { configurationOf } from '../../store/manifest-configuration.ts'
import { manifestsByIds, type ManifestRow } from '../../store/manifest.ts'
import { manifestsAbove } from '../../store/referring-manifests.ts'
import { namesIn } from './configuration-names.ts'

/** Entities that are asked about, or about to go. */
export type Target = Pick<EntityRow, 'id' | 'name' | 'manifest_id'>

/** What refers to entities, from outside of them: what a deletion has to take care of, and the list that a person reads. */
export type References = {
  items: ReferenceItem[]
  entities: readonly StoredEntity[]
  configurations: readonly { manifest: ManifestRow; configuration: Configuration; names: ReadonlySet<string> }[]
}

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
      ...configurations.flatMap(({ manifest, configuration, names }) =>
        namesIn(configuration)
          .filter(({ entity }) => names.has(foldName(entity)))
          .map(({ kind, item, entity }) => ({
            ...placeOf('manifest', manifest, targetNamed(entity, targets)),
            kind,
            item,
          })),
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

async function configurationsNaming(
  db: Db,
  organisationId: number,
  targets: Targets,
  { manifestIds, withManifest }: { manifestIds: readonly number[]; withManifest: number | undefined },
): Promise<References['configurations']> {
  const wanted = new Set([...targets.values()].map(({ name }) => foldName(name)))
  const naming: { manifest: ManifestRow; configuration: Configuration; names: ReadonlySet<string> }[] = []
  for (const manifest of await manifestsAbove(db, organisationId, manifestIds)) {
    if (manifest.configuration_hash === null || manifest.id === withManifest) continue
    const { configuration } = await configurationOf(db, manifest)
    const names = new Set(namesIn(configuration).map(({ entity }) => foldName(entity)))
    if (![...names].some(name => wanted.has(name))) continue
    // A namesake that stays is what the name means from then on.
    const closure = await namesInClosure(db, organisationId, [manifest])
    const staying = new Set(closure.filter(({ id }) => !targets.has(id)).map(({ name }) => foldName(name)))
    const going = new Set([...names].filter(name => wanted.has(name) && !staying.has(name)))
    if (going.size > 0) naming.push({ manifest, configuration, names: going })
  }
  return naming
}

function targetNamed(name: string, targets: readonly Target[]): Target | undefined {
  return targets.find(target => foldName(target.name) === foldName(name))
}

function placeOf(
  document: ReferenceItem['document'],
  { id, uid, name, path }: Pick<EntityRow | ManifestRow, 'id' | 'uid' | 'name' | 'path'>,
  target: Target | undefined,
): Omit<ReferenceItem, 'kind'> {
  const to = { id: target?.id ?? -1, name: target?.name ?? '' }
  return { document, id, uid, name, path, item: '', itemUid: null, target: to }
}
