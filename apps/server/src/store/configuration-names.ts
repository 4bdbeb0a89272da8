import {
  columnsByEntity,
  withNewNames,
  type NamedConfiguration,
  type NewNames,
} from '@cadmus/model/configuration-names'
import type { Configuration } from '@cadmus/model/configuration'
import type { EntityContent } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'
import { ancestry, entitiesByUids } from './entity-refresh.ts'
import type { Db } from './database.ts'
import { columnsByUids, columnsNamed, columnsOf } from './entity-column.ts'
import { entityRowsByIds } from './entity.ts'

/** `storedName` is the name at the time the configuration was stored. */
type NamedColumn = { uid: string; name: string; storedName: string }
type NamedEntity = NamedColumn & { columns: NamedColumn[] }

/** A configuration with current names, and the stored name of each. */
export type CurrentConfiguration = { configuration: Configuration; named: readonly NamedEntity[] }

/** Updates a stored configuration to current names. Deleted objects keep the stored name. */
export async function withCurrentNames(
  db: Db,
  organisationId: number,
  { configuration, named }: NamedConfiguration,
): Promise<CurrentConfiguration> {
  if (named.length === 0) return { configuration, named: [] }
  const entities = await entitiesByUids(
    db,
    organisationId,
    named.map(({ uid }) => uid),
  )
  const columns = await columnsByUids(
    db,
    organisationId,
    named.flatMap(item => item.columns.map(({ uid }) => uid)),
  )
  const columnNames = new Map(columns.map(({ uid, name }) => [uid, name]))
  const currentNames = named.map(item => ({
    uid: item.uid,
    storedName: item.name,
    name: entities.get(item.uid)?.name ?? item.name,
    columns: item.columns.map(({ uid, name }) => ({ uid, storedName: name, name: columnNames.get(uid) ?? name })),
  }))
  return { configuration: withNewNames(configuration, newNames(currentNames)), named: currentNames }
}

/** The possible targets of a configuration's names. */
export type NameScope = {
  /** The entities of the manifest and its sub-manifests. */
  entities: readonly { id: number; name: string }[]
  /** Contents of entities about to be stored. */
  made?: ReadonlyMap<number, EntityContent>
  /** Earlier meanings of names, valid while no other object has the name; stored names count too. */
  earlier: readonly NamedEntity[]
}

/** Resolves the names of a configuration to uids, and replaces outdated names by current ones. */
export async function resolveNames(
  db: Db,
  organisationId: number,
  configuration: Configuration,
  scope: NameScope,
): Promise<CurrentConfiguration> {
  const requested = columnsByEntity(configuration)
  const result = await resolveEntities(db, organisationId, requested.keys(), scope)
  const ids = [...result.values()].flatMap(({ id }) => (id === undefined ? [] : [id]))
  const uids = await columnUids(
    db,
    organisationId,
    ids,
    new Set([...requested.values()].flatMap(names => [...names])),
    scope,
  )
  const knownByUid = Map.groupBy(scope.earlier, ({ uid }) => uid)
  const named = [...requested].flatMap(([name, columns]): NamedEntity[] => {
    const entity = result.get(name)
    if (entity === undefined) return []
    const before = byNames((knownByUid.get(entity.uid) ?? []).flatMap(item => item.columns))
    const earlier = [...columns].flatMap(column => {
      const current = entity.id === undefined ? undefined : uids(entity.id, column)
      const resolved = current ?? before(column)
      return resolved ? [{ uid: resolved.uid, name: resolved.name, storedName: column }] : []
    })
    return [{ uid: entity.uid, name: entity.name, storedName: name, columns: earlier }]
  })
  return { configuration: withNewNames(configuration, newNames(named)), named: mergeByEntity(named) }
}

type ResolvedEntity = { id: number | undefined; uid: string; name: string }

