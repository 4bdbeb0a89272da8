import { fileStem } from '@cadmus/formats/export-writer'
import {
  type Configuration,
  type ConfigurationChange,
  readConfiguration,
  secretPlaceholder,
} from '@cadmus/model/configuration'
import {
  adminListPackages,
  buildManifest,
  compareBuild,
  deletePackage,
  downloadPackage,
  getBuildSettings,
  getPackageStatus,
  listPackages,
  type PackageItem,
  previewUpload,
  uploadPackage,
} from '@cadmus/model/contract/package'
import { messages } from '@cadmus/model/messages'
import { packageAuditTexts } from '@cadmus/model/messages/audit'
import { defaultPackageName, type PublishKind } from '@cadmus/model/package'
import { foldName } from '@cadmus/model/paths'
import { highestFirst, nextMajor, nextPatch } from '@cadmus/model/version'
import { changeOf } from '../commands/change.ts'
import { sealedAsTyped } from '../commands/manifest/configuration-secrets.ts'
import { type BuildSource, shownSettings, storedSettings } from '../commands/package/build-settings.ts'
import {
  checkPackageName,
  deletePackageVersion,
  type NewBuild,
  presentPackage,
  requestBuild,
  takenVersions,
} from '../commands/package/request-build.ts'
import { packageOwner } from '../commands/package/package-owner.ts'
import { recordPublication } from '../commands/package/record-publication.ts'
import { auditUse, builtPackage, secretsOf } from '../commands/package/package-zip.ts'
import { forbidden } from '../errors/api-error.ts'
import { ReadyJson } from '../http/ready-json.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import type { PackageRequest } from '../jobs/tasks.ts'
import { InstanceClient } from '../remote/instance-client.ts'
import { hasOwnAccess, instanceTarget } from '../remote/instance-target.ts'
import { requireOwnName, uploadTo } from '../remote/upload-package.ts'
import { hasServiceOptions } from '../config.ts'
import { areSettingsLight } from '../store/answer-size.ts'
import type { Db } from '../store/database.ts'
import { manifestsByIds } from '../store/manifest.ts'
import {
  type BuildRow,
  buildsOf,
  listPackages as storedPackages,
  type PackageQuery,
  type PackageRow,
} from '../store/package.ts'
import { requireOrganisation } from './admin-organisation.ts'
import { listFrame } from './list-answers.ts'
import { refuseErrors, requireManifest, requireVersion } from './manifest-answer.ts'

