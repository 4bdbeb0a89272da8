import { workInBackground } from './background.ts'
import type { ImportInput, ImportOutcome } from '../commands/manifest/import-messages.ts'
import { readImportFile } from './read-import.ts'
import { type LibraryInput, readLibraryFolder, type ReadLibrary } from './read-library.ts'

workInBackground()

// A thread of its own kind: one that reads files, strangers' files too, has no connection to the store.

export function importFile(input: ImportInput): Promise<ImportOutcome> {
  return readImportFile(input)
}

export function library(input: LibraryInput): Promise<ReadLibrary> {
  return readLibraryFolder(input)
}
