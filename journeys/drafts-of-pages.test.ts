import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openInAdmin } from './driver/admin-documents.ts'
import { apiOf } from './driver/api.ts'
import { openPage, signIn, startJourney } from './driver/journey.ts'
import { navigate, openEntity, readStoredDrafts, send, tool, countOpenPages } from './driver/document.ts'
import { addAttribute, entityDocument, names, property, row, setText, tab } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { enter } from './driver/sign-in.ts'
import { signInAsAdmin } from './driver/json-tab.ts'
import { expectShown, press, question, snackbar } from './driver/widgets.ts'

type EntityRef = { id: number; name: string }

let count = 0

const journey = await startJourney()
const { page } = journey
const shop = await apiOf(page).manifestNamed('Shop')

async function createEntity(): Promise<EntityRef> {
  count += 1
  const typeAttributes = [{ name: 'first' }, { name: 'second' }]
  return apiOf(page).createEntity({ name: `Paged_${count}`, typeAttributes }, shop)
}

const restoredNotice = (on: Page, { name }: EntityRef) => entityDocument(on, name).getByText(/^Restored draft:/)

/** Opens two pages in one browser. `locks` false removes the Web Locks API, which plain http lacks. */
async function twoPages(locks: boolean): Promise<{ one: Page; two: Page; close: () => Promise<void> }> {
  const { context, page: one } = await openPage(journey.browser, journey.console.url, { signedInAs: journey.context })
  // The API must be removed from the prototype, where it is defined.
  if (!locks) await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'))
  return { one, two: await context.newPage(), close: () => context.close() }
}

/** Gives a page the session storage of another, as duplicating a page does. */
async function duplicate(from: Page, to: Page): Promise<void> {
  await expect.poll(() => from.evaluate(() => sessionStorage.getItem('cadmus.page'))).not.toBeNull()
  const memory = await from.evaluate(() => Object.entries(sessionStorage))
  await to.addInitScript(entries => {
    if (sessionStorage.length === 0) for (const [key, value] of entries) sessionStorage.setItem(key, value)
  }, memory)
}

describe('Two pages of one user in one browser', () => {
  it.each([
    ['locks', true],
    ['messages between them', false],
  ])(
    'each page, also a duplicated one, restores its own draft and takes over those of closed pages only (by %s)',
    async (_, locks) => {
      const entity = await createEntity()
      const { one, two, close } = await twoPages(locks)
      await openEntity(one, entity)
      await expect.poll(() => one.evaluate(() => 'locks' in navigator)).toBe(locks)
      await addAttribute(one, 'ofTheFirst')
      await expect.poll(() => readStoredDrafts(one)).toContain('ofTheFirst')
      await duplicate(one, two)
      await openEntity(two, entity)
      await expect.poll(() => names(two, 'Type attributes')).toEqual(['id', 'first', 'second'])
      await addAttribute(two, 'ofTheSecond')
      await expect.poll(() => readStoredDrafts(two)).toContain('ofTheSecond')
      await one.reload()
      await expectShown(restoredNotice(one, entity))
      await expect.poll(() => names(one, 'Type attributes')).toEqual(['id', 'first', 'second', 'ofTheFirst'])

      // The draft of a closed page is merged into that of the page still open.
      await two.close()
      await expect.poll(() => countOpenPages(one)).toBe(locks ? 1 : 0)
      await one.reload()
      await expectShown(restoredNotice(one, entity))
      await expect
        .poll(async () => (await names(one, 'Type attributes')).toSorted())
        .toEqual(['first', 'id', 'ofTheFirst', 'ofTheSecond', 'second'])
      await tool(one, 'Save').click()
      await expectShown(snackbar(one, 'Entity saved successfully!'))
      await expect.poll(() => readStoredDrafts(one)).toBe('[]')
      await close()
    },
  )
})

