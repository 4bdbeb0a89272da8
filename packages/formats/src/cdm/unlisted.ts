import { isAboutOneDocument, quoted } from '../import-error.ts'
import { folderOfPath, pathFrom, type Corpus } from './corpus.ts'
import { checkSignal, type CdmFolder, type ReadOptions } from './folder.ts'
import { isObject, listOf, nameOf, type JsonObject } from './json.ts'
import { splitPath } from './lookup.ts'
import { isManifest, manifestFile } from './manifest.ts'
import type { Report } from './report.ts'
import { isStandardDocument } from './standard.ts'

const documentFile = /\.cdm\.json$/i
/** Matches frozen versions of documents such as `Account.1.3.cdm.json`. */
const frozenFile = /\.\d+(?:\.\d+)*(?:\.manifest|\.folio)?\.cdm\.json$/i

/**
 * Reports all manifests and entities that no imported manifest lists, and the number of other versions. Standard
 * documents are skipped.
 */
export function reportUnlisted(folder: CdmFolder, options: ReadOptions): void {
  const { corpus, entities, manifests, report } = folder
  const read = new Set(manifests.map(manifest => manifest.path))
  const root = manifests[0]?.path ?? ''
  const listing = listingOf(folder, read)
  let copies = 0
  for (const path of corpus.paths()) {
    checkSignal(options)
    if (!documentFile.test(path) || path.startsWith('__MACOSX/') || read.has(path) || isStandard(path, root)) continue
    if (frozenFile.test(path) && !corpus.loaded(path)) {
      copies++
    } else if (manifestFile.test(path)) {
      if (listing.manifests.has(path)) report.lost(path, unlistedManifest)
    } else {
      const unlisted = entityNames(path, corpus, report).filter(name => !entities.has(`/${path}/${name}`))
      for (const name of unlisted) report.lost(`${path}/${name}`, reasonFor(path, name, listing))
    }
  }
  const what = copies === 1 ? 'One document is another version' : `${copies} documents are other versions`
  if (copies > 0) report.lost(root, `${what} that no manifest lists: the file name has a version.`)
}

const unlistedEntity = 'No manifest lists this entity; it was not imported separately.'
const unlistedManifest = 'No manifest of this import lists this manifest; it was not imported.'

/** Contents of the manifests that were not imported. `entities`: listing manifest by lower-case entity path. */
type Listing = { manifests: ReadonlySet<string>; entities: ReadonlyMap<string, Listed> }
type Listed = { manifest: string; path: string }

/** The reason: not listed at all, listed by a manifest outside this import, or with a differently spelled path. */
function reasonFor(path: string, name: string, { entities }: Listing): string {
  const own = `${path}/${name}`
  const listed = entities.get(own.toLowerCase())
  if (!listed) return unlistedEntity
  if (listed.path !== own) {
    return `${quoted(listed.manifest)} lists it as ${quoted(listed.path)}, which is spelled differently; it was not imported.`
  }
  return `Only ${quoted(listed.manifest)} lists it, which is not part of this import; it was not imported separately.`
}

/** Lists all manifests, imported ones first, which take precedence. */
function listingOf({ corpus, report }: CdmFolder, read: ReadonlySet<string>): Listing {
  const paths = [...corpus.paths()].filter(path => manifestFile.test(path) && !path.startsWith('__MACOSX/'))
  const manifests = new Set<string>()
  const entities = new Map<string, Listed>()
  for (const path of [...read, ...paths.filter(path => !read.has(path) && !frozenFile.test(path))]) {
    const json = jsonOf(path, corpus, report)
    if (!json || !isManifest(json)) continue
    manifests.add(path)
    for (const item of listOf(json['entities'])) {
      const listed = entityPathOf(item, path)
      const key = listed?.toLowerCase()
      if (listed === undefined || key === undefined) continue
      const existing = entities.get(key)
      if (!existing) entities.set(key, { manifest: path, path: listed })
    }
  }
  return { manifests, entities }
}

/** The path of a declaration, whether or not the file exists. */
function entityPathOf(item: unknown, manifest: string): string | undefined {
  const corpusPath = isObject(item) ? nameOf(item['entityPath'] ?? item['entitySchema']) : nameOf(item)
  if (corpusPath === undefined) return undefined
  const { path, object } = splitPath(corpusPath)
  const name = object ?? (isObject(item) ? nameOf(item['entityName']) : undefined)
  return name === undefined ? undefined : `${pathFrom(path, folderOfPath(manifest))}/${name}`
}

function isStandard(path: string, root: string): boolean {
  const wrapper = folderOfPath(root)
  const inside = wrapper !== '' && path.startsWith(`${wrapper}/`) ? path.slice(wrapper.length) : `/${path}`
  return isStandardDocument(inside)
}

/** Uses loaded documents; of others only the names are read. */
function entityNames(path: string, corpus: Corpus, report: Report): readonly string[] {
  const loaded = corpus.loaded(path)
  if (loaded) return [...loaded.document.entities.keys()]
  const definitions = listOf(jsonOf(path, corpus, report)?.['definitions'])
  return [...new Set(definitions.flatMap(item => (isObject(item) ? (nameOf(item['entityName']) ?? []) : [])))]
}

/** Undefined if unreadable, which is reported once. */
function jsonOf(path: string, corpus: Corpus, report: Report): JsonObject | undefined {
  try {
    const json = corpus.json(path)
    return isObject(json) ? json : undefined
  } catch (error) {
    if (!isAboutOneDocument(error)) throw error
    if (!report.mentions(path)) report.lost(path, error.message)
    return undefined
  }
}
