import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { folderOf } from '@cadmus/model/paths'
import { mapReferences } from '@cadmus/model/references'
import { comparable, rowsInBatches } from './statements.ts'
import type { Db } from './database.ts'
import { columnsByUids } from './entity-column.ts'
import { type EntityRow, entityRowsByIds } from './entity.ts'
import { referencesIn } from './open-reference.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'

/** Current names of referenced objects; undefined if deleted. */
export type ReferenceLookup = {
  entity: (reference: EntityReference) => EntityReference | undefined
  column: (uid: string | undefined, entityId: number) => string | undefined
}

/** Loads all references of the contents. */
export async function referenceLookup(
  db: Db,
  organisationId: number,
  contents: readonly EntityContent[],
): Promise<ReferenceLookup> {
  const references = contents.flatMap(referencesIn)
  const ids = references.map(({ id }) => id).filter(id => id > 0)
  const rows = await entityRowsByIds(db, organisationId, ids)
  const missing = references.flatMap(({ id, uid }) => (uid === undefined || rows.has(id) ? [] : [uid]))
  const byUid = await entitiesByUids(db, organisationId, missing)
  const entity = ({ id, uid }: EntityReference) => {
    const row = rows.get(id)
    if (row) return { id, uid: row.uid, name: row.name, path: row.path }
    return uid === undefined ? undefined : byUid.get(uid)
  }
  const targets = contents.flatMap(content => targetsIn(content, entity))
  const columns = await columnNames(db, organisationId, targets, rows)
  return { entity, column: (uid, entityId) => (uid === undefined ? undefined : columns(uid, entityId)) }
}

type Target = { uid: string; entityId: number }

/** Returns a lookup of target column names: the nearest own or inherited column; undefined for other columns. */
async function columnNames(
  db: Db,
  organisationId: number,
  targets: readonly Target[],
  rows: ReadonlyMap<number, EntityRow>,
): Promise<(uid: string, entityId: number) => string | undefined> {
  const result = await columnsByUids(
    db,
    organisationId,
    targets.map(({ uid }) => uid),
  )
  const owners = new Map(
    [...Map.groupBy(result, ({ uid }) => uid)].map(([uid, columns]) => [
      uid,
      new Map(columns.map(column => [column.entityId, column.name])),
    ]),
  )
  const subtypes = targets.filter(({ uid, entityId }) => owners.get(uid)?.has(entityId) === false)
  const near = new Map(Array.from(rows.values(), row => [row.id, row.extends_id]))
  const open = subtypes.filter(({ uid, entityId }) => !owners.get(uid)?.has(near.get(entityId) ?? 0))
  const far = await ancestry(
    db,
    organisationId,
    open.map(({ entityId }) => entityId),
  )
  const parents = new Map([...near, ...far])
  return (uid, entityId) => {
    const names = owners.get(uid)
    const visited = new Set<number>()
    for (let id = entityId; names && id > 0 && !visited.has(id); id = parents.get(id) ?? 0) {
      const name = names.get(id)
      if (name !== undefined) return name
      visited.add(id)
    }
    return undefined
  }
}

/** Updates all references to current names; references to deleted entities keep their name and get the id -1. */
export function refreshed(content: EntityContent, lookup: ReferenceLookup): EntityContent {
  return mapReferences(content, {
    entity: reference => lookup.entity(reference) ?? { ...reference, id: -1 },
    column: ({ name, uid }, { id }) => ({ uid, name: lookup.column(uid, id) ?? name }),
  })
}

/** Updates the entities to current names, so that writing them does not restore an outdated name. */
export async function withCurrentNames<T extends { content: EntityContent }>(
  db: Db,
  organisationId: number,
  entities: Iterable<T>,
): Promise<T[]> {
  const all = [...entities]
  const contents = all.map(({ content }) => content)
  const lookup = await referenceLookup(db, organisationId, contents)
  return all.map(entity => ({ ...entity, content: refreshed(entity.content, lookup) }))
}

