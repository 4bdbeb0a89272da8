import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { violationsInAllVariants } from './driver/axe.ts'
import { cell, entityDocument, manifestDocument } from './driver/entity.ts'
import { startJourney } from './driver/journey.ts'
import { dismissMessages, expectShown, holdMessages } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)

const id = await api.createManifest('Clinic')
const patient = await api.createEntity({ name: 'Patient', typeAttributes: [{ name: 'code' }, { name: 'user' }] }, id)
await api.createEntity({ name: 'Ward', typeAttributes: [{ name: 'order' }, { name: 'beds' }] }, id)

const bar = page.getByRole('contentinfo', { name: 'Status bar' })
const list = page.getByRole('tree', { name: 'Problems of Clinic' })
const manifest = manifestDocument(page, 'Clinic')

describe('Problems', () => {
  it('follow each change of a draft, and lead to the list and to the cell', async () => {
    await page.goto(`/?entity=${patient.id}`)
    await expectShown(bar.getByRole('button', { name: '2 warnings' }))
    const name = cell(page, 'code', 'name')
    await name.click()
    await page.keyboard.type('group')
    await page.keyboard.press('Enter')
    await expectShown(bar.getByRole('button', { name: '3 warnings' }))
    await expect.poll(() => cell(page, 'group', 'name').getAttribute('aria-description')).toContain('reserved')
    await bar.getByRole('button', { name: '3 warnings' }).click()
    await expectShown(manifest.getByRole('tab', { name: 'Problems 3', selected: true }))
    await expect.poll(() => list.getByRole('treeitem').count()).toBe(5)
    await list.getByRole('treeitem', { name: /group/ }).dblclick()
    await expectShown(entityDocument(page, 'Patient'))
    await expect
      .poll(() => cell(page, 'group', 'name').evaluate(one => one.contains(document.activeElement)))
      .toBe(true)
  })

  it('are repaired at the cell by Ctrl+., all of a kind in one step that can be undone', async () => {
    await page.keyboard.press('Control+.')
    await page.getByRole('menuitem', { name: 'Rename to patientGroup' }).click()
    await expectShown(cell(page, 'patientGroup', 'name'))
    await expectShown(bar.getByRole('button', { name: '2 warnings' }))
    await dismissMessages(page)
    await page.keyboard.press('F8')
    await expect.poll(() => cell(page, 'user', 'name').evaluate(one => one.contains(document.activeElement))).toBe(true)
    const messages = page.getByRole('region', { name: 'Messages' })
    await expectShown(messages.getByText(/^1 of 2: .*user/))
    await page.keyboard.press('Control+.')
    await page.getByRole('menuitem', { name: 'Rename Reserved Words (2)' }).click()
    await holdMessages(page)
    await expectShown(bar.getByRole('button', { name: 'No problems' }))
    // One step over both entities, of which the other one has no tab.
    await expect.poll(() => page.getByRole('tablist', { name: 'Open documents' }).getByRole('tab').count()).toBe(2)
    await messages.getByRole('button', { name: 'Undo' }).click()
    await expectShown(bar.getByRole('button', { name: '2 warnings' }))
  })

  it('are listed with filters, accessible in both themes', async () => {
    await bar.getByRole('button', { name: '2 warnings' }).click()
    await expect.poll(() => list.getByRole('treeitem').count()).toBe(4)
    await page.getByRole('textbox', { name: 'Filter problems' }).fill('ward')
    await expect.poll(() => list.getByRole('treeitem').count()).toBe(2)
    expect(await violationsInAllVariants(page, 'problems')).toEqual([])
  })
})
