import type { ReferenceItem } from '@cadmus/model/contract/shared'
import { namesIn, withoutColumns } from '@cadmus/model/configuration-names'
import type { Configuration } from '@cadmus/model/configuration'
import type { OnReferences } from '@cadmus/model/detach'
import type { EntityContent, EntityNode } from '@cadmus/model/entity'
import type { EntityLookup } from '@cadmus/model/inherit'
import { lostColumns, LossView, mayLoseColumns, releaseReferences, type LostColumn } from '@cadmus/model/lost-columns'
import { foldName } from '@cadmus/model/paths'
import { pairTarget, targetColumn } from '@cadmus/model/references'
import type { Db } from '../../store/database.ts'
import { membershipsOf } from '../../store/entity-delete.ts'
import { referrersOf } from '../../store/entity-reference.ts'
import { entitiesByIds, type StoredEntity, withAncestors } from '../../store/entity.ts'
import type { StoredConfiguration } from '../../store/manifest-configuration.ts'
import type { ManifestRow } from '../../store/manifest.ts'
import { configurationsNaming, placeOf } from './references-to.ts'

/** Handling of the references to a column, by its uid; undefined: not specified. */
export type ReferenceHandling = (uid: string) => OnReferences | undefined

export type LossStep = {
  /** The stored entity, and its future content. */
  current: StoredEntity
  next: EntityContent
  onReferences: ReferenceHandling
  /** Future states of entities changed before it. */
  changed?: EntityLookup
  /** Entities to be deleted: their references do not count. */
  except?: ReadonlySet<number>
}

/** A configuration that names lost columns, and the configuration without them. */
export type ConfigurationLoss = { manifest: ManifestRow; stored: StoredConfiguration; left: Configuration }

/** Effect of a change on references to the entity's columns. Computed before the change is written, applied after it. */
export type ColumnLoss = {
  /** The entity's content with its references to itself corrected. */
  content: EntityContent
  view: LossView
  before: (id: number) => EntityNode | undefined
  /** Entities with relationships to the entity or one of its subtypes. */
  referrers: readonly number[]
  configurations: readonly ConfigurationLoss[]
  /** References to lost columns that have neither a replacement nor a specified handling. */
  items: readonly ReferenceItem[]
}

/** Undefined if the change removes no column. */
export async function columnLoss(db: Db, organisationId: number, step: LossStep): Promise<ColumnLoss | undefined> {
  const { current, next, onReferences, except } = step
  if (!mayLoseColumns(current.content, next)) return undefined
  const subtypes = await subtypesOf(db, organisationId, current)
  const parent = await entitiesByIds(db, organisationId, next.extendsEntity ? [next.extendsEntity.id] : [])
  const nodes = await withAncestors(db, organisationId, [...parent.values(), ...subtypes, current])
  const before = (id: number) => nodes.get(id)
  const settled = settle(step, before)
  if (!settled) return undefined
  const { content, view } = settled
  const family = [current, ...subtypes]
  const links = await referrersOf(
    db,
    organisationId,
    family.map(({ id }) => id),
  )
  const others = links.filter(({ fromId, attributeUid }) => attributeUid !== '' && fromId !== current.id)
  const referrers = [...new Set(others.map(({ fromId }) => fromId))].filter(id => !except?.has(id))
  const entities = [...(await entitiesByIds(db, organisationId, referrers)).values()].toSorted((a, b) => a.id - b.id)
  const named = await configurationsLosing(db, organisationId, family, view)
  const all = [
    ...[{ ...current, content }, ...entities].flatMap(entity => itemsIn(entity, view, before)),
    ...named.flatMap(configuration => configuration.items),
  ]
  const items = all.filter(({ target: { attribute } }) => attribute && onReferences(attribute.uid) === undefined)
  return { content, view, before, referrers: entities.map(({ id }) => id), configurations: named, items }
}

/**
 * The entities whose columns have references: from subtypes, relationships or configurations. Other entities do not
 * need `columnLoss`.
 */
export async function withReferencedColumns(
  db: Db,
  organisationId: number,
  entities: readonly StoredEntity[],
): Promise<ReadonlySet<number>> {
  const targets = new Map(entities.map(entity => [entity.id, entity]))
  const ids = [...targets.keys()]
  const links = await referrersOf(db, organisationId, ids)
  const memberships = [...(await membershipsOf(db, organisationId, ids)).values()].flat()
  const manifestIds = memberships.map(row => row.manifest_id)
  const naming = await configurationsNaming(db, organisationId, targets, { manifestIds, withManifest: undefined })
  const named = naming.flatMap(({ names }) => Array.from(names.values(), ({ id }) => id))
  return new Set([...links.map(({ toId }) => toId), ...named])
}

