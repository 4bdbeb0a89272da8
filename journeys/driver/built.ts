import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Vitest calls this before the first journey of a run: the page as its sources are. Workers that built it would meet in its folder. */
export function setup(): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/build.ts')], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
}
