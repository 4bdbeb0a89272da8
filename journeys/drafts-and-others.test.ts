import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { countOpenPages, expectSaved, openEntity, readStoredDrafts, send, tool } from './driver/document.ts'
import { addAttribute, names, property, setText, tab } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { expectShown, pick, snackbar } from './driver/widgets.ts'

let count = 0

const journey = await startJourney()
const { page } = journey
const shop = await apiOf(page).manifestNamed('Shop')

/** Creates an entity and opens it in its own tab. */
async function openNewEntity(): Promise<{ entity: { id: number; name: string }; document: Locator }> {
  count += 1
  const entity = await apiOf(page).createEntity({ name: `Shared_${count}` }, shop)
  return { entity, document: await openEntity(page, entity) }
}

describe('Save conflicts', () => {
  it('keeping local changes never overwrites a newer value before it has been shown', async () => {
    const { entity, document } = await openNewEntity()
    const stored = async () => (await apiOf(page).entityOf(entity.id)).description
    await setText(page, 'Entity', 'Description', 'mine')
    await apiOf(page).describe(entity.id, 'theirs')
    await tool(page, 'Save').click()
    await expectShown(document.getByRole('cell', { name: 'theirs', exact: true }))
    // The table follows local edits.
    await setText(page, 'Entity', 'Description', 'mine again')
    await expectShown(document.getByRole('cell', { name: 'mine again', exact: true }))
    await apiOf(page).describe(entity.id, 'theirs, newer')
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(document.getByRole('cell', { name: 'theirs, newer', exact: true }))
    await expect.poll(() => stored()).toBe('theirs, newer')
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(stored).toBe('mine again')
  })
})

describe('Restoring a draft during input', () => {
  const text = () => property(page, 'Entity', 'Description').getByRole('textbox')
  /** Reloads the page while another page holds the lock of the drafts; the returned function releases it. */
  async function reloadWithLockedDrafts(): Promise<() => Promise<void>> {
    const other = await page.context().newPage()
    await other.goto('/ready')
    await other.evaluate(
      () =>
        new Promise<void>(acquired => {
          void navigator.locks.request('cadmus-drafts', () => {
            acquired()
            return new Promise(() => undefined)
          })
        }),
    )
    await page.reload()
    await expect.poll(() => text().inputValue()).toBe('')
    return () => other.close()
  }

  it('restored changes to the same field do not replace its input and remain in the undo history', async () => {
    const { entity, document } = await openNewEntity()
    await setText(page, 'Entity', 'Description', 'kept')
    const releaseDrafts = await reloadWithLockedDrafts()
    await text().pressSequentially('typed')
    await releaseDrafts()
    await expectShown(document.getByText(/^Restored draft:/))
    await expect.poll(() => text().inputValue()).toBe('typed')
    await expect.poll(() => text().evaluate(field => field === field.ownerDocument.activeElement)).toBe(true)
    await text().press('Enter')
    await expect.poll(() => text().inputValue()).toBe('typed')
    await keys(page, 'Control+z')
    await expect.poll(() => text().inputValue()).toBe('kept')
    await keys(page, 'Control+Shift+z')
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    expect((await apiOf(page).entityOf(entity.id)).description).toBe('typed')
  })

  it('restored changes and input in different fields are both saved', async () => {
    const { entity, document } = await openNewEntity()
    await addAttribute(page, 'kept')
    const releaseDrafts = await reloadWithLockedDrafts()
    await text().pressSequentially('typed')
    await releaseDrafts()
    await expectShown(document.getByText(/^Restored draft:/))
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'kept'])
    await text().press('Enter')
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    const stored = await apiOf(page).entityOf(entity.id)
    expect([stored.description, stored.typeAttributes.map(({ name }) => name)]).toEqual(['typed', ['id', 'kept']])
  })
})

