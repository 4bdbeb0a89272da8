import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { violationsInAllVariants } from './driver/axe.ts'
import { openEntity, readStoredDrafts, returnToPage, tool } from './driver/document.ts'
import { cell, entityDocument, manifestDocument } from './driver/entity.ts'
import { type Hand, inAtMost } from './driver/hand.ts'
import { openPage, startJourney } from './driver/journey.ts'
import { keys } from './driver/keyboard.ts'
import { enter } from './driver/sign-in.ts'
import { dismissMessages, expectShown, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const key = { name: 'id', dataType: 'integer', purpose: 'identifiedBy' } as const

/** A manifest with a patient and visits. */
async function surgery(name: string) {
  const manifest = await api.createManifest(name)
  const line1 = { name: 'line1', dataType: 'string', maxLength: 40 } as const
  const patient = await api.createEntity({ name: `${name}Patient`, typeAttributes: [key, line1] }, manifest)
  const visit = await api.createEntity({ name: `${name}Visit`, typeAttributes: [key, { name: 'reason' }] }, manifest)
  await api.relate(visit.id, patient, 'patient')
  return { manifest, patient, visit }
}

const pane = (name: string, of = page) => of.getByRole('region', { name: `Text of ${name}`, exact: true })
const editor = (name: string, of = page) => pane(name, of).getByRole('textbox', { name: `Text of ${name}.` })
const line = (name: string, text: string, of = page) => editor(name, of).locator('.cm-line', { hasText: text })
const state = (name: string, words: string | RegExp, of = page) => pane(name, of).getByRole('status').getByText(words)
const inStep = 'In step with the model.'

/** Opens the text of the document shown, with the focus in it. */
async function openText(name: string, of = page): Promise<void> {
  await keys(of, 'Alt+t')
  await expectShown(state(name, inStep, of))
  await expect.poll(() => of.evaluate(() => document.activeElement?.shadowRoot !== null)).toBe(true)
}

async function closeText(name: string): Promise<void> {
  await keys(page, 'Alt+t')
  await pane(name).waitFor({ state: 'detached' })
}

async function attributeNames(id: number): Promise<string[]> {
  return (await api.entityOf(id)).typeAttributes.map(({ name }) => name)
}

/** Puts the caret behind a text. */
async function caretBehind(name: string, text: string, of = page): Promise<void> {
  await keys(of, 'Control+f')
  await of.keyboard.type(text)
  await keys(of, 'Enter', 'Escape', 'ArrowRight')
  await expectShown(line(name, text, of))
}

/** The line in which the browser has the caret; the editor sets it a moment after it gets the focus. */
function lineOfCaret(name: string): Promise<string> {
  return editor(name).evaluate(element => {
    const root = element.getRootNode()
    const node: Node | null = Reflect.get(root, 'getSelection').call(root).anchorNode
    const holder = node instanceof Element ? node : node?.parentElement
    return holder?.closest('.cm-line')?.textContent ?? ''
  })
}

async function pasted(of: Page, text: string): Promise<void> {
  await of.evaluate(data => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', data)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    ;(document.activeElement ?? document.body).dispatchEvent(event)
  }, text)
}

describe('The text of an entity', () => {
  it('renames an attribute by its identity, saved by one action by mouse or keyboard, and the log says so', async () => {
    const { patient } = await surgery('Renamed')
    const uid = patient.typeAttributes.find(({ name }) => name === 'line1')?.uid
    await openEntity(page, patient)
    await openText(patient.name)
    for (const [before, typed, name, save] of [
      ['line1', 'Of', 'line1Of', async (hand: Hand) => hand.click(tool(page, 'Save'))],
      ['line1Of', 'Street', 'line1OfStreet', async (hand: Hand) => hand.press('Control+s')],
    ] as const) {
      await editor(patient.name).focus()
      await caretBehind(patient.name, before)
      await page.keyboard.type(typed)
      await expectShown(tool(page, 'Save'))
      await inAtMost(page, 1, save)
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      const { typeAttributes } = await api.entityOf(patient.id)
      expect(typeAttributes.map(attribute => [attribute.name, attribute.uid])).toContainEqual([name, uid])
      await dismissMessages(page)
    }
    await keys(page, 'Control+Alt+z')
    const history = page.getByRole('dialog')
    for (const name of ['line1Of', 'line1OfStreet'])
      await expectShown(history.getByText(new RegExp(`renamed.*${name}\\b`, 'i')).first())
    await keys(page, 'Escape')
    await closeText(patient.name)
  })

  it('follows the sheet without moving the caret, and Undo in the text takes back its own steps', async () => {
    const { patient } = await surgery('Follow')
    await openEntity(page, patient)
    await openText(patient.name)
    await caretBehind(patient.name, 'line1')
    await cell(page, 'line1', 'length').dblclick()
    await page.keyboard.type('50')
    await keys(page, 'Enter')
    await expectShown(line(patient.name, 'line1 string(50)'))
    await editor(patient.name).focus()
    await expect.poll(() => lineOfCaret(patient.name)).toContain('line1')
    await page.keyboard.type('x')
    await expectShown(cell(page, 'line1x', 'name'))
    await keys(page, 'Control+z')
    await expectShown(cell(page, 'line1', 'name'))
    await keys(page, 'Control+z')
    await expectShown(line(patient.name, 'line1 string(40)'))
  })
})

