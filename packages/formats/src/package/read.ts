import { packageModelForm, type PackageModel, sourceOfPackage } from '@cadmus/model/api/package-model'
import { readStored, StoredFormError } from '@cadmus/model/stored/stored-form'
import { resolveModel } from '@cadmus/model/resolved-model'
import { isRecord } from '@cadmus/model/equal'
import { isDeeperThan } from '@cadmus/model/json-depth'
import { limits } from '@cadmus/model/limits'
import { parseVersion } from '@cadmus/model/version'
import { NameConflictError, tableEntities } from '@cadmus/sql/name-conflicts'
import { readArchive, type ArchiveLimits, type Files } from '../archive.ts'
import { ImportError, quoted } from '../import-error.ts'
import { readDelivery, type Delivery } from './delivery.ts'
import { readPackageXml, type PackageAttributes } from './package-xml.ts'
import { readProperties } from './properties.ts'

export type ReadPackage = PackageAttributes & {
  readonly name: string
  readonly properties: ReadonlyMap<string, string>
  readonly delivery: Delivery
  /** Model for the instance, with the folder's name and the version from package.xml. */
  readonly model: PackageModel
  /** All files by path below the folder, unpacked on access. */
  readonly files: Files
}

/**
 * Reads the packages of a zip, one per top-level folder, by name. Limits entries, unpacked size and compression
 * ratio; refuses paths that leave their folder. Throws ImportError, whose message may be shown to the sender, if any
 * of them is invalid.
 */
export function readPackages(bytes: Uint8Array, limits?: ArchiveLimits): ReadPackage[] {
  const archive = readArchive(bytes, limits)
  const folders = new Map<string, string[]>()
  for (const path of archive.keys()) {
    const slash = path.indexOf('/')
    const name = slash < 0 ? '' : path.slice(0, slash)
    if (isMetadataFile(path)) continue
    if (!isPackageName(name)) throw misplaced(path)
    const paths = folders.get(name)
    if (paths) paths.push(path)
    else folders.set(name, [path])
  }
  if (folders.size === 0) throw new ImportError('not-a-package', 'The archive contains no package.')
  return [...folders.keys()].toSorted().map(name => readPackage(name, filesOf(archive, name, folders.get(name) ?? [])))
}

/** Letters, digits, `-` and `_`. */
export function isPackageName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,100}$/.test(name)
}

function readPackage(name: string, files: Files): ReadPackage {
  const attributes = readPackageXml(textOf(files, 'conf/package.xml', name), name)
  if (!parseVersion(attributes.version)) {
    const version = quoted(attributes.version)
    throw new ImportError('not-a-package', `The version of '${name}' is ${version}, which is not a semantic version.`)
  }
  const properties = readProperties(textOf(files, 'conf/properties/package.properties', name))
  const model = { ...modelOf(files, name), package: name, version: attributes.version }
  return { ...attributes, name, properties, delivery: readDelivery(files, name), model, files }
}

function filesOf(archive: Files, name: string, paths: readonly string[]): Files {
  const start = name.length + 1
  const names = new Set(paths.map(path => path.slice(start)))
  return {
    size: names.size,
    keys: () => names.values(),
    get: path => (names.has(path) ? archive.get(`${name}/${path}`) : undefined),
  }
}

/** Metadata files that operating systems add to zips. */
function isMetadataFile(path: string): boolean {
  return path.startsWith('__MACOSX/') || path.endsWith('/.DS_Store') || path === '.DS_Store'
}

function misplaced(path: string): ImportError {
  return new ImportError(
    'not-a-package',
    `The archive's file ${quoted(path)} is not in a package: each is a top-level folder, named with letters, digits, - and _.`,
  )
}

const maxTextSize = 4 * 1024 * 1024

function textOf(files: Files, path: string, name: string, max = maxTextSize): string {
  const content = files.get(path)
  if (content === undefined) throw new ImportError('not-a-package', `The package '${name}' has no ${path}.`)
  if (content.length > max) throw new ImportError('too-large', `The ${path} of '${name}' is too large.`)
  if (typeof content === 'string') return content
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    throw new ImportError('not-text', `The ${path} of '${name}' is not a text in UTF-8.`)
  }
}

const modelPath = 'resources/cadmus/model.json'

function modelOf(files: Files, name: string): PackageModel {
  const json = jsonOf(textOf(files, modelPath, name, limits.modelContents), name)
  requireFewAttributes(json, name)
  try {
    return sound(readStored(packageModelForm, json), name)
  } catch (error) {
    if (!(error instanceof StoredFormError)) throw error
    const why = error.reason.slice(0, 200)
    throw new ImportError('not-a-package', `The ${modelPath} of '${name}' cannot be read: ${why}.`)
  }
}

/** Runs before the entities are parsed, which would take long for a hostile model. */
function requireFewAttributes(json: unknown, name: string): void {
  const entities = isRecord(json) && Array.isArray(json['entities']) ? json['entities'] : []
  for (const entity of entities) {
    if (!isRecord(entity)) continue
    for (const [field, what, max] of [
      ['typeAttributes', 'attributes', limits.attributes],
      ['entityAttributes', 'relationships', limits.relationships],
    ] as const) {
      const { [field]: all } = entity
      if (!Array.isArray(all) || all.length <= max) continue
      const which = quoted(String(entity['name']))
      throw new ImportError('too-large', `An entity of '${name}', ${which}, has more than ${max} ${what}.`)
    }
  }
}

/** Throws ImportError if the model cannot be turned into tables. */
function sound(model: PackageModel, name: string): PackageModel {
  const source = sourceOfPackage(model)
  const root = source.manifests.get(model.root)
  if (!root) throw new ImportError('not-a-package', `The ${modelPath} of '${name}' lacks its root manifest.`)
  try {
    tableEntities(resolveModel(root, source))
    return model
  } catch (error) {
    if (!(error instanceof NameConflictError)) throw error
    throw new ImportError('not-a-package', `The ${modelPath} of '${name}' cannot be served. ${error.message}`)
  }
}

function jsonOf(text: string, name: string): unknown {
  if (isDeeperThan(text, limits.jsonDepth)) {
    throw new ImportError('too-deep', `The ${modelPath} of '${name}' is nested too deeply.`)
  }
  try {
    const json: unknown = JSON.parse(text)
    return json
  } catch {
    throw new ImportError('not-json', `The ${modelPath} of '${name}' is not a JSON document.`)
  }
}
