import { writeArchive } from '@cadmus/formats/archive'
import { writeDataModel } from '@cadmus/formats/data-model/write'
import { packageModelOf } from '@cadmus/formats/package/package-model'
import { readPackages } from '@cadmus/formats/package/read'
import { deliver, deliveryFile } from '@cadmus/formats/package/delivery'
import { writePackage } from '@cadmus/formats/package/write'
import { apiBreaks } from '@cadmus/model/api/api-breaks'
import { namespaceOf } from '@cadmus/model/api/api'
import { resolveModel, type ResolvedModel } from '@cadmus/model/resolved-model'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { apiBreakTexts } from '@cadmus/model/messages/packages'
import type { Problem } from '@cadmus/model/problem'
import { firstError, validate } from '@cadmus/model/validate'
import { apiOf } from '@cadmus/sql/api-of'
import { contentByHash } from '../store/content.ts'
import type { Store } from '../store/database.ts'
import { buildSettings, configurationOfBuild, storedSettings } from '../commands/package/build-settings.ts'
import { settingsOf, writeSettings } from '../commands/package/package-zip.ts'
import { manifestAt, modelAt } from './model-at.ts'
import type { PackageRequest, PackageInput, Tasks } from './tasks.ts'

const maxBreaks = 50

type Task<K extends 'checkPackage' | 'buildPackage' | 'packageZip' | 'packageBreaks'> = (
  store: Store,
  input: Tasks[K]['input'],
) => Promise<Tasks[K]['output']>

/** Returns all problems if one of them is an error, else none. */
export const validatePackage: Task<'checkPackage'> = async (store, request) => {
  const { input, settings } = await withSettings(store, request)
  const problems = problemsOf(await resolvedModelAt(store, input), input)
  return { problems: firstError(problems) === undefined ? [] : problems, settings: writeSettings(settings) }
}

/** Adds the settings of the manifest and its sub-manifests: the stored ones, or those that override them. */
async function withSettings(store: Store, { overrides: sourceValue, licence, ...input }: PackageRequest) {
  const { organisationId, publishAs } = input
  const db = store.of(organisationId)
  const { row: manifest, frozen } = await manifestAt(db, input)
  const source = { organisationId, manifest, frozen }
  const settings =
    sourceValue === null
      ? (await storedSettings(db, source, licence)).map(({ configuration }) => configuration)
      : await buildSettings(db, source, sourceValue.configurations, {
          licence,
          serviceOptions: sourceValue.serviceOptions,
        })
  return { settings, input: { ...input, configuration: configurationOfBuild(settings, publishAs) } }
}

export const buildZip: Task<'buildPackage'> = async (store, { settings, ...stored }) => {
  const input = { ...stored, configuration: configurationOfBuild(settingsOf({ settings }), stored.publishAs) }
  const resolvedModel = await resolvedModelAt(store, input)
  const problems = problemsOf(resolvedModel, input)
  if (firstError(problems) !== undefined) return { problems }
  const { delivery, packageName } = stored
  const files = new Map([...filesOf(resolvedModel, input), deliveryFile(packageName, { ...delivery, secrets: false })])
  if (files.size > limits.zipEntries) return { reason: messages.packages.tooLarge }
  const zip = writeArchive(files)
  return { zip: Buffer.from(zip).toString('base64'), size: zip.length }
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
  deliver(await zipByHash(store, organisationId, hash), delivery, secrets)

export const findBreaks: Task<'packageBreaks'> = async (store, { organisationId, hash, next: request }) => {
  const { input: next } = await withSettings(store, request)
  if (hash === null) return []
  const [last] = readPackages(await zipByHash(store, organisationId, hash))
  const resolvedModel = await resolvedModelAt(store, next)
  if (last === undefined || firstError(problemsOf(resolvedModel, next)) !== undefined) return []
  const { packageName: name, packageVersion, version: manifestVersion, configuration } = next
  const model = packageModelOf({ name, version: packageVersion, manifestVersion, resolvedModel, configuration })
  const breaks = apiBreaks(apiOf(last.model), apiOf(model))
  return breaks.length <= maxBreaks
    ? breaks
    : [...breaks.slice(0, maxBreaks), apiBreakTexts.more(breaks.length - maxBreaks)]
}

async function zipByHash(store: Store, organisationId: number, hash: string): Promise<Uint8Array> {
  const body = await contentByHash(store.of(organisationId), organisationId, hash)
  if (body === undefined) throw new Error('The content of a package is missing.')
  // An own copy, because it is transferred to another thread.
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