describe('The text of a manifest', () => {
  it('stays whole while it is broken, names the line, and passes axe', async () => {
    const { manifest, visit } = await surgery('Broken')
    await page.goto(`/?manifest=${manifest}&tab=entities`)
    await manifestDocument(page, 'Broken').waitFor()
    await openText('Broken')
    await caretBehind('Broken', 'reason')
    await page.keyboard.type('Code [')
    await expectShown(
      pane('Broken')
        .getByRole('list', { name: 'Faults of the text' })
        .getByText(/^Line \d+:/),
    )
    expect(await violationsInAllVariants(page, 'text-pane')).toEqual([])
    await closeText('Broken')
    await keys(page, 'Alt+t')
    await expectShown(line('Broken', 'reasonCode ['))
    await caretBehind('Broken', 'Code [')
    await keys(page, 'Backspace', 'Backspace')
    await expectShown(state('Broken', inStep))
    await keys(page, 'Control+s')
    await expect.poll(() => attributeNames(visit.id)).toContain('reasonCode')
    await closeText('Broken')
  })

  it('is there again after a reload, with comments and broken lines, and nothing is left of it once it is in step', async () => {
    const { manifest, visit } = await surgery('Reloaded')
    await page.goto(`/?manifest=${manifest}&tab=entities`)
    await manifestDocument(page, 'Reloaded').waitFor()
    await openText('Reloaded')
    await caretBehind('Reloaded', 'reason')
    await page.keyboard.type('Code [')
    await keys(page, 'Control+Home')
    await page.keyboard.type('// Not in the model')
    await keys(page, 'Enter')
    await expectShown(state('Reloaded', /^1 fault/))
    await expect.poll(() => readStoredDrafts(page)).toContain('reasonCode [')
    await page.reload()
    await expectShown(state('Reloaded', /^1 fault/))
    await expectShown(line('Reloaded', '// Not in the model'))
    await line('Reloaded', 'reasonCode [').click()
    await caretBehind('Reloaded', 'Code [')
    await keys(page, 'Backspace', 'Backspace')
    await expectShown(state('Reloaded', inStep))
    await expectShown(line('Reloaded', '// Not in the model'))
    const [, reason] = (await api.entityOf(visit.id)).typeAttributes
    await keys(page, 'Control+s')
    const uidOfRenamed = async () =>
      (await api.entityOf(visit.id)).typeAttributes.find(({ name }) => name === 'reasonCode')?.uid
    await expect.poll(uidOfRenamed).toBe(reason?.uid)
    await caretBehind('Reloaded', '// Not in the model')
    await keys(page, 'Shift+Home', 'Backspace', 'Delete')
    await expect.poll(() => readStoredDrafts(page)).toBe('[]')
    await closeText('Reloaded')
  })

  it('is edited by two people, of whom neither loses a line or overwrites one unasked', async () => {
    const { manifest, patient, visit } = await surgery('Both')
    const { page: other, context } = await openPage(journey.browser, journey.console.url)
    await enter(other, 'admin')
    await other.getByRole('button', { name: /Acme Trading/ }).click()
    await other.getByRole('tree', { name: 'Project Navigator' }).waitFor()
    for (const of of [page, other]) {
      await of.goto(`/?manifest=${manifest}&tab=entities`)
      await manifestDocument(of, 'Both').waitFor()
      await openText('Both', of)
    }
    await caretBehind('Both', 'reason', other)
    await other.keyboard.type('Code [')
    await expectShown(pane('Both', other).getByRole('list', { name: 'Faults of the text' }))
    await caretBehind('Both', 'line1')
    await page.keyboard.type('Street')
    await keys(page, 'Control+s')
    await expect.poll(() => attributeNames(patient.id)).toContain('line1Street')
    await returnToPage(other)
    await expectShown(line('Both', 'line1Street', other))
    await expectShown(line('Both', 'reasonCode [', other))
    await keys(other, 'Backspace', 'Backspace')
    await expectShown(state('Both', inStep, other))

    await caretBehind('Both', 'line1Street', other)
    await other.keyboard.type('Theirs')
    await expectShown(state('Both', inStep, other))
    await caretBehind('Both', 'line1Street')
    await page.keyboard.type('Mine')
    await keys(page, 'Control+s')
    await expect.poll(() => attributeNames(patient.id)).toContain('line1StreetMine')
    await keys(other, 'Control+s')
    await expect.poll(() => attributeNames(visit.id)).toContain('reasonCode')
    await expectShown(snackbar(other, 'BothPatient: not saved. The reason stands in the tab of the entity.'))
    await expect.poll(() => attributeNames(patient.id)).toContain('line1StreetMine')
    await expectShown(line('Both', 'line1StreetTheirs', other))
    await context.close()
    await closeText('Both')
  })

  it('takes pasted SQL as tables, which are created', async () => {
    const manifest = await api.createManifest('Script')
    // The text is beside every part of a manifest.
    await page.goto(`/?manifest=${manifest}&tab=scopes`)
    await expectShown(manifestDocument(page, 'Script'))
    await pasted(page, 'CREATE TABLE ward (id integer PRIMARY KEY, beds integer NOT NULL);')
    await expectShown(line('Script', 'beds int32'))
    await pane('Script').getByRole('button', { name: 'Create Entity' }).click()
    await expectShown(state('Script', inStep))
    await expect.poll(async () => attributeNames(await api.entityNamed('ward'))).toEqual(['id', 'beds'])
    await closeText('Script')
  })

  it('has enumerations, which are saved with the attributes that name them, and renamed by their identity', async () => {
    const manifest = await api.createManifest('States')
    const order = await api.createEntity({ name: 'Invoice', typeAttributes: [key, { name: 'state' }] }, manifest)
    await page.goto(`/?manifest=${manifest}&tab=entities`)
    await expectShown(manifestDocument(page, 'States'))
    await openText('States')
    await keys(page, 'Control+Home', 'ArrowDown', 'End')
    await page.keyboard.insertText("\n\nEnum InvoiceState {\n  open [note: 'Not paid']\n  paid\n}")
    await caretBehind('States', 'state string')
    await keys(page, 'Control+Shift+ArrowLeft')
    await page.keyboard.insertText('InvoiceState')
    const save = async () => {
      await pane('States').getByRole('button', { name: 'Save Enumerations' }).click()
      await expectShown(state('States', inStep))
    }
    await save()
    await expectShown(line('States', 'state InvoiceState'))
    await keys(page, 'Control+s')
    const chosen = async () => {
      const attribute = (await api.entityOf(order.id)).typeAttributes.find(({ name }) => name === 'state')
      return [attribute?.enumeration?.name, attribute?.choices]
    }
    await expect.poll(chosen).toEqual(['InvoiceState', ['open', 'paid']])
    await caretBehind('States', 'Enum InvoiceState')
    await keys(page, 'Control+Shift+ArrowLeft')
    await page.keyboard.insertText('Standing')
    await save()
    await expectShown(line('States', 'state Standing'))
    await expect.poll(chosen).toEqual(['Standing', ['open', 'paid']])
    await closeText('States')
  })

  it('a model in DBML that is pasted into an empty manifest creates its entities with their relationships', async () => {
    const manifest = await api.createManifest('Pasted')
    await page.goto(`/?manifest=${manifest}&tab=entities`)
    await manifestDocument(page, 'Pasted').getByText('No Entities to display').first().waitFor()
    await pasted(
      page,
      'Project Old {\n}\nTable Booking {\n  id integer [pk]\n  room integer [ref: > Room.id]\n}\nTable Room {\n  id integer [pk]\n  beds integer\n}\n',
    )
    await pane('Pasted').getByRole('button', { name: 'Create 2 Entities' }).click()
    await expectShown(state('Pasted', inStep))
    await expectShown(
      manifestDocument(page, 'Pasted').getByRole('grid', { name: 'Entities' }).getByText('Room').first(),
    )
    const booking = await api.entityNamed('Booking')
    const room = await api.entityNamed('Room')
    await expect
      .poll(async () => (await api.entityOf(booking)).entityAttributes.map(one => one.associatedEntity.id))
      .toEqual([room])
    await page.goto(`/?entity=${room}`)
    await expectShown(entityDocument(page, 'Room'))
  })
})
