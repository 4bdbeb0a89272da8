import { foldName } from '@cadmus/model/paths'
import type { PackageFilter } from '@cadmus/model/package'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { behind, contains, rowsBefore, writePlace, type Listed, type Page } from './page.ts'
import type { Tables } from './tables.ts'

export type PackageRow = Tables['package']

export type PackageQuery = Page & {
  search: string
  filter?: PackageFilter | undefined
  manifestId?: number | undefined
  /** The complete name. */
  manifestName?: string | undefined
}

const idBatch = 500

/** Lists an organisation's packages by name. */
export async function listPackages(db: Db, organisationId: number, query: PackageQuery): Promise<Listed<PackageRow>> {
  const { total } = await filtered(db, organisationId, query)
    .select(count => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const matching = filtered(db, organisationId, query)
    .selectAll()
    .orderBy('name_folded')
    .orderBy('id')
    .limit(query.limit)
  const rows =
    query.after === undefined
      ? await matching.offset(rowsBefore(query)).execute()
      : await matching.where(behind('name_folded', 'id', query.after)).execute()
  const last = rows.at(-1)
  return {
    rows,
    total: Number(total),
    next: last !== undefined && rows.length === query.limit ? writePlace(last) : null,
  }
}

function filtered(db: Db, organisationId: number, { search, filter, manifestId, manifestName }: PackageQuery) {
  let matching = db.selectFrom('package').where('organisation_id', '=', organisationId)
  const folded = foldName(search)
  if (folded !== '') matching = matching.where(contains('name_folded', folded))
  if (filter !== undefined) matching = matching.where('is_default', '=', filter === 'public' ? 1 : 0)
  if (manifestId !== undefined) matching = matching.where('manifest_id', '=', manifestId)
  if (manifestName !== undefined) matching = matching.where('manifest_name_folded', '=', foldName(manifestName))
  return matching
}

export async function countPackages(db: Db, organisationId: number): Promise<number> {
  const { total } = await db
    .selectFrom('package')
    .select(count => count.fn.countAll<number>().as('total'))
    .where('organisation_id', '=', organisationId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

export async function packagesByIds(db: Db, organisationId: number, ids: readonly number[]): Promise<PackageRow[]> {
  const rows: PackageRow[] = []
  for (const part of inBatches(ids, idBatch)) {
    const matching = await db
      .selectFrom('package')
      .selectAll()
      .where('organisation_id', '=', organisationId)
      .where('id', 'in', part)
      .execute()
    rows.push(...matching)
  }
  return rows
}

export async function packageByName(db: Db, organisationId: number, name: string): Promise<PackageRow | undefined> {
  return db
    .selectFrom('package')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('name_folded', '=', foldName(name))
    .executeTakeFirst()
}

/** Locks a package until the transaction ends, against concurrent builds and deletions of its versions. */
export async function lockPackage(
  tx: Db,
  organisationId: number,
  which: { name: string } | { id: number },
): Promise<PackageRow | undefined> {
  const matching = tx
    .updateTable('package')
    .set(set => ({ guid: set.ref('guid') }))
    .where('organisation_id', '=', organisationId)
  const one =
    'id' in which ? matching.where('id', '=', which.id) : matching.where('name_folded', '=', foldName(which.name))
  return one.returningAll().executeTakeFirst()
}

export async function insertPackage(db: Db, row: PackageRow): Promise<void> {
  await db.insertInto('package').values(row).execute()
}

/** Updates the properties of the last build. */
export async function updatePackage(
  db: Db,
  { organisation_id: organisationId, id, ...row }: PackageRow,
): Promise<void> {
  await db.updateTable('package').set(row).where('organisation_id', '=', organisationId).where('id', '=', id).execute()
}

export async function deletePackageRow(db: Db, organisationId: number, id: number): Promise<void> {
  await db.deleteFrom('package').where('organisation_id', '=', organisationId).where('id', '=', id).execute()
}
