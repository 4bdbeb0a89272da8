import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, openPage } from './driver/journey.ts'
import { nextChange, openManifest, pickerOptions, record } from './driver/document.ts'
import { entityDocument, names } from './driver/entity.ts'
import { enter } from './driver/sign-in.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, pick, press, snackbar } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

const journey = await startJourney()
const { page } = journey
const shop = await apiOf(page).manifestNamed('Shop')

async function start(what: 'Entity' | 'Manifest'): Promise<Locator> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: what, exact: true }).click()
  const open = dialog(page, `Create ${what}`)
  await expectShown(open)
  return open
}

const buttons = (open: Locator) => open.locator('footer').getByRole('button').allTextContents()
const step = (open: Locator, words: string) => expectShown(open.getByText(words, { exact: true }))

/** Waits until a button of the dialog is enabled or disabled. */
async function expectEnabled(open: Locator, button: string, offered: boolean): Promise<void> {
  const pressed = open.getByRole('button', { name: button, exact: true })
  await expect.poll(() => pressed.getAttribute('aria-disabled')).toBe(offered ? null : 'true')
}

describe('Create Entity', () => {
  const manifestPicker = 'Select a manifest to where the entity will be injected'
  const add = async (open: Locator, name: string) => {
    const field = open.getByRole('textbox', { name: 'Name' })
    await field.fill(name)
    await field.press('Enter')
  }

  it(
    'the entity wizard creates a named custom entity in three steps; Cancel creates nothing and resets the wizard',
    holds('E2.141', 'E2.145', 'E2.146', 'E2.147', 'E2.150', 'E2.151', 'E4.39', 'E4.42', 'E4.43', 'E4.44', 'E4.45'),
    async () => {
      const open = await start('Entity')
      await expect.poll(() => open.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('new_entity')
      await expect.poll(() => open.getByRole('combobox', { name: 'Core entity' }).count()).toBe(0)
      await expect.poll(() => buttons(open)).toEqual(['Cancel', 'Back', 'Next'])
      await open.getByRole('radio', { name: 'Choose Existing Entity' }).click()
      await expectShown(open.getByRole('combobox', { name: 'Core entity' }))
      await expect.poll(() => open.getByRole('textbox', { name: 'Name' }).count()).toBe(0)
      await open.getByRole('radio', { name: 'Create Custom Entity' }).click()
      await open.getByRole('textbox', { name: 'Name' }).fill('9bad')
      await expectEnabled(open, 'Next', false)
      await open.getByRole('textbox', { name: 'Name' }).fill('Given_up')
      await expectEnabled(open, 'Next', true)
      await press(open, 'Next')
      await expectShown(open.getByText(manifestPicker, { exact: true }))
      await press(open, 'Back')
      await expect.poll(() => open.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Given_up')
      await press(open, 'Next')
      await expect.poll(() => buttons(open)).toEqual(['Cancel', 'Back', 'Next'])
      await expectEnabled(open, 'Next', false)
      await find(page, open, manifestPicker, 'Shop')
      await expectEnabled(open, 'Next', true)
      await press(open, 'Next')
      await expectShown(open.getByText('No Attributes to display', { exact: true }))
      await add(open, 'given_up')
      const calls = record(page)
      await press(open, 'Cancel')
      await open.waitFor({ state: 'detached' })
      expect(calls.filter(call => call.method !== 'GET')).toEqual([])
      await start('Entity')
      await expect.poll(() => open.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('new_entity')
      await press(open, 'Next')
      await expectEnabled(open, 'Next', false)
      await press(open, 'Cancel')
    },
  )

  it(
    'the entity wizard adds and deletes attributes; Finish creates the entity and updates the count of the manifest',
    holds('E2.140', 'E2.148', 'E2.149', 'E2.152', 'E4.46', 'E4.47', 'E4.49', 'E7.38', 'M5.9', 'M7.3'),
    async () => {
      await openManifest(page, shop, 'Shop')
      const counted = page.getByRole('table', { name: 'Information' }).getByRole('cell').first()
      await expect.poll(() => counted.textContent()).toMatch(/^\d+$/)
      const before = Number(await counted.textContent())
      const open = await start('Entity')
      await open.getByRole('textbox', { name: 'Name' }).fill('Wizarded')
      await press(open, 'Next')
      await find(page, open, manifestPicker, 'Shop')
      await press(open, 'Next')
      await expect.poll(() => buttons(open)).toEqual(['Cancel', 'Back', 'Finish'])
      await expectEnabled(open, 'Finish', false)
      await pick(page, open, 'Data Type', 'boolean')
      for (const name of ['one', 'two', 'three']) {
        await add(open, name)
      }
      await expect.poll(() => names(page, 'Type attributes')).toEqual(['one', 'two', 'three'])
      await expectShown(open.getByRole('gridcell', { name: 'boolean' }).first())
      await open.getByRole('textbox', { name: 'Name' }).fill('two')
      await expectEnabled(open, 'Add', false)
      await open.getByRole('textbox', { name: 'Name' }).fill('')
      await open.getByRole('checkbox', { name: 'Choose one' }).click()
      await open.getByRole('checkbox', { name: 'Choose three' }).click()
      await press(open, 'Delete')
      await expect.poll(() => names(page, 'Type attributes')).toEqual(['two'])
      await open.getByRole('textbox', { name: 'Name' }).fill('9bad')
      await expectEnabled(open, 'Finish', false)
      await open.getByRole('textbox', { name: 'Name' }).fill('')
      await expectEnabled(open, 'Finish', true)
      await open.getByRole('checkbox', { name: 'Choose two' }).click()
      await press(open, 'Delete')
      await expectEnabled(open, 'Finish', false)
      await add(open, 'four')
      const sent = nextChange(page)
      await press(open, 'Finish')
      await expectShown(snackbar(page, 'Successfully created entity.'))
      // The server rejects the user id of another user.
      expect((await sent).url()).toMatch(/\/entity\/wizard\?userId=[^&]+&saveId=[^&]+$/)
      await expectShown(entityDocument(page, 'Wizarded'))
      await page.getByRole('tab', { name: /^Shop/ }).click()
      await expect.poll(() => counted.textContent()).toBe(String(before + 1))
    },
  )

  it(
    'the entity wizard has four steps for a core entity and Back returns through them',
    holds('E2.144', 'E2.146', 'E2.151', 'E4.39', 'E4.40', 'E4.41', 'E4.42', 'E4.46', 'M2.20'),
    async () => {
      const open = await start('Entity')
      await open.getByRole('radio', { name: 'Choose Existing Entity' }).click()
      await find(page, open, 'Core entity', 'Person')
      await step(open, 'Step 1 of 4: Entity')
      await press(open, 'Next')
      await step(open, 'Step 2 of 4: Take over')
      await expect.poll(() => buttons(open)).toEqual(['Cancel', 'Back', 'Next'])
      await open.getByRole('textbox', { name: 'Name' }).fill('OurPerson')
      await press(open, 'Next')
      await step(open, 'Step 3 of 4: Manifest')
      await press(open, 'Back')
      await step(open, 'Step 2 of 4: Take over')
      await press(open, 'Next')
      await find(page, open, manifestPicker, 'Shop')
      await press(open, 'Next')
      await step(open, 'Step 4 of 4: Type attributes')
      await press(open, 'Back')
      await step(open, 'Step 3 of 4: Manifest')
      await expect.poll(() => open.getByRole('combobox', { name: manifestPicker }).textContent()).toBe('Shop')
      await press(open, 'Next')
      // The copied attributes count, so that none needs to be added.
      await expectShown(open.getByText('No Attributes to display', { exact: true }))
      await expectEnabled(open, 'Finish', true)
      await press(open, 'Finish')
      await expectShown(entityDocument(page, 'OurPerson'))
    },
  )
})

describe('Create Manifest', () => {
  it(
    'the manifest wizard skips the duplicate step for an empty manifest',
    holds(
      'E2.143',
      'M2.108',
      'M2.109',
      'M2.110',
      'M2.113',
      'M2.114',
      'M2.115',
      'M2.116',
      'M2.117',
      'M2.118',
      'M2.119',
      'M2.121',
    ),
    async () => {
      const open = await start('Manifest')
      await expect.poll(() => open.locator('ol > li').count()).toBe(2)
      await step(open, 'Step 1 of 2: Name')
      await expect.poll(() => open.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('new_manifest')
      await expectShown(open.getByRole('radio', { name: 'Empty Manifest' }))
      await expectShown(open.getByRole('radio', { name: 'Duplicate Existing Manifest' }))
      await expect.poll(() => buttons(open)).toEqual(['Cancel', 'Back', 'Next'])
      await press(open, 'Next')
      await step(open, 'Step 2 of 2: Manage Entities')
      await expect.poll(() => buttons(open)).toEqual(['Cancel', 'Back', 'Finish'])
      await expect
        .poll(() => open.getByRole('tab').allTextContents())
        .toEqual(['Choose Existing Entity', 'Create Custom Entity'])
      const offered = async (search: string) => {
        const options = await pickerOptions(page, open, 'Entity', search)
        await keys(page, 'Escape')
        return options.join(' ')
      }
      await expect.poll(() => offered('PartyRelation')).not.toContain('PartyRelation')
      await open.getByRole('checkbox', { name: 'Show Core Entities' }).click()
      await open.getByText('Advance Filters', { exact: true }).click()
      await expectShown(open.getByLabel('By Path'))
      await expect.poll(() => offered('Skill')).toContain('Skillpredefined/people')
      await find(page, open, 'By Folder', 'predefined/parties')
      await expect.poll(() => offered('Skill')).not.toContain('Skill')
      await find(page, open, 'Entity', 'Party')
      await press(open, 'Add')
      await expect
        .poll(async () => (await open.getByRole('columnheader').allTextContents()).filter(text => text !== ''))
        .toEqual(['Name', 'Path'])
      const chosen = open.getByRole('row').filter({ hasText: 'predefined/parties/Party' })
      for (const cell of ['Party', 'predefined/parties/Party'])
        await expectShown(chosen.getByRole('gridcell', { name: cell, exact: true }))
      await press(open, 'Back')
      await step(open, 'Step 1 of 2: Name')
      await press(open, 'Next')
      const calls = record(page)
      await press(open, 'Cancel')
      await open.waitFor({ state: 'detached' })
      expect(calls.filter(call => call.method !== 'GET')).toEqual([])
    },
  )

  it(
    'duplicating a manifest takes three steps and copies its entities under new ids',
    holds('E2.142', 'M2.107', 'M2.112', 'M2.120', 'M2.121', 'M2.122', 'M2.123', 'M3.68', 'M3.69', 'M3.76'),
    async () => {
      const open = await start('Manifest')
      await open.getByRole('textbox', { name: 'Name' }).fill('Twin')
      await open.getByRole('radio', { name: 'Duplicate Existing Manifest' }).click()
      await expect.poll(() => open.locator('ol > li').count()).toBe(3)
      await step(open, 'Step 1 of 3: Name')
      await press(open, 'Next')
      await step(open, 'Step 2 of 3: Manifest to duplicate')
      await find(page, open, 'Manifest to duplicate', 'Shop')
      await press(open, 'Next')
      await step(open, 'Step 3 of 3: Manage Entities')
      await press(open, 'Back')
      await step(open, 'Step 2 of 3: Manifest to duplicate')
      await press(open, 'Next')
      const sent = nextChange(page)
      await press(open, 'Finish')
      await expectShown(snackbar(page, 'Successfully created manifest.'))
      const { duplicateManifest, importsPath, type } = (await sent).postDataJSON()
      expect([duplicateManifest, importsPath, type]).toEqual([shop, '', 'EXCLUSIVE'])
      await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Twin'))
      const api = apiOf(page)
      const [source, copy] = [await api.members(shop), await api.members(await api.manifestNamed('Twin'))]
      const sorted = (members: typeof source) => members.entity.map(item => item.name).toSorted()
      expect(sorted(copy)).toEqual(sorted(source))
      const ids = new Set(source.entity.map(item => item.id))
      expect(copy.entity.filter(item => ids.has(item.id))).toEqual([])
    },
  )

  it('the manifest wizard offers no duplicate in an organisation without manifests', holds('M2.111'), async () => {
    const other = await openPage(journey.browser, journey.console.url)
    await enter(other.page, 'admin')
    const organisation = other.page.getByRole('listitem').filter({ hasText: 'Cadmus' })
    await organisation.getByRole('button', { name: /Select/ }).click()
    await other.page.getByRole('button', { name: 'New Manifest' }).click()
    const open = dialog(other.page, 'Create Manifest')
    await expectShown(open.getByRole('textbox', { name: 'Name' }))
    await expectShown(open.getByRole('radiogroup', { name: 'Generate' }))
    await expect.poll(() => open.getByRole('radiogroup', { name: 'Content' }).count()).toBe(0)
    await other.context.close()
  })
})

describe('A server error in a wizard', () => {
  it('the error of a wizard disappears when the rejected name is changed', async () => {
    await keys(page, 'Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('New manifest')
    await keys(page, 'Enter')
    const wizard = dialog(page, 'Create Manifest')
    // The name is checked before another user takes it.
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
  })
})
