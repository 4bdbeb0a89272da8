import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { openEntity, openManifest, send, tool } from './driver/document.ts'
import { entityDocument, manifestDocument, property, tab } from './driver/entity.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { leavingDialog } from './driver/leaving.ts'
import { menu, menuLines, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, snackbar } from './driver/widgets.ts'

const { page } = await openDesk()
const api = apiOf(page)
const depot = await api.createManifest('Depot')
const crate = await api.createEntity({ name: 'Crate' }, depot)
const harbour = await api.createManifest('Harbour')

const field = (within: Locator) => within.getByRole('textbox', { name: 'Name' })
const renaming = () => dialog(page, 'Rename Manifest')
const node = (name: string) => nodeAt(page, 'Custom', 'Manifests', name)

describe('Renaming a manifest', () => {
  it('by mouse: a taken name is refused in its place, a free one shows everywhere at once, and Undo takes it back', async () => {
    await openEntity(page, crate)
    await openManifest(page, depot, 'Depot')
    await menu(page, await node('Depot'), 'Rename')
    await expect.poll(() => field(renaming()).inputValue()).toBe('Depot')
    await field(renaming()).fill('harbour')
    await press(renaming(), 'Rename')
    await expectShown(renaming().getByText('A manifest with the name "harbour" already exists.'))
    await field(renaming()).fill('a__b')
    await expectShown(renaming().getByText(/^this must contain only alphanumeric characters/))
    expect(await renaming().getByRole('button', { name: 'Rename' }).isDisabled()).toBe(true)
    await field(renaming()).fill('Warehouse')
    await press(renaming(), 'Rename')

    await expectShown(manifestDocument(page, 'Warehouse'))
    await expectShown(tab(page, 'Warehouse'))
    await expectShown(await node('Warehouse'))
    await expect.poll(() => page.title()).toContain('Warehouse')
    await expect.poll(() => property(page, 'Manifest', 'Name').textContent()).toContain('Warehouse')
    await expect.poll(() => property(page, 'Manifest', 'Path').textContent()).toContain('user-defined/Warehouse')
    await expectShown(manifestDocument(page, 'Warehouse').getByText('user-defined/Warehouse/Crate'))
    await tab(page, 'Crate').click()
    await expectShown(entityDocument(page, 'Crate').getByText('Warehouse').first())

    await menu(page, await node('Warehouse'), 'Rename')
    await field(renaming()).fill('Depot')
    await press(renaming(), 'Rename')
    const told = page.locator('[data-snackbar]').filter({ hasText: 'Renamed Warehouse to Depot.' })
    await told.getByRole('button', { name: 'Undo' }).click()
    await expectShown(tab(page, 'Warehouse'))
    await menu(page, await node('Warehouse'), 'Rename')
    await field(renaming()).fill('Depot')
    await press(renaming(), 'Rename')
    await expectShown(await node('Depot'))
    await expectShown(tab(page, 'Depot'))
  })

  it('by keyboard: F2 on its row, Enter renames, the row keeps the focus; Escape asks and leaves it as it was', async () => {
    const row = await node('Depot')
    await row.focus()
    await page.keyboard.press('F2')
    await expect.poll(() => hasFocus(field(renaming()))).toBe(true)
    await page.keyboard.type('Cellar')
    await page.keyboard.press('Escape')
    await press(leavingDialog(page), 'Leave')
    await expect.poll(() => renaming().count()).toBe(0)
    await expect.poll(() => hasFocus(row)).toBe(true)
    await page.keyboard.press('F2')
    // What is typed before the dialog is there is not lost, and takes the place of the name.
    await page.keyboard.type('Zeughaus')
    await expect.poll(() => field(renaming()).inputValue()).toBe('Zeughaus')
    await page.keyboard.press('Enter')
    const renamed = await node('Zeughaus')
    await expect.poll(() => hasFocus(renamed)).toBe(true)
    expect(await renamed.getAttribute('data-row-id')).toBe(`custom>manifests>manifest:${depot}`)
    await page.keyboard.press('F2')
    await page.keyboard.type('Depot')
    await page.keyboard.press('Enter')
    await expectShown(await node('Depot'))
  })

  it('by the toolbar, by F2 in its document, and by the palette; the name of the property sheet is not edited', async () => {
    await openManifest(page, depot, 'Depot')
    expect(await property(page, 'Manifest', 'Name').getByRole('textbox').count()).toBe(0)
    await tool(page, 'Rename').click()
    await press(renaming(), 'Cancel')
    await manifestDocument(page, 'Depot').getByRole('heading', { name: 'Depot' }).click()
    await page.keyboard.press('F2')
    await press(renaming(), 'Cancel')
    await keys(page, 'Control+k')
    await expectShown(page.getByRole('combobox', { name: 'Search or run a command' }))
    await page.keyboard.type('rename manifest')
    await page.keyboard.press('Enter')
    await expect.poll(() => field(renaming()).inputValue()).toBe('Depot')
    await page.keyboard.press('Escape')
    // A row of its lists is another document: its name is not what F2 changes here.
    await manifestDocument(page, 'Depot').getByRole('row').filter({ hasText: 'Crate' }).first().focus()
    await page.keyboard.press('F2')
    await page.waitForTimeout(200)
    expect(await renaming().count()).toBe(0)
  })

  it('a name that somebody else gave meanwhile is said, and then may be changed', async () => {
    await openManifest(page, depot, 'Depot')
    await (await node('Depot')).focus()
    await page.keyboard.press('F2')
    await expect.poll(() => hasFocus(field(renaming()))).toBe(true)
    await send(page, 'PUT', `/1.0/cdm/manifest/${depot}`, { manifestName: 'Elsewhere' })
    await field(renaming()).fill('Here')
    await page.keyboard.press('Enter')
    await expectShown(renaming().getByText('Dan Designer has renamed it to "Elsewhere".'))
    await page.keyboard.press('Enter')
    await expectShown(manifestDocument(page, 'Here'))
  })

  it('a name that somebody else gave before the dialog opened is not taken back by one that nobody typed', async () => {
    const row = await node('Harbour')
    await row.focus()
    await send(page, 'PUT', `/1.0/cdm/manifest/${harbour}`, { manifestName: 'Quay' })
    await page.keyboard.press('F2')
    await expect.poll(() => field(renaming()).inputValue()).toBe('Quay')
    await page.keyboard.press('Enter')
    await expect.poll(() => renaming().count()).toBe(0)
    const answer = await page.request.get(`/1.0/cdm/manifest/${harbour}`, {
      headers: { 'X-Organisation-Code': 'ACME' },
    })
    expect(await answer.text()).toContain('"name":"Quay"')
  })

  it('a predefined manifest has no Rename, and F2 says why not', async () => {
    const core = await nodeAt(page, 'Standard', 'Manifests', 'library')
    await core.click({ button: 'right' })
    expect(await menuLines(page)).not.toContain('Rename')
    await page.keyboard.press('Escape')
    await core.focus()
    await page.keyboard.press('F2')
    await expectShown(snackbar(page, 'The name cannot be changed here.'))
  })
})
