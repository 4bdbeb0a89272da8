import type { ImportInput, ImportOutcome } from './import-messages.ts'
import { readImportFile } from './read-import.ts'

// A file of its own: a thread that reads strangers' files has no connection to the store.
// oxlint-disable-next-line import/no-default-export -- what the thread pool calls
export default function read(input: ImportInput): Promise<ImportOutcome> {
  return readImportFile(input)
}
