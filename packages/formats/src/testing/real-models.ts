import { readArchive } from '../archive.ts'
import { readCdm } from '../cdm/read.ts'
import type { ImportedModel } from '../imported-model.ts'
import { sharedBytes } from './shared-cdm.ts'

// For tests only.

const models = new Map<string, ImportedModel>()

/** The model that one of the shared archives holds; read once, so not to be changed. */
export function realModel(archive: string): ImportedModel {
  const known = models.get(archive)
  if (known) return known
  const model = readCdm(readArchive(sharedBytes(`zips/${archive}.zip`)))
  models.set(archive, model)
  return model
}
