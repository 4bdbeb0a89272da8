import { describe, expect, it } from 'vitest'
import { expectAccessible } from './driver/accessible.ts'
import { apiOf } from './driver/api.ts'
import { openEntity, navigate, record } from './driver/document.ts'
import { entityDocument } from './driver/entity.ts'
import { Hand, inAtMost } from './driver/hand.ts'
import { startJourney } from './driver/journey.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { dialog, expectShown, press, restingBox, snackbar } from './driver/widgets.ts'

const { page } = await startJourney({ width: 1440, height: 900 })
const api = apiOf(page)
const clinic = await api.createManifest('Clinic')

async function makeEntity(name: string, ...attributes: string[]) {
  const key = { name: 'id', dataType: 'integer' as const, purpose: 'identifiedBy' as const, position: 0 }
  const others = attributes.map((attribute, at) => ({
    name: attribute,
    dataType: 'integer' as const,
    position: at + 1,
  }))
  return api.createEntity({ name, typeAttributes: [key, ...others] }, clinic)
}

const patient = await makeEntity('Patient', 'age')
const doctor = await makeEntity('Doctor', 'room')
const visit = await makeEntity('Visit', 'reason')
const bill = await makeEntity('Bill', 'amount')
await api.relate(visit.id, patient, 'patientId')
await api.relate(visit.id, doctor, 'doctorId')

const canvas = page.getByRole('application', { name: 'Diagram of Clinic' })
const list = page.getByRole('treegrid', { name: 'Entities of the diagram of Clinic' })
const listRow = (name: string) => list.getByRole('row', { name, exact: true })
/** What screen readers were given last. */
const announced = () => page.getByRole('status', { name: 'Diagram keys' }).textContent()
const expectAnnounced = async (text: string | RegExp) => {
  await expect.poll(announced).toMatch(text)
}
const foreignKeys = async (id: number) =>
  (await api.entityOf(id)).entityAttributes.map(item => item.foreignKeyTypeAttribute)

/** The name on a card: where the picture is near enough, its texts can be marked. */
const cardName = (name: string) => canvas.locator('[aria-hidden]').getByText(name, { exact: true })

/** A point of the head of a card: its name, or the handle at its right edge. */
async function onCard(name: string, part: 'name' | 'handle' = 'name') {
  const { x, y, height } = await restingBox(cardName(name))
  // A name is 20 px high and begins 10 px after the left edge of its card, which is 240 px wide.
  const zoom = height / 20
  return { x: part === 'name' ? x + 4 : x + (241 - 10) * zoom, y: y + height / 2 }
}

const drag: Hand['drag'] = (from, to) => new Hand(page).drag(from, to)

/** Finds an entity by its name and goes to it on the canvas. */
async function goTo(name: string) {
  await page.getByRole('textbox', { name: 'Find Entity' }).fill(name)
  await keys(page, 'Enter')
  await canvas.focus()
  await expectAnnounced(new RegExp(`^${name}, chosen`))
}

async function chooseNothing() {
  await canvas.focus()
  await keys(page, 'Control+a')
  await expectAnnounced(/ chosen$/)
  await keys(page, 'Escape')
  await expectAnnounced('Nothing is chosen.')
}

const pathOf = (from: string, to: string) => page.getByRole('region', { name: `${from} to ${to}`, exact: true })

async function openDiagram() {
  await navigate(page, `/?manifest=${clinic}&tab=diagram`)
  await expectShown(canvas)
  await expectShown(cardName('Visit'))
}

