import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { ROOT } from './processes.ts'
import { hashOf } from './web-build.ts'

const APP = join(ROOT, 'apps/instance')
const OUT = join(APP, 'dist')
const STAMP = join(OUT, '.built-from')
const SOURCES = [
  'apps/instance/src',
  'packages/model/src',
  'packages/sql/src',
  'packages/formats/src',
  'package-lock.json',
  'scripts/instance-build.ts',
].map(path => join(ROOT, path))

/** Read at run time from the folder of the code that serves it. */
const PAGE = join(APP, 'src/explorer/page')
/** Database drivers load their own files, and are installed with the first package that needs them. */
const external = [/^(pg|mysql2|mssql|oracledb)(\/|$)/]

/** The bundled program. */
export const INSTANCE = join(OUT, 'main.js')

/**
 * Bundles the instance if a source changed since the last build. Without bundling, the type stripper takes a fifth of
 * the memory of an instance without packages. Returns the bundler's message on failure.
 */
export async function buildInstance(): Promise<{ built: boolean; problem?: string }> {
  const hash = hashOf(SOURCES)
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return { built: false }
  try {
    const input = ['main', 'drivers/sqlite-worker'].map(name => join(APP, `src/${name}.ts`))
    const bundle = await rolldown({ input, external, platform: 'node', logLevel: 'silent' })
    rmSync(OUT, { recursive: true, force: true })
    await bundle.write({ dir: OUT, format: 'esm' })
    await bundle.close()
    // Concurrent builds write the same content.
    mkdirSync(join(OUT, 'page'), { recursive: true })
    for (const name of readdirSync(PAGE)) copyFileSync(join(PAGE, name), join(OUT, 'page', name))
    writeFileSync(STAMP, hash)
    return { built: true }
  } catch (error) {
    return { built: false, problem: String(error) }
  }
}
