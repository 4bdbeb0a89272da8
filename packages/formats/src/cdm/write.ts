import type { Closure } from '@cadmus/model/closure'
import { besideFormat, type BesideEntity, type BesideNote } from './beside.ts'
import { layoutOf, type Place } from './layout.ts'
import { besideFileOf } from './read-beside.ts'
import { besideEntityOf, besideManifestOf } from './write-beside.ts'
import { entityJson } from './write-entity.ts'
import { ManifestWriter } from './write-manifest.ts'
import { notesOf, type CdmNote } from './write-notes.ts'
import { WrittenKeys } from './written-keys.ts'
import { writtenDocuments } from './written-model.ts'

export type WriteOptions = {
  /** The number of a manifest's or an entity's version, by id, where it is known. */
  versions?: { manifests: ReadonlyMap<number, string>; entities: ReadonlyMap<number, string> }
  /** Manifests that have a configuration: a folder has no place for it. */
  configured?: ReadonlySet<number>
  /** Manifests and entities, by id, that have versions before the one that is written. */
  earlier?: ReadonlySet<number>
}

/** The files of a folder by path, and what of the manifest they do not say. */
export type CdmFolderText = { files: Map<string, string>; notes: CdmNote[] }

/** So many characters stand in one of our own files, so that a reader's bounds hold for each. */
const pieceLength = 4_000_000

/**
 * Writes a manifest with its sub-manifests as a CDM folder. The closure is one that validates: what a folder cannot hold is written as
 * near to it as it can be, and told. The same closure gives the same files.
 */
export function writeCdm(closure: Closure, options: WriteOptions = {}): CdmFolderText {
  const { versions } = options
  const layout = layoutOf(closure)
  const documents = writtenDocuments(closure, layout)
  const keys = new WrittenKeys(documents)
  const files = new Map<string, string>()
  const put = ({ path }: Place, json: unknown): string => {
    const text = `${JSON.stringify(json, null, 2)}\n`
    files.set(path, text)
    return text
  }
  const writer = new ManifestWriter(documents, layout)
  const manifests = closure.manifests.flatMap(manifest => {
    const place = layout.manifests.get(manifest.id)
    if (!place) return []
    const text = put(place, writer.json(manifest, place, versions?.manifests.get(manifest.id)))
    return [besideManifestOf(manifest, place, text)]
  })
  const entities = [...documents].map(([id, document]) => {
    const version = versions?.entities.get(id)
    const text = put(document.place, entityJson(document, keys, version))
    return besideEntityOf(document, text, version, { documents, elsewhere: closure.byId })
  })
  const notes = notesOf(closure, documents, layout, options)
  const lost = notes.filter(({ isLost }) => isLost).map(({ path, message }): BesideNote => ({ path, message }))
  for (const [index, part] of inPieces(entities).entries()) {
    const first = index === 0 ? { manifests, notes: lost } : {}
    const json = { document: 'cadmus-cdm', format: besideFormat, ...first, entities: part }
    files.set(besideFileOf(index + 1), `${JSON.stringify(json)}\n`)
  }
  return { files, notes }
}

function inPieces(entities: readonly BesideEntity[]): BesideEntity[][] {
  const pieces: BesideEntity[][] = [[]]
  let length = 0
  for (const entity of entities) {
    const size = JSON.stringify(entity).length
    if (length + size > pieceLength && length > 0) {
      pieces.push([])
      length = 0
    }
    length += size
    pieces.at(-1)?.push(entity)
  }
  return pieces
}
