import { checkName } from '@cadmus/model/checks'
import { ColumnLookup } from '@cadmus/model/comparison/column-lookup'
import type { AffectedManifest, DependentItem, EntityImpact } from '@cadmus/model/contract/impact'
import type { ReferenceItem } from '@cadmus/model/contract/shared'
import { columnName } from '@cadmus/model/columns'
import { attributesIn } from '@cadmus/model/conditions/condition'
import { databaseTypeOf } from '@cadmus/model/database-types'
import { hasEffect } from '@cadmus/model/edits/definition'
import { applyEntityEdits } from '@cadmus/model/edits/entity-edits'
import type { EntityNode } from '@cadmus/model/entity'
import { groupName } from '@cadmus/model/groups'
import { limits } from '@cadmus/model/limits'
import { pairTarget, targetColumn } from '@cadmus/model/references'
import { subtypeIds } from '../commands/entity/column-loss.ts'
import { requireEntity } from '../commands/entity/entity-state.ts'
import { placeOf, referencesTo } from '../commands/entity/references-to.ts'
import type { Db } from '../store/database.ts'
import { membershipsOf } from '../store/entity-delete.ts'
import { referrersOf } from '../store/entity-reference.ts'
import { entitiesByIds, entityNode, type StoredEntity, withAncestors } from '../store/entity.ts'
import { manifestsAbove } from '../store/manifest-members.ts'
import type { ManifestRow } from '../store/manifest.ts'
import { referencesIn } from '../store/open-reference.ts'
import { packageNames } from '../store/package.ts'
import type { Store } from '../store/store.ts'
import { consequencesOfEdits } from './comparison/consequences.ts'
import { readSides } from './comparison/sides.ts'
import type { ImpactPlace } from './tasks.ts'

/**
 * What depends on an entity, and the consequences of edits in each manifest, worked out for the part of the manifest that can differ: the
 * entity, its subtypes, what refers to them, and their targets. Throws 404 without the entity, and the errors of `readSides`.
 */
export async function entityImpact(store: Store, { organisationId, id, edits }: ImpactPlace): Promise<EntityImpact> {
  const db = store.of(organisationId)
  const entity = await requireEntity(db, organisationId, id)
  const family = await familyOf(db, organisationId, entity)
  const manifests = await manifestsOf(db, organisationId, [...family.ids, ...family.referrers.keys()])
  const references = await referencesOf(db, organisationId, family)
  const affected: AffectedManifest[] = []
  if (edits.some(hasEffect)) {
    const next = applyEntityEdits(entity.content, edits.filter(hasEffect))
    const targets = [...family.nodes.values(), next].flatMap(referencesIn).map(target => target.id)
    const only = new Set([...family.ids, ...family.referrers.keys(), ...targets])
    for (const manifest of manifests.slice(0, limits.impact.manifests))
      affected.push(await affectedManifest(store, manifest, { organisationId, id, edits, only }))
  }
  return {
    references: references.slice(0, limits.impact.references),
    totalReferences: references.length,
    manifests: affected,
    moreManifests: Math.max(0, manifests.length - limits.impact.manifests),
    moreEntities: family.more,
  }
}

/**
 * An entity with its subtypes, and what refers to one of them. `nodes`: the family with all ancestors. `more`: subtypes and
 * referring entities left out.
 */
type Family = {
  entity: StoredEntity
  ids: readonly number[]
  nodes: ReadonlyMap<number, EntityNode>
  referrers: ReadonlyMap<number, EntityNode>
  more: number
}

async function familyOf(db: Db, organisationId: number, entity: StoredEntity): Promise<Family> {
  const most = limits.impact.entities
  const all = await subtypeIds(db, organisationId, entity)
  const subtypes = await entitiesByIds(db, organisationId, all.slice(0, most))
  const ids = [entity.id, ...subtypes.keys()]
  const members = new Set(ids)
  const links = await referrersOf(db, organisationId, ids)
  const referring = [...new Set(links.map(({ fromId }) => fromId))].filter(id => !members.has(id))
  const read = referring.toSorted((one, other) => one - other).slice(0, most)
  const referrers = await entitiesByIds(db, organisationId, read)
  return {
    entity,
    ids,
    nodes: await withAncestors(db, organisationId, [entity, ...subtypes.values()]),
    referrers: new Map(Array.from(referrers.values(), one => [one.id, entityNode(one)])),
    more: Math.max(0, all.length - most) + referring.length - read.length,
  }
}

type ManifestWithPackages = ManifestRow & { packages: readonly string[] }

/** Manifests that contain one of the entities, and their ancestors: those with packages first, then those with a configuration. */
async function manifestsOf(
  db: Db,
  organisationId: number,
  entityIds: readonly number[],
): Promise<ManifestWithPackages[]> {
  const members = [...(await membershipsOf(db, organisationId, entityIds)).values()].flat()
  const rows = await manifestsAbove(
    db,
    organisationId,
    members.map(row => row.manifest_id),
  )
  const packages = await packageNames(
    db,
    organisationId,
    rows.map(({ id }) => id),
  )
  const rank = (row: ManifestWithPackages) => (row.packages.length > 0 ? 0 : row.configuration_hash === null ? 2 : 1)
  return rows
    .map(row => ({ ...row, packages: packages.get(row.id) ?? [] }))
    .toSorted((one, other) => rank(one) - rank(other) || one.id - other.id)
}

