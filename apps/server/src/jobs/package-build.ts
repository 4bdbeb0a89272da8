import { writeArchive } from '@cadmus/formats/archive'
import { writeDataModel } from '@cadmus/formats/data-model/write'
import { packageModelOf } from '@cadmus/formats/package/package-model'
import { readPackages } from '@cadmus/formats/package/read'
import { deliver, deliveryFile } from '@cadmus/formats/package/delivery'
import { writePackage } from '@cadmus/formats/package/write'
import { apiBreaks } from '@cadmus/model/api/api-breaks'
import type { Configuration } from '@cadmus/model/configuration'
import { type Api, namespaceOf } from '@cadmus/model/api/api'
import { openOperations } from '@cadmus/model/api/open-operations'
import { scopeChanges } from '@cadmus/model/api/scope-changes'
import { resolveModel, type ResolvedModel } from '@cadmus/model/resolved-model'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { apiBreakTexts } from '@cadmus/model/messages/packages'
import type { Problem } from '@cadmus/model/problem'
import { firstError, validate } from '@cadmus/model/validate'
import { apiOf } from '@cadmus/sql/api-of'
import { contentByHash } from '../store/content.ts'
import type { Db } from '../store/database.ts'
import type { Store } from '../store/store.ts'
import {
  buildSettings,
  choicesIn,
  configurationOfBuild,
  storedSettings,
  withChoicesOf,
} from '../commands/package/build-settings.ts'
import { settingsOf, writeSettings } from '../commands/package/package-zip.ts'
import { manifestAt, modelAt } from './model-at.ts'
import type { PackageInput, PackageRequest, StoredPackage, Tasks } from './tasks.ts'

const maxBreaks = 50

type Task<K extends 'checkPackage' | 'buildPackage' | 'packageZip' | 'packageBreaks' | 'checkRebuild' | 'previewZip'> =
  (store: Store, input: Tasks[K]['input']) => Promise<Tasks[K]['output']>

/** Returns all problems if one of them is an error, else none. */
export const validatePackage: Task<'checkPackage'> = async (store, request) => {
  const { input, settings } = await withSettings(store, request)
  const problems = problemsOf(await resolvedModelAt(store, input), input)
  return { problems: firstError(problems) === undefined ? [] : problems, settings: writeSettings(settings) }
}

/** Adds the settings of the manifest and its sub-manifests: the stored ones, or those that override them. */
async function withSettings(store: Store, request: PackageRequest) {
  const { overrides: _, licence, ...input } = request
  const { organisationId, publishAs } = input
  const db = store.of(organisationId)
  const { row: manifest, frozen } = await manifestAt(db, input)
  const source = { organisationId, manifest, frozen }
  const stored = await storedSettings(db, source, licence)
  const before = stored.map(({ configuration }) => configuration)
  const sent = overridesOf(request, before)
  const configurations = sent === null ? before : await buildSettings(db, source, { stored, ...sent }, licence)
  const [used, own] = [configurations[0], before[0]]
  return {
    settings: { configurations, choices: used && own ? choicesIn(used, own) : [] },
    input: { ...input, configuration: configurationOfBuild(configurations, publishAs) },
  }
}

/** The configurations that replace stored ones; null: none. */
function overridesOf({ overrides }: PackageRequest, [own]: readonly Configuration[]) {
  if (overrides === null) return null
  if ('configurations' in overrides) return { sent: overrides.configurations, serviceOptions: overrides.serviceOptions }
  const former = settingsOf({ settings: overrides.former })
  // The service options stay those of the stored configuration.
  return { sent: own === undefined ? [] : [withChoicesOf(own, former)], serviceOptions: true }
}

export const buildZip: Task<'buildPackage'> = async (store, stored) => {
  const result = await zipOf(store, stored)
  return 'zip' in result ? { zip: Buffer.from(result.zip).toString('base64'), size: result.zip.length } : result
}

type Zipped = { zip: Uint8Array } | { problems: Problem[] } | { reason: string }

async function zipOf(store: Store, { settings, ...stored }: StoredPackage): Promise<Zipped> {
  const { configurations } = settingsOf({ settings })
  const input = { ...stored, configuration: configurationOfBuild(configurations, stored.publishAs) }
  const resolvedModel = await resolvedModelAt(store, input)
  const problems = problemsOf(resolvedModel, input)
  if (firstError(problems) !== undefined) return { problems }
  const { delivery, packageName } = stored
  const files = new Map([...filesOf(resolvedModel, input), deliveryFile(packageName, { ...delivery, secrets: false })])
  if (files.size > limits.zipEntries) return { reason: messages.packages.tooLarge }
  return { zip: writeArchive(files) }
}

