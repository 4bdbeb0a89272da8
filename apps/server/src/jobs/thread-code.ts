import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const server = join(import.meta.dirname, '../..')
const repository = join(server, '../..')
const bundles = join(server, 'dist/threads')

/** What `scripts/threads-build.ts` says of its bundle: bytes of each source, and the milliseconds of its last change. */
type MadeFrom = { files: { path: string; size: number; changed: number }[] }

let fresh: boolean | undefined

/**
 * The address of what a thread runs: its bundle where that was made of the sources as they are, else the source, which takes seven
 * times as long to load and is the same.
 */
export function threadCode(name: 'worker' | 'reader'): string {
  fresh ??= isMadeFromSources(bundles, repository)
  return fresh ? pathToFileURL(join(bundles, `${name}.js`)).href : new URL(`${name}.ts`, import.meta.url).href
}

/** Whether no source has changed since. Paths are from `root`. */
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