describe('the diagram by keyboard', () => {
  it('four keys relate two entities and save', async () => {
    await openDiagram()
    await goTo('Visit')
    await inAtMost(page, 4, async hand => {
      await hand.press('r', 'b')
      await expectAnnounced('billId → Bill.id')
      await hand.press('Enter')
      await expectShown(snackbar(page, 'Added billId → Bill.id, not saved yet.'))
      expect(await foreignKeys(visit.id)).toEqual(['patientId', 'doctorId'])
      await hand.press('Control+Shift+s')
    })
    await expect.poll(() => foreignKeys(visit.id)).toEqual(['patientId', 'doctorId', 'billId'])
  })

  it('four keys show the path between two entities', async () => {
    await chooseNothing()
    await inAtMost(page, 4, async hand => {
      await hand.press('Control+f')
      await hand.type('Patient')
      await hand.press('Enter')
      await expectShown(page.getByText(/ entities · 1 chosen/))
      await hand.type('Doctor')
      await hand.press('Control+Enter')
      await expectShown(page.getByText(/ entities · 2 chosen/))
      await hand.press('p')
      await expectShown(
        pathOf('Patient', 'Doctor').getByRole('button', { name: /Patient → Visit → Doctor/, pressed: true }),
      )
    })
    await press(pathOf('Patient', 'Doctor'), 'Close')
  })

  it('Alt and arrow keys move a card, which is stored as one step and can be undone', async () => {
    await goTo('Visit')
    const requests = record(page)
    const changes = () => requests.filter(({ method, url }) => method === 'PATCH' && url.includes('/diagram/views/'))
    await page.keyboard.down('Alt')
    for (let step = 0; step < 3; step++) await keys(page, 'ArrowDown')
    await page.keyboard.up('Alt')
    await expectAnnounced(/^Visit moved, (left of|right of|above|below) /)
    await expect.poll(() => changes().length).toBe(1)
    await keys(page, 'Control+z')
    await expect.poll(() => changes().length).toBe(2)
    const [moved, back] = changes().map(({ body }) => JSON.parse(body ?? '').changes[visit.uid])
    expect(back).toEqual({ ...moved, y: moved.y - 24 })
  })

  it('Alt+L goes to the list and back; both have one current entity and one choice', async () => {
    await goTo('Visit')
    await keys(page, 'Escape')
    await expectAnnounced('Nothing is chosen.')
    await keys(page, 'Alt+l')
    await expect.poll(() => hasFocus(listRow('Visit'))).toBe(true)
    await keys(page, 'ArrowRight')
    await expectShown(list.getByRole('row', { name: /^patientId refers to Patient/ }))
    await keys(page, 'Space')
    await expect.poll(() => listRow('Visit').getAttribute('aria-selected')).toBe('true')
    await expectAnnounced(/^Visit, chosen, /)
    await tabTo(page, list.getByRole('row', { name: /^billId refers to Bill/ }), 'ArrowDown')
    await keys(page, 'Enter')
    await expect.poll(() => hasFocus(listRow('Bill'))).toBe(true)
    await keys(page, 'h')
    await expectShown(list.getByRole('row', { name: 'Bill hidden' }))
    await expectShown(page.getByText('4 entities · 1 hidden'))
    await keys(page, 'Alt+l')
    await expect.poll(() => hasFocus(canvas)).toBe(true)
    await keys(page, 'Shift+H')
    await expectShown(listRow('Bill'))
  })

  it('the menu of a card has the commands of the diagram and of the tree', async () => {
    await canvas.focus()
    await keys(page, 'Shift+F10')
    const items = page.getByRole('menu').getByRole('menuitem')
    await expect
      .poll(() => items.allTextContents())
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^Open/),
          expect.stringMatching(/^New Relationship/),
          expect.stringMatching(/^Hide/),
          expect.stringMatching(/^Add to Manifest/),
          expect.stringMatching(/^Delete/),
        ]),
      )
    await keys(page, 'Escape')
    await expect.poll(() => hasFocus(canvas)).toBe(true)
  })

  it('the dialog of shortcuts lists the keys of the diagram', async () => {
    await keys(page, '?')
    const shortcuts = dialog(page, 'Keyboard shortcuts')
    await expectShown(shortcuts.getByRole('heading', { name: 'In a diagram and its list' }))
    await expectShown(shortcuts.getByText('Next entity along relationships'))
    await keys(page, 'Escape')
  })

  it('canvas and list are accessible in all variants', async () => {
    await expectAccessible(page, 'diagram-with-list')
  })
})

