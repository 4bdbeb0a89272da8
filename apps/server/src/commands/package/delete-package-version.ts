import { messages } from '@cadmus/model/messages'
import { conflict, notFound } from '../../errors/api-error.ts'
import { buildsOf, deleteVersionRow } from '../../store/package-version.ts'
import { deletePackageRow, lockPackage } from '../../store/package.ts'
import { transact, type Change } from '../change.ts'
import { packageEntry } from './package-entry.ts'

/** Deletes a built or failed version, and with the last one the package. A running build cannot be deleted. */
export async function deletePackageVersion(change: Change, id: number, version: string): Promise<void> {
  const { organisationId } = change
  await transact(change, 1, async (tx, work) => {
    const row = await lockPackage(tx, organisationId, { id })
    if (row === undefined) throw notFound('The package')
    const builds = (await buildsOf(tx, organisationId, [id])).get(id) ?? []
    const build = builds.find(one => one.version === version)
    if (build === undefined) throw notFound('The version')
    if (build.status === 'PROCESSING') throw conflict(messages.packages.versionBuilding)
    await deleteVersionRow(tx, organisationId, id, version)
    const isLast = builds.length === 1
    if (isLast) await deletePackageRow(tx, organisationId, id)
    const description = messages.packages.audit.deleted(row.name, version)
    work.audit(packageEntry(row, build.manifest_version, isLast ? 'DELETE' : 'UPDATE', description))
  })
}
