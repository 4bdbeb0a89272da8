import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { expectAccessible } from './driver/accessible.ts'
import { inAtMost } from './driver/hand.ts'
import { openPage, startJourney } from './driver/journey.ts'
import { keys } from './driver/keyboard.ts'
import { enter } from './driver/sign-in.ts'
import { expectSaved, openEntity, openManifest, send, tool } from './driver/document.ts'
import { entityDocument, names, property, row, setText } from './driver/entity.ts'
import { dialog, expectShown, pick, press, question, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')

let count = 0
async function openNewEntity() {
  count += 1
  const typeAttributes = [{ name: 'first' }, { name: 'second' }]
  const entity = await api.createEntity({ name: `Saved_${count}`, typeAttributes }, shop)
  await openEntity(page, entity)
  return entity
}
const attributes = () => names(page, 'Type attributes')
const description = () => property(page, 'Entity', 'Description').getByRole('textbox').inputValue()
async function rename(before: string, after: string): Promise<void> {
  await row(page, 'Type attributes', before).click()
  await setText(page, 'Type Attribute', 'Name', after)
  await expect.poll(attributes).toContain(after)
  // The properties of the entity are shown again.
  await keys(page, 'Escape')
}
async function save(): Promise<void> {
  await keys(page, 'Control+s')
  await expectSaved(page)
}

describe('Undo and redo of saved changes', () => {
  it('Ctrl+Z takes back a saved rename in one action, also after a reload, and Ctrl+Y makes it again', async () => {
    const { name } = await openNewEntity()
    await rename('first', 'primus')
    await save()
    await page.reload()
    await expectShown(entityDocument(page, name))
    await expectShown(tool(page, /^Undo: Renamed attribute first to primus, saved \d{4}-/))
    await inAtMost(page, 1, hand => hand.press('Control+z'))
    await expect.poll(attributes).toEqual(['id', 'first', 'second'])
    await save()
    await page.reload()
    await expectShown(entityDocument(page, name))
    await expectShown(tool(page, /^Redo: Renamed attribute primus to first, saved/))
    await keys(page, 'Control+y')
    await expect.poll(attributes).toEqual(['id', 'primus', 'second'])
    await save()
  })

  it('the message about a save takes it back in one click, but not after later changes', async () => {
    await openNewEntity()
    await rename('first', 'primus')
    await save()
    const undo = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' })
    await inAtMost(page, 1, hand => hand.click(undo))
    await expect.poll(attributes).toEqual(['id', 'first', 'second'])
    await rename('second', 'secundus')
    await save()
    await rename('first', 'prime')
    await undo.click()
    await expectShown(snackbar(page, 'There were later changes. Undo them first.'))
    await expect.poll(attributes).toEqual(['id', 'prime', 'secundus'])
    await tool(page, 'Discard changes').click()
  })

  it('the history of an attribute opens in its properties from its context menu, with its former names', async () => {
    await openNewEntity()
    await rename('first', 'primus')
    await save()
    await row(page, 'Type attributes', 'primus').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'History of Attribute' }).click()
    await expectShown(page.getByRole('button', { name: 'Hide History' }))
    await expectShown(page.getByText(/^first, until \d{4}-/))
    await expectShown(page.getByText('Name: first → primus'))
  })

  it('unsaved and saved steps are taken back one after the other, and made again in their order', async () => {
    await openNewEntity()
    await rename('first', 'primus')
    await save()
    await rename('second', 'secundus')
    await keys(page, 'Control+z')
    await expect.poll(attributes).toEqual(['id', 'primus', 'second'])
    await keys(page, 'Control+z')
    await expect.poll(attributes).toEqual(['id', 'first', 'second'])
    await keys(page, 'Control+Shift+z')
    await expect.poll(attributes).toEqual(['id', 'primus', 'second'])
    await keys(page, 'Control+Shift+z')
    await expect.poll(attributes).toEqual(['id', 'primus', 'secundus'])
    await tool(page, 'Discard changes').click()
  })

  it('a field that somebody else changed since is named with author and time, and only the rest is taken back', async () => {
    const { id, name } = await openNewEntity()
    await rename('first', 'primus')
    await setText(page, 'Entity', 'Description', 'mine')
    await save()
    const other = await openPage(journey.browser, journey.console.url)
    await enter(other.page, 'admin', '/health')
    await apiOf(other.page, 'ACME', 'X-Admin-Organisation').describe(id, 'theirs')
    await other.context.close()
    await page.reload()
    await expectShown(entityDocument(page, name))
    await expect.poll(description).toBe('theirs')
    await keys(page, 'Control+z')
    const refusal = page.getByRole('alertdialog')
    await expectShown(refusal.getByText(/^Description, by .+ at \d{4}-\d\d-\d\d \d\d:\d\d$/))
    await press(refusal, 'Take only the rest')
    await expect.poll(attributes).toEqual(['id', 'first', 'second'])
    await expect.poll(description).toBe('theirs')
    await save()
  })
})

