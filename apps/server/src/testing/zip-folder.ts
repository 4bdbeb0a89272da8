import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { writeArchive } from '@cadmus/formats/archive'

/** Zips the content of a folder on disk. */
export function zipFolder(folder: string): Uint8Array {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const files = entries.map(entry => join(entry.parentPath, entry.name))
  return writeArchive(new Map(files.map(file => [relative(folder, file).split(sep).join('/'), readFileSync(file)])))
}
