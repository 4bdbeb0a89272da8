import { ImportError, isAboutOneDocument, quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'
import { folderOfPath, type Corpus } from './corpus.ts'
import { readImports, type Import } from './document.ts'
import { isInvalidList, isObject, isTooLong, listOf, nameOf, textOf, type JsonObject } from './json.ts'
import { splitPath } from './lookup.ts'
import type { Report } from './report.ts'

/** A manifest of the folder. Paths are file paths relative to the root. */
export type Manifest = {
  path: string
  name: string
  description: string
  /** Version of the content, as stated. */
  version: string | undefined
  imports: readonly Import[]
  entities: readonly DeclaredEntity[]
  subManifests: readonly string[]
  relationships: readonly ListedRelationship[]
}

export type DeclaredEntity = { path: string; name: string }
export type ListedRelationship = { from: string; fromAttribute: string; to: string; toAttribute: string }

export const manifestFile = /\.(?:manifest|folio)\.cdm\.json$/i

type RootOptions = { root?: string; asksForRoot?: boolean }

/**
 * Reads the manifests of the folder: the root first, each before sub-manifests that only it lists. Throws
 * ImportError.
 */
export function readManifests(corpus: Corpus, report: Report, options: RootOptions): Manifest[] {
  const read = onceReader(corpus, report)
  const first = options.root ?? findRoot(corpus, read, report, options)
  corpus.root = first
  // Reads an unreadable root again for its error, because nothing can be imported without a root.
  const top = read(first) ?? readManifest(first, corpus, report)
  if (!top) throw new ImportError('no-root', `${quoted(first)} is not a manifest.`)
  const manifests = new Map([[first, top]])
  for (const manifest of manifests.values()) {
    for (const path of manifest.subManifests) {
      if (manifests.has(path)) continue
      const sub = read(path)
      if (sub) manifests.set(path, sub)
    }
  }
  return [...manifests.values()].map(manifest => ({
    ...manifest,
    subManifests: manifest.subManifests.filter(path => manifests.has(path) && path !== manifest.path),
  }))
}

/** Finds the top-level manifest that no other lists; of versions of one manifest, the newest. */
function findRoot(corpus: Corpus, readOnce: ReadOnce, report: Report, { asksForRoot }: RootOptions): string {
  const all = [...corpus.paths()].filter(path => manifestFile.test(path) && !path.startsWith('__MACOSX/'))
  const depth = Math.min(...all.map(depthOf))
  const highest = all.filter(path => depthOf(path) === depth)
  const latest = highest.filter(path => versionOf(path).number === '')
  const top = latest.length > 0 ? latest : highest
  const [only] = top
  if (only !== undefined && top.length === 1) return only
  const candidates = newestFirst(candidatesOf(top, readOnce))
  const [root] = candidates
  if (root === undefined)
    throw new ImportError(
      'no-root',
      'The folder has no root manifest: a file that ends in .manifest.cdm.json at its top.',
    )
  if (candidates.length === 1) return root
  if (!asksForRoot && areVersionsOfOne(candidates)) {
    const count = candidates.length
    report.note(root, `It is the newest of ${count} versions of the root manifest; it was read as the root.`)
    return root
  }
  const names = candidates.slice(0, 10).map(quoted)
  const message = `The folder has several root manifests: ${names.join(', ')}.`
  throw new ImportError('several-roots', message, candidates.slice(0, bounds.offeredRoots))
}

/** Manifests that no other lists; all of them if they list each other. */
function candidatesOf(top: readonly string[], readOnce: ReadOnce): string[] {
  const read = top.flatMap(path => readOnce(path) ?? [])
  const listed = new Set(read.flatMap(manifest => manifest.subManifests.filter(path => path !== manifest.path)))
  const unlisted = read.filter(manifest => !listed.has(manifest.path))
  return (unlisted.length > 0 ? unlisted : read).map(({ path }) => path)
}

const byNumber = new Intl.Collator('en', { numeric: true })

function newestFirst(paths: readonly string[]): string[] {
  return paths.toSorted((a, b) => byNumber.compare(versionOf(b).number, versionOf(a).number))
}

/** Returns the unversioned file of each manifest, otherwise its newest version. */
export function latestManifests(paths: Iterable<string>): string[] {
  const versions = Map.groupBy(
    [...paths].filter(path => manifestFile.test(path)),
    path => versionOf(path).name.toLowerCase(),
  )
  return [...versions.values()].flatMap(all => {
    const latest = all.filter(path => versionOf(path).number === '')
    return latest.length > 0 ? latest : newestFirst(all).slice(0, 1)
  })
}

function areVersionsOfOne(paths: readonly string[]): boolean {
  const all = paths.map(versionOf)
  return all.every(({ number }) => number !== '') && new Set(all.map(({ name }) => name.toLowerCase())).size === 1
}

/** Frozen manifests have the version number at the end of the file name. */
function versionOf(path: string): { name: string; number: string } {
  const [first = '', ...parts] = path.replace(manifestFile, '').split('.')
  const end = parts.findLastIndex(part => !/^\d+$/.test(part)) + 1
  return { name: [first, ...parts.slice(0, end)].join('.'), number: parts.slice(end).join('.') }
}

type ReadOnce = (path: string) => Manifest | undefined

/** Caches manifests so that their problems are reported once. Unreadable manifests are reported. */
function onceReader(corpus: Corpus, report: Report): ReadOnce {
  const cache = new Map<string, Manifest | undefined>()
  return path => {
    if (!cache.has(path)) cache.set(path, tryManifest(path, corpus, report))
    return cache.get(path)
  }
}

function tryManifest(path: string, corpus: Corpus, report: Report): Manifest | undefined {
  try {
    return readManifest(path, corpus, report)
  } catch (error) {
    if (!isAboutOneDocument(error)) throw error
    report.error(path, error.message)
    return undefined
  }
}

/** Undefined for other files, such as the JSON Schemas among the standard documents. */
function readManifest(path: string, corpus: Corpus, report: Report): Manifest | undefined {
  const json = corpus.json(path)
  if (!isObject(json) || !isManifest(json)) return undefined
  reportUnsupported(json, path, report)
  const fallback = path.slice(path.lastIndexOf('/') + 1).replace(manifestFile, '')
  return {
    path,
    name: nameOf(json['manifestName']) ?? nameOf(json['folioName']) ?? fallback,
    description: textOf(json['description']) ?? textOf(json['explanation']) ?? '',
    version: textOf(json['documentVersion']),
    imports: readImports(json),
    entities: listOf(json['entities']).flatMap(item => readDeclaration(item, path, corpus, report) ?? []),
    subManifests: readSubManifests(json, path, corpus, report),
    relationships: listOf(json['relationships']).map(readRelationship),
  }
}

const lists = ['entities', 'subManifests', 'relationships']
const partitions = ['dataPartitions', 'dataPartitionPatterns', 'incrementalPartitions', 'incrementalPartitionPatterns']

/** Reports values that are not lists and properties that the model cannot express. */
function reportUnsupported(json: JsonObject, path: string, report: Report): void {
  for (const key of lists) {
    if (isInvalidList(json[key])) report.error(path, `${quoted(key)} of the manifest is not a list; it was left out.`)
  }
  const declared = listOf(json['entities']).filter(isObject)
  const keys = partitions.filter(key => declared.some(entity => listOf(entity[key]).length > 0))
  if (keys.length > 0) report.lost(path, `Its data partitions (${keys.join(', ')}) were not imported.`)
  if ([json, ...declared].some(one => listOf(one['exhibitsTraits']).length > 0))
    report.lost(path, 'The traits of the manifest and of its list of entities (exhibitsTraits) were not imported.')
}

function readRelationship(item: unknown): ListedRelationship {
  const named = (key: string) => (isObject(item) ? textOf(item[key]) : undefined) ?? ''
  return {
    from: named('fromEntity'),
    fromAttribute: named('fromEntityAttribute'),
    to: named('toEntity'),
    toAttribute: named('toEntityAttribute'),
  }
}

/** Whether the JSON is a manifest rather than the JSON Schema of one. */
export function isManifest(json: JsonObject): boolean {
  const keys = ['manifestName', 'folioName', 'entities', 'subManifests', 'submanifests']
  return keys.some(key => key in json) && !isObject(json['properties'])
}

function readDeclaration(item: unknown, manifest: string, corpus: Corpus, report: Report): DeclaredEntity | undefined {
  const entityPath = isObject(item) ? nameOf(item['entityPath'] ?? item['entitySchema']) : nameOf(item)
  if (entityPath === undefined || splitPath(entityPath).path === '') {
    const isLong = isObject(item) && isTooLong(item['entityPath'] ?? item['entitySchema'])
    report.error(manifest, `An entity ${isLong ? 'with an overlong' : 'without a'} path was left out.`)
    return undefined
  }
  const { path, object } = splitPath(entityPath)
  const name = object ?? (isObject(item) ? nameOf(item['entityName']) : undefined)
  const located = corpus.locate(path, folderOfPath(manifest))
  if (located !== undefined && name !== undefined) return { path: located, name }
  const isReference = isObject(item) && item['type'] === 'ReferencedEntity'
  const message = `The document of the entity ${quoted(entityPath)} is not in the folder; the entity was left out.`
  if (isReference) report.lost(manifest, message)
  else report.error(manifest, message)
  return undefined
}

function readSubManifests(json: JsonObject, path: string, corpus: Corpus, report: Report): string[] {
  return listOf(json['subManifests'] ?? json['submanifests'] ?? json['subFolios']).flatMap(item => {
    const definition = isObject(item) ? nameOf(item['definition']) : undefined
    const located = definition === undefined ? undefined : corpus.locate(definition, folderOfPath(path))
    if (located !== undefined) return [located]
    report.lost(path, `The sub-manifest ${quoted(definition ?? '')} is not in the folder.`)
    return []
  })
}

function depthOf(path: string): number {
  return path.split('/').length
}
