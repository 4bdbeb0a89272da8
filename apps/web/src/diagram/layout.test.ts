import { join } from 'node:path'
import { layoutByAreas } from '@cadmus/diagram/layout/by-areas'
import type { Scene } from '@cadmus/diagram/scene'
import { generatedScene } from '@cadmus/diagram/testing/scenes'
import { buildPage, openPage } from '@cadmus/testing/built-page'
import { launchChromium } from '@cadmus/testing/chromium'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type {} from '../testing/diagram/page.ts'
import { layout } from './layout.ts'

let browser: Awaited<ReturnType<typeof launchChromium>>
let page: Awaited<ReturnType<typeof openPage>>['page']
beforeAll(async () => {
  const built = await buildPage(join(import.meta.dirname, '../testing/diagram'), 'page.html')
  browser = await launchChromium()
  page = (await openPage(browser, built, {})).page
})
afterAll(() => browser.close())

it('a small diagram is laid out at once', async () => {
  const scene = generatedScene({ count: 60 })
  expect(await layout(scene, new AbortController().signal)).toEqual(layoutByAreas(scene))
})

it('a large diagram is laid out in a worker, which ends afterwards', async () => {
  const scene = generatedScene({ count: 1000 })
  const { places, workers } = await lay(scene, null)
  expect(places).toEqual(layoutByAreas(scene))
  expect(workers).toBe(1)
  await expect.poll(() => page.workers()).toEqual([])
})

it('a cancelled layout rejects with its reason and ends its worker', async () => {
  const scene = generatedScene({ count: 1000 })
  await expect(lay(scene, 'left')).rejects.toThrow('left')
  await expect.poll(() => page.workers()).toEqual([])
  await expect(layout(scene, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
})

/** In the browser. */
async function lay(scene: Scene, abort: string | null) {
  let workers = 0
  page.once('worker', () => workers++)
  const places = await page.evaluate(
    async ({ scene, abort }) => {
      const controller = new AbortController()
      const promise = diagramPage.layout(scene, controller.signal)
      if (abort !== null) controller.abort(new Error(abort))
      return promise
    },
    { scene, abort },
  )
  return { places, workers }
}
