import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { entityDocument, names, property, row, tab } from './driver/entity.ts'
import { focusText, hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, question, snackbar } from './driver/widgets.ts'

const desk = await openDesk({ user: 'nobody' })
const { page } = desk

// From here on no step touches a mouse.
describe('Everything by keyboard', () => {
  it('signs in', async () => {
    await page.goto('/')
    await tabTo(page, page.getByRole('button', { name: 'designer' }))
    await keys(page, 'Enter')
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    await expectShown(page.getByRole('treeitem', { name: /^Shop/ }))
  })

  it('walks the tree by arrows and letters; a menu opens at the row by Shift+F10 and gives the focus back', async () => {
    await keys(page, '/')
    expect(await hasFocus(page.getByRole('textbox', { name: 'Search', exact: true }))).toBe(true)
    await tabTo(page, page.getByRole('treeitem', { name: 'Standard' }))
    await keys(page, 'c')
    await expect.poll(() => focusText(page)).toBe('Custom')
    await keys(page, 'End')
    await expect.poll(() => focusText(page)).toMatch(/^Shop/)
    await keys(page, 'ArrowRight', 'ArrowRight')
    await expect.poll(() => focusText(page)).toMatch(/^Entities/)
    await keys(page, 'ArrowLeft')
    await expect.poll(() => focusText(page)).toMatch(/^Shop/)
    await keys(page, 'Shift+F10')
    await expectShown(page.getByRole('menuitem', { name: 'Add Entity' }))
    await expect.poll(() => hasFocus(page.getByRole('menuitem').first())).toBe(true)
    await keys(page, 'Escape')
    await expect.poll(() => focusText(page)).toMatch(/^Shop/)
  })

  it('a menu that a button opens begins at its first line', async () => {
    await tabTo(page, page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'New' }), 'Shift+Tab')
    await keys(page, 'Enter')
    await expect.poll(() => hasFocus(page.getByRole('menuitem', { name: 'Manifest' }))).toBe(true)
    await keys(page, 'Escape')
    await expect.poll(() => focusText(page)).toBe('New')
  })

  it('creates an entity with the wizard', holds('E2.144'), async () => {
    await keys(page, 'Control+k')
    await expectShown(page.getByRole('combobox', { name: 'Search or run a command' }))
    await page.keyboard.type('New entity')
    await page
      .getByRole('option', { name: /^New entity/ })
      .first()
      .waitFor()
    await tabToOption('New entity')
    await keys(page, 'Enter')
    const wizard = dialog(page, 'Create Entity')
    await tabTo(page, wizard.getByRole('textbox', { name: 'Name' }))
    await keys(page, 'Control+a')
    await page.keyboard.type('KeyboardEntity')
    await tabTo(page, wizard.getByRole('button', { name: 'Next' }))
    await keys(page, 'Enter')
    const manifest = wizard.getByRole('combobox', { name: 'Select a manifest to where the entity will be injected' })
    await tabTo(page, manifest)
    await keys(page, 'Enter')
    await expectShown(page.getByRole('option', { name: 'Shop' }))
    await page.keyboard.type('Shop')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await keys(page, 'ArrowDown', 'Enter')
    await expect.poll(() => manifest.textContent()).toBe('Shop')
    await tabTo(page, wizard.getByRole('button', { name: 'Next' }))
    await keys(page, 'Enter')
    for (const name of ['first', 'second', 'third']) {
      await tabTo(page, wizard.getByRole('textbox', { name: 'Name' }), 'Shift+Tab')
      await page.keyboard.type(name)
      await keys(page, 'Enter')
    }
    await tabTo(page, wizard.getByRole('button', { name: 'Finish' }))
    await keys(page, 'Enter')
    await expectShown(snackbar(page, 'Successfully created entity.'))
    await expectShown(entityDocument(page, 'KeyboardEntity'))
  })

  it('adds an attribute, moves it by Alt+Up and Alt+Down, and saves by Ctrl+S', holds('E2.56', 'E2.75'), async () => {
    await tabTo(page, page.getByRole('toolbar', { name: 'Entity' }).getByRole('button').first())
    await arrowTo('Add Attribute')
    await keys(page, 'Enter')
    const open = dialog(page, 'New Type Attribute')
    await tabTo(page, open.getByRole('textbox', { name: 'Name' }))
    await keys(page, 'Control+a')
    await page.keyboard.type('fourth')
    await keys(page, 'Enter')
    await open.waitFor({ state: 'detached' })
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second', 'third', 'fourth'])
    // The new row has the focus.
    await expect.poll(() => hasFocus(row(page, 'Type attributes', 'fourth'))).toBe(true)
    await keys(page, 'Alt+ArrowUp', 'Alt+ArrowUp')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'fourth', 'second', 'third'])
    await page.getByText('fourth is now at place 3 of 5.').waitFor({ state: 'attached' })
    await keys(page, 'Alt+ArrowDown')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second', 'fourth', 'third'])
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
  })

  it('opens another entity from the palette by its name', async () => {
    await keys(page, 'Control+k')
    await expectShown(page.getByRole('combobox', { name: 'Search or run a command' }))
    await page.keyboard.type('KeyboardEnt')
    await expectShown(page.getByRole('option', { name: /^KeyboardEntity/ }))
    await keys(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keys(page, 'Control+k')
    await expectShown(page.getByRole('combobox', { name: 'Search or run a command' }))
    await page.keyboard.type('Party')
    await page
      .getByRole('option', { name: /^Party/ })
      .first()
      .waitFor()
    await tabToOption('Party')
    await keys(page, 'Enter')
    await expectShown(entityDocument(page, 'Party'))
    await expectShown(tab(page, 'Party'))
  })

  it('goes from part to part of the page by Ctrl+F6, and edits a property', async () => {
    await keys(page, 'Alt+PageUp')
    await expectShown(entityDocument(page, 'KeyboardEntity'))
    const panel = page.getByRole('complementary', { name: 'Properties' })
    for (let step = 0; step < 4; step++) {
      await keys(page, 'Control+F6')
      if (await panel.evaluate(element => element.contains(document.activeElement))) break
    }
    const description = property(page, 'Entity', 'Description').getByRole('textbox')
    await tabTo(page, description)
    await page.keyboard.type('Made without a mouse.')
    await keys(page, 'Enter')
    await expectShown(entityDocument(page, 'KeyboardEntity').getByText('Made without a mouse.'))
  })

  it('closes by Alt+W; the guard names the document, Escape stays, Discard leaves', async () => {
    await keys(page, 'Alt+w')
    const guard = question(page, 'Save Changes?')
    await expectShown(guard.getByText('"KeyboardEntity" has unsaved changes.'))
    await keys(page, 'Escape')
    await guard.waitFor({ state: 'detached' })
    await expectShown(entityDocument(page, 'KeyboardEntity'))
    await keys(page, 'Alt+w')
    await tabTo(page, guard.getByRole('button', { name: 'Discard' }))
    await keys(page, 'Enter')
    await tab(page, 'KeyboardEntity').waitFor({ state: 'detached' })
    await expectShown(entityDocument(page, 'Party'))
  })

  it('has the focus on the next row when the one with it was deleted', async () => {
    for (const name of ['Aaa', 'Aab']) await apiOf(page).createEntity({ name })
    await page.reload()
    await (await nodeAt(page, 'Custom', 'Entities', 'Aaa')).focus()
    await keys(page, 'Delete')
    await expectShown(page.getByRole('alertdialog'))
    await keys(page, 'Tab')
    await press(page.getByRole('alertdialog'), 'Delete')
    await page.getByRole('treeitem', { name: 'Aaa' }).waitFor({ state: 'detached' })
    await expect.poll(() => focusText(page)).toMatch(/^Aab/)
  })

  it("lists all keys by '?', by what stands on them", async () => {
    await keys(page, '?')
    const open = dialog(page, 'Keyboard shortcuts')
    await expectShown(open.getByText('Close tab'))
    const printed = await open.locator('kbd').allTextContents()
    expect(printed).toEqual(expect.arrayContaining(['Ctrl', 'Alt', 'Page Up', 'Page Down', 'Del', 'F2', '↑', 'K']))
    expect(printed.filter(key => /^[a-z]/.test(key))).toEqual([])
    await keys(page, 'Escape')
    await open.waitFor({ state: 'detached' })
  })

  it('the page complained about nothing on the way', () => {
    expect(desk.complaints).toEqual([])
  })
})

/** Arrow keys through the palette's list until the line that begins with the words is marked. */
async function tabToOption(words: string): Promise<void> {
  const marked = page.getByRole('option').and(page.locator('[data-highlighted]'))
  for (let step = 0; step < 30; step++) {
    if (((await marked.first().textContent()) ?? '').startsWith(words)) return
    await keys(page, 'ArrowDown')
  }
  throw new Error(`No line of the palette begins with ${words}.`)
}

/** Arrow keys along a toolbar. */
async function arrowTo(label: string): Promise<void> {
  for (let step = 0; step < 15; step++) {
    if ((await focusText(page)) === label) return
    await keys(page, 'ArrowRight')
  }
  throw new Error(`The toolbar has no ${label}.`)
}
