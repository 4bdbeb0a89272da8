import { latestManifests } from '@cadmus/formats/cdm/manifest'
import { readCdm } from '@cadmus/formats/cdm/read'
import { ImportError } from '@cadmus/formats/import-error'
import type { ImportedModel } from '@cadmus/formats/imported-model'
import type { MessagePort } from 'node:worker_threads'
import { openFolder, type FolderFiles } from '../library/read-folder.ts'
import { progressReporter } from './progress-reporter.ts'

/** `port` receives the progress. */
export type LibraryInput = { folder: string; port: MessagePort }

/** `model` is null if the folder is unreadable; `refused` is the reason. */
export type ReadLibrary = { model: ImportedModel; refused: null } | { model: null; refused: string }

/** Temporary parent of all manifests in the folder, because a library need not have a single root. */
const root = 'all-of-the-library.manifest.cdm.json'

/** Reads a folder of CDM documents, as declared by its manifests. */
export async function readLibraryFolder({ folder, port }: LibraryInput): Promise<ReadLibrary> {
  try {
    const model = readCdm(underOneRoot(await openFolder(folder)), { root, onProgress: progressReporter(port) })
    if (model.entities.length === 0) return { model: null, refused: 'No manifest of the folder declares an entity.' }
    return { model: { ...model, manifests: model.manifests.filter(({ path }) => path !== root) }, refused: null }
  } catch (error) {
    if (error instanceof ImportError) return { model: null, refused: error.message }
    throw error
  } finally {
    port.close()
  }
}

function underOneRoot(files: FolderFiles): FolderFiles {
  const subManifests = latestManifests(files.keys())
    .filter(path => isManifest(files, path))
    .toSorted(byDepth)
  const content = JSON.stringify({
    manifestName: 'library',
    subManifests: subManifests.map(path => ({ manifestName: path, definition: `/${path}` })),
  })
  return {
    size: files.size + 1,
    keys: () => [root, ...files.keys()],
    get: path => (path === root ? new TextEncoder().encode(content) : files.get(path)),
  }
}

/** Excludes JSON schemas of manifests, which have no manifest name. */
function isManifest(files: FolderFiles, path: string): boolean {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(files.get(path)))
    return typeof json === 'object' && json !== null && ('manifestName' in json || 'folioName' in json)
  } catch {
    // Fails, because skipping the file would remove a large part of the library.
    throw new ImportError('not-json', `${path} is not JSON.`)
  }
}

function byDepth(a: string, b: string): number {
  return a.split('/').length - b.split('/').length || (a < b ? -1 : 1)
}