/** Detaches its relationships to itself, whose columns may have references in turn. */
function settle(
  { current, next, onReferences, changed }: LossStep,
  before: (id: number) => EntityNode | undefined,
): { content: EntityContent; view: LossView } | undefined {
  const place = { id: current.id, path: current.path }
  for (let content = next; ;) {
    const node: EntityNode = { ...content, ...place }
    const after = (id: number) => (id === current.id ? node : (changed?.(id) ?? before(id)))
    const loss = lostColumns({ ...current.content, ...place }, node, after)
    if (loss.size === 0) return undefined
    const view = new LossView({ loss, before, after })
    const left = releaseReferences(content, { view, before, onReferences })
    if (left === content) return { content, view }
    content = left
  }
}

type Owned = Pick<StoredEntity, 'id' | 'organisation_id'>

/** All subtypes, nearest first. */
export async function subtypesOf(db: Db, organisationId: number, entity: Owned): Promise<StoredEntity[]> {
  const ids = await subtypeIds(db, organisationId, entity)
  const stored = await entitiesByIds(db, organisationId, ids)
  return ids.flatMap(id => stored.get(id) ?? [])
}

/** Ids of all subtypes, nearest first; some may be pending deletion. */
export async function subtypeIds(
  db: Db,
  organisationId: number,
  { id, organisation_id: owner }: Owned,
): Promise<number[]> {
  const visited = new Set([id])
  for (let open = [id]; open.length > 0;) {
    // Predefined entities extend each other; own ones are extended by own ones only.
    const links = [
      ...(await referrersOf(db, organisationId, open)),
      ...(owner === organisationId ? [] : await referrersOf(db, owner, open)),
    ].filter(({ attributeUid }) => attributeUid === '')
    open = [...new Set(links.map(({ fromId }) => fromId))].filter(subtypeId => !visited.has(subtypeId))
    for (const subtypeId of open) visited.add(subtypeId)
  }
  visited.delete(id)
  return [...visited]
}

/** Relationships of an entity that have lost their target. */
export function lostIn({ entityAttributes }: EntityContent, view: LossView) {
  return entityAttributes.flatMap(relationship => {
    const { uid, foreignKeyTypeAttribute: name, associatedEntity, alsoBy, alternativeTargets } = relationship
    const lossItem = (kind: 'relationship' | 'alternativeTarget', entityId: number, lost: LostColumn | undefined) =>
      lost ? [{ kind, uid, name, entityId, lost }] : []
    return [
      ...lossItem('relationship', associatedEntity.id, view.target(associatedEntity.id, targetColumn(relationship))),
      ...alsoBy.flatMap(pair =>
        lossItem('relationship', associatedEntity.id, view.target(associatedEntity.id, pairTarget(pair))),
      ),
      ...alternativeTargets.flatMap(({ entity, attribute, attributeUid }) =>
        lossItem('alternativeTarget', entity.id, view.target(entity.id, { name: attribute, uid: attributeUid })),
      ),
    ]
  })
}

function itemsIn(
  entity: StoredEntity,
  view: LossView,
  lookup: (id: number) => EntityNode | undefined,
): ReferenceItem[] {
  return lostIn(entity.content, view).flatMap(({ kind, uid, name, entityId, lost }): ReferenceItem[] => {
    const target = lookup(entityId)
    if (!target || lost.now) return []
    return [{ ...placeOf('entity', entity, target, lost), kind, item: name, itemUid: uid }]
  })
}

async function configurationsLosing(
  db: Db,
  organisationId: number,
  family: readonly StoredEntity[],
  view: LossView,
): Promise<(ConfigurationLoss & { items: ReferenceItem[] })[]> {
  const targets = new Map(family.map(entity => [entity.id, entity]))
  const memberships = [...(await membershipsOf(db, organisationId, [...targets.keys()])).values()].flat()
  const manifestIds = memberships.map(row => row.manifest_id)
  const naming = await configurationsNaming(db, organisationId, targets, { manifestIds, withManifest: undefined })
  return naming.flatMap(({ manifest, stored, names }) => {
    const lostOf = (entity: string, column: string): { target: StoredEntity; lost: LostColumn } | undefined => {
      const target = targets.get(names.get(foldName(entity))?.id ?? 0)
      if (!target) return undefined
      const columnsOf = stored.named.find(({ uid }) => uid === target.uid)?.columns
      const uid = columnsOf?.find(({ name }) => foldName(name) === foldName(column))?.uid
      const lost = view.named(target.id, { name: column, uid })
      return lost && { target, lost }
    }
    const losses = namesIn(stored.configuration).flatMap(({ kind, item, entity, columns }) =>
      columns.flatMap(column => {
        const hit = lostOf(entity, column)
        return hit ? [{ kind, item, ...hit }] : []
      }),
    )
    if (losses.length === 0) return []
    const left = withoutColumns(stored.configuration, (entity, column) => lostOf(entity, column)?.lost.now !== null)
    const items = losses.flatMap(({ kind, item, target, lost }): ReferenceItem[] =>
      lost.now ? [] : [{ ...placeOf('manifest', manifest, target, lost), kind, item }],
    )
    return [{ manifest, stored, left, items }]
  })
}