describe('Administration pages, each showing a single document', () => {
  it('a draft is restored only by the page that shows its document', async () => {
    const [stranded, other] = [await createEntity(), await createEntity()]
    const { context, page: one } = await openPage(journey.browser, journey.console.url)
    await signInAsAdmin(one)
    await openInAdmin(one, stranded)
    await addAttribute(one, 'stranded')
    await expect.poll(() => readStoredDrafts(one)).toContain('stranded')
    const [two, three] = [await context.newPage(), await context.newPage()]
    await one.close()
    await openInAdmin(two, other)
    await expect.poll(() => countOpenPages(two)).toBe(1)
    // By now the page has looked up the drafts of the document it shows.
    await addAttribute(two, 'ofTheOther')
    await expect.poll(() => readStoredDrafts(two)).toContain('ofTheOther')
    await openInAdmin(three, stranded)
    await expectShown(restoredNotice(three, stranded))
    await expect.poll(() => names(three, 'Type attributes')).toContain('stranded')

    // Navigating to another document releases the draft of the previous one.
    await expect.poll(() => readStoredDrafts(three)).toContain('stranded')
    three.once('dialog', nativeDialog => void nativeDialog.accept())
    await three.goto(`/admin?org=ACME&entity=${other.id}`)
    await expectShown(entityDocument(three, other.name))
    await addAttribute(three, 'ofTheThird')
    two.once('dialog', nativeDialog => void nativeDialog.accept())
    await two.goto(`/admin?org=ACME&entity=${stranded.id}`)
    await expectShown(restoredNotice(two, stranded))
    await expect.poll(() => names(two, 'Type attributes')).toContain('stranded')
    await expect.poll(() => names(three, 'Type attributes')).not.toContain('ofTheOther')
    await context.close()
  })
})

describe('Closing the last page', () => {
  it('a later page restores the drafts of the same user and hides them from another', async () => {
    const entity = await createEntity()
    const { context, page: first } = await openPage(journey.browser, journey.console.url, {
      signedInAs: journey.context,
    })
    await openEntity(first, entity)
    await setText(first, 'Entity', 'Description', 'kept over the night')
    await expect.poll(() => readStoredDrafts(first)).toContain('kept over the night')
    await first.close()

    const own = await context.newPage()
    const description = property(own, 'Entity', 'Description').getByRole('textbox')
    await own.goto('/health')
    await expect.poll(() => countOpenPages(own)).toBe(0)
    await own.goto(`/?entity=${entity.id}`)
    await expectShown(restoredNotice(own, entity))
    await expect.poll(() => description.inputValue()).toBe('kept over the night')

    await context.clearCookies()
    await enter(own, 'newcomer', `/?entity=${entity.id}`)
    await expectShown(entityDocument(own, entity.name))
    await expect.poll(() => description.inputValue()).toBe('')
    await expect.poll(() => restoredNotice(own, entity).count()).toBe(0)

    await context.clearCookies()
    await enter(own, 'designer', `/?entity=${entity.id}`)
    await expectShown(restoredNotice(own, entity))
    await context.close()
  })
})

