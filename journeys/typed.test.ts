import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { openEntity, tool } from './driver/document.ts'
import { entityDocument, property, row, tab } from './driver/entity.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, question, snackbar } from './driver/widgets.ts'

type Known = { id: number; name: string }

let count = 0

const { page } = await openDesk()
const shop = await apiOf(page).manifestNamed('Shop')

/** A fresh entity with two attributes, open in its tab. */
async function opened(): Promise<{ entity: Known; document: Locator }> {
  count += 1
  const typeAttributes = [{ name: 'first' }, { name: 'second' }]
  const entity = await apiOf(page).createEntity({ name: `Typed_${count}`, typeAttributes }, shop)
  return { entity, document: await openEntity(page, entity) }
}

const description = () => property(page, 'Entity', 'Description').getByRole('textbox')
const isDirty = async ({ name }: Known) => /unsaved changes/.test((await tab(page, name).textContent()) ?? '')

describe('What is being typed', () => {
  /** A fresh entity whose description is being typed: nothing was pressed to apply it. */
  async function typing(text: string) {
    const made = await opened()
    await description().fill(text)
    return made
  }
  const described = async ({ id }: Known) => {
    const headers = { 'X-Organisation-Code': 'ACME' }
    return (await (await page.request.get(`/1.0/cdm/entity/${id}`, { headers })).json()).entity.description
  }

  it('is saved by Ctrl+S', holds('E4.37'), async () => {
    const { entity } = await typing('typed and saved')
    await page.keyboard.press('Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    expect(await described(entity)).toBe('typed and saved')
    expect(await isDirty(entity)).toBe(false)
  })

  it('is saved by Ctrl+S where the server is asked about it first, such as a name', async () => {
    const { entity } = await opened()
    await property(page, 'Entity', 'Name').getByRole('textbox').fill(`${entity.name}_typed`)
    await page.keyboard.press('Control+s')
    await expectShown(entityDocument(page, `${entity.name}_typed`))
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => tab(page, `${entity.name}_typed`).count()).toBe(1)
  })

  it('that no rule allows lets nothing be saved: the field says why and keeps it', async () => {
    const { entity } = await typing('waits')
    await description().press('Enter')
    await row(page, 'Type attributes', 'first').click()
    const name = property(page, 'Type Attribute', 'Name')
    await name.getByRole('textbox').fill('1 first')
    await page.keyboard.press('Control+s')
    await name.getByRole('alert').waitFor()
    expect(await name.getByRole('textbox').inputValue()).toBe('1 first')
    expect(await isDirty(entity)).toBe(true)
    expect(await described(entity)).toBe('')
    await page.keyboard.press('Escape')
    await tool(page, 'Discard changes').click()
  })

  it('is asked about when its tab is closed by Alt+W, and comes back from there', async () => {
    const { entity } = await typing('typed and closed')
    await page.keyboard.press('Alt+w')
    await press(question(page, 'Save Changes?'), 'Cancel')
    expect(await description().inputValue()).toBe('typed and closed')
    expect(await isDirty(entity)).toBe(true)
    await page.keyboard.press('Alt+w')
    await press(question(page, 'Save Changes?'), 'Save')
    await expect.poll(() => tab(page, entity.name).count()).toBe(0)
    expect(await described(entity)).toBe('typed and closed')
  })

  it('stays where another tab is shown, by key or by the way back of the browser', async () => {
    const other = (await opened()).entity
    const { entity } = await opened()
    await tab(page, other.name).click()
    await tab(page, entity.name).click()
    await expect.poll(() => new URL(page.url()).search).toBe(`?entity=${entity.id}`)
    await description().fill('typed and left')
    await page.keyboard.press('Alt+PageUp')
    await expect.poll(() => isDirty(entity)).toBe(true)
    await tab(page, entity.name).click()
    await expect.poll(() => description().inputValue()).toBe('typed and left')
    await description().fill('typed and gone back from')
    await page.goBack()
    await expect.poll(() => new URL(page.url()).search).not.toBe(`?entity=${entity.id}`)
    await tab(page, entity.name).click()
    await expect.poll(() => description().inputValue()).toBe('typed and gone back from')
    await tool(page, 'Discard changes').click()
  })

  it('is asked about before the page is left, and kept', async () => {
    const { document } = await typing('typed and reloaded')
    const asked: string[] = []
    page.once('dialog', one => {
      asked.push(one.type())
      void one.accept()
    })
    await page.reload()
    expect(asked).toEqual(['beforeunload'])
    await expectShown(document.getByText(/^Restored draft: 1 unsaved change/))
    await expect.poll(() => description().inputValue()).toBe('typed and reloaded')
    await tool(page, 'Discard changes').click()
  })

  it("is kept where the browser's database takes nothing any more before the page is gone, and so is what was discarded", async () => {
    const { document } = await typing('typed and left at once')
    const stop = () => {
      // As a disk that has much to do: it answers when nobody listens any more.
      Object.defineProperty(IDBFactory.prototype, 'open', { value: () => new EventTarget() })
    }
    await page.evaluate(stop)
    page.once('dialog', one => void one.accept())
    await page.reload()
    await expectShown(document.getByText(/^Restored draft: 1 unsaved change/))
    expect(await description().inputValue()).toBe('typed and left at once')
    expect(await page.evaluate(() => Object.keys(localStorage).filter(key => key.includes('unkept')))).toEqual([])
    await page.evaluate(stop)
    await tool(page, 'Discard changes').click()
    await page.reload()
    await expectShown(document)
    await expect.poll(() => description().inputValue()).toBe('')
    expect(await document.getByText(/^Restored draft/).count()).toBe(0)
  })

  it('into the field of a list of choices is among what Save keeps, or is refused in its place', async () => {
    await opened()
    await row(page, 'Type attributes', 'first').click()
    await property(page, 'Type Attribute', 'Choices').getByRole('button').click()
    const choices = dialog(page, 'Choices')
    const name = choices.getByRole('textbox')
    await name.fill('red')
    await name.press('Enter')
    await name.fill('red')
    await press(choices, 'Save')
    await choices.getByRole('alert').waitFor()
    await name.fill('green')
    await press(choices, 'Save')
    await choices.waitFor({ state: 'detached' })
    await expectShown(property(page, 'Type Attribute', 'Choices').getByText('2', { exact: true }))
    await tool(page, 'Discard changes').click()
  })
})