describe('The history of a document', () => {
  it('lists saved and unsaved steps with their times, and goes back to one of mine', async () => {
    const { name } = await openNewEntity()
    await rename('first', 'primus')
    await save()
    await rename('second', 'secundus')
    await save()
    await rename('primus', 'prime')
    await keys(page, 'Control+Alt+z')
    const history = dialog(page, `History of ${name}`)
    await expectShown(history.getByText('Renamed attribute primus to prime', { exact: true }))
    await expect.poll(() => history.getByRole('listitem').count()).toBe(4)
    await expectAccessible(page, 'history')
    await history.getByRole('button', { name: /^Go Back Here: Renamed attribute first to primus/ }).click()
    await expectShown(history.getByRole('button', { name: /^Redo to Here: Renamed attribute primus to prime/ }))
    await press(history, 'Close')
    await expect.poll(attributes).toEqual(['id', 'primus', 'second'])
    await keys(page, 'Control+Alt+z')
    await history.getByRole('button', { name: /^Redo to Here: Renamed attribute primus to prime/ }).click()
    await expectShown(history.locator('[aria-current=step]').getByText('Renamed attribute primus to prime'))
    await press(history, 'Close')
    await expect.poll(attributes).toEqual(['id', 'prime', 'secundus'])
    await tool(page, 'Discard changes').click()
  })

  it('takes back one change of a manifest', async () => {
    const manifest = await api.createManifest('Depot')
    const entity = await api.createEntity({ name: 'Kept' }, manifest)
    await send(page, 'DELETE', `/1.0/cdm/manifest/${manifest}/entity/${entity.id}`)
    const document = await openManifest(page, manifest, 'Depot')
    await tool(page, 'History').click()
    const history = dialog(page, 'History of Depot')
    await history.getByRole('button', { name: /^Undo This: Removed entity Kept/ }).click()
    await expectShown(page.getByRole('region', { name: 'Messages' }).getByText(/^Undid: .*Kept/))
    await press(history, 'Close')
    await expectShown(document.getByRole('link', { name: 'Kept', exact: true }))
  })
})

