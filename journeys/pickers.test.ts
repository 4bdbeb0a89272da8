import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk, shoot } from './driver/desk.ts'
import { searchesWhile, toolDialog } from './driver/document.ts'
import { entityDocument } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { dialog, expectShown, find, press } from './driver/widgets.ts'

const { page } = await openDesk()
const api = apiOf(page)
const { id } = await api.createEntity({ name: 'Starter' }, await api.manifestNamed('Shop'))
await page.goto(`/?entity=${id}`)
await expectShown(entityDocument(page, 'Starter'))
await page.getByRole('tab', { name: /^Relationships/ }).click()
await page.getByRole('button', { name: 'Add Relationship' }).click()
await expectShown(dialog(page, 'New Relationship'))

const isList = (url: string): boolean => /\/1\.0\/cdm\/entity\?/.test(url)

describe('A dropdown of many', () => {
  it('loads 20 and is at most 200 high', holds('E2.131', 'E2.167', 'E2.169', 'E9.1', 'M9.6'), async () => {
    const asked = page.waitForRequest(request => isList(request.url()))
    await dialog(page, 'New Relationship').getByRole('combobox', { name: 'Associated Entity' }).click()
    expect(new URL((await asked).url()).searchParams.get('limit')).toBe('20')
    const options = page.getByRole('option')
    await expect.poll(() => options.count()).toBe(20)
    expect((await page.getByRole('listbox').boundingBox())?.height).toBeLessThanOrEqual(200)
  })

  it('loads the next 20 on scrolling to the bottom', holds('E2.168', 'M9.6'), async () => {
    const options = page.getByRole('option')
    const first = await options.allTextContents()
    const asked = page.waitForRequest(request => isList(request.url()))
    await page.getByRole('listbox').evaluate(list => list.scrollTo({ top: list.scrollHeight }))
    const { searchParams } = new URL((await asked).url())
    expect([searchParams.get('limit'), searchParams.get('page')]).toEqual(['20', '1'])
    await expect.poll(() => options.count()).toBe(40)
    const all = await options.allTextContents()
    expect(all.slice(0, 20)).toEqual(first)
    expect(new Set(all).size).toBe(40)
  })

  it('asks once, 300 ms after the last of five letters typed quickly', holds('E2.165', 'E2.166'), async () => {
    const asked = await searchesWhile(page, '/1.0/cdm/entity', async () => {
      await page.getByRole('combobox', { name: 'Search Associated Entity' }).pressSequentially('Wareh', { delay: 20 })
      await expect.poll(async () => (await page.getByRole('option').first().textContent()) ?? '').toMatch(/^Warehouse/)
    })
    expect(asked.map(call => call.search)).toEqual(['Wareh'])
    expect(asked[0]?.after).toBeGreaterThanOrEqual(299)
    expect(asked[0]?.after).toBeLessThan(3_000)
    await page.keyboard.press('Escape')
  })
})

describe('New Relationship', () => {
  it('what has to be given is marked, to be seen and to be heard', async () => {
    const open = dialog(page, 'New Relationship')
    for (const label of ['Associated Entity', 'Target Attribute'])
      expect(await open.getByRole('combobox', { name: label, exact: true }).getAttribute('aria-required')).toBe('true')
    const name = open.getByRole('textbox', { name: 'Foreign Key Name', exact: true })
    expect(await name.evaluate(field => field.hasAttribute('required'))).toBe(true)
    const marked = ['Foreign Key Name*', 'Associated Entity*', 'Target Attribute*']
    const labels = (await open.locator('label').allTextContents()).filter(text => text.endsWith('*'))
    expect(labels.toSorted()).toEqual(marked.toSorted())
  })

  it('the data type is string or integer, at first integer', holds('E2.132', 'E2.133'), async () => {
    const type = dialog(page, 'New Relationship').getByRole('combobox', { name: 'Foreign Key Data Type' })
    await expect.poll(() => type.textContent()).toBe('integer')
    await type.click()
    await expect
      .poll(async () => (await page.getByRole('option').allTextContents()).toSorted())
      .toEqual(['integer', 'string'])
    await page.keyboard.press('Escape')
  })

  it(
    'Finish waits for a name and an entity, whose attributes are offered as targets',
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
      // Those of Country that are a text or a whole number.
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
      expect((await api.entityOf(id)).entityAttributes).toMatchObject([
        { foreignKeyTypeAttribute: 'countryId', associatedEntityTypeAttribute: 'numericCode' },
      ])
    },
  )

  it('the data type and the target attribute are found by typing', holds('E2.165'), async () => {
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    const type = open.getByRole('combobox', { name: 'Foreign Key Data Type' })
    const options = page.getByRole('option')
    await type.click()
    await page.getByRole('combobox', { name: 'Search Foreign Key Data Type' }).fill('tri')
    await expect.poll(() => options.allTextContents()).toEqual(['string'])
    await page.keyboard.press('Enter')
    await expect.poll(() => type.textContent()).toBe('string')
    await find(page, open, 'Associated Entity', 'Country', 'user-defined/Shop')
    await open.getByRole('combobox', { name: 'Target Attribute' }).click()
    await expect.poll(() => options.count()).toBeGreaterThan(1)
    const last = (await options.allTextContents()).at(-1) ?? ''
    await page.getByRole('combobox', { name: 'Search Target Attribute' }).fill(last.slice(0, -1))
    await expect.poll(() => options.allTextContents()).toEqual([last])
    await page.keyboard.press('Escape')
    await press(open, 'Cancel')
  })
})

describe('Where the attributes of the associated entity cannot be read', () => {
  const refusal = { status: 500, json: { message: 'The store is being repaired.', code: 'unexpected' } }

  it('New Relationship says why, and Retry offers them with the key chosen', holds('E7.92'), async () => {
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await open.getByLabel('Foreign Key Name').fill('harbourId')
    await page.route(/\/1\.0\/cdm\/entity\/\d+(\?|$)/, route => route.fulfill(refusal))
    await find(page, open, 'Associated Entity', 'Warehouse')
    await expectShown(open.getByRole('alert').getByText(/could not be read\. The store is being repaired\./))
    const finish = open.getByRole('button', { name: 'Finish' })
    expect(await finish.isDisabled()).toBe(true)
    await shoot(page, 'new-relationship-unread')
    await page.unrouteAll()
    await open.getByRole('button', { name: 'Retry: Target Attribute' }).click()
    await expect.poll(() => open.getByRole('combobox', { name: 'Target Attribute' }).textContent()).toMatch(/\w/)
    await expect.poll(() => finish.isEnabled()).toBe(true)
    expect(await open.getByRole('alert').count()).toBe(0)
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })
})

describe('Enter that comes before the search of a picker has the focus', () => {
  it('takes the best match of what was typed, as in the search', async () => {
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    const picker = open.getByRole('combobox', { name: 'Associated Entity' })
    await picker.focus()
    // The focus comes with the next frame, which a busy page draws late: here once it is asked to.
    await page.evaluate(() => {
      const late: FrameRequestCallback[] = []
      const { requestAnimationFrame } = window
      window.requestAnimationFrame = work => late.push(work)
      Reflect.set(window, 'draw', () => {
        window.requestAnimationFrame = requestAnimationFrame
        for (const work of late) work(performance.now())
      })
    })
    await keys(page, 'Enter', 'C', 'o', 'u', 'n', 't', 'r', 'y', 'Enter')
    await page.evaluate(() => Reflect.get(window, 'draw')())
    await expect.poll(() => picker.textContent()).toMatch(/^Country/)
    await page.getByRole('listbox').waitFor({ state: 'detached' })
  })
})
