import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { ROOT } from './processes.ts'

const SERVER = join(ROOT, 'apps/server')
const OUT = join(SERVER, 'dist/threads')
const MADE_FROM = join(OUT, 'made-from.json')
/** What it is made from beside the sources: packages as they stand in the lock, and what is said here. */
const BESIDE = ['package-lock.json', 'scripts/threads-build.ts']

/** What it marks to be moved between threads must come from the very module that moves it. */
const external = ['piscina']

type MadeFrom = { hash: string; files: { path: string; size: number; changed: number }[] }

/**
 * Bundles what the server's threads run, if a source changed since the last time: a thread that loads hundreds of sources one by one
 * takes seven times as long to start. `made-from.json` beside it names the sources, with bytes and milliseconds of their last change:
 * the server takes the bundle only while they are so. Answers the builder's words when it failed.
 */
export async function buildThreads(): Promise<{ built: boolean; problem?: string }> {
  try {
    const last = lastBuild()
    const known = last?.files.map(({ path }) => path) ?? []
    if (last && hashOf(known) === last.hash) {
      // The same sources, perhaps written anew since: after a change of branch and back, say.
      tellSources(OUT, known)
      return { built: false }
    }
    const started = Date.now()
    const made = `${OUT}-${process.pid}`
    const input = ['worker', 'reader'].map(name => join(SERVER, `src/jobs/${name}.ts`))
    const bundle = await rolldown({ input, external, platform: 'node', logLevel: 'silent' })
    const { output } = await bundle.write({ dir: made, format: 'esm' })
    await bundle.close()
    const modules = output.flatMap(chunk => (chunk.type === 'chunk' ? chunk.moduleIds : []))
    const sources = modules.filter(id => existsSync(id) && !id.includes('/node_modules/'))
    const paths = [...BESIDE, ...new Set(sources.map(id => relative(ROOT, id)))].sort()
    // Of one that was changed meanwhile nobody knows which state the bundle has: the sources are taken until the next build.
    if (paths.every(path => statSync(join(ROOT, path)).mtimeMs < started)) tellSources(made, paths)
    // A server that runs finds its threads there all the time but for this moment.
    rmSync(OUT, { recursive: true, force: true })
    renameSync(made, OUT)
    return { built: true }
  } catch (error) {
    return { built: false, problem: String(error) }
  }
}

/** Threads load their sources until the next build; those of a server that runs already have their bundle still. */
export function removeThreads(): void {
  rmSync(MADE_FROM, { force: true })
}

function lastBuild(): MadeFrom | undefined {
  try {
    const made: MadeFrom = JSON.parse(readFileSync(MADE_FROM, 'utf8'))
    return made
  } catch {
    return undefined
  }
}

function tellSources(folder: string, paths: readonly string[]): void {
  const files = paths.map(path => {
    const { size, mtimeMs } = statSync(join(ROOT, path))
    return { path, size, changed: mtimeMs }
  })
  const made: MadeFrom = { hash: hashOf(paths), files }
  const file = join(folder, 'made-from.json')
  // Whole or not at all.
  writeFileSync(`${file}-${process.pid}`, JSON.stringify(made))
  renameSync(`${file}-${process.pid}`, file)
}

/** Of names and contents; a source that is gone is another content. */
function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) {
    const file = join(ROOT, path)
    hash
      .update(`${path}\0`)
      .update(existsSync(file) ? readFileSync(file) : '\0')
      .update('\0')
  }
  return hash.digest('hex')
}
