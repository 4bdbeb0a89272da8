import { launchChromiumProfile } from '@cadmus/testing/chromium'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openInAdmin } from './driver/admin-documents.ts'
import { apiOf } from './driver/api.ts'
import { openPage, shoot, signIn, openDesk } from './driver/desk.ts'
import { openEntity, send, tool } from './driver/document.ts'
import { addAttribute, entityDocument, names, property, row, setText, tab } from './driver/entity.ts'
import { arriveAsAdmin } from './driver/json-tab.ts'
import { expectShown, press, question, snackbar } from './driver/widgets.ts'

type Known = { id: number; name: string }

let count = 0

const desk = await openDesk()
const { page } = desk
const shop = await apiOf(page).manifestNamed('Shop')

async function created(): Promise<Known> {
  count += 1
  const typeAttributes = [{ name: 'first' }, { name: 'second' }]
  return apiOf(page).createEntity({ name: `Paged_${count}`, typeAttributes }, shop)
}

const restored = (on: Page, { name }: Known) => entityDocument(on, name).getByText(/^Restored draft:/)

/** Two pages of one browser; without locks as it is at a plain http address in the house. */
async function twoPages(locks: boolean): Promise<{ one: Page; two: Page; close: () => Promise<void> }> {
  const { context, page: one } = await openPage(desk.browser, desk.console.url, { signedInAs: desk.context })
  // The prototype has it, so that it is not to be had in any way.
  if (!locks) await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'))
  return { one, two: await context.newPage(), close: () => context.close() }
}

/** What the browser keeps, of whoever. */
function kept(on: Page): Promise<string> {
  return on.evaluate(
    () =>
      new Promise<string>(resolve => {
        const request = indexedDB.open('cadmus')
        request.addEventListener('success', () => {
          const all = request.result.transaction('drafts').objectStore('drafts').getAll()
          all.addEventListener('success', () => {
            request.result.close()
            resolve(JSON.stringify(all.result))
          })
        })
      }),
  )
}

describe.each([
  { told: 'locks', locks: true },
  { told: 'each other, where there are no locks', locks: false },
])('Two pages of one person in one browser, told apart by $told', ({ locks }) => {
  it('each keeps its own draft, and takes nothing of one that is still open', async () => {
    const entity = await created()
    const { one, two, close } = await twoPages(locks)
    await openEntity(one, entity)
    expect(await one.evaluate(() => 'locks' in navigator)).toBe(locks)
    await addAttribute(one, 'ofTheFirst')
    await openEntity(two, entity)
    await expect.poll(() => names(two, 'Type attributes')).toEqual(['id', 'first', 'second'])
    await addAttribute(two, 'ofTheSecond')
    await expect.poll(() => kept(two)).toContain('ofTheSecond')
    await one.reload()
    await expectShown(restored(one, entity))
    await expect.poll(() => names(one, 'Type attributes')).toEqual(['id', 'first', 'second', 'ofTheFirst'])
    await two.reload()
    await expectShown(restored(two, entity))
    await expect.poll(() => names(two, 'Type attributes')).toEqual(['id', 'first', 'second', 'ofTheSecond'])

    // Of a page that was closed nothing is lost: it comes back together with what the other page has.
    await two.close()
    await one.reload()
    await expectShown(restored(one, entity))
    await expect
      .poll(async () => (await names(one, 'Type attributes')).toSorted())
      .toEqual(['first', 'id', 'ofTheFirst', 'ofTheSecond', 'second'])
    await tool(one, 'Save').click()
    await expectShown(snackbar(one, 'Entity saved successfully!'))
    await expect.poll(() => kept(one)).toBe('[]')
    await close()
  })

  it('a page that was duplicated has the memory of the other one, and takes nothing of it', async () => {
    const entity = await created()
    const { one, two, close } = await twoPages(locks)
    await openEntity(one, entity)
    await addAttribute(one, 'ofTheFirst')
    await expect.poll(() => kept(one)).toContain('ofTheFirst')
    const memory = await one.evaluate(() => Object.entries(sessionStorage))
    expect(memory.map(([key]) => key)).toContain('cadmus.page')
    await two.addInitScript(entries => {
      if (sessionStorage.length === 0) for (const [key, value] of entries) sessionStorage.setItem(key, value)
    }, memory)
    await openEntity(two, entity)
    await expect.poll(() => names(two, 'Type attributes')).toEqual(['id', 'first', 'second'])
    await one.reload()
    await expectShown(restored(one, entity))
    await close()
  })
})

