import { randomUUID } from 'node:crypto'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { packageAuditTexts } from '@cadmus/model/messages/audit'
import type { PublishKind } from '@cadmus/model/package'
import { foldName, isDefaultPath } from '@cadmus/model/paths'
import { packageName } from '@cadmus/model/rules/organisation'
import { builtVersion } from '@cadmus/model/rules/version'
import { nextPatch } from '@cadmus/model/version'
import { ApiError, conflict, invalid, notFound, unavailable } from '../../errors/api-error.ts'
import { countBuilds, endJob, type HeldJob, insertBuild } from '../../store/job.ts'
import { putContent } from '../../store/content.ts'
import type { Db } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { manifestById, type ManifestRow } from '../../store/manifest.ts'
import {
  type BuildRow,
  buildsOf,
  deletePackageRow,
  deleteVersionRow,
  endVersion,
  insertPackage,
  lockPackage,
  packageByName,
  type PackageRow,
  packagesByIds,
  type PackageVersionRow,
  putVersion,
  updatePackage,
} from '../../store/package.ts'
import { deletePublicationsOf } from '../../store/publication.ts'
import { type Change, transact } from '../change.ts'
import { packageEntry } from './package-zip.ts'

export type NewBuild = {
  manifest: ManifestRow
  manifestVersion: string
  packageName: string
  /** Undefined: the proposed version. */
  version: string | undefined
  publishAs: PublishKind
  /** Stored form: JSON, the manifest's own first, with encrypted secrets. */
  settings: string
}

export type RequestedBuild = { packageId: number; packageName: string; version: string }

/** 400 for an invalid package name. */
export function checkPackageName(name: string): void {
  const problem = packageName(name)
  if (problem !== undefined) throw invalid(problem, [{ path: 'customPackageName', message: problem }])
}

/** Versions built or being built, which cannot be built again. */
export function takenVersions(builds: readonly BuildRow[]): string[] {
  return builds.filter(({ status }) => status !== 'FAILED').map(({ version }) => version)
}

/** The package of that name with its builds. 409 if it belongs to another existing manifest. */
export async function presentPackage(
  db: Db,
  organisationId: number,
  manifest: ManifestRow,
  name: string,
): Promise<{ row: PackageRow | undefined; builds: BuildRow[] }> {
  const row = await packageByName(db, organisationId, name)
  if (row === undefined) return { row, builds: [] }
  if (row.manifest_id !== manifest.id) {
    const other = await manifestById(db, organisationId, row.manifest_id)
    if (other !== undefined) throw conflict(messages.packages.nameOfAnother(row.name, other.name))
  }
  const builds = (await buildsOf(db, organisationId, [row.id])).get(row.id) ?? []
  return { row, builds }
}

/** Queues a build, which any server may run. */
export async function requestBuild(change: Change, build: NewBuild): Promise<RequestedBuild> {
  const { store, organisationId, actor } = change
  checkPackageName(build.packageName)
  return transact(change, 3, async (tx, work) => {
    await lockPackage(tx, organisationId, { name: build.packageName })
    const { row: present, builds } = await presentPackage(tx, organisationId, build.manifest, build.packageName)
    const version = build.version ?? nextPatch(takenVersions(builds))
    checkVersion(version, takenVersions(builds))
    if ((await countBuilds(tx, organisationId)) >= limits.buildsOfOrganisation)
      throw unavailable(messages.packages.tooManyBuilds)
    const askedAt = new Date().toISOString()
    const row = packageRow(build, { present, organisationId, userId: actor.userId, askedAt, nextId: work.next })
    if (present === undefined) await insertPackage(tx, row)
    else await updatePackage(tx, row)
    const jobId = work.next()
    await putVersion(tx, versionRow(build, { change, packageId: row.id, jobId, version, askedAt }))
    await insertBuild(tx, store, { id: jobId, organisationId, userId: actor.userId })
    const description = packageAuditTexts.began(row.name, version, build.manifest.name)
    const action = present === undefined ? 'CREATE' : 'UPDATE'
    work.audit(packageEntry(row, build.manifestVersion, action, description))
    return { packageId: row.id, packageName: row.name, version }
  })
}

