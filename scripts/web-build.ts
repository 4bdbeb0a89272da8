import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { programOf, ROOT, runNode } from './processes.ts'

const WEB = join(ROOT, 'apps/web')
const STAMP = join(WEB, 'dist', '.built-from')
const SOURCES = ['apps/web', 'packages/diagram/src', 'packages/model/src', 'package-lock.json']
const NOT_SOURCES = new Set(['dist', 'node_modules'])

/** Builds the web app if a source changed since the last build. Returns the output of the builder on failure. */
export async function buildWeb(): Promise<{ built: boolean; problem?: string }> {
  const hash = hashOf(SOURCES.map(path => join(ROOT, path)))
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return { built: false }
  // Overrides the environment of a shell or test runner: a development build is a third larger and slower.
  const env = { NODE_ENV: 'production' }
  const { code, output } = await runNode([programOf('vite'), 'build', WEB, '--logLevel', 'warn'], { env })
  if (code !== 0) return { built: false, problem: output }
  writeFileSync(STAMP, hash)
  return { built: true }
}

/** A hash of names and contents, as times change with a clone or a switch of branch. */
export function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesBelow)) {
    hash
      .update(`${relative(ROOT, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .filter(name => !NOT_SOURCES.has(name) && !/\.test\.tsx?$/.test(name))
    .sort()
    .flatMap(name => filesBelow(join(path, name)))
}
