import { foldName } from '@cadmus/model/paths'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

export type OrganisationRow = Tables['organisation']

export async function organisationByCode(db: Db, code: string): Promise<OrganisationRow | undefined> {
  return db.selectFrom('organisation').selectAll().where('code_folded', '=', foldName(code)).executeTakeFirst()
}

/** Makes the organisation known, or brings its name up to date; its id and licence stay. */
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
      name: organisation.name,
      licence_limits: organisation.licenceLimits,
      created_at: new Date().toISOString(),
    })
    .onConflict(conflict => conflict.column('code_folded').doUpdateSet({ name: organisation.name }))
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
