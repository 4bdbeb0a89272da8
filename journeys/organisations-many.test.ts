import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { inTheme, openDesk, shoot } from './driver/desk.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { changeSession, openProfileMenu, organisationLines } from './driver/session.ts'
import { expectClean } from './driver/sight.ts'
import { dialog, expectShown, press } from './driver/widgets.ts'

const { page } = await openDesk({ user: 'newcomer' })

const list = (within: Pick<Locator, 'getByRole'> = page) => within.getByRole('list', { name: 'Organisations' })
const lines = () => organisationLines(page)

describe('Many organisations', () => {
  const LONG = 'Consolidated Holdings of the United Manufacturers and Distributors of Fine Instruments, Northern Region'
  const many = Array.from({ length: 60 }, (_, at) => ({
    oc: `ORG${at}`,
    on: at % 2 === 0 ? `${LONG} ${at}` : `Organisation${'x'.repeat(100)}${at}`,
    ng: at < 40 ? 100 - at : 0,
  }))
  const withMany = () =>
    changeSession(page, ({ eccUser }) => {
      eccUser.permissions = [{ oc: 'ACME', on: 'Acme', ng: 200 }, ...many, { oc: 'ACME2', on: 'Acme', ng: 199 }]
    })

  it('the list is 500 high and scrolls; no name breaks the page', holds('M9.9'), async () => {
    await withMany()
    await page.goto('/org')
    await expectShown(page.getByRole('heading', { name: 'Organisations', exact: true }))
    const box = async () => (await list().boundingBox())?.height
    expect(await box()).toBe(500)
    expect(await list().evaluate(element => element.scrollHeight > element.clientHeight)).toBe(true)
    for (const theme of ['light', 'dark'] as const) {
      await inTheme(page, theme)
      for (const [width, height] of [
        [1440, 900],
        [1024, 768],
        [720, 450],
      ] as const) {
        await page.setViewportSize({ width, height })
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
          0,
        )
        await shoot(page, `organisations-many-${theme}-${width}`)
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await expectClean(page, 'organisations-many')
  })

  it('namesakes are told apart by their codes', async () => {
    await expectShown(page.getByRole('button', { name: 'Select Acme ACME2', exact: true }))
    expect((await lines())[0]).toBe('A | Acme | Select')
  })

  it('the arrows go from one to the next, and a search finds one by name or code', async () => {
    await tabTo(page, page.getByRole('button', { name: 'Select Acme ACME', exact: true }))
    await keys(page, 'ArrowDown', 'ArrowDown')
    const third = page.getByRole('button', { name: `Select ${LONG} 0`, exact: true })
    expect(await hasFocus(third)).toBe(true)
    await keys(page, 'End')
    expect(await hasFocus(page.getByRole('button', { name: /^Select Organisationx+39$/ }))).toBe(true)
    await keys(page, 'Home', 'ArrowUp')
    expect(await hasFocus(page.getByRole('button', { name: 'Select Acme ACME', exact: true }))).toBe(true)
    const search = page.getByRole('textbox', { name: 'Search organisations' })
    await search.fill('org12')
    await expect.poll(() => lines()).toEqual([`C1 | ${LONG} 12 | Select`])
    await search.fill('nobody is called so')
    await expectShown(page.getByText('No organisation has this name.'))
    await keys(page, 'Escape')
    await expect.poll(async () => (await lines()).length).toBe(62)
  })

  it('the dialog holds them too, with Cancel in sight', holds('M9.9'), async () => {
    await withMany()
    await page.goto('/')
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    await openProfileMenu(page)
    await page.getByRole('menuitem', { name: /^Organizations/ }).click()
    const open = dialog(page, 'Select Organisation')
    await expectShown(list(open))
    expect((await list(open).boundingBox())?.height).toBe(500)
    for (const theme of ['light', 'dark'] as const) {
      await inTheme(page, theme)
      for (const [width, height] of [
        [1440, 900],
        [1024, 768],
      ] as const) {
        await page.setViewportSize({ width, height })
        const cancel = await open.getByRole('button', { name: 'Cancel' }).boundingBox()
        expect((cancel?.y ?? height) + (cancel?.height ?? 0)).toBeLessThanOrEqual(height)
        await shoot(page, `organisations-dialog-${theme}-${width}`)
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await expectClean(page, 'organisations-dialog')
    await press(open, 'Cancel')
  })
})
