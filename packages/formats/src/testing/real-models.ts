import { readArchive } from '../archive.ts'
import { readCdm } from '../cdm/read.ts'
import type { ImportedModel } from '../imported-model.ts'
import { sharedBytes } from './shared-cdm.ts'

const models = new Map<string, ImportedModel>()

/** The model of a shared archive. Cached: callers must not modify it. */
export function realModel(archive: string): ImportedModel {
  const cached = models.get(archive)
  if (cached) return cached
  const model = readCdm(readArchive(sharedBytes(`zips/${archive}.zip`)))
  models.set(archive, model)
  return model
}
