import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Piscina } from 'piscina'

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

/** Number of memory-intensive tasks running. */
let running = 0

/**
 * Runs memory-intensive work with slow heap growth. Under load, V8 lets each thread's heap grow to four times its live
 * size; this limits growth to a quarter for all threads. Outside such work the limit would only cost time.
 */
export async function withHeapLimit<T>(work: () => Promise<T>): Promise<T> {
  running += 1
  setFlagsFromString('--heap-growing-percent=25')
  try {
    return await work()
  } finally {
    running -= 1
    // 0 restores V8's default.
    if (running === 0) setFlagsFromString('--heap-growing-percent=0')
  }
}

export type PoolOptions = NonNullable<ConstructorParameters<typeof Piscina>[0]>

/**
 * Creates a pool with an error listener. A thread may fail without a waiting task, for example out of memory right
 * after its task was cancelled; without a listener that would end the process. The next task gets another thread.
 */
export function newPool(options: PoolOptions, onLost: (error: unknown) => void): Piscina {
  return new Piscina(options).on('error', onLost)
}
