import { writeArchive } from '@cadmus/formats/archive'
import { writeDataModel } from '@cadmus/formats/data-model/write'
import { withSecrets } from '@cadmus/formats/package/secrets'
import { writePackage } from '@cadmus/formats/package/write'
import { namespaceOf } from '@cadmus/model/api/namespace'
import { closureOf, type Closure } from '@cadmus/model/closure'
import type { Problem } from '@cadmus/model/problem'
import { firstError, validate } from '@cadmus/model/validate'
import { contentByHash } from '../store/content.ts'
import type { Store } from '../store/database.ts'
import { modelAt } from './model-at.ts'
import type { PackageInput, Tasks } from './tasks.ts'

type Task<K extends 'checkPackage' | 'buildPackage' | 'packageZip'> = (
  store: Store,
  input: Tasks[K]['input'],
) => Promise<Tasks[K]['output']>

/** All problems where one of them is an error, else none. */
export const packageProblems: Task<'checkPackage'> = async (store, input) => {
  const problems = problemsOf(await closureAt(store, input), input)
  return firstError(problems) === undefined ? [] : problems
}

export const builtZip: Task<'buildPackage'> = async (store, input) => {
  const closure = await closureAt(store, input)
  const problems = problemsOf(closure, input)
  if (firstError(problems) !== undefined) return { problems }
  const zip = writeArchive(filesOf(closure, input))
  return { zip: Buffer.from(zip).toString('base64'), size: zip.length }
}

/** What has no API has models only where these are asked for. */
function filesOf(closure: Closure, input: PackageInput): ReadonlyMap<string, string> {
  const { packageName: name, packageVersion, version: manifestVersion, organisation, configuration } = input
  const files = writePackage({ name, version: packageVersion, manifestVersion, organisation, closure, configuration })
  if (input.publishAs !== 'ENTITY_GLOOP_MODEL') return files
  const { applyJoin } = configuration.configurationBuild.sqlConfiguration
  const models = writeDataModel(closure, { applyJoin, namespace: namespaceOf(name) })
  return new Map([...files, ...[...models.files].map(([path, text]) => [`${name}/code/${path}`, text] as const)])
}

export const storedZip: Task<'packageZip'> = async (store, { organisationId, hash, secrets }) => {
  const body = await contentByHash(store.of(organisationId), organisationId, hash)
  if (body === undefined) throw new Error('The content of a package is missing.')
  // A copy of its own, that can be moved to the other thread.
  const zip = Uint8Array.from(Buffer.from(body, 'base64'))
  return secrets === null ? zip : withSecrets(zip, secrets)
}

async function closureAt(store: Store, input: PackageInput): Promise<Closure> {
  const { root, source } = await modelAt(store, input)
  return closureOf(root, source)
}

function problemsOf(closure: Closure, { configuration }: PackageInput): Problem[] {
  const forApi = configuration.configurationBuild.apiConfiguration.type.length > 0
  return validate(closure, { configuration, databaseTypes: [], forApi })
}
