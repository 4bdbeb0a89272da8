import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk, shoot } from './driver/desk.ts'
import { openEntity } from './driver/document.ts'
import { entityDocument } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { dialog, expectShown } from './driver/widgets.ts'

const { page } = await openDesk()
const customer = await apiOf(page).entityNamed('Customer')
await openEntity(page, { id: customer, name: 'Customer' })
await page.emulateMedia({ forcedColors: 'active' })

/** Whether something stands out where the system takes away the page's own grounds and shadows. */
async function standsOut(what: Locator): Promise<boolean> {
  await expectShown(what)
  return what.evaluate(element => {
    const probe = document.body.appendChild(document.createElement('div'))
    probe.style.background = 'Highlight'
    const highlight = getComputedStyle(probe).backgroundColor
    probe.remove()
    const { backgroundColor, outlineStyle } = getComputedStyle(element)
    return outlineStyle !== 'none' || backgroundColor === highlight
  })
}

const highlighted = () => page.locator('[role=option][data-highlighted]').first()

describe('With forced colours it is seen', () => {
  it('which line of a picker Enter would take', async () => {
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await page.getByRole('button', { name: 'Add Relationship' }).click()
    await dialog(page, 'New Relationship').getByRole('combobox', { name: 'Associated Entity' }).click()
    await expectShown(page.getByRole('option').nth(1))
    await keys(page, 'ArrowDown')
    expect(await standsOut(highlighted())).toBe(true)
    await shoot(page, 'forced-picker')
  })

  it('which row of a table is shown beside it', async () => {
    await page.reload()
    await expectShown(entityDocument(page, 'Customer'))
    const rows = entityDocument(page, 'Customer').locator('tbody tr')
    await rows.nth(1).click()
    await expectShown(page.locator('tr[data-current]'))
    await keys(page, 'Escape')
    expect(await standsOut(page.locator('tr[data-current]'))).toBe(true)
    await shoot(page, 'forced-row')
  })

  it('which line of the palette Enter would take', async () => {
    await page.reload()
    await expectShown(entityDocument(page, 'Customer'))
    await keys(page, 'Control+k')
    await page.keyboard.type('theme')
    expect(await standsOut(highlighted())).toBe(true)
    await shoot(page, 'forced-palette')
  })
})
