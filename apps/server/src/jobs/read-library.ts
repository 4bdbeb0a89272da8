import { readCdm } from '@cadmus/formats/cdm/read'
import { ImportError } from '@cadmus/formats/import-error'
import type { ImportedModel } from '@cadmus/formats/imported-model'
import { openFolder } from '../library/read-folder.ts'

/** `model` is null where nothing can be read: then `refused` says why. */
export type ReadLibrary = { model: ImportedModel; refused: null } | { model: null; refused: string }

/** Reads a folder of CDM documents. */
export async function readLibraryFolder(folder: string): Promise<ReadLibrary> {
  try {
    return { model: readCdm(await openFolder(folder)), refused: null }
  } catch (error) {
    if (error instanceof ImportError) return { model: null, refused: error.message }
    throw error
  }
}
