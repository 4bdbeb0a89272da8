import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../library/', import.meta.url))

/** Files of the repository's library, by path. */
export function libraryFolder(): Map<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return new Map(
    entries.map(entry => {
      const file = join(entry.parentPath, entry.name)
      return [relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')]
    }),
  )
}