describe("An administrator's pages, of which each shows one document", () => {
  it('leave what they do not show to the page that shows it', async () => {
    const [stranded, other] = [await created(), await created()]
    const { context, page: one } = await openPage(desk.browser, desk.console.url)
    await arriveAsAdmin(one)
    await openInAdmin(one, stranded)
    await addAttribute(one, 'stranded')
    await expect.poll(() => kept(one)).toContain('stranded')
    const [two, three] = [await context.newPage(), await context.newPage()]
    await one.close()
    await openInAdmin(two, other)
    // It has looked by then for what it shows.
    await addAttribute(two, 'ofTheOther')
    await expect.poll(() => kept(two)).toContain('ofTheOther')
    await openInAdmin(three, stranded)
    await expectShown(restored(three, stranded))
    expect(await names(three, 'Type attributes')).toContain('stranded')

    // A page that goes by its address to another document has it no longer either.
    await expect.poll(() => kept(three)).toContain('stranded')
    three.once('dialog', found => void found.accept())
    await openInAdmin(three, other)
    await addAttribute(three, 'ofTheThird')
    two.once('dialog', found => void found.accept())
    await openInAdmin(two, stranded)
    await expectShown(restored(two, stranded))
    expect(await names(two, 'Type attributes')).toContain('stranded')
    expect(await names(three, 'Type attributes')).not.toContain('ofTheOther')
    await context.close()
  })
})

describe('A browser that is started again', () => {
  it('has the draft of the one, and shows nothing of it to another', async () => {
    const entity = await created()
    const folder = temporaryFolder('profile')
    const start = async () => {
      const context = await launchChromiumProfile(folder, { baseURL: desk.console.url, reducedMotion: 'reduce' })
      return { context, own: context.pages()[0] ?? (await context.newPage()) }
    }
    const first = await start()
    await signIn(first.own)
    await openEntity(first.own, entity)
    await setText(first.own, 'Entity', 'Description', 'kept over the night')
    await expect.poll(() => kept(first.own)).toContain('kept over the night')
    await first.context.close()

    const { context, own } = await start()
    await own.goto(`/?entity=${entity.id}`)
    await expectShown(restored(own, entity))
    await shoot(own, 'drafts-started-again')
    await expect
      .poll(() => property(own, 'Entity', 'Description').getByRole('textbox').inputValue())
      .toBe('kept over the night')

    await context.clearCookies()
    await signIn(own, 'newcomer')
    await expectShown(own.getByRole('tree', { name: 'Project Navigator' }))
    expect(await tab(own, entity.name).count()).toBe(0)
    await openEntity(own, entity)
    await expect.poll(() => property(own, 'Entity', 'Description').getByRole('textbox').inputValue()).toBe('')
    expect(await restored(own, entity).count()).toBe(0)

    await context.clearCookies()
    await signIn(own, 'designer')
    await openEntity(own, entity)
    await expectShown(restored(own, entity))
    await context.close()
    removeFolder(folder)
  })
})

