import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { openEntity, searchesWhile, tool, toolDialog, typeInOneTask } from './driver/document.ts'
import { property, row } from './driver/entity.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { dialog, expectShown, find, press, question, restingBox, snackbar } from './driver/widgets.ts'

const { page } = await startJourney()
const api = apiOf(page)

async function start(what: 'Entity' | 'Manifest'): Promise<Locator> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: what, exact: true }).click()
  const open = dialog(page, `Create ${what}`)
  await expectShown(open)
  return open
}

const step = (open: Locator, words: string) => expectShown(open.getByText(words, { exact: true }))

describe('A wizard by keyboard', () => {
  it('Enter advances a wizard, each step focuses its first field and Ctrl+Enter finishes it', async () => {
    const open = await start('Entity')
    await open.getByRole('textbox', { name: 'Name' }).fill('TypedOnly')
    const size = await restingBox(open)
    await keys(page, 'Enter')
    await step(open, 'Step 2 of 3: Manifest')
    await expect.poll(() => open.boundingBox()).toEqual(size)
    const picker = open.getByRole('combobox', { name: 'Select a manifest to where the entity will be injected' })
    await expect.poll(() => hasFocus(picker)).toBe(true)
    // Enter opens the focused picker and chooses the best match even before the response arrives.
    await keys(page, 'Enter')
    await expectShown(page.getByRole('combobox', { name: /^Search / }))
    await page.keyboard.type('Shop')
    await keys(page, 'Enter')
    await page.getByRole('combobox', { name: /^Search / }).waitFor({ state: 'detached' })
    await expect.poll(() => picker.textContent()).toMatch(/^Shop/)
    // Enter opens the list again; Ctrl+Enter advances the wizard.
    await keys(page, 'Enter')
    await expectShown(page.getByRole('combobox', { name: /^Search / }))
    await keys(page, 'Escape')
    await page.getByRole('combobox', { name: /^Search / }).waitFor({ state: 'detached' })
    await keys(page, 'Control+Enter')
    await step(open, 'Step 3 of 3: Type attributes')
    await expect.poll(() => hasFocus(open.getByRole('textbox', { name: 'Name' }))).toBe(true)
    await page.keyboard.type('first')
    await keys(page, 'Enter')
    await expectShown(open.getByRole('row', { name: /first/ }))
    await expect.poll(() => open.boundingBox()).toEqual(size)
    await keys(page, 'Control+Enter')
    await expectShown(snackbar(page, 'Successfully created entity.'))
    await open.waitFor({ state: 'detached' })
  })

  it('Enter on a radio button advances the wizard', async () => {
    const open = await start('Entity')
    await open.getByRole('textbox', { name: 'Name' }).fill('ChosenOnly')
    const choice = open.getByRole('radio', { checked: true })
    await choice.focus()
    await expect.poll(() => hasFocus(choice)).toBe(true)
    await keys(page, 'Enter')
    await step(open, 'Step 2 of 3: Manifest')
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })

  it('Escape in a wizard requires confirmation only after input', async () => {
    const fresh = await start('Entity')
    await keys(page, 'Escape')
    await fresh.waitFor({ state: 'detached' })
    const open = await start('Entity')
    await open.getByRole('textbox', { name: 'Name' }).fill('Precious')
    await keys(page, 'Escape')
    const leave = question(page, 'Leave without saving?')
    await expectShown(leave.getByText('Your input will be lost.'))
    await keys(page, 'Escape')
    await leave.waitFor({ state: 'detached' })
    await expect.poll(() => open.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Precious')
    await keys(page, 'Escape')
    await press(leave, 'Leave')
    await open.waitFor({ state: 'detached' })
  })

  it('a manifest wizard adds several entities at once and offers custom entities before library entities', async () => {
    const open = await start('Manifest')
    await press(open, 'Next')
    await open.getByRole('combobox', { name: 'Entity' }).click()
    const options = page.getByRole('option')
    await expect.poll(() => options.count()).toBeGreaterThan(3)
    await expect.poll(() => options.first().textContent()).toMatch(/user-defined/)
    await options.nth(0).click()
    await options.nth(1).click()
    await options.nth(2).click()
    await keys(page, 'Escape')
    await expect.poll(() => open.getByRole('combobox', { name: 'Entity' }).textContent()).toBe('3 entities')
    await press(open, 'Add')
    await expect.poll(() => open.getByRole('grid', { name: 'Entities' }).getByRole('row').count()).toBe(4)
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })
})

describe('Enter on a picker with a value', () => {
  it('Enter on a picker with a value opens its list and does not submit the form or wizard', async () => {
    const shop = await api.manifestNamed('Shop')
    const subtype = await api.createEntity({ name: 'Heir' }, shop)
    await openEntity(page, subtype)
    const attribute = await toolDialog(page, 'Add Attribute', 'New Type Attribute')
    await expectOpens(attribute.getByRole('combobox', { name: 'Data Type' }), 'integer')
    await keys(page, 'Control+Enter')
    await attribute.waitFor({ state: 'detached' })
    await expectShown(row(page, 'Type attributes', 'new_type_attribute').getByText('integer', { exact: true }))

    const wizard = await start('Manifest')
    await press(wizard, 'Next')
    await expectOpens(wizard.getByRole('combobox', { name: 'Entity' }), 'Country', { several: true })
    await expect.poll(() => wizard.getByRole('grid', { name: 'Entities' }).count()).toBe(0)
    await press(wizard, 'Cancel')
    await wizard.waitFor({ state: 'detached' })
  })
})

/** Expects Enter to open the closed picker and, after typing, to choose the value without submitting the dialog. */
async function expectOpens(picker: Locator, value: string, { several = false } = {}): Promise<void> {
  await picker.focus()
  await keys(page, 'Enter')
  await expectShown(page.getByRole('combobox', { name: /^Search / }))
  await page.keyboard.type(value)
  await keys(page, 'Enter')
  if (several) {
    await page.getByRole('option', { selected: true }).waitFor()
    await keys(page, 'Escape')
  }
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await expect.poll(() => picker.textContent()).toMatch(new RegExp(`^${value}`))
}

it('keys typed before the list has the focus edit the search, not the value', async () => {
  const shop = await api.manifestNamed('Shop')
  const [from, to] = [await api.createEntity({ name: 'Hasty' }, shop), await api.createEntity({ name: 'Held' }, shop)]
  await api.relate(from.id, to, 'heldId')
  await openEntity(page, from)
  await page.getByRole('tab', { name: /^Relationships/ }).click()
  // A cell without a link.
  await row(page, 'Relationships', 'Held').getByRole('gridcell').nth(3).click()
  const associated = property(page, 'Entity Attribute', 'Associated Entity').getByRole('combobox')
  await expect.poll(() => associated.textContent()).toMatch(/^Held/)
  await associated.focus()
  const search = page.getByRole('combobox', { name: 'Search Associated Entity' })
  // The keys follow each other at once, without waiting for the list.
  await Promise.all(['ArrowDown', 'a', 'b', 'Backspace'].map(key => page.keyboard.press(key)))
  await expect.poll(() => search.inputValue()).toBe('a')
  await keys(page, 'Escape')
  await search.waitFor({ state: 'detached' })
  await expect.poll(() => associated.textContent()).toMatch(/^Held/)
})

describe('The steps of a manifest', () => {
  it(
    'the name of a manifest is required: without it an error is shown and Next is disabled',
    holds('M5.1'),
    async () => {
      const open = await start('Manifest')
      const name = open.getByRole('textbox', { name: 'Name' })
      await expect.poll(() => name.inputValue()).toBe('new_manifest')
      await name.fill('')
      await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
      await expectShown(open.getByText('this is a required field', { exact: true }))
      // Finish is on the last step only.
      await expect
        .poll(() => open.locator('footer').getByRole('button').allTextContents())
        .toEqual(['Cancel', 'Back', 'Next'])
      await expect.poll(() => open.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled')).toBe('true')
      await name.press('Enter')
      await step(open, 'Step 1 of 2: Name')
      await press(open, 'Cancel')
      await open.waitFor({ state: 'detached' })
    },
  )
})

let id: number
const isList = (url: string): boolean => /\/1\.0\/cdm\/entity\?/.test(url)

describe('A dropdown with many options', () => {
  beforeAll(async () => {
    const entity = await api.createEntity({ name: 'Starter' }, await api.manifestNamed('Shop'))
    id = entity.id
    await openEntity(page, entity)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await toolDialog(page, 'Add Relationship', 'New Relationship')
  })

  it(
    'a dropdown loads 20 options and is at most 200 px high',
    holds('E2.131', 'E2.167', 'E2.169', 'E9.1', 'M9.6'),
    async () => {
      const requested = page.waitForRequest(request => isList(request.url()))
      await dialog(page, 'New Relationship').getByRole('combobox', { name: 'Associated Entity' }).click()
      expect(new URL((await requested).url()).searchParams.get('limit')).toBe('20')
      const options = page.getByRole('option')
      await expect.poll(() => options.count()).toBe(20)
      await expect.poll(async () => (await page.getByRole('listbox').boundingBox())?.height).toBeLessThanOrEqual(200)
    },
  )

  it('scrolling a dropdown to the bottom loads the next 20 options', holds('E2.168', 'M9.6'), async () => {
    const options = page.getByRole('option')
    const first = await options.allTextContents()
    const requested = page.waitForRequest(request => isList(request.url()))
    await page.getByRole('listbox').evaluate(list => list.scrollTo({ top: list.scrollHeight }))
    const { searchParams } = new URL((await requested).url())
    expect([searchParams.get('limit'), searchParams.get('page')]).toEqual(['20', '1'])
    await expect.poll(async () => new Set(await options.allTextContents()).size).toBe(40)
    await expect.poll(async () => (await options.allTextContents()).slice(0, 20)).toEqual(first)
  })

  it(
    'a dropdown sends one search 300 ms after the last of five letters typed quickly',
    holds('E2.165', 'E2.166'),
    async () => {
      const searches = await searchesWhile(page, '/1.0/cdm/entity', async () => {
        await typeInOneTask(page.getByRole('combobox', { name: 'Search Associated Entity' }), 'Wareh')
        await expect
          .poll(async () => (await page.getByRole('option').first().textContent()) ?? '')
          .toMatch(/^Warehouse/)
      })
      expect(searches.map(call => call.search)).toEqual(['Wareh'])
      expect(searches[0]?.after).toBeGreaterThanOrEqual(299)
      await keys(page, 'Escape')
    },
  )
})

describe('New Relationship', () => {
  it('New Relationship marks required fields visibly and for screen readers', async () => {
    const open = dialog(page, 'New Relationship')
    for (const label of ['Associated Entity', 'Target Attribute'])
      await expect
        .poll(() => open.getByRole('combobox', { name: label, exact: true }).getAttribute('aria-required'))
        .toBe('true')
    const name = open.getByRole('textbox', { name: 'Foreign Key Name', exact: true })
    await expect.poll(() => name.evaluate(field => field.hasAttribute('required'))).toBe(true)
    const marked = ['Foreign Key Name*', 'Associated Entity*', 'Target Attribute*']
    const labels = async () => (await open.locator('label').allTextContents()).filter(text => text.endsWith('*'))
    await expect.poll(async () => (await labels()).toSorted()).toEqual(marked.toSorted())
  })

  it('the foreign key data type is string or integer and defaults to integer', holds('E2.132', 'E2.133'), async () => {
    const type = dialog(page, 'New Relationship').getByRole('combobox', { name: 'Foreign Key Data Type' })
    await expect.poll(() => type.textContent()).toBe('integer')
    await type.click()
    await expect
      .poll(async () => (await page.getByRole('option').allTextContents()).toSorted())
      .toEqual(['integer', 'string'])
    await keys(page, 'Escape')
  })

  it(
    'New Relationship requires a name and an entity and offers its attributes as targets',
    holds('E2.129', 'E2.130', 'E2.134'),
    async () => {
      const open = dialog(page, 'New Relationship')
      const finish = open.getByRole('button', { name: 'Finish' })
      await expect.poll(() => finish.isDisabled()).toBe(true)
      await open.getByLabel('Foreign Key Name').fill('countryId')
      await expect.poll(() => finish.isDisabled()).toBe(true)
      await find(page, open, 'Associated Entity', 'Country', 'user-defined/Shop')
      await expect.poll(() => finish.isEnabled()).toBe(true)
      const target = open.getByRole('combobox', { name: 'Target Attribute' })
      await expect.poll(() => target.textContent()).toBe('countryCode')
      await target.click()
      // The attributes of Country with a string or integer type.
      const offered =
        'countryCode countryName nativeName longCode numericCode diallingPrefix continentName currencyCode'
      await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(offered.split(' '))
      await page.getByRole('option', { name: 'numericCode', exact: true }).click()
      await expect.poll(() => target.textContent()).toBe('numericCode')
      await open.getByLabel('Foreign Key Name').fill('')
      await expect.poll(() => finish.isDisabled()).toBe(true)
      await open.getByLabel('Foreign Key Name').fill('countryId')
      await press(open, 'Finish')
      await open.waitFor({ state: 'detached' })
      await tool(page, 'Save').click()
      await expect
        .poll(async () => (await api.entityOf(id)).entityAttributes)
        .toMatchObject([{ foreignKeyTypeAttribute: 'countryId', associatedEntityTypeAttribute: 'numericCode' }])
    },
  )

  it('the data type and the target attribute of New Relationship are searchable', holds('E2.165'), async () => {
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    const type = open.getByRole('combobox', { name: 'Foreign Key Data Type' })
    const options = page.getByRole('option')
    await type.click()
    await page.getByRole('combobox', { name: 'Search Foreign Key Data Type' }).fill('tri')
    await expect.poll(() => options.allTextContents()).toEqual(['string'])
    await keys(page, 'Enter')
    await expect.poll(() => type.textContent()).toBe('string')
    await find(page, open, 'Associated Entity', 'Country', 'user-defined/Shop')
    await open.getByRole('combobox', { name: 'Target Attribute' }).click()
    await expect.poll(() => options.count()).toBeGreaterThan(1)
    const last = (await options.allTextContents()).at(-1) ?? ''
    await page.getByRole('combobox', { name: 'Search Target Attribute' }).fill(last.slice(0, -1))
    await expect.poll(() => options.allTextContents()).toEqual([last])
    await keys(page, 'Escape')
    await press(open, 'Cancel')
  })
})

describe('Attributes of the associated entity that cannot be read', () => {
  const refusal = { status: 500, json: { message: 'The store is being repaired.', code: 'unexpected' } }

  it(
    'New Relationship shows why attributes cannot be read, and Retry offers them with the key preselected',
    holds('E7.92'),
    async () => {
      const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
      await open.getByLabel('Foreign Key Name').fill('harbourId')
      await page.route(/\/1\.0\/cdm\/entity\/\d+(\?|$)/, route => route.fulfill(refusal))
      await find(page, open, 'Associated Entity', 'Warehouse')
      await expectShown(open.getByRole('alert').getByText(/could not be read\. The store is being repaired\./))
      const finish = open.getByRole('button', { name: 'Finish' })
      await expect.poll(() => finish.isDisabled()).toBe(true)
      await saveScreenshot(page, 'new-relationship-unread')
      await page.unrouteAll()
      await open.getByRole('button', { name: 'Retry: Target Attribute' }).click()
      await expect.poll(() => open.getByRole('combobox', { name: 'Target Attribute' }).textContent()).toMatch(/\w/)
      await expect.poll(() => finish.isEnabled()).toBe(true)
      await expect.poll(() => open.getByRole('alert').count()).toBe(0)
      await press(open, 'Cancel')
      await open.waitFor({ state: 'detached' })
    },
  )
})

describe('Keys before the search of a picker has the focus', () => {
  /** The focus moves in the next animation frame, which is delayed here as on a busy page. Returns a function that draws it. */
  async function delayFrames(): Promise<() => Promise<void>> {
    await page.evaluate(() => {
      const late: FrameRequestCallback[] = []
      const { requestAnimationFrame } = window
      window.requestAnimationFrame = work => late.push(work)
      Reflect.set(window, 'draw', () => {
        window.requestAnimationFrame = requestAnimationFrame
        for (const work of late) work(performance.now())
      })
    })
    return () => page.evaluate(() => Reflect.get(window, 'draw')())
  }
  /** Without waiting for the focus. */
  async function pressAtOnce(...names: readonly string[]): Promise<void> {
    for (const name of names) await page.keyboard.press(name)
  }

  it('Enter before the picker search has the focus chooses the best match of the typed text', async () => {
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    const picker = open.getByRole('combobox', { name: 'Associated Entity' })
    await picker.focus()
    const draw = await delayFrames()
    await pressAtOnce('Enter', 'C', 'o', 'u', 'n', 't', 'r', 'y', 'Enter')
    await draw()
    await expect.poll(() => picker.textContent()).toMatch(/^Country/)
    await page.getByRole('listbox').waitFor({ state: 'detached' })
  })

  it('Escape before the picker search has the focus closes the list and not the dialog', async () => {
    const open = dialog(page, 'New Relationship')
    await open.getByRole('combobox', { name: 'Associated Entity' }).focus()
    const draw = await delayFrames()
    await pressAtOnce('Enter', 'Escape')
    await draw()
    await expect.poll(() => page.getByRole('listbox').count()).toBe(0)
    await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
    await expectShown(open)
  })
})
