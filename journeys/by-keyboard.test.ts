import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { partTab } from './driver/configuration.ts'
import { startJourney } from './driver/journey.ts'
import { expectSaved } from './driver/document.ts'
import { entityDocument, manifestDocument, names, property, row, tab } from './driver/entity.ts'
import {
  arrowTo,
  focusText,
  hasFocus,
  keys,
  pickByKeys,
  pressByKeys,
  tabTo,
  tabToOption,
  useTool,
} from './driver/keyboard.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, question, snackbar } from './driver/widgets.ts'

const journey = await startJourney({ user: 'nobody' })
const { page } = journey

describe('By keyboard', () => {
  it('a user signs in', async () => {
    await page.goto('/')
    await tabTo(page, page.getByRole('button', { name: 'designer' }))
    await keys(page, 'Enter')
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    await expectShown(page.getByRole('treeitem', { name: /^Shop/ }))
  })

  it('arrow keys and letters move in the tree, and Escape from a row menu returns the focus to the row', async () => {
    await keys(page, '/')
    await expect.poll(() => hasFocus(page.getByRole('textbox', { name: 'Search', exact: true }))).toBe(true)
    await keys(page, 'ArrowDown')
    await expect.poll(() => hasFocus(page.getByRole('treeitem', { name: 'Standard' }))).toBe(true)
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

  it('a menu opened by a button focuses its first entry', async () => {
    await tabTo(page, page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'New' }), 'Shift+Tab')
    await keys(page, 'Enter')
    await expect.poll(() => hasFocus(page.getByRole('menuitem', { name: 'Manifest' }))).toBe(true)
    await keys(page, 'Escape')
    await expect.poll(() => focusText(page)).toBe('New')
  })

  it('the palette opens an entity by name', async () => {
    const typeAttributes = ['first', 'second', 'third'].map(name => ({ name }))
    await apiOf(page).createEntity({ name: 'KeyboardEntity', typeAttributes }, await apiOf(page).manifestNamed('Shop'))
    for (const name of ['Party', 'KeyboardEntity']) {
      await typeInPalette(name)
      await page
        .getByRole('option', { name: new RegExp(`^${name}`) })
        .first()
        .waitFor()
      await tabToOption(page, name)
      await keys(page, 'Enter')
      await expectShown(entityDocument(page, name))
    }
    await expectShown(tab(page, 'Party'))
  })

  it(
    'an attribute is added, moved with Alt+Up and Alt+Down, and saved with Ctrl+S',
    holds('E2.56', 'E2.75'),
    async () => {
      await useTool(page, 'Add Attribute')
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
      await page.getByText('fourth is now at position 3 of 5.').waitFor({ state: 'attached' })
      await keys(page, 'Alt+ArrowDown')
      await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second', 'fourth', 'third'])
      await keys(page, 'Control+s')
      await expectShown(snackbar(page, 'Entity saved successfully!'))
    },
  )

  it('choices and a relationship are added to an entity', async () => {
    await tabTo(page, property(page, 'Type Attribute', 'Choices').getByRole('button', { name: 'Edit Choices' }))
    await keys(page, 'Enter')
    const choices = dialog(page, 'Choices')
    await tabTo(page, choices.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type('Open')
    await keys(page, 'Enter')
    await expectShown(choices.getByRole('listitem').getByText('Open', { exact: true }))
    await pressByKeys(page, choices, 'Save')
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))

    await tabTo(page, page.getByRole('tab', { name: /^Type Attributes/ }), 'Shift+Tab')
    await keys(page, 'ArrowRight')
    await useTool(page, 'Add Relationship')
    const relationship = dialog(page, 'New Relationship')
    await tabTo(page, relationship.getByLabel('Foreign Key Name'))
    await page.keyboard.type('customerId')
    await pickByKeys(page, relationship, 'Associated Entity', 'Customer')
    await pressByKeys(page, relationship, 'Finish')
    await expectShown(snackbar(page, "Successfully added 'customerId' entity attribute!"))
    await keys(page, 'Control+s')
    await expectSaved(page)
  })

  it('Ctrl+F6 moves between page regions, and a property is edited', async () => {
    await keys(page, 'Alt+PageUp')
    await expectShown(entityDocument(page, 'Party'))
    await keys(page, 'Alt+PageDown')
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

  it('a property is edited in the larger field', async () => {
    const description = property(page, 'Entity', 'Description')
    await tabTo(page, description.getByRole('button', { name: 'Edit Description in a larger field' }))
    await keys(page, 'Enter')
    const large = dialog(page, 'Description')
    const text = large.getByRole('textbox', { name: 'Description' })
    await expect.poll(() => hasFocus(text)).toBe(true)
    await keys(page, 'Control+End', 'Enter')
    await page.keyboard.type('In two lines.')
    await pressByKeys(page, large, 'Save')
    await expect.poll(() => description.getByRole('textbox').inputValue()).toBe('Made without a mouse.\nIn two lines.')
  })

  it('closing a tab with Alt+W and unsaved changes requires confirmation', async () => {
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

  it('an aggregate query is added to the configuration of a manifest', async () => {
    await typeInPalette('Shop')
    await expectShown(page.getByRole('option', { name: /^Shop/ }).first())
    await tabToOption(page, 'Shop')
    await keys(page, 'Enter')
    await expectShown(manifestDocument(page, 'Shop'))

    await useTool(page, 'Configure', 'Manifest')
    await tabTo(page, partTab(page, 'API Configuration'))
    await arrowTo(page, 'Aggregate Queries')
    await useTool(page, 'Add Aggregate Query', 'Configuration')
    const query = dialog(page, 'New Aggregate Query')
    await tabTo(page, query.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type('codes')
    await pickByKeys(page, query, 'Associated Entity', 'Country')
    await pickByKeys(page, query, 'Target Entity Attribute', 'numericCode')
    await tabTo(page, query.getByRole('combobox', { name: 'Aggregate Type' }))
    await keys(page, 'ArrowDown')
    await expect.poll(() => hasFocus(page.getByRole('option', { name: 'Count' }))).toBe(true)
    await page.keyboard.type('Max')
    await expect.poll(() => hasFocus(page.getByRole('option', { name: 'Max' }))).toBe(true)
    await keys(page, 'Enter')
    await tabTo(page, query.getByRole('button', { name: 'Add Column' }))
    await keys(page, 'Enter')
    await expectShown(query.getByRole('cell', { name: 'numericCodeMax', exact: true }))
    await pressByKeys(page, query, 'Add')
    await expectShown(row(page, 'Aggregate Queries', 'codes'))
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Successfully save configuration.'))
  })

  it('deleting the focused row focuses the next one', async () => {
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

  it("'?' lists all shortcuts with their key labels", async () => {
    await keys(page, '?')
    const open = dialog(page, 'Keyboard shortcuts')
    await expectShown(open.getByText('Close tab'))
    const printed = () => open.locator('kbd').allTextContents()
    const some = ['Ctrl', 'Alt', 'Page Up', 'Page Down', 'Del', 'F2', '↑', 'K']
    await expect.poll(printed).toEqual(expect.arrayContaining(some))
    await expect.poll(async () => (await printed()).filter(key => /^[a-z]/.test(key))).toEqual([])
    await keys(page, 'Escape')
    await open.waitFor({ state: 'detached' })
  })

  it('the page logs no errors', () => {
    expect(journey.complaints).toEqual([])
  })
})

async function typeInPalette(text: string): Promise<void> {
  await keys(page, 'Control+k')
  await expectShown(page.getByRole('combobox', { name: 'Search or run a command' }))
  await page.keyboard.type(text)
}