describe('Two conflicting drafts of one document', () => {
  it('the newer draft is restored first, the older one after it is saved', async () => {
    const { entity, document } = await openNewEntity()
    const other = await page.context().newPage()
    await openEntity(other, entity)
    await setText(other, 'Entity', 'Description', 'the older')
    await expect.poll(() => readStoredDrafts(page)).toContain('the older')
    await setText(page, 'Entity', 'Description', 'the newer')
    await expect.poll(() => readStoredDrafts(page)).toContain('the newer')
    await other.close()
    await expect.poll(() => countOpenPages(page)).toBe(1)
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

describe('An attribute added by two users under the same name', () => {
  it('keeping local changes stores the attribute once, and the conflict explains the loss of the other', async () => {
    const { entity, document } = await openNewEntity()
    const email = { name: 'email', dataType: 'integer' as const }
    const { typeAttributes } = await apiOf(page).entityOf(entity.id)
    await addAttribute(page, 'email')
    const others = [...typeAttributes.map(({ nullable: isNullable, ...rest }) => ({ ...rest, isNullable })), email]
    const body = { entity: { name: entity.name, typeAttributes: others } }
    await send(page, 'PUT', `/1.0/cdm/entity/${entity.id}`, body)
    await tool(page, 'Save').click()
    await expectShown(document.getByRole('cell', { name: 'Attribute email: two with this name' }))
    await expectShown(document.getByText(/^Only one of two items with the same name is kept\./))
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'email'])
    const stored = (await apiOf(page).entityOf(entity.id)).typeAttributes
    expect(stored.map(({ name, dataType }) => [name, dataType])).toEqual([
      ['id', 'integer'],
      ['email', 'string'],
    ])
  })
})

describe('A version added by another user', () => {
  it('a save rejected because of a newer version succeeds on the second attempt', async () => {
    const { entity, document } = await openNewEntity()
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
  it('Ctrl+S saves nothing in an old version or during loading', async () => {
    const { entity, document } = await openNewEntity()
    const stored = async () => (await apiOf(page).entityOf(entity.id)).description
    await send(page, 'POST', `/1.0/cdm/entity/custom/${entity.id}/version?version=1.1.0`)
    await page.reload()
    await expectShown(document)
    await setText(page, 'Entity', 'Description', 'half done')
    await pick(page, property(page, 'Entity', 'Version'), 'Version', '1.0.0')
    await expectShown(document.getByText('Only the latest version can be edited.'))
    await expectSaved(page)
    await keys(page, 'Control+s')
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route(`**/1.0/cdm/entity/${entity.id}*`, async route => {
      if (route.request().method() === 'GET') await released
      await route.continue()
    })
    await page.goto(`/?entity=${entity.id}`)
    await expectShown(page.getByRole('main').getByLabel('Loading'))
    await keys(page, 'Control+s')
    release()
    await expectShown(document.getByText(/^Restored draft:/))
    await page.unroute(`**/1.0/cdm/entity/${entity.id}*`)
    await expect.poll(() => stored()).toBe('')
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => stored()).toBe('half done')
  })
})

describe('Reloading during a save', () => {
  it('changes that were stored before the reload are not restored as unsaved', async () => {
    const { entity, document } = await openNewEntity()
    await setText(page, 'Entity', 'Description', 'mine')
    const stored = Promise.withResolvers<void>()
    await page.route(`**/1.0/cdm/entity/${entity.id}/edits?*`, async route => {
      await route.fetch()
      // Withholds the response.
      stored.resolve()
    })
    await tool(page, 'Save').click()
    await stored.promise
    expect((await apiOf(page).entityOf(entity.id)).description).toBe('mine')
    await apiOf(page).describe(entity.id, '')
    const lookup = page.waitForResponse(response => response.url().includes('/settle'))
    await page.reload()
    expect((await lookup).status()).toBe(200)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await expectShown(document)
    await expect.poll(() => property(page, 'Entity', 'Description').getByRole('textbox').inputValue()).toBe('')
    await expect.poll(() => document.getByText(/^Restored draft:/).count()).toBe(0)
    await expect.poll(() => tab(page, entity.name).textContent()).not.toContain('unsaved')
  })
})

it('unreadable drafts are reported in a single message and remain stored', async () => {
  const [one, two] = [{ name: 'Unread_1' }, { name: 'Unread_2' }]
  for (const { name } of [one, two]) {
    const entity = await apiOf(page).createEntity({ name }, shop)
    await openEntity(page, entity)
    await setText(page, 'Entity', 'Description', 'of another time')
  }
  for (const { name } of [one, two])
    await expectShown(page.getByRole('tab', { name: new RegExp(`${name}.*unsaved changes`) }))
  await page.reload()
  await expectShown(page.getByText(/^Restored draft:/))
  await page.goto('about:blank')
  await page.goto('/org')
  await makeUnreadable()
  await page.goto('/')
  const messages = page.getByRole('region', { name: 'Messages' })
  await expectShown(messages.getByText(/^Unsaved changes of .* cannot be read by this version of Cadmus\./))
  await expect
    .poll(() => messages.getByText(/cannot be read/).allTextContents())
    .toEqual([expect.stringMatching(new RegExp(`(?=.*${one.name})(?=.*${two.name})`))])
  await page.reload()
  await expectShown(messages.getByText(/cannot be read/))
})

/** Rewrites the stored drafts into a format that this version cannot read. */
async function makeUnreadable(): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>(resolve => {
        const request = indexedDB.open('cadmus')
        request.addEventListener('success', () => {
          const transaction = request.result.transaction('drafts', 'readwrite')
          const cursor = transaction.objectStore('drafts').openCursor()
          cursor.addEventListener('success', () => {
            const { result } = cursor
            if (!result) return
            result.update({ ...result.value, draft: { ...result.value.draft, steps: 'unheard of' } })
            result.continue()
          })
          transaction.addEventListener('complete', () => {
            request.result.close()
            resolve()
          })
        })
      }),
  )
}
