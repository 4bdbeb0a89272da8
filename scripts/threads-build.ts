import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { ROOT } from './processes.ts'

const SERVER = join(ROOT, 'apps/server')
const OUT = join(SERVER, 'dist/threads')
const MADE_FROM = join(OUT, 'made-from.json')
/** The sources of the server, and every package that they import, as these stand in the lock. */
const LOCK = 'package-lock.json'

/** What it marks to be moved between threads must come from the very module that moves it. */
const external = ['piscina']

type MadeFrom = { hash: string; files: { path: string; size: number; changed: number }[] }

/**
 * Bundles what the server's threads run, if a source changed since the last time: a thread that loads hundreds of sources one by one
 * takes seven times as long to start. `made-from.json` beside it names the sources, with bytes and milliseconds of their last change:
 * the server takes the bundle only while they are so. Answers the builder's words when it failed.
 */
export async function buildThreads(): Promise<{ built: boolean; problem?: string }> {
  const last = lastBuild()
  if (last && hashOf(last.files.map(({ path }) => path)) === last.hash) {
    // The same sources, perhaps written anew since: after a change of branch and back, say.
    write(last.files.map(({ path }) => path))
    return { built: false }
  }
  try {
    removeThreads()
    const input = ['worker', 'reader'].map(name => join(SERVER, `src/jobs/${name}.ts`))
    const bundle = await rolldown({ input, external, platform: 'node', logLevel: 'silent' })
    const { output } = await bundle.write({ dir: OUT, format: 'esm' })
    await bundle.close()
    const modules = output.flatMap(chunk => (chunk.type === 'chunk' ? chunk.moduleIds : []))
    const sources = modules.filter(id => existsSync(id) && !id.includes('/node_modules/'))
    write([LOCK, ...new Set(sources.map(id => relative(ROOT, id)))].sort())
    return { built: true }
  } catch (error) {
    return { built: false, problem: String(error) }
  }
}

/** Threads load their sources until the next build. */
export function removeThreads(): void {
  rmSync(OUT, { recursive: true, force: true })
}

function lastBuild(): MadeFrom | undefined {
  if (!existsSync(MADE_FROM)) return undefined
  const made: MadeFrom = JSON.parse(readFileSync(MADE_FROM, 'utf8'))
  return made
}

function write(paths: readonly string[]): void {
  const files = paths.map(path => {
    const { size, mtimeMs } = statSync(join(ROOT, path))
    return { path, size, changed: mtimeMs }
  })
  mkdirSync(OUT, { recursive: true })
  const made: MadeFrom = { hash: hashOf(paths), files }
  writeFileSync(MADE_FROM, JSON.stringify(made))
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