describe('A table of attributes', () => {
  it('starts on the first page when it is searched, and says why its key cannot be deleted', async () => {
    const typeAttributes = Array.from({ length: 60 }, (_, at) => ({ name: `field_${at + 100}` }))
    const wide = await apiOf(page).createEntity({ name: 'Searched', typeAttributes }, shop)
    const document = await openEntity(page, wide)
    const next = document.getByRole('button', { name: 'Next page' })
    await document.getByRole('combobox', { name: 'Rows per page' }).click()
    await page.getByRole('option').first().click()
    await next.click()
    await next.click()
    expect(await row(page, 'Type attributes', 'field_100').count()).toBe(0)
    await document.getByLabel('Search type attributes').fill('field_1')
    await expectShown(row(page, 'Type attributes', 'field_100'))

    await row(page, 'Type attributes', 'id').click()
    const remove = document.getByRole('button', { name: 'Delete', exact: true })
    expect(await remove.getAttribute('aria-disabled')).toBe('true')
    expect(await remove.getAttribute('title')).toBe('The key cannot be deleted.')
    await page.keyboard.press('Delete')
    await expectShown(snackbar(page, 'The key cannot be deleted.'))
    await row(page, 'Type attributes', 'field_100').click()
    await page.keyboard.press('Delete')
    await press(question(page, 'Delete Type Attributes?'), 'Cancel')
  })
})

describe('F2 on a row of the tree', () => {
  const nameOf = (name: string) => property(page, 'Entity', name).getByRole('textbox')
  const focused = (what: Locator) => what.evaluate(element => element === element.ownerDocument.activeElement)

  it('opens that entity, whatever is shown, and leads to its name; Escape leads back to the row', async () => {
    const { entity } = await opened()
    const other = await apiOf(page).createEntity({ name: 'Aside', typeAttributes: [{ name: 'first' }] }, shop)
    await openEntity(page, entity)
    const node = await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', other.name)
    await node.focus()
    await page.keyboard.press('F2')
    await expectShown(entityDocument(page, other.name))
    await expect.poll(() => focused(nameOf('Name'))).toBe(true)
    expect(await nameOf('Name').inputValue()).toBe(other.name)
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(node)).toBe(true)
    await page.keyboard.press('F2')
    await expect.poll(() => focused(nameOf('Name'))).toBe(true)
    await page.keyboard.type('Beside')
    await page.keyboard.press('Enter')
    await expectShown(entityDocument(page, 'Beside'))
    await tool(page, 'Discard changes').click()
  })

  it('takes nobody back who went on meanwhile: what they type goes where they type it', async () => {
    const entity = await apiOf(page).createEntity({ name: 'Abeam', typeAttributes: [{ name: 'first' }] }, shop)
    const late = Promise.withResolvers<void>()
    await page.route(`**/1.0/cdm/entity/${entity.id}*`, async route => {
      await late.promise
      await route.continue()
    })
    await page.goto('/')
    await page.reload()
    const node = await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', entity.name)
    await node.focus()
    await page.keyboard.press('F2')
    await page.keyboard.press('/')
    const search = page.getByRole('navigation', { name: 'Navigator' }).getByRole('textbox', { name: 'Search' })
    await expect.poll(() => focused(search)).toBe(true)
    late.resolve()
    await expectShown(entityDocument(page, entity.name))
    await page.waitForTimeout(300)
    expect(await focused(search)).toBe(true)
    await page.unrouteAll()
  })

  it('does nothing to the shown document where the row has no name to change', async () => {
    const { document } = await opened()
    const group = await nodeAt(page, 'Custom', 'Manifests')
    await group.focus()
    await page.keyboard.press('F2')
    await page.waitForTimeout(200)
    expect(await focused(group)).toBe(true)
    await expectShown(document)
  })
})