describe('the diagram by pointer', () => {
  it('a drag from the handle of an entity relates it to another one, and a key saves both', async () => {
    await page.getByRole('button', { name: 'List Beside Diagram' }).click()
    await expect.poll(() => list.count()).toBe(0)
    await page.getByRole('button', { name: 'Show Whole Diagram' }).click()
    const [from, to] = [await onCard('Bill', 'handle'), await onCard('Doctor')]
    await inAtMost(page, 2, async hand => {
      await hand.drag(from, to)
      await expectShown(snackbar(page, 'Added doctorId → Doctor.id, not saved yet.'))
      await hand.press('Control+Shift+s')
    })
    await expect.poll(() => foreignKeys(bill.id)).toEqual(['doctorId'])
  })

  it('while a relationship is drawn, it is named; it is undone by a key', async () => {
    const [from, to] = [await onCard('Bill', 'handle'), await onCard('Patient')]
    await page.mouse.move(from.x - 20, from.y)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
    await page.mouse.move(to.x, to.y, { steps: 4 })
    await expectAnnounced('patientId → Patient.id')
    await page.mouse.up()
    await expectShown(snackbar(page, 'Added patientId → Patient.id, not saved yet.'))
    await expectShown(page.getByRole('button', { name: /^Undo: .*patientId/ }))
    await canvas.focus()
    await keys(page, 'Control+z')
    await expectShown(page.getByRole('button', { name: /^Redo: .*patientId/ }))
  })

  it('over itself a relationship says why there can be none', async () => {
    const [from, to] = [await onCard('Bill', 'handle'), await onCard('Bill')]
    await drag(from, to)
    await expectShown(snackbar(page, 'An entity cannot refer to itself here; import keeps such references.'))
  })

  it('dropped on the ground, a relationship offers a new entity, which it then refers to', async () => {
    const from = await onCard('Bill', 'handle')
    const frame = await restingBox(canvas)
    await drag(from, { x: frame.x + 60, y: frame.y + frame.height - 60 })
    const adding = dialog(page, 'Add Entity')
    await expectShown(adding)
    await adding.getByRole('tab', { name: 'Create Custom Entity' }).click()
    await adding.getByRole('textbox', { name: 'Name' }).fill('Payer')
    await press(adding, 'Finish')
    await expectShown(snackbar(page, 'Added payerId → Payer.id, not saved yet.'))
    await expectShown(cardName('Payer'))
    await keys(page, 'Control+Shift+s')
    await expect.poll(() => foreignKeys(bill.id)).toEqual(['doctorId', 'payerId'])
  })

  it('four clicks show the path between two entities', async () => {
    await chooseNothing()
    const [from, to] = [await onCard('Patient'), await onCard('Doctor')]
    await inAtMost(page, 4, async hand => {
      await hand.click({ click: async () => page.mouse.click(from.x, from.y) })
      await expectShown(page.getByText(/ entities · 1 chosen/))
      await page.keyboard.down('Control')
      await hand.click({ click: async () => page.mouse.click(to.x, to.y) })
      await page.keyboard.up('Control')
      await expectShown(page.getByText(/ entities · 2 chosen/))
      await hand.click(page.getByRole('button', { name: 'Show', exact: true }))
      await hand.click(page.getByRole('menuitem', { name: 'Find Path' }))
      await expectShown(pathOf('Patient', 'Doctor').getByRole('button', { pressed: true }))
    })
    await press(pathOf('Patient', 'Doctor'), 'Close')
  })

  it('a drag moves a card and a double click opens it', async () => {
    // What is chosen moves together.
    await chooseNothing()
    const requests = record(page)
    const from = await onCard('Doctor')
    await drag(from, { x: from.x + 40, y: from.y + 64 })
    const changes = () => requests.filter(({ method, url }) => method === 'PATCH' && url.includes('/diagram/views/'))
    await expect.poll(() => changes().length).toBe(1)
    expect(Object.keys(JSON.parse(changes()[0]?.body ?? '').changes)).toEqual([doctor.uid])
    await expect.poll(async () => (await onCard('Doctor')).y - from.y).toBeCloseTo(64, -1)
    const at = await onCard('Doctor')
    await page.mouse.dblclick(at.x, at.y)
    await expectShown(entityDocument(page, 'Doctor'))
  })
})

describe('the entities around one', () => {
  it('are shown by one key on an entity', async () => {
    await openDiagram()
    await goTo('Patient')
    await inAtMost(page, 2, async hand => {
      await hand.press('g')
      await expectShown(page.getByText(/ entities · .*hidden/))
    })
    await page.getByRole('button', { name: 'Show All' }).click()
  })

  it('Show in Diagram in the tree opens them beside the sheet, up to three steps away', async () => {
    // The tree was read before the entities were made.
    await page.goto(`/?entity=${patient.id}`)
    const node = page.getByRole('treeitem', { name: 'Patient', selected: true })
    await expectShown(node)
    await inAtMost(page, 2, async hand => {
      await hand.click(node, { button: 'right' })
      await hand.click(page.getByRole('menuitem', { name: 'Show in Diagram', exact: true }))
      await expectShown(entityDocument(page, 'Patient'))
    })
    await expectShown(page.getByRole('grid', { name: 'Type attributes' }))
    const around = page.getByRole('application', { name: 'Diagram of Patient' })
    await expectShown(around)
    await expectShown(page.getByText('2 entities · 1 chosen'))
    await press(page.getByRole('group', { name: 'Steps' }), '2')
    await expectShown(page.getByText('4 entities · 1 chosen'))
    await expectAccessible(page, 'entity-with-diagram')
  })

  it('stays beside other entities until it is closed', async () => {
    await openEntity(page, doctor)
    const around = page.getByRole('application', { name: 'Diagram of Doctor' })
    await expectShown(around)
    await page.getByRole('button', { name: 'Close Diagram' }).click()
    await expect.poll(() => around.count()).toBe(0)
  })
})
