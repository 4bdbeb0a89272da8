import { isAboutOneDocument } from '../import-error.ts'
import { folderOfPath, type Corpus } from './corpus.ts'
import { checkSignal, type CdmFolder, type ReadOptions } from './folder.ts'
import { isObject, listOf, nameOf, type JsonObject } from './json.ts'
import { isManifest, manifestFile } from './manifest.ts'
import type { Report } from './report.ts'
import { isStandardDocument } from './standard.ts'

const documentFile = /\.cdm\.json$/i
/** `Account.1.3.cdm.json`: an older copy of the document without a number. */
const frozenFile = /\.\d+(?:\.\d+)*(?:\.manifest|\.folio)?\.cdm\.json$/i

/**
 * Accounts for what the folder holds and no manifest of the import lists: a line for every manifest and every entity, and one
 * for all older copies. The standard documents are no part of a folder's model: their helper entities are not told.
 */
export function reportUnlisted({ corpus, entities, manifests, report }: CdmFolder, options: ReadOptions): void {
  const read = new Set(manifests.map(manifest => manifest.path))
  const root = manifests[0]?.path ?? ''
  let copies = 0
  for (const path of corpus.paths()) {
    checkSignal(options)
    if (!documentFile.test(path) || path.startsWith('__MACOSX/') || read.has(path) || isStandard(path, root)) continue
    if (frozenFile.test(path) && !corpus.loaded(path)) {
      copies++
    } else if (manifestFile.test(path)) {
      if (isReadableManifest(path, corpus, report)) report.warning(path, unlistedManifest)
    } else {
      const unlisted = entityNames(path, corpus, report).filter(name => !entities.has(`/${path}/${name}`))
      for (const name of unlisted) report.warning(`${path}/${name}`, unlistedEntity)
    }
  }
  const what = copies === 1 ? 'One document is an older copy' : `${copies} documents are older copies`
  if (copies > 0) report.warning(root, `${what} that no manifest lists: the file name has a version.`)
}

const unlistedEntity = 'No manifest lists this entity; it was not imported as one of its own.'
const unlistedManifest = 'No other manifest lists this one; it was not imported.'

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

function isReadableManifest(path: string, corpus: Corpus, report: Report): boolean {
  const json = jsonOf(path, corpus, report)
  return json !== undefined && isManifest(json)
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
