import type { Files } from '../archive.ts'
import type { ImportedModel } from '../imported-model.ts'
import { loadFolder, type ReadOptions } from './folder.ts'
import { toModel } from './to-model.ts'
import { reportUnlisted } from './unlisted.ts'

/**
 * Reads a CDM folder or archive (`Map` of texts or bytes by path). Runs synchronously, so servers should call it in a
 * worker. Returns plain data; unsupported content is listed in the report. Throws ImportError if nothing can be
 * imported.
 */
export function readCdm(files: Files, options: ReadOptions = {}): ImportedModel {
  const folder = loadFolder(files, options)
  reportUnlisted(folder, options)
  return toModel(folder, options)
}
