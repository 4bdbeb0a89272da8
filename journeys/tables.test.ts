import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { navigate, openEntity, tool, toolDialog } from './driver/document.ts'
import { addAttribute, cell, entityDocument, names, property, row, tab } from './driver/entity.ts'
import { dialog, expectShown, find, press, question, nextFrames, restingBox } from './driver/widgets.ts'
import { hasFocus, keys } from './driver/keyboard.ts'

type EntityRef = { id: number; name: string }

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')
const typeAttributes = Array.from({ length: 40 }, (_, at) => ({ name: `field_${String(at + 1).padStart(2, '0')}` }))
const wide: EntityRef = await api.createEntity({ name: 'Wide', typeAttributes }, shop)
const target = await api.createEntity({ name: 'Buyer', typeAttributes: [{ name: 'code' }] }, shop)
const buyer: EntityRef = target
const sale: EntityRef = await api.createEntity({ name: 'Sale', extendsEntity: { id: wide.id } }, shop)
await api.relate(sale.id, target, 'buyer_id')

const attribute = (name: string) => row(page, 'Type attributes', name)
const nameField = (group = 'Type Attribute') => property(page, group, 'Name').getByRole('textbox')
const nameCell = (name: string) => cell(page, name, 'name')
const isFocused = (name: string) => hasFocus(attribute(name))
const isBodyFocused = () => page.evaluate(() => document.activeElement === document.body)

