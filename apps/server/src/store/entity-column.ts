import type { EntityContent } from '@cadmus/model/entity'
import { comparable, inBatches, rowsInBatches, storable } from './statements.ts'
import { addAttributeNames } from './attribute-search.ts'
import type { Db } from './database.ts'

export type Column = { uid: string; name: string }
export type ColumnOf = Column & { entityId: number }

const batch = 500
const entitiesAtOnce = 25

/** All attributes and foreign keys of a content, by uid. */
export function columnsOf({ typeAttributes, entityAttributes }: EntityContent): Column[] {
  const all = [
    ...typeAttributes.map(({ uid, name }) => ({ uid, name: storable(name) })),
    ...entityAttributes.map(item => ({ uid: item.uid, name: storable(item.foreignKeyTypeAttribute) })),
  ]
  return [...new Map(all.map(column => [column.uid, column])).values()]
}

export async function insertColumns(
  db: Db,
  organisationId: number,
  entities: readonly { id: number; columns: readonly Column[] }[],
): Promise<void> {
  const rows = entities.flatMap(({ id, columns }) =>
    columns.map(({ uid, name }) => ({ organisation_id: organisationId, uid, entity_id: id, name })),
  )
  for (const part of inBatches(rows, batch)) await db.insertInto('entity_column').values(part).execute()
  const names = entities.flatMap(({ columns }) => columns.map(({ name }) => name))
  await addAttributeNames(db, organisationId, names)
}

/** Updates the columns of entities to match their contents; writes only the differences. */
export async function replaceColumns(
  db: Db,
  organisationId: number,
  entities: readonly { id: number; columns: readonly Column[] }[],
): Promise<void> {
  const rows = await columnRows(
    db,
    organisationId,
    entities.map(({ id }) => id),
  )
  const existing = Map.groupBy(rows, row => row.entity_id)
  const changed: { id: number; columns: Column[] }[] = []
  const outdatedColumns: { id: number; uids: string[] }[] = []
  for (const { id, columns } of entities) {
    const before = new Map(existing.get(id)?.map(row => [row.uid, row.name]))
    const after = new Map(columns.map(({ uid, name }) => [uid, name]))
    const outdated = [...before].filter(([uid, name]) => after.get(uid) !== name).map(([uid]) => uid)
    for (const uids of inBatches(outdated, batch)) outdatedColumns.push({ id, uids: [...uids] })
    changed.push({ id, columns: columns.filter(({ uid, name }) => before.get(uid) !== name) })
  }
  await deleteOutdated(db, organisationId, outdatedColumns)
  await insertColumns(db, organisationId, changed)
}

async function columnRows(db: Db, organisationId: number, entityIds: readonly number[]) {
  return rowsInBatches(entityIds, batch, part =>
    db
      .selectFrom('entity_column')
      .select(['entity_id', 'uid', 'name'])
      .where('organisation_id', '=', organisationId)
      .where('entity_id', 'in', part)
      .execute(),
  )
}

async function deleteOutdated(
  db: Db,
  organisationId: number,
  outdatedColumns: readonly { id: number; uids: readonly string[] }[],
): Promise<void> {
  for (const part of inBatches(outdatedColumns, entitiesAtOnce)) {
    await db
      .deleteFrom('entity_column')
      .where('organisation_id', '=', organisationId)
      .where(({ eb, and, or }) =>
        or(part.map(({ id, uids }) => and([eb('entity_id', '=', id), eb('uid', 'in', uids)]))),
      )
      .execute()
  }
}

/** Returns the current names and entities of columns, of the organisation and the library. */
export async function columnsByUids(db: Db, organisationId: number, uids: Iterable<string>): Promise<ColumnOf[]> {
  return rowsInBatches(comparable(uids), batch, part =>
    visibleColumns(db, organisationId).where('uid', 'in', part).execute(),
  )
}

function visibleColumns(db: Db, organisationId: number) {
  return db
    .selectFrom('entity_column')
    .select(['uid', 'name', 'entity_id as entityId'])
    .where('organisation_id', 'in', [organisationId, 0])
}

/** Returns the columns with these names on these entities. */
export async function columnsByNames(
  db: Db,
  organisationId: number,
  entityIds: Iterable<number>,
  names: readonly string[],
): Promise<ColumnOf[]> {
  return rowsInBatches([...new Set(entityIds)], batch, ids =>
    rowsInBatches([...new Set(names)], batch, part =>
      visibleColumns(db, organisationId).where('entity_id', 'in', ids).where('name', 'in', part).execute(),
    ),
  )
}

/**
 * Returns the columns with these folded names on these entities. Letters that the database does not fold must match
 * exactly.
 */
export async function columnsNamed(
  db: Db,
  organisationId: number,
  entityIds: Iterable<number>,
  folded: readonly string[],
): Promise<ColumnOf[]> {
  return rowsInBatches([...new Set(entityIds)], batch, ids =>
    rowsInBatches([...new Set(folded.map(storable))], batch, part =>
      visibleColumns(db, organisationId)
        .where('entity_id', 'in', ids)
        .where(({ fn, ref }) => fn<string>('lower', [ref('name')]), 'in', part)
        .execute(),
    ),
  )
}

/** Returns the distinct attribute names of these entities. */
export async function columnNames(db: Db, organisationId: number, entityIds: readonly number[]): Promise<string[]> {
  const rows = await rowsInBatches(entityIds, batch, part =>
    db
      .selectFrom('entity_column')
      .select('name')
      .distinct()
      .where('organisation_id', '=', organisationId)
      .where('entity_id', 'in', part)
      .execute(),
  )
  return [...new Set(rows.map(({ name }) => name))]
}

export async function deleteColumns(db: Db, organisationId: number, entityIds: readonly number[]): Promise<void> {
  for (const part of inBatches(entityIds, batch)) {
    await db
      .deleteFrom('entity_column')
      .where('organisation_id', '=', organisationId)
      .where('entity_id', 'in', part)
      .execute()
  }
}
