import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { sql } from 'kysely'
import { inBatches, storable } from './statements.ts'
import type { Db } from './database.ts'

/** The missing target of a reference: the entity with this uid, or if that is '', the one at this path. */
export type OpenReference = { uid: string; path: string }

const batch = 500
/** Maximum length in the index; no entity has a longer path. */
const longestPath = 800

/** Returns all references of a content, including alternative targets. */
export function referencesIn({ extendsEntity, entityAttributes }: EntityContent): EntityReference[] {
  return [
    ...(extendsEntity ? [extendsEntity] : []),
    ...entityAttributes.flatMap(({ associatedEntity, alternativeTargets }) => [
      associatedEntity,
      ...alternativeTargets.map(({ entity }) => entity),
    ]),
  ]
}

export function openReferencesOf(content: EntityContent): OpenReference[] {
  const open = referencesIn(content).flatMap(({ id, uid, path }) => {
    if (uid !== undefined) return id > 0 ? [] : [{ uid: storable(uid), path: '' }]
    return id > 0 || path === '' || path.length > longestPath ? [] : [{ uid: '', path: storable(path) }]
  })
  return [...new Map(open.map(reference => [JSON.stringify([reference.uid, reference.path]), reference])).values()]
}

export async function insertOpenReferences(
  db: Db,
  organisationId: number,
  references: readonly (OpenReference & { fromId: number })[],
): Promise<void> {
  const rows = references.map(({ fromId, uid, path }) => ({
    organisation_id: organisationId,
    from_id: fromId,
    uid,
    path,
  }))
  for (const part of inBatches(rows, batch)) await db.insertInto('open_reference').values(part).execute()
}

/** Records references to entities about to be deleted as unresolved. */
export async function openReferencesTo(db: Db, organisationId: number, entityIds: readonly number[]): Promise<void> {
  for (const part of inBatches(entityIds, batch)) {
    const rows = await db
      .selectFrom('entity_reference')
      .innerJoin('entity', join =>
        join.onRef('entity.id', '=', 'entity_reference.to_id').on('entity.organisation_id', '=', organisationId),
      )
      .select(['entity_reference.from_id', 'entity.uid'])
      .distinct()
      .where('entity_reference.organisation_id', '=', organisationId)
      .where('entity_reference.to_id', 'in', part)
      .execute()
    const open = rows.map(row => ({ organisation_id: organisationId, from_id: row.from_id, uid: row.uid, path: '' }))
    for (const values of inBatches(open, batch)) {
      await db
        .insertInto('open_reference')
        .values(values)
        .onConflict(conflict => conflict.doNothing())
        .execute()
    }
  }
}

/** Returns the entities with unresolved references to one of these uids or paths. */
export async function referrersWaitingFor(
  db: Db,
  organisationId: number,
  arrived: readonly { uid: string; path: string }[],
): Promise<number[]> {
  const waiting = new Set<number>()
  for (const part of inBatches(arrived, batch)) {
    const uids = part.map(({ uid }) => uid)
    const paths = part.map(({ path }) => storable(path))
    for (const [column, values] of [['uid', uids] as const, ['path', paths] as const]) {
      const rows = await db
        .selectFrom('open_reference')
        .select('from_id')
        .distinct()
        .where('organisation_id', '=', organisationId)
        .where(column, 'in', values)
        .execute()
      for (const row of rows) waiting.add(row.from_id)
    }
  }
  return [...waiting]
}

/** Returns the entities with unresolved references below one of these paths. */
export async function referrersWaitingBelow(
  db: Db,
  organisationId: number,
  paths: readonly string[],
): Promise<number[]> {
  const below = paths.map(path => `${storable(path)}/`)
  const rows = await db
    .selectFrom('open_reference')
    .select('from_id')
    .distinct()
    .where('organisation_id', '=', organisationId)
    .where(({ or }) => or(below.map(start => sql<boolean>`substr(path, 1, ${[...start].length}) = ${start}`)))
    .execute()
  return rows.map(row => row.from_id)
}

/** Returns the entities with unresolved references to entities of the import; call it before publishing. */
export async function referrersWaitingForImport(db: Db, organisationId: number, importId: number): Promise<number[]> {
  const waiting = new Set<number>()
  for (const column of ['uid', 'path'] as const) {
    const rows = await db
      .selectFrom('open_reference')
      .innerJoin('entity', join =>
        join
          .onRef(`entity.${column}`, '=', `open_reference.${column}`)
          .on('entity.organisation_id', '=', organisationId)
          .on('entity.import_id', '=', importId),
      )
      .select('open_reference.from_id')
      .distinct()
      .where('open_reference.organisation_id', '=', organisationId)
      .where(`open_reference.${column}`, '!=', '')
      .execute()
    for (const row of rows) waiting.add(row.from_id)
  }
  return [...waiting]
}

export async function deleteOpenReferences(db: Db, organisationId: number, fromIds: readonly number[]): Promise<void> {
  for (const part of inBatches(fromIds, batch)) {
    await db
      .deleteFrom('open_reference')
      .where('organisation_id', '=', organisationId)
      .where('from_id', 'in', part)
      .execute()
  }
}