/** Returns the entity of each folded name: the reachable one with this name, else the earlier meaning. */
async function resolveEntities(
  db: Db,
  organisationId: number,
  requested: Iterable<string>,
  { entities, made, earlier }: NameScope,
): Promise<Map<string, ResolvedEntity>> {
  const names = new Set(requested)
  const reached = entities.filter(({ name }) => names.has(foldName(name)))
  const rows = await entityRowsByIds(
    db,
    organisationId,
    reached.map(({ id }) => id),
  )
  const current = reached.flatMap(({ id, name }): ResolvedEntity[] => {
    const uid = made?.get(id)?.uid ?? rows.get(id)?.uid
    return uid === undefined ? [] : [{ id, uid, name }]
  })
  const byName = Map.groupBy(current, ({ name }) => foldName(name))
  const otherEntities = await entitiesByUids(
    db,
    organisationId,
    earlier.map(({ uid }) => uid),
  )
  const result = new Map<string, ResolvedEntity>()
  const earlierByName = byNames(earlier)
  for (const name of names) {
    const before = earlierByName(name)
    const sameName = byName.get(name)
    // Among entities with the same name, prefers the earlier meaning, else the last, as elsewhere.
    const entity = sameName?.find(({ uid }) => uid === before?.uid) ?? sameName?.at(-1)
    if (entity) result.set(name, entity)
    else if (before) result.set(name, { id: otherEntities.get(before.uid)?.id, uid: before.uid, name: before.name })
  }
  return result
}

type ColumnLookup = (entityId: number, column: string) => { uid: string; name: string } | undefined

/** Returns a lookup of columns by folded name, including inherited ones. */
async function columnUids(
  db: Db,
  organisationId: number,
  ids: readonly number[],
  names: ReadonlySet<string>,
  { made }: NameScope,
): Promise<ColumnLookup> {
  if (names.size === 0) return () => undefined
  const parents = await ancestry(db, organisationId, ids, made)
  const stored = await columnsNamed(db, organisationId, parents.keys(), [...names])
  const keyOf = (entityId: number, name: string) => `${entityId} ${foldName(name)}`
  const columns = new Map(stored.map(({ entityId, uid, name }) => [keyOf(entityId, name), { uid, name }]))
  for (const [id, content] of made ?? []) {
    for (const column of columnsOf(content)) columns.set(keyOf(id, column.name), column)
  }
  return (entityId, column) => {
    const visited = new Set<number>()
    for (let id = entityId; id > 0 && !visited.has(id); id = parents.get(id) ?? 0) {
      const result = columns.get(keyOf(id, column))
      if (result) return result
      visited.add(id)
    }
    return undefined
  }
}

/** Finds an item by folded name: the current name first, then the stored one; the first of several. */
function byNames<T extends { name: string; storedName: string }>(
  items: readonly T[],
): (folded: string) => T | undefined {
  const currentNames = new Map<string, T>()
  const before = new Map<string, T>()
  for (const item of items.toReversed()) {
    currentNames.set(foldName(item.name), item)
    before.set(foldName(item.storedName), item)
  }
  return folded => currentNames.get(folded) ?? before.get(folded)
}

function newNames(named: readonly NamedEntity[]): NewNames {
  const entities = new Map(named.map(item => [foldName(item.storedName), item]))
  const columns = new Map(
    named.map(item => [
      foldName(item.storedName),
      new Map(item.columns.map(column => [foldName(column.storedName), column])),
    ]),
  )
  return {
    entity: name => changedName(name, entities.get(foldName(name))),
    column: (entity, name) => changedName(name, columns.get(foldName(entity))?.get(foldName(name))),
  }
}

function changedName(name: string, item: { name: string } | undefined): string | undefined {
  return item === undefined || item.name === name ? undefined : item.name
}

/** Merges the items of each entity. */
function mergeByEntity(named: readonly NamedEntity[]): NamedEntity[] {
  return [...Map.groupBy(named, ({ uid }) => uid).values()].flatMap(([first, ...more]) => {
    if (!first) return []
    const columns = [first, ...more].flatMap(item => item.columns)
    return [{ ...first, columns: [...new Map(columns.map(column => [column.uid, column])).values()] }]
  })
}
