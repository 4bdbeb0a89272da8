import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { dialog, press, question } from './driver/widgets.ts'

const desk = await openDesk()
const { page } = desk

describe('What a wizard was refused', () => {
  it('is no longer said once its cause was changed', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('New manifest')
    await page.keyboard.press('Enter')
    const wizard = dialog(page, 'Create Manifest')
    // Whether it is taken was asked for while it was not.
    const checked = page.waitForResponse(/[?&]search=Meanwhile/)
    await wizard.getByLabel('Name').fill('Meanwhile')
    await checked
    await press(wizard, 'Next')
    await apiOf(page).createManifest('Meanwhile')
    await press(wizard, 'Finish')
    await wizard.getByRole('alert').waitFor()
    await press(wizard, 'Back')
    await wizard.getByLabel('Name').fill('Meanwhile_2')
    await expect.poll(() => wizard.getByRole('alert').count()).toBe(0)
    await press(wizard, 'Cancel')
    const asked = question(page, 'Discard what was entered?')
    if (await asked.isVisible()) await press(asked, 'Discard')
  })
})
