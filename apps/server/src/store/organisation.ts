import { foldName } from '@cadmus/model/paths'
import { newUid } from '@cadmus/model/uid'
import { counterValue } from './counters.ts'
import type { Db } from './database.ts'
import type { Store } from './store.ts'
import { countPackages } from './package.ts'
import { behind, contains, type Listed, type Page, rowsBefore, writePlace } from './page.ts'
import { storable } from './statements.ts'
import type { Tables } from './tables.ts'

export type OrganisationRow = Tables['organisation']

export async function organisationByCode(db: Db, code: string): Promise<OrganisationRow | undefined> {
  return db.selectFrom('organisation').selectAll().where('code_folded', '=', foldName(code)).executeTakeFirst()
}

export async function organisationById(db: Db, id: number): Promise<OrganisationRow | undefined> {
  return db.selectFrom('organisation').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Creates the organisation or updates its name; id and licence are unchanged. */
export async function upsertOrganisation(
  db: Db,
  organisation: { id: number; code: string; name: string; licenceLimits: string },
): Promise<OrganisationRow> {
  await db
    .insertInto('organisation')
    .values({
      id: organisation.id,
      code: organisation.code,
      code_folded: foldName(organisation.code),
      ...named(organisation.name),
      licence_limits: organisation.licenceLimits,
      ...creationColumns(),
    })
    .onConflict(conflict => conflict.column('code_folded').doUpdateSet(named(organisation.name)))
    .execute()
  return db
    .selectFrom('organisation')
    .selectAll()
    .where('code_folded', '=', foldName(organisation.code))
    .executeTakeFirstOrThrow()
}

export async function listOrganisations(db: Db): Promise<OrganisationRow[]> {
  return db.selectFrom('organisation').selectAll().orderBy('code_folded').execute()
}

/** Fails if the code is in use. */
export async function insertOrganisation(
  db: Db,
  { id, code, name, licenceLimits }: { id: number; code: string; name: string; licenceLimits: string },
): Promise<void> {
  const row = {
    id,
    code,
    code_folded: foldName(code),
    ...named(name),
    licence_limits: licenceLimits,
    ...creationColumns(),
  }
  await db.insertInto('organisation').values(row).execute()
}

function creationColumns() {
  const created_at = new Date().toISOString()
  return { created_at, uid: newUid(), uid_since: created_at }
}

/** Updates name and limits; returns false on a write conflict. */
export async function changeOrganisation(
  db: Db,
  read: OrganisationRow,
  { name, licence_limits }: Pick<OrganisationRow, 'name' | 'licence_limits'>,
): Promise<boolean> {
  const changed = await db
    .updateTable('organisation')
    .set({ ...named(name), licence_limits })
    .where('id', '=', read.id)
    .where('name', '=', read.name)
    .where('licence_limits', '=', read.licence_limits)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** Lists organisations by name; the search covers name and code. */
export async function searchOrganisations(db: Db, query: Page & { search: string }): Promise<Listed<OrganisationRow>> {
  let matching = db.selectFrom('organisation')
  const search = foldName(query.search)
  if (search !== '')
    matching = matching.where(or => or.or([contains('name_folded', search), contains('code_folded', search)]))
  const { total } = await matching
    .select(counted => counted.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const ordered = matching.selectAll().orderBy('name_folded').orderBy('id').limit(query.limit)
  const rows =
    query.after === undefined
      ? await ordered.offset(rowsBefore(query)).execute()
      : await ordered.where(behind('name_folded', 'id', query.after)).execute()
  const last = rows.at(-1)
  return { rows, total: Number(total), next: last && rows.length === query.limit ? writePlace(last) : null }
}

/** The sort key of lists, truncated because names from the provider may exceed the index limit. */
export function foldedBeginning(name: string): string {
  return storable(foldName(name).slice(0, 200))
}

function named(name: string) {
  return { name, name_folded: foldedBeginning(name) }
}

/** Counts an organisation's own objects. */
export async function organisationTotals(
  store: Store,
  id: number,
): Promise<{ totalEntities: number; totalManifests: number; totalPackages: number }> {
  const db = store.of(id)
  const { total } = await db
    .selectFrom('manifest')
    .select(count => count.fn.countAll<number>().as('total'))
    .where('organisation_id', '=', id)
    .where('import_id', '=', 0)
    .where('hidden', '=', 0)
    .executeTakeFirstOrThrow()
  const totalEntities = await counterValue(db, [id], { name: 'entities', folder: '' })
  return { totalEntities, totalManifests: Number(total), totalPackages: await countPackages(db, id) }
}
