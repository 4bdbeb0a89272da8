import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { openEntity, send, tool } from './driver/document.ts'
import { addAttribute, names, property, setText, tab } from './driver/entity.ts'
import { expectClean } from './driver/sight.ts'
import { expectShown, pick, snackbar } from './driver/widgets.ts'

let count = 0

const desk = await openDesk()
const { page } = desk
const shop = await apiOf(page).manifestNamed('Shop')

/** A fresh entity, open in its tab. */
async function opened(): Promise<{ entity: { id: number; name: string }; document: Locator }> {
  count += 1
  const entity = await apiOf(page).createEntity({ name: `Shared_${count}` }, shop)
  return { entity, document: await openEntity(page, entity) }
}

describe('A conflict', () => {
  it('keeping mine writes over nothing that was not shown: what was saved since then is shown first', async () => {
    const { entity, document } = await opened()
    const stored = async () => (await apiOf(page).entityOf(entity.id)).description
    await setText(page, 'Entity', 'Description', 'mine')
    await apiOf(page).describe(entity.id, 'theirs')
    await tool(page, 'Save').click()
    await expectShown(document.getByRole('cell', { name: 'theirs', exact: true }))
    // The table goes with what is written meanwhile.
    await setText(page, 'Entity', 'Description', 'mine again')
    await expectShown(document.getByRole('cell', { name: 'mine again', exact: true }))
    await apiOf(page).describe(entity.id, 'theirs, newer')
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(document.getByRole('cell', { name: 'theirs, newer', exact: true }))
    expect(await stored()).toBe('theirs, newer')
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(stored).toBe('mine again')
  })
})

describe('A draft that comes back while something is being typed', () => {
  const text = () => property(page, 'Entity', 'Description').getByRole('textbox')
  /** Loads the page again; what it left unsaved comes back once that is let go. */
  async function reloaded(): Promise<() => Promise<void>> {
    const other = await page.context().newPage()
    await other.goto('/ready')
    await other.evaluate(
      () =>
        new Promise<void>(held => {
          void navigator.locks.request('cadmus-drafts', () => {
            held()
            return new Promise(() => undefined)
          })
        }),
    )
    await page.reload()
    await expect.poll(() => text().inputValue()).toBe('')
    return () => other.close()
  }

  it('leaves it in its field, and is below it once that is applied, also in the same place', async () => {
    const { entity, document } = await opened()
    await setText(page, 'Entity', 'Description', 'kept')
    const comesBack = await reloaded()
    await text().pressSequentially('typed')
    await comesBack()
    await expectShown(document.getByText(/^Restored draft:/))
    expect(await text().inputValue()).toBe('typed')
    expect(await text().evaluate(field => field === field.ownerDocument.activeElement)).toBe(true)
    await text().press('Enter')
    await expect.poll(() => text().inputValue()).toBe('typed')
    await page.keyboard.press('Control+z')
    await expect.poll(() => text().inputValue()).toBe('kept')
    await page.keyboard.press('Control+Shift+z')
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    expect((await apiOf(page).entityOf(entity.id)).description).toBe('typed')
  })

  it('and in another place both are there, and saved', async () => {
    const { entity, document } = await opened()
    await addAttribute(page, 'kept')
    const comesBack = await reloaded()
    await text().pressSequentially('typed')
    await comesBack()
    await expectShown(document.getByText(/^Restored draft:/))
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'kept'])
    await text().press('Enter')
    await page.keyboard.press('Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    const stored = await apiOf(page).entityOf(entity.id)
    expect([stored.description, stored.typeAttributes.map(({ name }) => name)]).toEqual(['typed', ['id', 'kept']])
  })
})

describe('Two drafts of one document that contradict each other', () => {
  it('come one after the other: the older is told of, and comes once the newer is saved', async () => {
    const { entity, document } = await opened()
    const other = await page.context().newPage()
    await openEntity(other, entity)
    await setText(other, 'Entity', 'Description', 'the older')
    await expectShown(tool(other, 'Save'))
    await setText(page, 'Entity', 'Description', 'the newer')
    await other.close()
    await page.reload()
    const text = property(page, 'Entity', 'Description').getByRole('textbox')
    await expect.poll(() => text.inputValue()).toBe('the newer')
    await expectShown(
      page.getByText(
        `More unsaved changes of ${entity.name} conflict with those shown. They reappear once these are saved, or when the page is reloaded.`,
      ),
    )
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => text.inputValue()).toBe('the older')
    await tool(page, 'Save').click()
    await expectShown(document.getByRole('cell', { name: 'the newer', exact: true }))
    await document.getByRole('button', { name: /^Take/ }).click()
    await expect.poll(() => text.inputValue()).toBe('the newer')
  })
})