export const packageRoutes: Route[] = [
  handle(buildManifest, async ({ params, body }, request) => {
    const source = await buildSource(params.id, body.manifestVersion, request)
    const buildRequest = {
      packageName: packageNameOf(source, body.customPackageName),
      version: body.version,
      publishAs: body.publishAs,
      overrides: body.manifestProperties,
    }
    const built = await requestBuild(changeOf(request), await validateBuild(source, buildRequest, request))
    request.context.builds.poll()
    const message = messages.packages.building(built.packageName, built.version)
    return { result: 'OK' as const, message, ...built }
  }),
  handle(getBuildSettings, async ({ params, query }, request) => {
    const source = await buildSource(params.id, query.manifestVersion, request)
    const { organisation, context, signal } = request
    const db = context.store.of(organisation.id)
    const packageName = packageNameOf(source, query.packageName)
    checkPackageName(packageName)
    const { manifest, frozen } = source
    const { row, builds } = await presentPackage(db, organisation.id, manifest, packageName)
    const taken = takenVersions(builds)
    const rest = {
      result: 'OK' as const,
      message: '',
      packageName: row?.name ?? packageName,
      version: nextPatch(taken),
      suggestion: await suggestionFor(builds, { source, packageName, publishAs: null, overrides: null }, request),
      takenVersions: highestFirst(taken, version => version),
    }
    const { limits: licence } = organisation
    if (await areSettingsLight(db, source))
      return { ...rest, manifestProperties: await shownSettings(db, source, licence) }
    const place = { organisationId: organisation.id, manifestId: manifest.id, version: frozen?.version ?? null }
    const json = await context.workers.run('buildSettings', { ...place, licence }, signal)
    return new ReadyJson(json).with(rest)
  }),
  handle(compareBuild, async ({ params, body }, request) => {
    const source = await buildSource(params.id, body.manifestVersion, request)
    const packageName = packageNameOf(source, body.customPackageName)
    checkPackageName(packageName)
    const db = request.context.store.of(source.organisationId)
    const { builds } = await presentPackage(db, source.organisationId, source.manifest, packageName)
    const next = { source, packageName, publishAs: body.publishAs, overrides: body.manifestProperties }
    return {
      result: 'OK' as const,
      message: '',
      version: nextPatch(takenVersions(builds)),
      suggestion: await suggestionFor(builds, next, request),
    }
  }),
  handle(listPackages, async ({ query }, { context, organisation: { id } }) =>
    packageList(context.store.of(id), id, query),
  ),
  handle(adminListPackages, async ({ params, query }, request) => {
    const { id } = await requireOrganisation(request, params.code)
    return packageList(request.context.store.of(id), id, query)
  }),
  handle(getPackageStatus, async ({ query: { packageIds } }, { context, organisation: { id: organisationId } }) => {
    const builds = await buildsOf(context.store.of(organisationId), organisationId, packageIds)
    const packages = [...builds].flatMap(([id, own]) => (own.length === 0 ? [] : [{ id, ...stateOf(own) }]))
    return { result: 'OK' as const, message: '', packages }
  }),
  handle(downloadPackage, async ({ params, query }, request) => {
    const { context, organisation, signal, who } = request
    const withPassword = query.includePassword === 'true'
    if (withPassword && who.personalToken?.isReadOnly === true)
      throw forbidden(messages.packages.readOnlyToken, 'read_only')
    const built = await builtPackage(context.store.of(organisation.id), organisation.id, params, query.version)
    const { row, version, hash } = built
    const secrets = withPassword ? secretsOf(version, context.secrets) : null
    const delivery = (await packageOwner(context.store, organisation.id)).delivery(row.name)
    const zip = await context.workers.run(
      'packageZip',
      { organisationId: organisation.id, hash, delivery, secrets },
      signal,
    )
    // Audited before the secrets leave.
    const description = packageAuditTexts.downloadedWithPassword(row.name, version.version)
    if (withPassword) await auditUse(changeOf(request), row, version.manifest_version, description)
    return request.sendBinary(zip, `${fileStem(row.manifest_name, 'package')}.zip`, 'application/zip')
  }),
  handle(deletePackage, async ({ params, query }, request) => {
    await deletePackageVersion(changeOf(request), params.id, query.version)
    return { result: 'OK' as const, message: messages.packages.deleted }
  }),
  handle(uploadPackage, async ({ params, body }, request) => {
    const { state, allowDataLoss, lossDigest } = body
    const auditMessage = allowDataLoss ? packageAuditTexts.uploadedWithLoss : packageAuditTexts.uploaded
    const { row, version, target, owner, zip } = await sealedPackage(params, body, request, auditMessage)
    const { name } = row
    const upload = { name, version, state, allowDataLoss, lossDigest, zip }
    const { status, warnings } = await uploadTo(target, upload, owner, request.signal)
    const { id: packageId } = row
    const signedIn = hasOwnAccess(body)
    const publication = { packageId, version, instanceUrl: body.instanceUrl, signedIn, state }
    // The upload has succeeded: an outage of the store, which logs it, must not make it look failed.
    await recordPublication(changeOf(request), publication).catch(() => undefined)
    const message = [messages.packages.uploaded(name, version, status), ...warnings].join(' ')
    return { result: 'Ok' as const, message, status, ...(warnings.length === 0 ? {} : { warnings: [...warnings] }) }
  }),
  handle(previewUpload, async ({ params, body }, request) => {
    const { row, target, zip } = await sealedPackage(params, body, request, packageAuditTexts.previewed)
    const preview = await new InstanceClient(target).preview(row.name, zip)
    return { result: 'Ok' as const, warnings: preview && preview.warnings }
  }),
]

