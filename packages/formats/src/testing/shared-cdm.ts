import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

// Real CDM documents are only available beside the development repository; tests that need them are skipped
// elsewhere.

const root = fileURLToPath(new URL('../../../../../shared/cdm/', import.meta.url))

export const hasSharedCdm = existsSync(root)

export function sharedBytes(path: string): Uint8Array {
  return readFileSync(join(root, path))
}

export function sharedJson(path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

/** All files of a shared folder, by path. */
export function sharedFolder(path: string): Map<string, Uint8Array> {
  const folder = join(root, path)
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return new Map(
    entries.map(entry => {
      const file = join(entry.parentPath, entry.name)
      return [relative(folder, file).split(sep).join('/'), readFileSync(file)]
    }),
  )
}
