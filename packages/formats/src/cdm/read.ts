import type { Files } from '../archive.ts'
import type { ImportedModel } from '../imported-model.ts'
import { loadFolder, type ReadOptions } from './folder.ts'
import { toModel } from './to-model.ts'
import { reportUnlisted } from './unlisted.ts'

/**
 * Reads a CDM folder into the model's words. The folder is a `Map` of texts or bytes by path, or an archive. It works without a
 * pause, so a server calls it in a worker; the result is plain data. Throws ImportError where nothing can be imported; all else
 * that was not understood is in the result's report.
 */
export function readCdm(files: Files, options: ReadOptions = {}): ImportedModel {
  const folder = loadFolder(files, options)
  reportUnlisted(folder, options)
  return toModel(folder, options)
}