/** The zip of a build with its passwords, for an instance. */
async function sealedPackage(
  params: { name: string },
  body: { version: string } & Parameters<typeof instanceTarget>[1],
  request: RequestContext,
  auditMessage: (name: string, version: string, instance: string) => string,
) {
  const { context, organisation, signal } = request
  const built = await builtPackage(context.store.of(organisation.id), organisation.id, params, body.version)
  const { row, hash } = built
  const { name } = row
  const { version } = built.version
  const target = instanceTarget(context, body, request.who.userId)
  const secrets = secretsOf(built.version, context.secrets)
  const owner = await packageOwner(context.store, organisation.id)
  await requireOwnName(target, name, owner)
  const input = { organisationId: organisation.id, hash, delivery: owner.delivery(name), secrets }
  const zip = await context.workers.run('packageZip', input, signal)
  // Audited before the passwords leave, whatever the instance answers.
  await auditUse(changeOf(request), row, built.version.manifest_version, auditMessage(name, version, target.name))
  return { row, version, target, owner, zip }
}

/** A part of an organisation's list of packages, each with all its builds. */
async function packageList(db: Db, organisationId: number, query: PackageQuery) {
  const listed = await storedPackages(db, organisationId, query)
  return { ...listFrame(listed, query), packages: await packageItems(db, organisationId, listed.rows) }
}

async function packageItems(db: Db, organisationId: number, rows: readonly PackageRow[]): Promise<PackageItem[]> {
  const builds = await buildsOf(
    db,
    organisationId,
    rows.map(({ id }) => id),
  )
  const manifestIds = new Set(rows.map(({ manifest_id: id }) => id))
  const manifests = new Set((await manifestsByIds(db, organisationId, [...manifestIds])).map(({ id }) => id))
  return rows.map(row => ({
    id: row.id,
    userId: row.user_id,
    guid: row.guid,
    name: row.name,
    manifestId: manifests.has(row.manifest_id) ? row.manifest_id : -1,
    manifestName: row.manifest_name,
    manifestPath: row.manifest_path,
    isDefault: row.is_default === 1,
    ...buildsAnswer(builds.get(row.id) ?? []),
  }))
}

/** `builds` must be in the order of requests. */
function buildsAnswer(builds: readonly BuildRow[]): Pick<PackageItem, 'status' | 'versions' | 'builds'> {
  const ordered = highestFirst(builds, ({ version }) => version)
  return {
    status: stateOf(builds).status,
    versions: ordered.filter(({ status }) => status === 'SUCCESS').map(({ version }) => version),
    builds: ordered.map(row => ({
      version: row.version,
      status: row.status,
      reason: row.reason,
      publishAs: row.publish_as,
      manifestVersion: row.manifest_version,
      size: row.size,
      userName: row.user_name,
      askedAt: row.asked_at,
      endedAt: row.ended_at,
    })),
  }
}

/** Summarises all builds: PROCESSING while one is running, else the result of the last requested one. */
function stateOf(builds: readonly BuildRow[]): { status: PackageItem['status']; reason: string } {
  if (builds.some(({ status }) => status === 'PROCESSING')) return { status: 'PROCESSING', reason: '' }
  const last = builds.at(-1)
  return { status: last?.status ?? 'FAILED', reason: last?.reason ?? '' }
}

/** Returns the manifest to build in the requested version; predefined ones are allowed. */
async function buildSource(id: number, version: string | undefined, request: RequestContext): Promise<BuildSource> {
  const manifest = await requireManifest(request, id)
  return {
    organisationId: request.organisation.id,
    manifest,
    frozen: await requireVersion(request, manifest, version),
  }
}

/** Returns the package's name, derived from the manifest by default. */
export function packageNameOf({ manifest }: BuildSource, input: string): string {
  return input.trim() === '' ? defaultPackageName(manifest.name) : input.trim()
}

type BuildRequest = {
  packageName: string
  version: string | undefined
  publishAs: PublishKind
  overrides: readonly ConfigurationChange[]
}

/** Validates a requested build completely: throws 400 with all problems of the manifest if there is an error. */
export async function validateBuild(
  source: BuildSource,
  buildRequest: BuildRequest,
  request: RequestContext,
): Promise<NewBuild> {
  const { context, signal } = request
  const { manifest, organisationId } = source
  const { packageName, version, publishAs, overrides: input } = buildRequest
  const db = context.store.of(organisationId)
  checkPackageName(packageName)
  // Checked before the work, and again when stored.
  await presentPackage(db, organisationId, manifest, packageName)
  const next = await toPackageRequest(
    source,
    { packageName, packageVersion: version ?? '', publishAs, overrides: input },
    request,
  )
  const { problems, settings } = await context.workers.run('checkPackage', next, signal)
  refuseErrors(problems)
  return { manifest, manifestVersion: next.version, packageName, version, publishAs, settings }
}

