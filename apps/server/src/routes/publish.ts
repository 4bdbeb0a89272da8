import {
  checkRebuild,
  listPublications,
  previewRebuild,
  rebuildPackage,
  type StartObstacle,
} from '@cadmus/model/contract/publish'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { packageAuditTexts } from '@cadmus/model/messages/audit'
import { highestFirst, nextMajor, nextPatch } from '@cadmus/model/version'
import { changeOf } from '../commands/change.ts'
import { packageInput } from '../commands/package/build-settings.ts'
import { packageOwner } from '../commands/package/package-owner.ts'
import { auditUse, builtPackage, secretsOf, settingsOf } from '../commands/package/package-zip.ts'
import { checkVersion, requestBuild, takenVersions } from '../commands/package/request-build.ts'
import { conflict, notFound } from '../errors/api-error.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import { problemItem } from '../jobs/problem-writer.ts'
import type { PackageRequest } from '../jobs/tasks.ts'
import { InstanceClient, type RemoteObstacle } from '../remote/instance-client.ts'
import { instanceTarget } from '../remote/instance-target.ts'
import { requireOwnName } from '../remote/upload-package.ts'
import type { Db } from '../store/database.ts'
import { entitiesByUids } from '../store/entity-refresh.ts'
import { buildsOf, packageByName } from '../store/package.ts'
import { listPublications as storedPublications } from '../store/publication.ts'
import { refuseErrors, requireManifest } from './manifest-answer.ts'

export const publishRoutes: Route[] = [
  handle(listPublications, async (_input, { context, organisation: { id } }) => {
    const rows = await storedPublications(context.store.of(id), id, limits.publicationsListed)
    const publications = rows.map(row => ({
      packageId: row.package_id,
      packageName: row.package_name,
      manifestId: row.manifest_id,
      version: row.version,
      instanceUrl: row.instance_url,
      signedIn: row.signed_in === 1,
      state: row.state,
      userName: row.user_name,
      publishedAt: row.published_at,
    }))
    return { result: 'OK' as const, message: '', publications }
  }),
  handle(checkRebuild, async ({ params, body }, request) => {
    const { former, taken, next } = await rebuildOf(params.name, body.basedOn, request)
    const { organisation, context, signal } = request
    const input = { organisationId: organisation.id, hash: former.hash, next }
    const { breaks, problems, settings, ...counts } = await context.workers.run('checkRebuild', input, signal)
    const { configurations, choices } = settingsOf({ settings })
    const [own] = configurations
    if (own === undefined) throw new Error('A package has no settings.')
    const { password, ...connection } = own.packageProperties.connectionPoolInfo
    const major = nextMajor(taken)
    return {
      result: 'OK' as const,
      message: '',
      version: nextPatch(taken),
      basedOn: former.version.version,
      suggestion: major === undefined || breaks.length === 0 ? null : { version: major, reasons: breaks },
      publishAs: next.publishAs,
      apis: own.configurationBuild.apiConfiguration.type,
      sql: own.configurationBuild.sqlConfiguration,
      connection: { ...connection, hasPassword: password !== '' },
      choices,
      problems: problems.map(problemItem),
      ...counts,
    }
  }),
  handle(previewRebuild, async ({ params, body }, request) => {
    const { context, organisation, signal, who } = request
    const { former, taken, next, manifest } = await rebuildOf(params.name, body.basedOn, request)
    const { row } = former
    const version = body.version ?? nextPatch(taken)
    checkVersion(version, taken)
    const target = instanceTarget(context, body, who.userId)
    const owner = await packageOwner(context.store, organisation.id)
    await requireOwnName(target, row.name, owner)
    const { problems, settings } = await context.workers.run('checkPackage', next, signal)
    refuseErrors(problems)
    const about = { name: row.name, organisation: organisation.code, delivery: owner.delivery(row.name) }
    const stored = packageInput(about, {
      organisation_id: organisation.id,
      manifest_id: manifest.id,
      manifest_version: next.version,
      version,
      publish_as: next.publishAs,
      settings,
    })
    const secrets = secretsOf({ settings }, context.secrets)
    const zip = await context.workers.run('previewZip', { ...stored, secrets }, signal)
    if (!(zip instanceof Uint8Array)) {
      if ('problems' in zip) refuseErrors(zip.problems)
      throw conflict('reason' in zip ? zip.reason : messages.packages.buildFailed)
    }
    // Audited before the secrets leave, whatever the instance answers.
    const description = packageAuditTexts.previewed(row.name, version, target.name)
    await auditUse(changeOf(request), row, next.version, description)
    const preview = await new InstanceClient(target).preview(row.name, zip, { counts: body.counts })
    const obstacles = await placed(context.store.of(organisation.id), organisation.id, preview?.obstacles ?? [])
    const counts = body.counts ? { counts: preview?.counts ?? null } : {}
    return { result: 'OK' as const, message: '', warnings: preview && withoutObstacles(preview), obstacles, ...counts }
  }),
  handle(rebuildPackage, async ({ params, body }, request) => {
    const { former, next, manifest } = await rebuildOf(params.name, body.basedOn, request)
    const { context, signal } = request
    const { problems, settings } = await context.workers.run('checkPackage', next, signal)
    refuseErrors(problems)
    const build = {
      manifest,
      manifestVersion: next.version,
      packageName: former.row.name,
      version: body.version,
      publishAs: next.publishAs,
      settings,
    }
    const built = await requestBuild(changeOf(request), build)
    context.builds.poll()
    const message = messages.packages.building(built.packageName, built.version)
    return { result: 'OK' as const, message, ...built }
  }),
]

/** Obstacles with the present place of their entities. */
async function placed(db: Db, organisationId: number, obstacles: readonly RemoteObstacle[]): Promise<StartObstacle[]> {
  const uids = [...new Set(obstacles.map(({ entity }) => entity))]
  const entities = await entitiesByUids(db, organisationId, uids)
  return obstacles.map(({ text, entity: uid, attribute }) => {
    const entity = entities.get(uid)
    return { text, entity: entity ? { id: entity.id, name: entity.name, path: entity.path } : null, attribute }
  })
}

/** The warnings that do not repeat an obstacle. */
function withoutObstacles({ warnings, obstacles }: { warnings: string[]; obstacles: readonly RemoteObstacle[] }) {
  return warnings.filter(warning => !obstacles.some(({ text }) => warning.includes(text)))
}

/**
 * The rebuild of a package: its former build, the manifest, and the request of the next one. 404 without the package,
 * version or manifest, 409 if the version is not built.
 */
async function rebuildOf(name: string, basedOn: string | undefined, request: RequestContext) {
  const { context, organisation } = request
  const db = context.store.of(organisation.id)
  const row = await packageByName(db, organisation.id, name)
  if (row === undefined) throw notFound('The package')
  const builds = (await buildsOf(db, organisation.id, [row.id])).get(row.id) ?? []
  const [last] = highestFirst(
    builds.filter(({ content_hash: hash }) => hash !== null),
    ({ version }) => version,
  )
  const version = basedOn ?? last?.version
  if (version === undefined) throw conflict(messages.packages.notBuilt)
  const former = await builtPackage(db, organisation.id, { id: row.id }, version)
  const manifest = await requireManifest(request, row.manifest_id)
  const next: PackageRequest = {
    organisationId: organisation.id,
    manifestId: manifest.id,
    version: manifest.latest_version,
    packageName: row.name,
    packageVersion: former.version.version,
    publishAs: former.version.publish_as,
    organisation: organisation.code,
    licence: organisation.limits,
    overrides: { former: former.version.settings },
  }
  return { former, taken: takenVersions(builds), next, manifest }
}
