import { readCdm } from '@cadmus/formats/cdm/read'
import { ImportError } from '@cadmus/formats/import-error'
import { hashOfFolder, openFolder } from '../library/read-folder.ts'
import type { Tasks } from './tasks.ts'

// Raised when the reader understands more than before: then an unchanged folder is read again.
const reader = 1

/** Reads a folder of CDM documents, unless it is the one that was read last. */
export async function readLibraryFolder({
  folder,
  known,
}: Tasks['readLibrary']['input']): Promise<Tasks['readLibrary']['output']> {
  const files = await openFolder(folder)
  const hash = `${reader}-${hashOfFolder(files)}`
  if (hash === known) return { hash, model: null, refused: null }
  try {
    return { hash, model: readCdm(files), refused: null }
  } catch (error) {
    if (error instanceof ImportError) return { hash, model: null, refused: error.message }
    throw error
  }
}
