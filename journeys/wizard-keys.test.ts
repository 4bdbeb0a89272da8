import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openDesk } from './driver/desk.ts'
import { hasFocus } from './driver/keyboard.ts'
import { dialog, expectShown, press, question, snackbar } from './driver/widgets.ts'

const { page } = await openDesk()

async function start(what: 'Entity' | 'Manifest'): Promise<Locator> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: what, exact: true }).click()
  const open = dialog(page, `Create ${what}`)
  await expectShown(open)
  return open
}

const step = (open: Locator, words: string) => expectShown(open.getByText(words, { exact: true }))

describe('A wizard by keyboard', () => {
  it('goes on by Enter, starts each step in its first field, keeps its size, and finishes by Ctrl+Enter', async () => {
    const open = await start('Entity')
    const size = await open.boundingBox()
    await open.getByRole('textbox', { name: 'Name' }).fill('TypedOnly')
    await page.keyboard.press('Enter')
    await step(open, 'Step 2 of 3: Manifest')
    expect(await open.boundingBox()).toEqual(size)
    // The picker has the focus: Enter opens it, and takes the best match even before the answer is here.
    await page.keyboard.press('Enter')
    await expectShown(page.getByRole('combobox', { name: /^Search / }))
    await page.keyboard.type('Shop')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: /^Search / }).waitFor({ state: 'detached' })
    await expect
      .poll(() =>
        open.getByRole('combobox', { name: 'Select a manifest to where the entity will be injected' }).textContent(),
      )
      .toMatch(/^Shop/)
    // Once filled, Enter alone goes on; the arrow opens the list again.
    await page.keyboard.press('ArrowDown')
    await expectShown(page.getByRole('combobox', { name: /^Search / }))
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: /^Search / }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await step(open, 'Step 3 of 3: Type attributes')
    await page.keyboard.type('first')
    await page.keyboard.press('Enter')
    await expectShown(open.getByRole('row', { name: /first/ }))
    expect(await open.boundingBox()).toEqual(size)
    await page.keyboard.press('Control+Enter')
    await expectShown(snackbar(page, 'Successfully created entity.'))
    await open.waitFor({ state: 'detached' })
  })

  it('goes on by Enter from a choice, too', async () => {
    const open = await start('Entity')
    await open.getByRole('textbox', { name: 'Name' }).fill('ChosenOnly')
    const choice = open.getByRole('radio', { checked: true })
    await choice.focus()
    expect(await hasFocus(choice)).toBe(true)
    await page.keyboard.press('Enter')
    await step(open, 'Step 2 of 3: Manifest')
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })

  it('asks before Escape throws away what was entered, and only then', async () => {
    const fresh = await start('Entity')
    await page.keyboard.press('Escape')
    await fresh.waitFor({ state: 'detached' })
    const open = await start('Entity')
    await open.getByRole('textbox', { name: 'Name' }).fill('Precious')
    await page.keyboard.press('Escape')
    const leave = question(page, 'Leave without saving?')
    await expectShown(leave.getByText('What was entered here will be lost.'))
    await page.keyboard.press('Escape')
    await leave.waitFor({ state: 'detached' })
    expect(await open.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Precious')
    await page.keyboard.press('Escape')
    await press(leave, 'Leave')
    await open.waitFor({ state: 'detached' })
  })

  it('takes several entities at once, the own ones offered before those of the library', async () => {
    const open = await start('Manifest')
    await press(open, 'Next')
    await open.getByRole('combobox', { name: 'Entity' }).click()
    const options = page.getByRole('option')
    await expect.poll(() => options.count()).toBeGreaterThan(3)
    expect(await options.first().textContent()).toMatch(/user-defined/)
    await options.nth(0).click()
    await options.nth(1).click()
    await options.nth(2).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => open.getByRole('combobox', { name: 'Entity' }).textContent()).toBe('3 entities')
    await press(open, 'Add')
    await expect.poll(() => open.getByRole('grid', { name: 'Entities' }).getByRole('row').count()).toBe(4)
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })
})

describe('The first step of a manifest', () => {
  it('M5.1 the name is required: an emptied one is told, and neither Next nor Finish goes on', async () => {
    const open = await start('Manifest')
    const name = open.getByRole('textbox', { name: 'Name' })
    await expect.poll(() => name.inputValue()).toBe('new_manifest')
    await name.fill('')
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
    await expectShown(open.getByText('this is a required field', { exact: true }))
    // Finish is on the last step only.
    expect(await open.locator('footer').getByRole('button').allTextContents()).toEqual(['Cancel', 'Back', 'Next'])
    await expect.poll(() => open.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled')).toBe('true')
    await name.press('Enter')
    await step(open, 'Step 1 of 2: Name')
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })
})
