import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { ExportWriter, ModelHistory } from '../export-writer.ts'
import { layoutOf, type Place } from './layout.ts'
import { sidecarFileName } from './read-sidecar.ts'
import { type SidecarEntity, type SidecarNote, sidecarText } from './sidecar.ts'
import { entityJson } from './write-entity.ts'
import { ManifestWriter } from './write-manifest.ts'
import { type CdmNote, notesOf } from './write-notes.ts'
import { toSidecarEntity, toSidecarManifest } from './write-sidecar.ts'
import { WrittenKeys } from './written-keys.ts'
import { writtenDocuments } from './written-model.ts'

/** The preview has the notes only. */
export const cdmWriter: ExportWriter<'cdm'> = {
  needsHistory: true,
  write({ resolvedModel, history }) {
    const { files, notes } = writeCdm(resolvedModel, history)
    const preview = () => notes.map(({ path, message }) => `${path}: ${message}`).join('\n')
    return { files, notes: notes.length, suffix: 'cdm', preview }
  },
}

/** Files by path, and notes on model properties that they do not contain. */
type CdmFolderText = { files: Map<string, string>; notes: CdmNote[] }

/** Maximum characters per sidecar file, within the reader's limits. */
const pieceLength = 4_000_000

/**
 * Writes a manifest with its sub-manifests as a CDM folder. Expects a resolved model without validation errors; properties
 * that a folder cannot hold are approximated and reported as notes. Deterministic.
 */
export function writeCdm(resolvedModel: ResolvedModel, options: ModelHistory = {}): CdmFolderText {
  const { versions } = options
  const layout = layoutOf(resolvedModel)
  const documents = writtenDocuments(resolvedModel, layout)
  const keys = new WrittenKeys(documents)
  const files = new Map<string, string>()
  const put = ({ path }: Place, json: unknown): string => {
    const text = `${JSON.stringify(json, null, 2)}\n`
    files.set(path, text)
    return text
  }
  const writer = new ManifestWriter(documents, layout)
  const manifests = resolvedModel.manifests.flatMap(manifest => {
    const place = layout.manifests.get(manifest.id)
    if (!place) return []
    const text = put(place, writer.json(manifest, place, versions?.manifests.get(manifest.id)))
    return [toSidecarManifest(manifest, place, text)]
  })
  const entities = [...documents].map(([id, document]) => {
    const version = versions?.entities.get(id)
    const text = put(document.place, entityJson(document, keys, version))
    return toSidecarEntity(document, text, version, { documents, external: resolvedModel.byId })
  })
  const notes = notesOf(resolvedModel, documents, layout, options)
  const lost = notes.filter(({ isLost }) => isLost).map(({ path, message }): SidecarNote => ({ path, message }))
  for (const [index, part] of inPieces(entities).entries()) {
    const first = index === 0 ? { manifests, notes: lost } : { manifests: [], notes: [] }
    files.set(sidecarFileName(index + 1), sidecarText({ ...first, entities: part }))
  }
  return { files, notes }
}

function inPieces(entities: readonly SidecarEntity[]): SidecarEntity[][] {
  const pieces: SidecarEntity[][] = [[]]
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