describe('A relationship changed by another user', () => {
  /** `other`: fields in which a second relationship to the same entity differs from the first. */
  async function openWithRelationship(
    other?: object,
  ): Promise<{ entity: EntityRef; path: string; relationship: object }> {
    const [entity, target] = [await createEntity(), await createEntity()]
    const foreignKeyAttribute = { typeAttributeName: 'targetId', dataType: 'integer' }
    const relationship = { associatedEntityId: target.id, associatedEntityTypeAttribute: 'id', foreignKeyAttribute }
    await send(page, 'POST', `/1.0/cdm/entity/${entity.id}/associatedEntity`, relationship)
    if (other !== undefined)
      await send(page, 'POST', `/1.0/cdm/entity/${entity.id}/associatedEntity`, { ...relationship, ...other })
    const path = `/1.0/cdm/entity/${entity.id}/associatedEntity/${target.id}?associatedAttributeName=targetId`
    await navigate(page, `/?entity=${entity.id}&tab=relationships`)
    await row(page, 'Relationships', target.name).click()
    return { entity, path, relationship }
  }

  const description = () => property(page, 'Entity Attribute', 'Description').getByRole('textbox')

  it('keeping local changes of a relationship resolves the conflict', async () => {
    const { entity, path, relationship } = await openWithRelationship()
    await send(page, 'PUT', path, { ...relationship, description: 'theirs' })
    await setText(page, 'Entity Attribute', 'Description', 'mine')
    await keys(page, 'Control+s')
    const document = entityDocument(page, entity.name)
    await expectShown(document.getByRole('cell', { name: 'theirs' }))
    await expectShown(document.getByRole('cell', { name: 'mine' }))
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => description().inputValue()).toBe('mine')
    await expect.poll(() => names(page, 'Relationships')).toHaveLength(1)
  })

  it('deleting several relationships, one of them changed by another user, requires a decision', async () => {
    const other = { foreignKeyAttribute: { typeAttributeName: 'zLast', dataType: 'integer' } }
    const { entity, path, relationship } = await openWithRelationship(other)
    await expect.poll(() => names(page, 'Relationships')).toHaveLength(2)
    await send(page, 'PUT', path.replace('targetId', 'zLast'), { ...relationship, ...other, description: 'theirs' })
    await page.getByRole('checkbox', { name: 'Choose all rows' }).click()
    await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await keys(page, 'Control+s')
    const document = entityDocument(page, entity.name)
    await expectShown(document.getByRole('cell', { name: 'Relationship zLast: deleted or changed' }))
    await document.getByRole('button', { name: /^Take/ }).click()
    await expect.poll(() => names(page, 'Relationships')).toHaveLength(1)
    await keys(page, 'Control+s')
    await expect.poll(async () => (await tab(page, entity.name).textContent())?.includes('unsaved')).toBe(false)
    const { entityAttributes } = await apiOf(page).entityOf(entity.id)
    expect(entityAttributes).toMatchObject([{ foreignKeyTypeAttribute: 'zLast', description: 'theirs' }])
  })

  it('the page reports no errors', () => {
    expect(journey.complaints).toEqual([])
  })
})

// Last, because it ends the session that all tests share.
describe('Logout', () => {
  it('a logout lists the drafts of all pages, discards them and warns the other pages', async () => {
    const [entity, other] = [await createEntity(), await createEntity()]
    const { one, two, close } = await twoPages(true)
    await openEntity(two, entity)
    await addAttribute(two, 'ofTheSecond')
    await expect.poll(() => readStoredDrafts(two)).toContain('ofTheSecond')
    await openEntity(one, other)
    await addAttribute(one, 'ofTheFirst')
    await expect.poll(() => readStoredDrafts(one)).toContain('ofTheFirst')
    await one.getByRole('button', { name: /Profile/ }).click()
    await one.getByRole('menuitem', { name: 'Logout' }).click()
    const confirmation = question(one, 'Logout')
    await expectShown(
      confirmation.getByText('There are unsaved changes, are you sure you want to logout?', { exact: true }),
    )
    await expectShown(confirmation.getByText('Logging out discards them, in every tab of this browser:'))
    await expect
      .poll(async () => (await confirmation.getByRole('listitem').allTextContents()).toSorted())
      .toEqual([entity.name, other.name])
    await press(confirmation, 'Logout')
    await one
      .getByRole('button', { name: 'newcomer' })
      .or(one.getByRole('button', { name: 'Login' }))
      .first()
      .waitFor()
    await expect.poll(() => readStoredDrafts(two)).toBe('[]')
    await expectShown(two.getByText(/^You logged out in another tab: unsaved changes are no longer stored/))
    await expect.poll(() => names(two, 'Type attributes')).toContain('ofTheSecond')
    const dialogType = new Promise<string>(resolve => {
      two.once('dialog', dialog => {
        resolve(dialog.type())
        void dialog.dismiss()
      })
    })
    void two.reload().catch(() => undefined)
    expect(await dialogType).toBe('beforeunload')

    // After a new sign-in the changes can be saved, and further edits are stored.
    await signIn(one, 'designer')
    await expect.poll(() => tab(one, other.name).count()).toBe(0)
    await addAttribute(two, 'andMore')
    await expect.poll(() => readStoredDrafts(two)).toContain('andMore')
    await tool(two, 'Save').click()
    await expectShown(snackbar(two, 'Entity saved successfully!'))
    await close()
  })
})
