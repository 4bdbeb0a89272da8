import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { buildInstance, INSTANCE } from './instance-build.ts'
import { ROOT } from './processes.ts'

it('the instance is bundled once for the sources as they are, with the files of its pages', async () => {
  expect(await buildInstance()).not.toHaveProperty('problem')
  expect(await buildInstance()).toEqual({ built: false })
  expect(existsSync(INSTANCE)).toBe(true)
  const pages = ['explorer', 'protocols/graphql', 'protocols/soap'].flatMap(folder =>
    readdirSync(join(ROOT, 'apps/instance/src', folder, 'page')),
  )
  expect(new Set(pages).size).toBe(pages.length)
  expect(readdirSync(join(dirname(INSTANCE), 'page')).toSorted()).toEqual(pages.toSorted())
})
