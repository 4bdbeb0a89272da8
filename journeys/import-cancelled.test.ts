import { describe, expect, it } from 'vitest'
import { cdmFolder } from './driver/cdm.ts'
import { openDesk } from './driver/desk.ts'
import { beginImport } from './driver/transfer.ts'
import { expectShown, press } from './driver/widgets.ts'

const { page } = await openDesk()

describe('An import that is cancelled', () => {
  it('while its file is on the way never arrives', async () => {
    const arrival = Promise.withResolvers<void>()
    const sent: Promise<void>[] = []
    await page.route(/\/manifest\/import\?/, route => {
      if (route.request().method() !== 'POST') return route.continue()
      // A request that the page has given up cannot go on.
      sent.push(arrival.promise.then(() => route.continue()).catch(() => undefined))
      return undefined
    })
    const { name, bytes } = cdmFolder()
    const open = await beginImport(page, name, bytes)
    await expect.poll(() => sent.length).toBe(1)
    await press(open, 'Cancel')
    await expectShown(open.getByText('The import was cancelled. Nothing was imported.'))
    arrival.resolve()
    await Promise.all(sent)
    await page.unroute(/\/manifest\/import\?/)
    await expectShown(open.getByText('The import was cancelled. Nothing was imported.'))
    await press(open, 'Cancel')
    await page.reload()
    await expectShown(page.getByRole('tree').getByRole('treeitem', { name: /^Custom/ }))
    await expect.poll(() => page.getByRole('treeitem', { name: /^clinic/ }).count()).toBe(0)
  })
})