export const zipForPreview: Task<'previewZip'> = async (store, { secrets, ...stored }) => {
  const result = await zipOf(store, stored)
  if (!('zip' in result)) return result
  if (result.zip.length > limits.upload) return { reason: messages.packages.tooLarge }
  return deliver(result.zip, stored.delivery, secrets)
}

/** Packages with an API contain models only for that publish kind. */
function filesOf(resolvedModel: ResolvedModel, input: PackageInput): ReadonlyMap<string, string> {
  const { packageName: name, packageVersion, version: manifestVersion, organisation, configuration } = input
  const files = writePackage({
    name,
    version: packageVersion,
    manifestVersion,
    organisation,
    resolvedModel,
    configuration,
  })
  if (input.publishAs !== 'ENTITY_GLOOP_MODEL') return files
  const { applyJoin } = configuration.configurationBuild.sqlConfiguration
  const models = writeDataModel(resolvedModel, { applyJoin, namespace: namespaceOf(name) })
  return new Map([...files, ...[...models.files].map(([path, text]) => [`${name}/code/${path}`, text] as const)])
}

export const deliverZip: Task<'packageZip'> = async (store, { organisationId, hash, delivery, secrets }) =>
  deliver(await zipByHash(store.of(organisationId), organisationId, hash), delivery, secrets)

export const findBreaks: Task<'packageBreaks'> = async (store, { organisationId, hash, next: request }) => {
  const { input: next } = await withSettings(store, request)
  if (hash === null) return []
  const resolvedModel = await resolvedModelAt(store, next)
  if (firstError(problemsOf(resolvedModel, next)) !== undefined) return []
  const former = await zipByHash(store.of(organisationId), organisationId, hash)
  return breaksBetween(apisOf(former, next, resolvedModel))
}

export const findRebuildChanges: Task<'checkRebuild'> = async (store, { organisationId, hash, next: request }) => {
  const { input: next, settings } = await withSettings(store, request)
  const resolvedModel = await resolvedModelAt(store, next)
  const problems = problemsOf(resolvedModel, next)
  const errors = problems.filter(({ severity }) => severity === 'error')
  const warnings = problems.filter(({ severity }) => severity === 'warning')
  const isValid = errors.length === 0
  const apis = isValid
    ? apisOf(await zipByHash(store.of(organisationId), organisationId, hash), next, resolvedModel)
    : undefined
  const opened = apis ? scopeChanges(...apis).filter(({ opens }) => opens) : []
  return {
    breaks: breaksBetween(apis),
    opened: opened.slice(0, limits.rebuildFindings),
    openedCount: opened.length,
    access: apis ? openOperations(apis[1]) : null,
    problems: [...errors, ...warnings].slice(0, limits.rebuildFindings),
    errors: errors.length,
    warnings: warnings.length,
    settings: writeSettings(settings),
  }
}

/** The APIs of a built package and the next one; undefined for a zip without a package. */
function apisOf(former: Uint8Array, next: PackageInput, resolvedModel: ResolvedModel): [Api, Api] | undefined {
  const [last] = readPackages(former)
  if (last === undefined) return undefined
  const { packageName: name, packageVersion, version: manifestVersion, configuration } = next
  const model = packageModelOf({ name, version: packageVersion, manifestVersion, resolvedModel, configuration })
  return [apiOf(last.model), apiOf(model)]
}

/** What breaks callers; at most `maxBreaks` and a count of the others. */
function breaksBetween(apis: [Api, Api] | undefined): string[] {
  const breaks = apis ? apiBreaks(...apis) : []
  return breaks.length <= maxBreaks
    ? breaks
    : [...breaks.slice(0, maxBreaks), apiBreakTexts.more(breaks.length - maxBreaks)]
}

/** Returns the zip of a built package. */
export async function zipByHash(db: Db, organisationId: number, hash: string): Promise<Uint8Array> {
  const body = await contentByHash(db, organisationId, hash)
  if (body === undefined) throw new Error('The content of a package is missing.')
  // A separate copy, because it is transferred to another thread.
  return Uint8Array.from(Buffer.from(body, 'base64'))
}

async function resolvedModelAt(store: Store, input: PackageInput): Promise<ResolvedModel> {
  const { root, source } = await modelAt(store, input)
  return resolveModel(root, source)
}

function problemsOf(resolvedModel: ResolvedModel, { configuration }: PackageInput): Problem[] {
  const forApi = configuration.configurationBuild.apiConfiguration.type.length > 0
  return validate(resolvedModel, { target: 'PACKAGE', configuration, forApi })
}
