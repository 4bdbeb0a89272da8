import { expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { nodeAt } from './driver/tree.ts'
import { expectShown } from './driver/widgets.ts'

const { page } = await startJourney()

it('a prefetched manifest list is discarded if the session request has to be retried', async () => {
  const lists: string[] = []
  page.on('request', request => {
    if (/\/1\.0\/cdm\/manifest\?/.test(request.url())) lists.push(request.url())
  })
  await page.route(/\/sso\/session/, route => route.abort())
  await page.reload()
  const retry = page.getByRole('button', { name: 'Retry' })
  await expectShown(retry)
  // The prefetch is sent before the session request fails.
  await expect.poll(() => lists.length).toBe(1)
  await apiOf(page).createManifest('CameMeanwhile')
  await page.unrouteAll()
  await retry.click()
  await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'CameMeanwhile'))
})
