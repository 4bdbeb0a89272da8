import { isAboutOneDocument, quoted } from '../import-error.ts'
import { folderOfPath, pathFrom, type Corpus } from './corpus.ts'
import { checkSignal, type CdmFolder, type ReadOptions } from './folder.ts'
import { isObject, listOf, nameOf, type JsonObject } from './json.ts'
import { splitPath } from './lookup.ts'
import { isManifest, manifestFile } from './manifest.ts'
import type { Report } from './report.ts'
import { isStandardDocument } from './standard.ts'

const documentFile = /\.cdm\.json$/i
/** `Account.1.3.cdm.json`: a version of the document, which is frozen. */
const frozenFile = /\.\d+(?:\.\d+)*(?:\.manifest|\.folio)?\.cdm\.json$/i

/**
 * Accounts for what the folder holds and no manifest of the import lists: a line for every manifest and every entity, and one
 * for all other versions. The standard documents are no part of a folder's model: their helper entities are not told.
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
      if (listing.manifests.has(path)) report.warning(path, unlistedManifest)
    } else {
      const unlisted = entityNames(path, corpus, report).filter(name => !entities.has(`/${path}/${name}`))
      for (const name of unlisted) report.warning(`${path}/${name}`, reasonFor(path, name, listing))
    }
  }
  const what = copies === 1 ? 'One document is another version' : `${copies} documents are other versions`
  if (copies > 0) report.warning(root, `${what} that no manifest lists: the file name has a version.`)
}

const unlistedEntity = 'No manifest lists this entity; it was not imported as one of its own.'
const unlistedManifest = 'No manifest of this import lists this one; it was not imported.'

/** What the manifests say that were not read: by the path of an entity in lower case, the manifest that lists it. */
type Listing = { manifests: ReadonlySet<string>; entities: ReadonlyMap<string, Listed> }
type Listed = { manifest: string; path: string }

/** The real reason: no manifest at all, one that is no part of this import, or a path that is spelled otherwise. */
function reasonFor(path: string, name: string, { entities }: Listing): string {
  const own = `${path}/${name}`
  const listed = entities.get(own.toLowerCase())
  if (!listed) return unlistedEntity
  if (listed.path !== own) {
    return `${quoted(listed.manifest)} lists it as ${quoted(listed.path)}, which is spelled otherwise; it was not imported.`
  }
  return `Only ${quoted(listed.manifest)} lists it, which is no part of this import; it was not imported as one of its own.`
}

/** All manifests of the folder, those of the import first: what they list counts more. */
function listingOf({ corpus, report }: CdmFolder, read: ReadonlySet<string>): Listing {
  const paths = [...corpus.paths()].filter(path => manifestFile.test(path) && !path.startsWith('__MACOSX/'))
  const manifests = new Set<string>()
  const entities = new Map<string, Listed>()
  for (const path of [...read, ...paths.filter(one => !read.has(one) && !frozenFile.test(one))]) {
    const json = jsonOf(path, corpus, report)
    if (!json || !isManifest(json)) continue
    manifests.add(path)
    for (const item of listOf(json['entities'])) {
      const listed = entityPathOf(item, path)
      const key = listed?.toLowerCase()
      if (listed === undefined || key === undefined) continue
      const known = entities.get(key)
      if (!known) entities.set(key, { manifest: path, path: listed })
    }
  }
  return { manifests, entities }
}

/** Where a declaration leads, whether or not anything is there. */
function entityPathOf(item: unknown, manifest: string): string | undefined {
  const given = isObject(item) ? nameOf(item['entityPath'] ?? item['entitySchema']) : nameOf(item)
  if (given === undefined) return undefined
  const { path, object } = splitPath(given)
  const name = object ?? (isObject(item) ? nameOf(item['entityName']) : undefined)
  return name === undefined ? undefined : `${pathFrom(path, folderOfPath(manifest))}/${name}`
}

function isStandard(path: string, root: string): boolean {
  const wrapper = folderOfPath(root)
  const inside = wrapper !== '' && path.startsWith(`${wrapper}/`) ? path.slice(wrapper.length) : `/${path}`
  return isStandardDocument(inside)
}

/** A document that something imports is at hand; of any other only the names are read. */
function entityNames(path: string, corpus: Corpus, report: Report): readonly string[] {
  const loaded = corpus.loaded(path)
  if (loaded) return [...loaded.document.entities.keys()]
  const definitions = listOf(jsonOf(path, corpus, report)?.['definitions'])
  return [...new Set(definitions.flatMap(item => (isObject(item) ? (nameOf(item['entityName']) ?? []) : [])))]
}

/** Undefined where it cannot be read; that is told once, here or where something asked for it. */
function jsonOf(path: string, corpus: Corpus, report: Report): JsonObject | undefined {
  try {
    const json = corpus.json(path)
    return isObject(json) ? json : undefined
  } catch (error) {
    if (!isAboutOneDocument(error)) throw error
    if (!report.mentions(path)) report.warning(path, error.message)
    return undefined
  }
}
