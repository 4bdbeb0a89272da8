import {
  columnsByEntity,
  withNewNames,
  type NamedConfiguration,
  type NewNames,
} from '@cadmus/model/configuration-names'
import type { Configuration } from '@cadmus/model/configuration'
import type { EntityContent } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'
import { ancestry } from './ancestry.ts'
import type { Db } from './database.ts'
import { columnsByUids, columnsNamed, columnsOf } from './entity-column.ts'
import { entitiesByUids } from './entity-refresh.ts'
import { entityRowsByIds } from './entity.ts'

/** `was` is the name at the time the configuration was stored. */
type KnownColumn = { uid: string; name: string; was: string }
type Known = KnownColumn & { columns: KnownColumn[] }

/** A configuration with current names, and the stored name of each. */
export type TodaysConfiguration = { configuration: Configuration; named: readonly Known[] }

/** Updates a stored configuration to current names. Deleted objects keep the stored name. */
export async function underTodaysNames(
  db: Db,
  organisationId: number,
  { configuration, named }: NamedConfiguration,
): Promise<TodaysConfiguration> {
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
  const today = named.map(item => ({
    uid: item.uid,
    was: item.name,
    name: entities.get(item.uid)?.name ?? item.name,
    columns: item.columns.map(({ uid, name }) => ({ uid, was: name, name: columnNames.get(uid) ?? name })),
  }))
  return { configuration: withNewNames(configuration, newNames(today)), named: today }
}

/** The possible targets of a configuration's names. */
export type Reach = {
  /** The entities of the manifest and its sub-manifests. */
  entities: readonly { id: number; name: string }[]
  /** Contents of entities about to be stored. */
  made?: ReadonlyMap<number, EntityContent>
  /** Earlier meanings of names, valid while no other object has the name; stored names count too. */
  known: readonly Known[]
}

/** Resolves the names of a configuration to uids, and replaces outdated names by current ones. */
export async function pinned(
  db: Db,
  organisationId: number,
  configuration: Configuration,
  reach: Reach,
): Promise<TodaysConfiguration> {
  const wanted = columnsByEntity(configuration)
  const found = await meantEntities(db, organisationId, wanted.keys(), reach)
  const ids = [...found.values()].flatMap(({ id }) => (id === undefined ? [] : [id]))
  const uids = await columnUids(
    db,
    organisationId,
    ids,
    new Set([...wanted.values()].flatMap(names => [...names])),
    reach,
  )
  const knownByUid = Map.groupBy(reach.known, ({ uid }) => uid)
  const named = [...wanted].flatMap(([name, columns]): Known[] => {
    const entity = found.get(name)
    if (entity === undefined) return []
    const before = byNames((knownByUid.get(entity.uid) ?? []).flatMap(item => item.columns))
    const known = [...columns].flatMap(column => {
      const here = entity.id === undefined ? undefined : uids(entity.id, column)
      const there = here ?? before(column)
      return there ? [{ uid: there.uid, name: there.name, was: column }] : []
    })
    return [{ uid: entity.uid, name: entity.name, was: name, columns: known }]
  })
  return { configuration: withNewNames(configuration, newNames(named)), named: oneEach(named) }
}

type Meant = { id: number | undefined; uid: string; name: string }

/** Returns the entity of each folded name: the reachable one with this name, else the earlier meaning. */
async function meantEntities(
  db: Db,
  organisationId: number,
  wanted: Iterable<string>,
  { entities, made, known }: Reach,
): Promise<Map<string, Meant>> {
  const names = new Set(wanted)
  const reached = entities.filter(({ name }) => names.has(foldName(name)))
  const rows = await entityRowsByIds(
    db,
    organisationId,
    reached.map(({ id }) => id),
  )
  const here = reached.flatMap(({ id, name }): Meant[] => {
    const uid = made?.get(id)?.uid ?? rows.get(id)?.uid
    return uid === undefined ? [] : [{ id, uid, name }]
  })
  const byName = Map.groupBy(here, ({ name }) => foldName(name))
  const elsewhere = await entitiesByUids(
    db,
    organisationId,
    known.map(({ uid }) => uid),
  )
  const found = new Map<string, Meant>()
  const knownAs = byNames(known)
  for (const name of names) {
    const before = knownAs(name)
    const namesakes = byName.get(name)
    // Among entities with the same name, prefers the earlier meaning, else the last, as elsewhere.
    const entity = namesakes?.find(({ uid }) => uid === before?.uid) ?? namesakes?.at(-1)
    if (entity) found.set(name, entity)
    else if (before) found.set(name, { id: elsewhere.get(before.uid)?.id, uid: before.uid, name: before.name })
  }
  return found
}

type ColumnLookup = (entityId: number, column: string) => { uid: string; name: string } | undefined

/** Returns a lookup of columns by folded name, including inherited ones. */
async function columnUids(
  db: Db,
  organisationId: number,
  ids: readonly number[],
  names: ReadonlySet<string>,
  { made }: Reach,
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
    const passed = new Set<number>()
    for (let id = entityId; id > 0 && !passed.has(id); id = parents.get(id) ?? 0) {
      const found = columns.get(keyOf(id, column))
      if (found) return found
      passed.add(id)
    }
    return undefined
  }
}

/** Finds an item by folded name: the current name first, then the stored one; the first of several. */
function byNames<T extends { name: string; was: string }>(items: readonly T[]): (folded: string) => T | undefined {
  const today = new Map<string, T>()
  const before = new Map<string, T>()
  for (const item of items.toReversed()) {
    today.set(foldName(item.name), item)
    before.set(foldName(item.was), item)
  }
  return folded => today.get(folded) ?? before.get(folded)
}

function newNames(named: readonly Known[]): NewNames {
  const entities = new Map(named.map(item => [foldName(item.was), item]))
  const columns = new Map(
    named.map(item => [foldName(item.was), new Map(item.columns.map(column => [foldName(column.was), column]))]),
  )
  return {
    entity: name => changed(name, entities.get(foldName(name))),
    column: (entity, name) => changed(name, columns.get(foldName(entity))?.get(foldName(name))),
  }
}

function changed(name: string, item: { name: string } | undefined): string | undefined {
  return item === undefined || item.name === name ? undefined : item.name
}

/** Merges the items of each entity. */
function oneEach(named: readonly Known[]): Known[] {
  return [...Map.groupBy(named, ({ uid }) => uid).values()].flatMap(([first, ...more]) => {
    if (!first) return []
    const columns = [first, ...more].flatMap(item => item.columns)
    return [{ ...first, columns: [...new Map(columns.map(column => [column.uid, column])).values()] }]
  })
}