type About = {
  present: PackageRow | undefined
  organisationId: number
  userId: string
  askedAt: string
  nextId: () => number
}

/** A package keeps its id and the spelling of its name. */
function packageRow({ manifest, packageName: name }: NewBuild, about: About): PackageRow {
  const { present, organisationId, userId, askedAt, nextId } = about
  return {
    organisation_id: organisationId,
    id: present?.id ?? nextId(),
    guid: present?.guid ?? randomUUID(),
    name: present?.name ?? name,
    name_folded: foldName(present?.name ?? name),
    manifest_id: manifest.id,
    manifest_name: manifest.name,
    manifest_name_folded: foldName(manifest.name),
    manifest_path: manifest.path,
    is_default: isDefaultPath(manifest.path) ? 1 : 0,
    user_id: userId,
    created_at: present?.created_at ?? askedAt,
  }
}

/** Refuses a version of a build: conflict if it exists, otherwise invalid. */
export function checkVersion(version: string, taken: readonly string[]): void {
  const message = builtVersion(version, { taken })
  if (message === undefined) return
  const errors = [{ path: 'version', message }]
  throw message === messages.packages.versionBuilt
    ? new ApiError(409, 'conflict', message, { errors })
    : invalid(message, errors)
}

type QueuedBuild = { change: Change; packageId: number; jobId: number; version: string; askedAt: string }

function versionRow(build: NewBuild, queued: QueuedBuild): Parameters<typeof putVersion>[1] {
  const { change, packageId, jobId, version, askedAt } = queued
  return {
    organisation_id: change.organisationId,
    package_id: packageId,
    version,
    job_id: jobId,
    status: 'PROCESSING',
    reason: '',
    publish_as: build.publishAs,
    manifest_id: build.manifest.id,
    manifest_version: build.manifestVersion,
    settings: build.settings,
    content_hash: null,
    size: 0,
    user_id: change.actor.userId,
    user_name: change.actor.userName,
    user_email: change.actor.userEmail,
    asked_at: askedAt,
    ended_at: '',
  }
}

/** Stored zip with its size in bytes, or the reason of a failure. */
export type BuildEnd = { zip: string; size: number } | { reason: string }

/** Stores the result of a build. Returns false, without storing, if another server took the job over. */
export async function endBuild(store: Store, job: HeldJob, row: PackageVersionRow, end: BuildEnd): Promise<boolean> {
  const { organisation_id: organisationId, user_id: userId, user_name: userName, user_email: userEmail } = row
  const change = { store, organisationId, actor: { userId, userName, userEmail }, isAdmin: false }
  const [changeId] = await store.ids.take(1)
  const work: Parameters<typeof transact<boolean>>[2] = async (tx, { audit }) => {
    const isBuilt = 'zip' in end
    if (!(await endJob(tx, store, job, isBuilt ? 'done' : 'failed'))) return false
    await endVersion(tx, organisationId, job.id, {
      status: isBuilt ? 'SUCCESS' : 'FAILED',
      reason: isBuilt ? '' : end.reason,
      content_hash: isBuilt ? await putContent(tx, organisationId, end.zip) : null,
      size: isBuilt ? end.size : 0,
      ended_at: new Date().toISOString(),
    })
    const [of] = await packagesByIds(tx, organisationId, [row.package_id])
    if (of === undefined) return true
    const { built, buildFailed } = packageAuditTexts
    const description = (isBuilt ? built : buildFailed)(of.name, row.version, of.manifest_name)
    audit(packageEntry(of, row.manifest_version, 'UPDATE', description))
    return true
  }
  return transact(change, 1, work, changeId)
}

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
    if (isLast) {
      await deletePublicationsOf(tx, organisationId, id)
      await deletePackageRow(tx, organisationId, id)
    }
    const description = packageAuditTexts.deleted(row.name, version)
    work.audit(packageEntry(row, build.manifest_version, isLast ? 'DELETE' : 'UPDATE', description))
  })
}
