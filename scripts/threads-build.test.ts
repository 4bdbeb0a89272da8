import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './processes.ts'
import { buildThreads } from './threads-build.ts'

it('the code of threads is bundled once per state of the sources, with their list', async () => {
  expect(await buildThreads()).not.toHaveProperty('problem')
  expect(await buildThreads()).toEqual({ built: false })
  const folder = join(ROOT, 'apps/server/dist/threads')
  for (const file of ['worker.js', 'reader.js']) expect(existsSync(join(folder, file))).toBe(true)
  const { files }: { files: { path: string; size: number; changed: number }[] } = JSON.parse(
    readFileSync(join(folder, 'made-from.json'), 'utf8'),
  )
  const paths = files.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining([
      'apps/server/src/jobs/reader.ts',
      'apps/server/src/jobs/worker.ts',
      'package-lock.json',
      'packages/model/src/content.ts',
    ]),
  )
  expect(paths.filter(path => path.includes('node_modules'))).toEqual([])
  for (const { path, size, changed } of files)
    expect(statSync(join(ROOT, path))).toMatchObject({ size, mtimeMs: changed })
})
