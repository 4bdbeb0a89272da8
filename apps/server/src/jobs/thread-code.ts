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
type BundleManifest = { files: { path: string; size: number; changed: number }[] }

let isBundleCurrent: boolean | undefined

/**
 * Returns the URL of a thread's code: the bundle if it is up to date, else the source, which takes seven times as long
 * to load.
 */
export function threadCode(name: 'worker' | 'reader'): string {
  isBundleCurrent ??= isBundleUpToDate(bundles, repository)
  return isBundleCurrent ? pathToFileURL(join(bundles, `${name}.js`)).href : new URL(`${name}.ts`, import.meta.url).href
}

/** Whether no source has changed since the bundle was built. Paths are relative to `root`. */
export function isBundleUpToDate(bundle: string, root: string): boolean {
  try {
    const { files }: BundleManifest = JSON.parse(readFileSync(join(bundle, 'made-from.json'), 'utf8'))
    return files.every(({ path, size, changed }) => {
      const now = statSync(join(root, path))
      return now.size === size && now.mtimeMs === changed
    })
  } catch {
    return false
  }
}
