import { canonicalJson } from '@cadmus/model/content'
import type { EntityContent } from '@cadmus/model/entity'
import type { Actor } from './audit.ts'
import { putContent } from './content.ts'
import type { Db } from './database.ts'
import { entityContentOf } from './entity.ts'
import { idBatch, rowsInBatches } from './statements.ts'
import type { Tables } from './tables.ts'

export type EntityVersion = Pick<Tables['entity_version'], 'version' | 'content_hash'> & { content: EntityContent }

/** Returns frozen versions of an entity of the organisation, unordered. The latest version is the entity itself. */
export async function frozenVersions(
  db: Db,
  organisationId: number,
  entityId: number,
  numbers: readonly string[],
): Promise<EntityVersion[]> {
  const rows = await versions(db, organisationId, entityId).where('entity_version.version', 'in', numbers).execute()
  return rows.map(row => ({ ...row, content: entityContentOf(row.content_hash, row.body) }))
}

/** Returns only the version numbers. */
export async function frozenVersionNumbers(db: Db, organisationId: number, entityId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('entity_version')
    .select('version')
    .where('organisation_id', '=', organisationId)
    .where('entity_id', '=', entityId)
    .execute()
  return rows.map(row => row.version)
}

/** Version numbers of entities of the organisation and the library. */
export async function frozenNumbersOf(
  db: Db,
  organisationId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string[]>> {
  const rows = await rowsInBatches(ids, idBatch, part =>
    db
      .selectFrom('entity_version')
      .select(['entity_id', 'version'])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('entity_id', 'in', part)
      .execute(),
  )
  const byId = Map.groupBy(rows, row => row.entity_id)
  return new Map(Array.from(byId, ([id, versions]) => [id, versions.map(({ version }) => version)]))
}

export async function frozenVersion(
  db: Db,
  organisationId: number,
  entityId: number,
  version: string,
): Promise<EntityVersion | undefined> {
  const row = await versions(db, organisationId, entityId)
    .where('entity_version.version', '=', version)
    .executeTakeFirst()
  return row && { ...row, content: entityContentOf(row.content_hash, row.body) }
}

/** Inserts frozen versions as they were stored, of an entity that is created anew. */
export async function insertVersions(
  tx: Db,
  organisationId: number,
  entityId: number,
  versions: readonly Omit<Tables['entity_version'], 'organisation_id' | 'entity_id'>[],
): Promise<void> {
  const rows = versions.map(row => ({ ...row, organisation_id: organisationId, entity_id: entityId }))
  if (rows.length > 0) await tx.insertInto('entity_version').values(rows).execute()
}

/**
 * Freezes the current content, passed with current names, under its version and sets the next version. Returns false on
 * a write conflict.
 */
export async function freezeVersion(
  tx: Db,
  organisationId: number,
  entity: { id: number; latest_version: string; content_hash: string },
  { content, next }: { content: EntityContent; next: string },
  actor: Pick<Actor, 'userName'>,
): Promise<boolean> {
  const now = new Date().toISOString()
  const { numUpdatedRows } = await tx
    .updateTable('entity')
    .set({ latest_version: next, updated_at: now, updated_by: actor.userName })
    .where('organisation_id', '=', organisationId)
    .where('id', '=', entity.id)
    .where('latest_version', '=', entity.latest_version)
    .where('content_hash', '=', entity.content_hash)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  const frozen = await putContent(tx, organisationId, canonicalJson(content))
  await tx
    .insertInto('entity_version')
    .values({
      organisation_id: organisationId,
      entity_id: entity.id,
      version: entity.latest_version,
      content_hash: frozen,
      created_at: now,
      created_by: actor.userName,
    })
    .execute()
  return true
}

/**
 * Replaces the content of a frozen version, as changing its scopes does. Returns the previous row; undefined on a write
 * conflict.
 */
export async function setFrozenContent(
  tx: Db,
  organisationId: number,
  entityId: number,
  change: { version: string; from: string; to: string },
): Promise<Tables['entity_version'] | undefined> {
  const row = await tx
    .updateTable('entity_version')
    .set({ content_hash: change.to })
    .where('organisation_id', '=', organisationId)
    .where('entity_id', '=', entityId)
    .where('version', '=', change.version)
    .where('content_hash', '=', change.from)
    .returningAll()
    .executeTakeFirst()
  return row && { ...row, content_hash: change.from }
}

/** Returns the deleted row. */
export async function deleteFrozenVersion(
  tx: Db,
  organisationId: number,
  entityId: number,
  version: string,
): Promise<Tables['entity_version'] | undefined> {
  return tx
    .deleteFrom('entity_version')
    .where('organisation_id', '=', organisationId)
    .where('entity_id', '=', entityId)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst()
}

function versions(db: Db, organisationId: number, entityId: number) {
  return frozenContents(db, organisationId, entityId).select([
    'entity_version.version',
    'entity_version.content_hash',
    'content.body',
  ])
}

/** A query of the frozen versions with their contents. */
export function frozenContents(db: Db, organisationId: number, entityId: number) {
  return db
    .selectFrom('entity_version')
    .innerJoin('content', join =>
      join
        .onRef('content.organisation_id', '=', 'entity_version.organisation_id')
        .onRef('content.hash', '=', 'entity_version.content_hash'),
    )
    .where('entity_version.organisation_id', '=', organisationId)
    .where('entity_version.entity_id', '=', entityId)
}