describe('A name that both added', () => {
  it('is kept once: the choice says what becomes of theirs, and mine is saved at once', async () => {
    const { entity, document } = await opened()
    const email = { name: 'email', dataType: 'integer' as const }
    const { typeAttributes } = await apiOf(page).entityOf(entity.id)
    await addAttribute(page, 'email')
    const others = [...typeAttributes.map(({ nullable: isNullable, ...rest }) => ({ ...rest, isNullable })), email]
    const body = { entity: { name: entity.name, typeAttributes: others } }
    await send(page, 'PUT', `/1.0/cdm/entity/${entity.id}`, body)
    await tool(page, 'Save').click()
    await expectShown(document.getByRole('cell', { name: 'Attribute email: two with this name' }))
    await expectShown(document.getByText(/^Only one of two items with the same name is kept\./))
    await expectClean(page, 'conflict-two-of-one-name')
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    expect(await names(page, 'Type attributes')).toEqual(['id', 'email'])
    const stored = (await apiOf(page).entityOf(entity.id)).typeAttributes
    expect(stored.map(({ name, dataType }) => [name, dataType])).toEqual([
      ['id', 'integer'],
      ['email', 'string'],
    ])
  })
})

describe('A version that somebody else added', () => {
  it('is looked at when a save is refused for it: the next one goes into the latest', async () => {
    const { entity, document } = await opened()
    await setText(page, 'Entity', 'Description', 'mine')
    await send(page, 'POST', `/1.0/cdm/entity/custom/${entity.id}/version?version=1.1.0`)
    await tool(page, 'Save').click()
    await expectShown(document.getByRole('alert').filter({ hasText: 'Only the latest version can be edited.' }))
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    expect((await apiOf(page).entityOf(entity.id)).description).toBe('mine')
  })
})

describe('Ctrl+S', () => {
  it('saves what is shown, and nothing that is not: of another version, or while it is loaded', async () => {
    const { entity, document } = await opened()
    const stored = async () => (await apiOf(page).entityOf(entity.id)).description
    await send(page, 'POST', `/1.0/cdm/entity/custom/${entity.id}/version?version=1.1.0`)
    await page.reload()
    await expectShown(document)
    await setText(page, 'Entity', 'Description', 'half done')
    await pick(page, property(page, 'Entity', 'Version'), 'Version', '1.0.0')
    await expectShown(document.getByText('Only the latest version can be edited.'))
    await expect.poll(() => tool(page, 'Save').getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Control+s')
    let answer = () => {}
    const held = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route(`**/1.0/cdm/entity/${entity.id}*`, async route => {
      if (route.request().method() === 'GET') await held
      await route.continue()
    })
    await page.goto(`/?entity=${entity.id}`)
    await expectShown(page.getByRole('main').getByLabel('Loading'))
    await page.keyboard.press('Control+s')
    answer()
    await expectShown(document.getByText(/^Restored draft:/))
    await page.unroute(`**/1.0/cdm/entity/${entity.id}*`)
    expect(await stored()).toBe('')
    await page.keyboard.press('Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    expect(await stored()).toBe('half done')
  })
})

describe('A page that is loaded again while something of it is saved', () => {
  it('has stored that: it does not come back as unsaved where somebody undid it since', async () => {
    const { entity, document } = await opened()
    await setText(page, 'Entity', 'Description', 'mine')
    const stored = Promise.withResolvers<void>()
    await page.route(`**/1.0/cdm/entity/${entity.id}?*`, async route => {
      if (route.request().method() !== 'PUT') return route.fallback()
      await route.fetch()
      // Its answer never comes.
      stored.resolve()
    })
    await tool(page, 'Save').click()
    await stored.promise
    expect((await apiOf(page).entityOf(entity.id)).description).toBe('mine')
    await apiOf(page).describe(entity.id, '')
    const asked = page.waitForResponse(response => response.url().includes('savedBy='))
    await page.reload()
    expect((await asked).status()).toBe(200)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await expectShown(document)
    await expect.poll(() => property(page, 'Entity', 'Description').getByRole('textbox').inputValue()).toBe('')
    expect(await document.getByText(/^Restored draft:/).count()).toBe(0)
    expect((await tab(page, entity.name).textContent()) ?? '').not.toContain('unsaved')
  })
})
