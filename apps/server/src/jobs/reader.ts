import { lowerThreadPriority } from './thread-priority.ts'
import type {
  CheckOutcome,
  ContentsOutcome,
  ImportInput,
  ImportOutcome,
  ReviewOutcome,
} from '../commands/manifest/import-messages.ts'
import { readImportFile } from './read-import.ts'
import { checkContentsFile, readContentsFile } from './read-contents.ts'
import { reviewImportFile } from './review-import.ts'
import { readSql, type ReadSql } from './read-sql.ts'
import type { Tasks } from './tasks.ts'
import { type LibraryInput, readLibraryFolder, type ReadLibrary } from './read-library.ts'

lowerThreadPriority()

// A separate thread kind without store connection, because it reads untrusted files.

export function importFile(input: ImportInput): Promise<ImportOutcome> {
  return readImportFile(input)
}

export function reviewFile(input: ImportInput): Promise<ReviewOutcome> {
  return reviewImportFile(input)
}

export function contentsFile(input: ImportInput): Promise<ContentsOutcome> {
  return readContentsFile(input)
}

export function checkFile(input: ImportInput): Promise<CheckOutcome> {
  return checkContentsFile(input)
}

export function library(input: LibraryInput): Promise<ReadLibrary> {
  return readLibraryFolder(input)
}

export function sql({ text, database }: Tasks['sql']['input']): ReadSql {
  return readSql(text, { database })
}
