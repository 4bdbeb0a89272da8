import { namesIn } from '@cadmus/model/configuration-names'
import type { ReferenceItem } from '@cadmus/model/contract/shared'
import { foldName } from '@cadmus/model/paths'
import { resolvedNames } from '../../store/resolved-rows.ts'
import type { Db } from '../../store/database.ts'
import { membershipsOf } from '../../store/entity-delete.ts'
import { referenceRowsTo, type ReferenceRow } from '../../store/entity-reference.ts'
import { type EntityRow, entityRowsByIds } from '../../store/entity.ts'
import { configurationOf, type StoredConfiguration } from '../../store/manifest-configuration.ts'
import { manifestsByIds, type ManifestRow } from '../../store/manifest.ts'
import { manifestsAbove } from '../../store/manifest-members.ts'

/** Limit of references in a refusal; another call returns all of them. */
export const maxReported = 1000

export type Target = Pick<EntityRow, 'id' | 'uid' | 'name' | 'manifest_id'>

/** References to entities from outside: input of deletions, and the list for users. Reads no contents. */
export type References = { items: ReferenceItem[]; configurations: readonly NamingConfiguration[] }

/** `names`: folded names that refer to a deleted entity. */
type NamingConfiguration = { manifest: ManifestRow; stored: StoredConfiguration; names: ReadonlyMap<string, Target> }

/** `withManifest` is deleted with the entities: its own references do not count. */
export async function referencesTo(
  db: Db,
  organisationId: number,
  targets: readonly Target[],
  withManifest?: number,
): Promise<References> {
  const byId = new Map(targets.map(target => [target.id, target]))
  const places = [...(await membershipsOf(db, organisationId, [...byId.keys()], withManifest)).values()].flat()
  const inPlace = places.filter(row => byId.get(row.entity_id)?.manifest_id !== row.manifest_id)
  const manifestIds = [...places.map(row => row.manifest_id), ...(withManifest === undefined ? [] : [withManifest])]
  const configurations = await configurationsNaming(db, organisationId, byId, { manifestIds, withManifest })
  return {
    configurations,
    items: [
      ...(await referrers(db, organisationId, byId, withManifest)),
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

/** Entities that extend one of them or have a relationship to one, by id; items in the order of the entity. */
async function referrers(
  db: Db,
  organisationId: number,
  targets: Targets,
  withManifest: number | undefined,
): Promise<ReferenceItem[]> {
  const rows = await referenceRowsTo(db, organisationId, [...targets.keys()], withManifest)
  const outside = Map.groupBy(
    rows.filter(row => !targets.has(row.from_id)),
    row => row.from_id,
  )
  const entities = await entityRowsByIds(db, organisationId, outside.keys())
  return [...entities.values()]
    .toSorted((a, b) => a.id - b.id)
    .flatMap(entity => referencesIn(entity, outside.get(entity.id) ?? [], targets))
}

function referencesIn(entity: EntityRow, rows: readonly ReferenceRow[], targets: Targets): ReferenceItem[] {
  const byRelationship = [...Map.groupBy(rows, row => row.attribute_uid)].map(([uid, own]) => {
    // The relationship's own row has its foreign key; rows of its alternative targets have none.
    const main = own.find(row => row.foreign_key !== '')
    return { uid, main, own, place: uid === '' ? -1 : (main?.place ?? 0) }
  })
  return byRelationship
    .toSorted((a, b) => a.place - b.place)
    .flatMap(({ uid, main, own }): ReferenceItem[] => {
      const hits = own.flatMap(row => targets.get(row.to_id) ?? [])
      if (uid === '') return hits.map(target => ({ ...placeOf('entity', entity, target), kind: 'extends' }))
      const named = { item: main?.foreign_key ?? '', itemUid: uid }
      const target = main && targets.get(main.to_id)
      if (target) return [{ ...placeOf('entity', entity, target), ...named, kind: 'relationship' }]
      return hits.map(other => ({ ...placeOf('entity', entity, other), ...named, kind: 'alternativeTarget' }))
    })
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

/** Configurations of these manifests and their ancestors that name one of the targets. */
export async function configurationsNaming(
  db: Db,
  organisationId: number,
  targets: Targets,
  { manifestIds, withManifest }: { manifestIds: readonly number[]; withManifest: number | undefined },
): Promise<NamingConfiguration[]> {
  const targetsByName = new Map([...targets.values()].map(target => [foldName(target.name), target]))
  const targetsByUid = new Map([...targets.values()].map(target => [target.uid, target]))
  const naming: NamingConfiguration[] = []
  for (const manifest of await manifestsAbove(db, organisationId, manifestIds)) {
    if (manifest.configuration_hash === null || manifest.id === withManifest) continue
    const stored = await configurationOf(db, manifest)
    const uidsByName = new Map(stored.named.map(({ name, uid }) => [foldName(name), uid]))
    const going = new Map<string, Target>()
    const unknown = new Map<string, Target>()
    for (const { entity } of namesIn(stored.configuration)) {
      const name = foldName(entity)
      const uid = uidsByName.get(name)
      const target = uid === undefined ? targetsByName.get(name) : targetsByUid.get(uid)
      if (target) (uid === undefined ? unknown : going).set(name, target)
    }
    // A name without identity refers to a remaining entity of the same name, if there is one.
    const resolvedModel = unknown.size > 0 ? await resolvedNames(db, organisationId, [manifest]) : []
    for (const { id, name } of resolvedModel) if (!targets.has(id)) unknown.delete(foldName(name))
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
