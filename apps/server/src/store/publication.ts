import type { Db } from './database.ts'
import { storable } from './statements.ts'
import type { Tables } from './tables.ts'

type PublicationRow = Tables['publication']

type ListedPublication = PublicationRow & { package_name: string; manifest_id: number }

/** The newest publications of an organisation, of versions whose builds still exist. */
export async function listPublications(db: Db, organisationId: number, max: number): Promise<ListedPublication[]> {
  return db
    .selectFrom('publication')
    .innerJoin('package', join =>
      join
        .onRef('package.organisation_id', '=', 'publication.organisation_id')
        .onRef('package.id', '=', 'publication.package_id'),
    )
    .innerJoin('package_version', join =>
      join
        .onRef('package_version.organisation_id', '=', 'publication.organisation_id')
        .onRef('package_version.package_id', '=', 'publication.package_id')
        .onRef('package_version.version', '=', 'publication.version'),
    )
    .selectAll('publication')
    .select(['package.name as package_name', 'package.manifest_id'])
    .where('publication.organisation_id', '=', organisationId)
    .where('package.organisation_id', '=', organisationId)
    .where('package_version.organisation_id', '=', organisationId)
    .where('package_version.content_hash', 'is not', null)
    .orderBy('publication.id', 'desc')
    .limit(max)
    .execute()
}

/** Replaces the publication of the package to the same instance, and deletes all but the `max` newest of the package. */
export async function putPublication(tx: Db, row: PublicationRow, max: number): Promise<void> {
  const { organisation_id: organisationId, package_id: packageId } = row
  const ofPackage = () =>
    tx.deleteFrom('publication').where('organisation_id', '=', organisationId).where('package_id', '=', packageId)
  await ofPackage().where('instance_url', '=', row.instance_url).execute()
  await tx
    .insertInto('publication')
    .values({ ...row, user_name: storable(row.user_name) })
    .execute()
  const oldest = await tx
    .selectFrom('publication')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('package_id', '=', packageId)
    .orderBy('id', 'desc')
    .offset(max)
    .limit(1)
    .executeTakeFirst()
  if (oldest !== undefined) await ofPackage().where('id', '<=', oldest.id).execute()
}

export async function deletePublicationsOf(tx: Db, organisationId: number, packageId: number): Promise<void> {
  await tx
    .deleteFrom('publication')
    .where('organisation_id', '=', organisationId)
    .where('package_id', '=', packageId)
    .execute()
}