type PackageOptions = {
  packageName: string
  packageVersion: string
  publishAs: PublishKind
  /** Null: the stored settings. */
  overrides: readonly ConfigurationChange[] | null
}

/**
 * Converts a package request to a worker's input. New secrets are encrypted here, because workers have no keys. Throws
 * 400 for oversized settings.
 */
async function toPackageRequest(
  source: BuildSource,
  { overrides: input, ...options }: PackageOptions,
  { context, organisation }: RequestContext,
): Promise<PackageRequest> {
  const { secrets, config, store } = context
  const { organisationId, manifest, frozen } = source
  const configurations: Configuration[] = []
  const isIncomplete = (input ?? []).some(hasImplicitSecrets)
  const stored = isIncomplete ? await storedSettings(store.of(organisationId), source, organisation.limits) : []
  const storedByName = new Map(stored.map(one => [foldName(one.name), one.configuration]))
  for (const change of input ?? []) {
    const configuration = readConfiguration(change)
    const complete = withImplicitSecrets(configuration, change, storedByName.get(foldName(configuration.manifestName)))
    configurations.push(await sealedAsTyped(secrets, complete))
  }
  return {
    ...options,
    organisationId,
    manifestId: manifest.id,
    version: frozen?.version ?? manifest.latest_version,
    organisation: organisation.code,
    licence: organisation.limits,
    overrides: input && { configurations, serviceOptions: hasServiceOptions(config, organisation) },
  }
}

function hasImplicitSecrets({ packageProperties }: ConfigurationChange): boolean {
  return (packageProperties?.customProperties ?? []).some(({ secret }) => secret === undefined)
}

/** Properties without a flag have that of the stored one, so that no secret becomes readable by omission. */
function withImplicitSecrets(
  configuration: Configuration,
  change: ConfigurationChange,
  stored: Configuration | undefined,
): Configuration {
  const { packageProperties } = configuration
  const secretNames = new Set(
    stored?.packageProperties.customProperties.filter(({ secret }) => secret).map(({ name }) => name),
  )
  const customProperties = packageProperties.customProperties.map((item, index) => {
    const { secret, value } = change.packageProperties?.customProperties?.[index] ?? {}
    if (secret !== undefined || !secretNames.has(item.name)) return item
    return { ...item, secret: true, value: value ?? secretPlaceholder }
  })
  return { ...configuration, packageProperties: { ...packageProperties, customProperties } }
}

type NextBuild = {
  source: BuildSource
  packageName: string
  /** Null: as in the last build. */
  publishAs: PublishKind | null
  overrides: readonly ConfigurationChange[] | null
}
type SuccessfulBuild = BuildRow & { content_hash: string }

/**
 * Suggests a major version, with the reasons, if the build would break callers of the last one; null otherwise. Throws
 * 400 for invalid settings.
 */
async function suggestionFor(
  builds: readonly BuildRow[],
  { source, packageName, publishAs, overrides: sourceValue }: NextBuild,
  request: RequestContext,
): Promise<{ version: string; reasons: string[] } | null> {
  const [last] = highestFirst(builds.filter(isBuilt), ({ version }) => version)
  if (last === undefined && sourceValue === null) return null
  const kind = publishAs ?? last?.publish_as ?? 'PACKAGE'
  const next = await toPackageRequest(
    source,
    { packageName, packageVersion: last?.version ?? '', publishAs: kind, overrides: sourceValue },
    request,
  )
  const input = { organisationId: source.organisationId, hash: last?.content_hash ?? null, next }
  const reasons = await request.context.workers.run('packageBreaks', input, request.signal)
  const version = nextMajor(takenVersions(builds))
  return version === undefined || reasons.length === 0 ? null : { version, reasons }
}

function isBuilt(build: BuildRow): build is SuccessfulBuild {
  return build.content_hash !== null
}
