import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { ROOT } from './processes.ts'
import { hashOf } from './web-build.ts'

const SERVER = join(ROOT, 'apps/server')
const OUT = join(SERVER, 'dist/threads')
const MADE_FROM = join(OUT, 'made-from.json')
/** Sources in addition to the bundled modules. */
const EXTRA_SOURCES = ['package-lock.json', 'scripts/threads-build.ts']

/** Objects marked as transferable must come from the same module that transfers them. */
const external = ['piscina']

type MadeFrom = { hash: string; files: { path: string; size: number; changed: number }[] }

/**
 * Bundles the code of the server's threads if a source changed since the last build: a thread that loads hundreds of
 * sources takes seven times as long to start. `made-from.json` lists the sources with sizes and modification times in
 * milliseconds: the server uses the bundle only while they match. Returns the bundler's message on failure.
 */
export async function buildThreads(): Promise<{ built: boolean; problem?: string }> {
  try {
    const last = lastBuild()
    const now = last && madeFrom(last.files.map(({ path }) => path).filter(path => existsSync(inRoot(path))))
    if (now && now.hash === last?.hash) {
      // The same content with other modification times, for example after switching branches.
      writeManifest(now)
      return { built: false }
    }
    const started = Date.now()
    const input = ['worker', 'reader'].map(name => join(SERVER, `src/jobs/${name}.ts`))
    const bundle = await rolldown({ input, external, platform: 'node', logLevel: 'silent' })
    // A running server keeps its threads' files, as shared chunks are named by their hash.
    removeThreads()
    const { output } = await bundle.write({ dir: OUT, format: 'esm' })
    await bundle.close()
    const modules = output.flatMap(chunk => (chunk.type === 'chunk' ? chunk.moduleIds : []))
    const sources = modules.filter(id => existsSync(id) && !id.includes('/node_modules/'))
    const paths = [...EXTRA_SOURCES, ...new Set(sources.map(id => relative(ROOT, id)))].sort()
    const manifest = madeFrom(paths)
    // A source that changed during the build may not match the bundle: the sources are used until the next build.
    if (paths.every(path => statSync(inRoot(path)).mtimeMs < started)) writeManifest(manifest)
    return { built: true }
  } catch (error) {
    return { built: false, problem: String(error) }
  }
}

/** Makes threads load their sources until the next build; a running server keeps its bundle. */
export function removeThreads(): void {
  rmSync(MADE_FROM, { force: true })
}

function lastBuild(): MadeFrom | undefined {
  try {
    const manifest: MadeFrom = JSON.parse(readFileSync(MADE_FROM, 'utf8'))
    return manifest
  } catch {
    return undefined
  }
}

/**
 * The current sources. Each is hashed after its metadata was read, so that a concurrent change is detected by its time.
 */
function madeFrom(paths: readonly string[]): MadeFrom {
  const files = paths.map(path => {
    const { size, mtimeMs } = statSync(inRoot(path))
    return { path, size, changed: mtimeMs }
  })
  return { hash: hashOf(paths.map(inRoot)), files }
}

/** Writes atomically. */
function writeManifest(manifest: MadeFrom): void {
  writeFileSync(`${MADE_FROM}-${process.pid}`, JSON.stringify(manifest))
  renameSync(`${MADE_FROM}-${process.pid}`, MADE_FROM)
}

function inRoot(path: string): string {
  return join(ROOT, path)
}
