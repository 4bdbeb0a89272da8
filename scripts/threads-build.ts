import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { ROOT } from './processes.ts'
import { hashOf } from './web-build.ts'

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
    const now = last && madeFrom(last.files.map(({ path }) => path).filter(path => existsSync(inRoot(path))))
    if (now && now.hash === last?.hash) {
      // The same sources, perhaps written anew since: after a change of branch and back, say.
      tell(now)
      return { built: false }
    }
    const started = Date.now()
    const input = ['worker', 'reader'].map(name => join(SERVER, `src/jobs/${name}.ts`))
    const bundle = await rolldown({ input, external, platform: 'node', logLevel: 'silent' })
    // A server that runs finds its threads there all the time: shared pieces are named after what is in them.
    removeThreads()
    const { output } = await bundle.write({ dir: OUT, format: 'esm' })
    await bundle.close()
    const modules = output.flatMap(chunk => (chunk.type === 'chunk' ? chunk.moduleIds : []))
    const sources = modules.filter(id => existsSync(id) && !id.includes('/node_modules/'))
    const paths = [...BESIDE, ...new Set(sources.map(id => relative(ROOT, id)))].sort()
    const made = madeFrom(paths)
    // Of one that was changed meanwhile nobody knows which state the bundle has: the sources are taken until the next build.
    if (paths.every(path => statSync(inRoot(path)).mtimeMs < started)) tell(made)
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

/** The sources as they are. Each is read after it was looked at: of one that changes in between the server finds another time. */
function madeFrom(paths: readonly string[]): MadeFrom {
  const files = paths.map(path => {
    const { size, mtimeMs } = statSync(inRoot(path))
    return { path, size, changed: mtimeMs }
  })
  return { hash: hashOf(paths.map(inRoot)), files }
}

/** Whole or not at all. */
function tell(made: MadeFrom): void {
  writeFileSync(`${MADE_FROM}-${process.pid}`, JSON.stringify(made))
  renameSync(`${MADE_FROM}-${process.pid}`, MADE_FROM)
}

function inRoot(path: string): string {
  return join(ROOT, path)
}