describe('Rows and the focus', () => {
  it('a new attribute is selected and focused on the current page without a layout shift', async () => {
    await openEntity(page, wide)
    const head = page.getByRole('columnheader', { name: 'Name', exact: true })
    await expectShown(attribute('field_01'))
    const before = await restingBox(head)
    await addAttribute(page, 'brand_new')
    await expect.poll(() => isFocused('brand_new')).toBe(true)
    await expect.poll(() => attribute('brand_new').getAttribute('aria-selected')).toBe('true')
    await expect.poll(() => nameField().inputValue()).toBe('brand_new')
    await expect.poll(() => head.boundingBox()).toEqual(before)
    await saveScreenshot(page, 'tables-added')
  })

  it('deleting the focused row focuses the next one', async () => {
    await keys(page, 'ArrowUp')
    await expect.poll(() => isFocused('field_40')).toBe(true)
    await keys(page, 'Control+-')
    await press(question(page, 'Delete Type Attributes?'), 'Delete')
    await expect.poll(() => isFocused('brand_new')).toBe(true)
    await tool(page, 'Discard changes').click()
    await expect.poll(async () => (await names(page, 'Type attributes')).includes('brand_new')).toBe(false)
  })

  it('Properties follows the arrow keys and Space adds rows to the selection', async () => {
    await openEntity(page, wide)
    await nameCell('field_02').click()
    await keys(page, 'ArrowDown')
    await expect.poll(() => nameField().inputValue()).toBe('field_03')
    await keys(page, 'Space', 'ArrowDown', 'Space')
    await expectShown(page.getByText('2 selected', { exact: true }))
    await keys(page, 'Escape', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown')
    await expectShown(page.getByText('3 selected', { exact: true }))
    await keys(page, 'Escape')
    const box = page.getByRole('checkbox', { name: 'Choose field_02' })
    await box.click()
    await expect.poll(() => box.isChecked()).toBe(true)
    await keys(page, 'Space')
    await expect.poll(() => box.isChecked()).toBe(false)
  })

  it('F2 moves the focus from the box of a row to its name field and Escape moves it back', async () => {
    await attribute('field_04').getByRole('checkbox').focus()
    await keys(page, 'F2')
    await expect.poll(() => nameField().evaluate(element => element === element.ownerDocument.activeElement)).toBe(true)
    await expect.poll(() => nameField().inputValue()).toBe('field_04')
    await keys(page, 'Escape')
    await expect.poll(() => isFocused('field_04')).toBe(true)
  })

  it('text typed into Properties after arrow keys changes only the current row', async () => {
    await nameCell('field_07').click()
    await expect.poll(() => nameField().inputValue()).toBe('field_07')
    const field = await nameField().elementHandle()
    // In one task, so that the panel cannot update between the keys.
    await page.evaluate(input => {
      const grid = document.querySelector('[role=grid][aria-label="Type attributes"]')
      for (let step = 0; step < 3; step++) {
        const row = [...(grid?.querySelectorAll('td[tabindex="0"]') ?? [])].at(-1)
        row?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
      }
      if (input instanceof HTMLInputElement) input.focus()
    }, field)
    await keys(page, 'End')
    await page.keyboard.type('x')
    const chosen = await page.getByRole('row', { selected: true }).getAttribute('data-row-id')
    await expect.poll(() => nameField().inputValue()).toMatch(/^field_(08|10)x$/)
    await keys(page, 'Enter')
    const renamed = page.getByRole('row').filter({ hasText: /field_\d\dx/ })
    await expectShown(renamed)
    await expect.poll(() => renamed.getAttribute('data-row-id')).toBe(chosen)
    await expectShown(attribute('field_07'))
    // Unconfirmed input of one row does not appear in the next one.
    await page.keyboard.type('half')
    await nameCell('field_12').click()
    await expect.poll(() => nameField().inputValue()).toBe('field_12')
    await tool(page, 'Discard changes').click()
  })

  it('the focus never moves to the body after dialogs, deletions, menus and closed tabs', async () => {
    const failedSteps: string[] = []
    const step = async (name: string, act: () => Promise<unknown>) => {
      await act()
      await page
        .locator('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')
        .first()
        .waitFor({ state: 'detached' })
      await nextFrames(page)
      const focusMoved = page.waitForFunction(() => document.activeElement !== document.body)
      await focusMoved.catch(() => failedSteps.push(name))
    }
    await attribute('field_01').click()
    await step('dialog closed by Escape', async () => {
      await toolDialog(page, 'Add Attribute', 'New Type Attribute')
      await keys(page, 'Escape')
    })
    await step('row menu closed', async () => {
      await attribute('field_01').focus()
      await keys(page, 'Shift+F10')
      await expectShown(page.getByRole('menuitem').first())
      await keys(page, 'Escape')
    })
    await step('row deleted from the count bar', async () => {
      await attribute('field_05').click()
      await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click()
      await press(question(page, 'Delete Type Attributes?'), 'Delete')
    })
    await step('choice cleared', async () => {
      await attribute('field_06').click()
      await page.getByRole('button', { name: 'Clear', exact: true }).click()
    })
    await step('changes discarded', () => tool(page, 'Discard changes').click())
    await step('palette closed', async () => {
      await keys(page, 'Control+k')
      await expectShown(page.getByRole('combobox', { name: 'Search or run a command' }))
      await keys(page, 'Escape')
    })
    await openEntity(page, buyer)
    await step('tab closed from its rows', async () => {
      await attribute('code').click()
      await keys(page, 'Alt+w')
    })
    await step('last tabs closed', async () => {
      await keys(page, 'Alt+w', 'Alt+w', 'Alt+w')
    })
    expect(failedSteps).toEqual([])
  })
})

describe('Links to related objects', () => {
  const toRelationships = () => page.getByRole('tab', { name: /^Relationships/ }).click()

  it('the palette finds attributes of closed entities and opens the entity at the row', async () => {
    const palette = page.getByRole('combobox', { name: 'Search or run a command' })
    const pick = async (typed: string, line: RegExp) => {
      await keys(page, 'Control+k')
      await palette.fill(typed)
      await page.getByRole('option', { name: line }).click()
    }
    await pick('ELD_33', /^field_33\s*attribute of Wide, user-defined\/Shop/)
    await expectShown(entityDocument(page, 'Wide'))
    await expect.poll(() => isFocused('field_33')).toBe(true)
    await keys(page, 'Alt+w')
    await pick('buyer_i', /^buyer_id\s*relationship of Sale to \w+, user-defined\/Shop/)
    await expectShown(entityDocument(page, 'Sale'))
    const key = row(page, 'Relationships', 'buyer_id')
    await expect.poll(() => key.getAttribute('aria-selected')).toBe('true')
    await keys(page, 'Alt+w')
  })

  it('a click on a related entity selects its row, a double click opens it, Ctrl+click in the background', async () => {
    await navigate(page, `/?entity=${sale.id}`)
    await toRelationships()
    const link = row(page, 'Relationships', 'buyer_id').getByRole('link', { name: 'Buyer' })
    await expect.poll(() => link.getAttribute('href')).toBe(`/?entity=${buyer.id}`)
    await link.click({ modifiers: ['Control'] })
    await expectShown(tab(page, 'Buyer'))
    await expectShown(entityDocument(page, 'Sale'))
    await link.click({ button: 'middle' })
    expect(journey.context.pages()).toHaveLength(1)
    await link.click()
    await expect.poll(() => row(page, 'Relationships', 'buyer_id').getAttribute('aria-selected')).toBe('true')
    await expectShown(entityDocument(page, 'Sale'))
    await link.dblclick()
    await expectShown(entityDocument(page, 'Buyer'))
    await tab(page, 'Sale').click()
    await entityDocument(page, 'Sale').getByRole('link', { name: 'Wide' }).click()
    await expectShown(entityDocument(page, 'Wide'))
  })

  it('the link of a target attribute opens its row', async () => {
    await tab(page, 'Sale').click()
    await toRelationships()
    const target = row(page, 'Relationships', 'buyer_id').getByRole('link', { name: 'id', exact: true })
    await target.hover()
    await target.locator('svg').click()
    await expectShown(entityDocument(page, 'Buyer'))
    await expect.poll(() => isFocused('id')).toBe(true)
    await expect.poll(() => nameField().inputValue()).toBe('id')
  })

  it('Properties lists the references to the entity as links', async () => {
    await navigate(page, `/?entity=${buyer.id}`)
    const group = page
      .getByRole('complementary', { name: 'Properties' })
      .getByRole('region', { name: /^Referred to by/ })
    await expectShown(group.getByRole('rowheader', { name: 'Relationship buyer_id' }))
    await saveScreenshot(page, 'tables-references')
    await group.getByRole('link', { name: 'Sale' }).click()
    await expectShown(entityDocument(page, 'Sale'))
    await expect.poll(() => property(page, 'Entity Attribute', 'Foreign Key Type Attribute').count()).toBe(1)
  })

  it('Properties offers the target attributes of a relationship as a list', async () => {
    const target = property(page, 'Entity Attribute', 'Target Entity Attribute').getByRole('combobox')
    await target.click()
    await expectShown(page.getByRole('option', { name: 'code', exact: true }))
    await saveScreenshot(page, 'tables-relationship')
    await keys(page, 'Escape')
  })
})

describe('Names', () => {
  it('entities with the same name show their folders in tabs and window title', async () => {
    const other = await apiOf(page).createManifest('Elsewhere')
    const twin = await apiOf(page).createEntity({ name: 'Buyer' }, other)
    await navigate(page, `/?entity=${buyer.id}`)
    const header = entityDocument(page, 'Buyer').locator('header')
    await expectShown(header.getByText('Version'))
    await expect.poll(() => header.textContent()).toContain('user-defined/Shop')
    await expect.poll(() => tab(page, 'Buyer').textContent()).not.toContain('user-defined')
    await navigate(page, `/?entity=${twin.id}`)
    const tabs = page.getByRole('tablist', { name: 'Open documents' }).getByRole('tab', { name: /^Buyer/ })
    await expect.poll(() => tabs.count()).toBe(2)
    await expect
      .poll(async () => (await tabs.allTextContents()).map(text => text.includes('user-defined/')))
      .toEqual([true, true])
    await expect.poll(() => page.title()).toContain('Elsewhere')
    await saveScreenshot(page, 'tables-namesakes')
  })

  it('a link to a missing entity shows an alert in a tab that can be closed', async () => {
    await navigate(page, '/?entity=999999')
    const alert = page.getByRole('main').getByRole('alert')
    await expectShown(alert)
    await expectShown(alert.getByRole('button', { name: 'Close' }))
    await expect.poll(() => alert.getByRole('button', { name: 'Retry' }).count()).toBe(0)
    await saveScreenshot(page, 'tables-dead-link')
    await press(alert, 'Close')
    await expect.poll(() => tab(page, 'Entity 999999').count()).toBe(0)
    await expect.poll(() => isBodyFocused()).toBe(false)
  })

  it('an added relationship is shown and has the focus', async () => {
    await navigate(page, `/?entity=${sale.id}`)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await open.getByLabel('Foreign Key Name').fill('third_id')
    await find(page, open, 'Associated Entity', 'Buyer', 'user-defined/Shop')
    await expect.poll(() => open.getByRole('combobox', { name: 'Target Attribute' }).textContent()).toBe('id')
    await press(open, 'Finish')
    await dialog(page, 'New Relationship').waitFor({ state: 'detached' })
    const added = row(page, 'Relationships', 'third_id')
    await expect.poll(() => added.evaluate(element => element === element.ownerDocument.activeElement)).toBe(true)
  })
})
