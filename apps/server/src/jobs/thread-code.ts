import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const server = join(import.meta.dirname, '../..')
const repository = join(server, '../..')
const bundles = join(server, 'dist/threads')

/**
 * The manifest of a bundle written by `scripts/threads-build.ts`: size in bytes and modification time in milliseconds
 * of each source.
 */
type MadeFrom = { files: { path: string; size: number; changed: number }[] }

let fresh: boolean | undefined

/**
 * Returns the URL of a thread's code: the bundle if it is up to date, else the source, which takes seven times as long
 * to load.
 */
export function threadCode(name: 'worker' | 'reader'): string {
  fresh ??= isMadeFromSources(bundles, repository)
  return fresh ? pathToFileURL(join(bundles, `${name}.js`)).href : new URL(`${name}.ts`, import.meta.url).href
}

/** Whether no source has changed since the bundle was built. Paths are relative to `root`. */
export function isMadeFromSources(bundle: string, root: string): boolean {
  try {
    const { files }: MadeFrom = JSON.parse(readFileSync(join(bundle, 'made-from.json'), 'utf8'))
    return files.every(({ path, size, changed }) => {
      const now = statSync(join(root, path))
      return now.size === size && now.mtimeMs === changed
    })
  } catch {
    return false
  }
}