describe('Undo on the page of a manifest', () => {
  const messages = page.getByRole('region', { name: 'Messages' })

  it('takes back the saved change of an entity after a reload, and makes it again', async () => {
    const manifest = await api.createManifest('Ledger')
    const entity = await api.createEntity({ name: 'Booked', typeAttributes: [{ name: 'first' }] }, manifest)
    const stored = async () => (await api.entityOf(entity.id)).typeAttributes.map(({ name }) => name)
    await openEntity(page, entity)
    await rename('first', 'primus')
    await save()
    await openManifest(page, manifest, 'Ledger')
    await page.reload()
    await expectShown(tool(page, /^Undo: Booked: Renamed attribute first to primus, saved \d{4}-/))
    await keys(page, 'Control+z')
    await expectShown(messages.getByText(/^Undid in Booked, not saved yet: Renamed attribute first to primus, saved/))
    await page.getByRole('button', { name: 'Save All' }).click()
    await expect.poll(stored).toEqual(['id', 'first'])
    await expectShown(tool(page, /^Redo: Booked: Renamed attribute primus to first, saved/))
    await keys(page, 'Control+y')
    await expectShown(messages.getByText(/^Redid in Booked, not saved yet/))
    await page.getByRole('button', { name: 'Save All' }).click()
    await expect.poll(stored).toEqual(['id', 'primus'])
  })

  it('takes back saved scopes after a reload, and the message about several saves names their number', async () => {
    const manifest = await api.createManifest('Scoped')
    const entities = [
      await api.createEntity({ name: 'Scoped_1' }, manifest),
      await api.createEntity({ name: 'Scoped_2' }, manifest),
    ]
    const scopes = async () =>
      Promise.all(entities.map(async ({ id }) => (await api.entityOf(id)).operationScopes.selectAllOperationScopes))
    await page.goto(`/?manifest=${manifest}&tab=scopes`)
    const cells = page.getByRole('grid', { name: 'Scopes of operations' })
    const cell = (name: string) => cells.getByRole('row').filter({ hasText: name }).getByRole('gridcell').nth(2)
    await cell('Scoped_1').click()
    await cell('Scoped_2').click({ modifiers: ['Shift'] })
    await page.keyboard.type('ledger.read')
    await keys(page, 'Control+Enter')
    await keys(page, 'Control+Shift+S')
    await expectShown(messages.getByText(/^2 entities( and 1 configuration)? saved\.$/))
    await expect.poll(scopes).toEqual([['ledger.read'], ['ledger.read']])
    await page.reload()
    await expectShown(tool(page, /^Undo: Scoped/))
    await cell('Scoped_1').click()
    await keys(page, 'Control+z')
    await expectShown(messages.getByText(/^Undid in \d documents, not saved yet/))
    await keys(page, 'Control+Shift+S')
    await expect.poll(scopes).toEqual([[], []])
  })
})

describe('Restoring from the audit logs', () => {
  const preview = dialog(page, 'Restore from the log')

  /** Deletes an entity and shows the log of entities; returns the row of the deletion. */
  async function deleted(name: string) {
    const entity = await api.createEntity({ name, typeAttributes: [{ name: 'weight' }] }, shop)
    await api.deleteEntity(entity.id)
    await page.goto('/')
    await page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Audit Logs' }).click()
    const logs = page.getByRole('article', { name: 'Audit Logs' })
    await pick(page, logs, 'Log Type', 'Entity')
    const entry = logs.getByRole('row').filter({ hasText: `Deleted entity ${name}` })
    await entry.waitFor()
    return { entity, entry }
  }

  it('brings a deleted entity back in three actions by mouse, after a preview', async () => {
    const { entity, entry } = await deleted('Lost')
    await inAtMost(page, 3, async hand => {
      await hand.click(entry, { button: 'right' })
      await hand.click(page.getByRole('menuitem', { name: 'Restore This' }))
      await expectShown(preview.getByRole('rowheader', { name: 'Attribute weight' }))
      await expectAccessible(page, 'restore')
      await hand.click(preview.getByRole('button', { name: 'Restore', exact: true }))
      await expectShown(snackbar(page, 'Restored Lost.'))
    })
    expect(await api.entityOf(entity.id)).toMatchObject({ uid: entity.uid, path: entity.path })
  })

  it('brings a deleted entity back in three keys', async () => {
    const { entity, entry } = await deleted('Missing')
    await entry.focus()
    await inAtMost(page, 3, async hand => {
      await hand.press('Enter')
      await expectShown(dialog(page, 'Deleted entity Missing.').getByRole('button', { name: 'Restore This' }))
      await hand.press('Control+Enter')
      await expectShown(preview.getByRole('rowheader', { name: 'Attribute weight' }))
      await hand.press('Control+Enter')
      await expectShown(snackbar(page, 'Restored Missing.'))
    })
    expect((await api.entityOf(entity.id)).uid).toBe(entity.uid)
  })

  it('the message of a deletion offers Undo', async () => {
    const entity = await openNewEntity()
    await tool(page, 'Delete Entity').click()
    await press(question(page, 'Delete Entity'), 'Delete')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expectShown(snackbar(page, `Undid: ${entity.name}.`))
    expect((await api.entityOf(entity.id)).uid).toBe(entity.uid)
  })
})