/** Keeps the stored names, as shown for an old version; only ids are current. */
export function located(content: EntityContent, lookup: ReferenceLookup): EntityContent {
  return mapReferences(content, {
    entity: reference => ({ ...reference, id: lookup.entity(reference)?.id ?? -1 }),
    column: column => column,
  })
}

/** Returns visible entities of the organisation and the library by uid; own ones take precedence. */
export async function entitiesByUids(
  db: Db,
  organisationId: number,
  uids: Iterable<string>,
): Promise<Map<string, EntityReference>> {
  const rows = await rowsInBatches(comparable(uids), 500, part =>
    visibleEntities(db, organisationId).where('uid', 'in', part).execute(),
  )
  return new Map(rows.map(row => [row.uid, row]))
}

/** The target columns of relationships, each with its entity. */
function targetsIn({ entityAttributes }: EntityContent, entity: ReferenceLookup['entity']): Target[] {
  return entityAttributes
    .flatMap(item => [
      { uid: item.associatedEntityTypeAttributeUid, reference: item.associatedEntity },
      ...item.alternativeTargets.map(target => ({ uid: target.attributeUid, reference: target.entity })),
    ])
    .flatMap(({ uid, reference }) => {
      const target = uid == null ? undefined : entity(reference)
      return uid == null || target === undefined ? [] : [{ uid, entityId: target.id }]
    })
}

/** Returns entities of the organisation and the library by path; own ones take precedence. */
export async function entitiesByPaths(
  db: Db,
  organisationId: number,
  paths: readonly string[],
): Promise<Map<string, EntityReference>> {
  const requested = comparable(paths).filter(path => path !== '')
  const rows = await rowsInBatches(requested, 200, part =>
    visibleEntities(db, organisationId)
      // The index covers folders.
      .where('folder', 'in', [...new Set(part.map(folderOf))])
      .where('path', 'in', part)
      .orderBy('id', 'desc')
      .execute(),
  )
  return new Map(rows.map(row => [row.path, row]))
}

function visibleEntities(db: Db, organisationId: number) {
  return db
    .selectFrom('entity')
    .select(['id', 'uid', 'name', 'path'])
    .where('organisation_id', 'in', [organisationId, 0])
    .where('import_id', '=', 0)
    .where('manifest_id', 'not in', manifestsPendingDeletion(db, [organisationId]))
    .where('hidden', '=', 0)
    .orderBy('organisation_id')
}

type PathMatch = { path: string; is: EntityReference & { uid: string } }

/** Finds existing entities by uid, else by path. */
export async function existingEntities(
  db: Db,
  organisationId: number,
  named: readonly { uid?: string | undefined; path: string }[],
): Promise<PathMatch[]> {
  const byUid = await entitiesByUids(
    db,
    organisationId,
    named.flatMap(({ uid }) => uid ?? []),
  )
  const byPath = await entitiesByPaths(
    db,
    organisationId,
    named.map(({ path }) => path),
  )
  return named.flatMap(({ uid, path }): PathMatch[] => {
    const result = byUid.get(uid ?? '') ?? byPath.get(path)
    return result?.uid === undefined ? [] : [{ path, is: { ...result, uid: result.uid } }]
  })
}

/** Returns the parent's id of each entity and of all ancestors; 0 = none. `made` holds contents about to be stored. */
export async function ancestry(
  db: Db,
  organisationId: number,
  ids: readonly number[],
  made: ReadonlyMap<number, EntityContent> = new Map(),
): Promise<Map<number, number>> {
  const parents = new Map<number, number>()
  for (let level = ids; level.length > 0;) {
    const result: [id: number, parent: number][] = []
    for (const id of level) {
      const content = made.get(id)
      if (content) result.push([id, content.extendsEntity?.id ?? 0])
    }
    const rows = await entityRowsByIds(
      db,
      organisationId,
      level.filter(id => !made.has(id)),
    )
    for (const row of rows.values()) result.push([row.id, row.extends_id])
    for (const [id, parent] of result) parents.set(id, parent)
    level = result.map(([, parent]) => parent).filter(id => id > 0 && !parents.has(id))
  }
  return parents
}