describe('A relationship that somebody else changed meanwhile', () => {
  async function related(): Promise<{ entity: Known; path: string; relationship: object }> {
    const [entity, target] = [await created(), await created()]
    const foreignKeyAttribute = { typeAttributeName: 'targetId', dataType: 'integer' }
    const relationship = { associatedEntityId: target.id, associatedEntityTypeAttribute: 'id', foreignKeyAttribute }
    await send(page, 'POST', `/1.0/cdm/entity/${entity.id}/associatedEntity`, relationship)
    const path = `/1.0/cdm/entity/${entity.id}/associatedEntity/${target.id}?associatedAttributeName=targetId`
    await page.goto(`/?entity=${entity.id}&tab=relationships`)
    await row(page, 'Relationships', target.name).click()
    return { entity, path, relationship }
  }

  const description = () => property(page, 'Entity Attribute', 'Description').getByRole('textbox')

  it('shows both values, and keeps mine when I say so', async () => {
    const { entity, path, relationship } = await related()
    await send(page, 'PUT', path, { ...relationship, description: 'theirs' })
    await setText(page, 'Entity Attribute', 'Description', 'mine')
    const document = entityDocument(page, entity.name)
    await expectShown(document.getByRole('cell', { name: 'theirs' }))
    await expectShown(document.getByRole('cell', { name: 'mine' }))
    await shoot(page, 'relationship-conflict')
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => description().inputValue()).toBe('mine')
    await page.reload()
    await expect.poll(() => names(page, 'Relationships')).toHaveLength(1)
  })

  it('takes theirs when I say so', async () => {
    const { entity, path, relationship } = await related()
    await send(page, 'PUT', path, { ...relationship, description: 'theirs' })
    await setText(page, 'Entity Attribute', 'Description', 'mine')
    await entityDocument(page, entity.name).getByRole('button', { name: /^Take/ }).click()
    await expect.poll(() => description().inputValue()).toBe('theirs')
  })

  it('is not deleted over their change without a word', async () => {
    const { entity, path, relationship } = await related()
    await send(page, 'PUT', path, { ...relationship, description: 'theirs' })
    await page.getByRole('grid', { name: 'Relationships' }).press('Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    const document = entityDocument(page, entity.name)
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expectShown(page.getByText('No relationships to display', { exact: true }))
  })

  it('is not deleted over their change together with another one either', async () => {
    const { entity, path, relationship } = await related()
    const other = { ...relationship, foreignKeyAttribute: { typeAttributeName: 'zLast', dataType: 'integer' } }
    await send(page, 'POST', `/1.0/cdm/entity/${entity.id}/associatedEntity`, other)
    await page.reload()
    await expect.poll(() => names(page, 'Relationships')).toHaveLength(2)
    await send(page, 'PUT', path.replace('targetId', 'zLast'), { ...other, description: 'theirs' })
    await page.getByRole('checkbox', { name: 'Choose all rows' }).click()
    await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    const document = entityDocument(page, entity.name)
    await expectShown(document.getByRole('cell', { name: 'Relationship zLast: deleted or changed' }))
    await document.getByRole('button', { name: /^Take/ }).click()
    await expect.poll(() => names(page, 'Relationships')).toHaveLength(1)
    await expect.poll(async () => (await tab(page, entity.name).textContent())?.includes('unsaved')).toBe(false)
    const { entityAttributes } = await apiOf(page).entityOf(entity.id)
    expect(entityAttributes).toMatchObject([{ foreignKeyTypeAttribute: 'zLast', description: 'theirs' }])
  })

  it('the page complained about nothing on the way', () => {
    expect(desk.complaints).toEqual([])
  })
})

// Last: it ends the session that the others have, too.
describe('A logout', () => {
  it('names what it discards, of other pages too, and those know that theirs is kept no longer', async () => {
    const [entity, other] = [await created(), await created()]
    const { one, two, close } = await twoPages(true)
    await openEntity(two, entity)
    await addAttribute(two, 'ofTheSecond')
    await expect.poll(() => kept(two)).toContain('ofTheSecond')
    await openEntity(one, other)
    await addAttribute(one, 'ofTheFirst')
    await expect.poll(() => kept(one)).toContain('ofTheFirst')
    await one.getByRole('button', { name: /Profile/ }).click()
    await one.getByRole('menuitem', { name: 'Logout' }).click()
    const asked = question(one, 'Logout')
    await expectShown(asked.getByText('There are unsaved changes, are you sure you want to logout?', { exact: true }))
    await expectShown(asked.getByText('Logging out discards them, in every tab of this browser:'))
    expect((await asked.getByRole('listitem').allTextContents()).toSorted()).toEqual([entity.name, other.name])
    await shoot(one, 'drafts-logout')
    await press(asked, 'Logout')
    await one
      .getByRole('button', { name: 'newcomer' })
      .or(one.getByRole('button', { name: 'Login' }))
      .first()
      .waitFor()
    expect(await kept(two)).toBe('[]')
    await expectShown(two.getByText(/^You logged out in another tab: unsaved changes are no longer stored/))
    expect(await names(two, 'Type attributes')).toContain('ofTheSecond')
    const warned = new Promise<string>(resolve => {
      two.once('dialog', dialog => {
        resolve(dialog.type())
        void dialog.dismiss()
      })
    })
    void two.reload().catch(() => undefined)
    expect(await warned).toBe('beforeunload')

    // Signed in again it can be saved, and what is done from then on is kept.
    await signIn(one, 'designer')
    await addAttribute(two, 'andMore')
    await expect.poll(() => kept(two)).toContain('andMore')
    await tool(two, 'Save').click()
    await expectShown(snackbar(two, 'Entity saved successfully!'))
    await close()
  })
})