type Edited = ImpactPlace & { only: ReadonlySet<number> }

async function affectedManifest(
  store: Store,
  { id: manifestId, name, path, packages }: ManifestWithPackages,
  { organisationId, id, edits, only }: Edited,
): Promise<AffectedManifest> {
  const after = { kind: 'draft' as const, entities: [{ id, edits: [...edits] }], configuration: [] }
  const sides = await readSides(store, { organisationId, manifestId, before: { kind: 'now' }, after, only })
  const type = sides.before.configuration?.packageProperties.connectionPoolInfo.type
  const database = (type === undefined ? undefined : databaseTypeOf(type)) ?? 'postgresql'
  const { schema, ...consequences } = consequencesOfEdits(sides, database)
  const { steps, refusals } = schema
  return { id: manifestId, name, path, packages: [...packages], database, ...consequences, schema: { steps, refusals } }
}

/** References to the entity, and to its columns through subtypes, with the columns. */
async function referencesOf(db: Db, organisationId: number, family: Family): Promise<DependentItem[]> {
  const { entity, ids, nodes, referrers } = family
  const own = await referencesTo(db, organisationId, [entity])
  const subtypes = ids.flatMap(id => (id === entity.id ? [] : (nodes.get(id) ?? [])))
  const inherited = await referencesTo(
    db,
    organisationId,
    subtypes.map(({ id, uid, name }) => ({ id, uid, name, manifest_id: -1 })),
  )
  const lookup = new ColumnLookup(nodes)
  const withColumns = (item: ReferenceItem): ReferenceItem[] => {
    const columns = columnsOf(item, referrers.get(item.id), lookup, entity.id)
    if (columns.length === 0) return [item]
    return columns.map(attribute => ({ ...item, target: { ...item.target, attribute } }))
  }
  const items: Omit<DependentItem, 'manifests'>[] = [
    ...own.items.flatMap(withColumns),
    ...inherited.items.flatMap(withColumns).filter(({ target }) => target.attribute !== undefined),
  ]
  items.push(...constraintsOf(family, lookup))
  const referring = items.filter(({ document }) => document === 'entity').map(({ id }) => id)
  const memberships = await membershipsOf(db, organisationId, referring)
  return items.map(item => ({
    ...item,
    manifests: item.document === 'manifest' ? [item.id] : (memberships.get(item.id) ?? []).map(row => row.manifest_id),
  }))
}

/** The checks and groups of the entity and its subtypes with one of its own columns, once for each column. */
function constraintsOf({ entity, ids, nodes }: Family, lookup: ColumnLookup): Omit<DependentItem, 'manifests'>[] {
  return ids.flatMap(id => {
    const node = nodes.get(id)
    if (!node) return []
    const checks = node.checks.map(check => ({
      item: { kind: 'check' as const, item: checkName(check), itemUid: check.uid },
      columns: attributesIn(check.condition),
    }))
    const groups = node.groups.map(group => ({
      item: { kind: 'group' as const, item: groupName(group), itemUid: group.uid },
      columns: group.members,
    }))
    return [...checks, ...groups].flatMap(({ item, columns }) => {
      const named = columns.flatMap(({ uid, name }) => {
        const place = uid === '' ? lookup.byName(id, name) : lookup.byUid(id, uid)
        return place?.entity.id === entity.id ? [{ uid: place.column.uid, name: columnName(place.column) }] : []
      })
      const distinct = new Map(named.map(column => [column.uid, column]))
      return Array.from(distinct.values(), attribute => ({ ...placeOf('entity', node, entity, attribute), ...item }))
    })
  })
}

/** The columns of the entity that a relationship refers to, without those that a subtype or an ancestor declares. */
function columnsOf(
  { itemUid, target }: ReferenceItem,
  referrer: EntityNode | undefined,
  lookup: ColumnLookup,
  entityId: number,
): { uid: string; name: string }[] {
  const relationship = referrer?.entityAttributes.find(({ uid }) => uid === itemUid)
  if (!relationship) return []
  const other = relationship.alternativeTargets.find(({ entity }) => entity.id === target.id)
  const targets =
    relationship.associatedEntity.id !== target.id && other
      ? [{ name: other.attribute, uid: other.attributeUid }]
      : [targetColumn(relationship), ...relationship.alsoBy.map(pairTarget)]
  return targets.flatMap(({ name, uid }) => {
    const place = (uid === undefined ? undefined : lookup.byUid(target.id, uid)) ?? lookup.byName(target.id, name)
    return place?.entity.id === entityId ? [{ uid: place.column.uid, name: columnName(place.column) }] : []
  })
}
