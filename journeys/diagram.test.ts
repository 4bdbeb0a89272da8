import { newUid } from '@cadmus/model/uid'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { violations } from './driver/axe.ts'
import { entityDocument, manifestDocument, setText, tab } from './driver/entity.ts'
import { returnToPage, tool } from './driver/document.ts'
import { type Hand, inAtMost } from './driver/hand.ts'
import { openPage, saveScreenshot, startJourney } from './driver/journey.ts'
import { keys } from './driver/keyboard.ts'
import { enter } from './driver/sign-in.ts'
import { captureDownload, dialog, expectShown, press, question } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const clinic = await api.createManifest('Clinic')
const [patient, doctor, visit] = [
  await api.createEntity({ name: 'Patient', typeAttributes: [{ name: 'name' }] }, clinic),
  await api.createEntity({ name: 'Doctor' }, clinic),
  await api.createEntity({ name: 'Visit' }, clinic),
]
await api.createEntity({ name: 'Ward' }, clinic)
await api.relate(visit.id, patient, 'patientId')
await api.relate(visit.id, doctor, 'doctorId')

const { page: theirs } = await openPage(journey.browser, journey.console.url)
await enter(theirs, 'newcomer', '/health')
const theirApi = apiOf(theirs)

const status = page.getByLabel('Diagram status')
const picture = page.getByRole('application', { name: 'Diagram of Clinic' })
const undo = page.getByRole('button', { name: /^Undo/ })

async function openDiagram(): Promise<void> {
  await page.goto(`/?manifest=${clinic}&tab=diagram`)
  await expectShown(picture)
  await expect.poll(async () => (await placements()).Visit).toBeDefined()
}

/** Places by the name of the entity, as stored in the first shared view. */
async function placements(): Promise<Record<string, { x: number; y: number; hidden: boolean } | undefined>> {
  const { open } = await api.diagramViews(clinic)
  const named = [patient, doctor, visit].map(({ uid, name }) => [name, open?.placements[uid]] as const)
  return Object.fromEntries(named)
}

async function openMenu(menu: string, entry: string): Promise<void> {
  await page.getByRole('toolbar', { name: 'Diagram' }).getByRole('button', { name: menu, exact: true }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

/** Chooses an entity by the search of the diagram. */
async function findEntity(name: string): Promise<void> {
  await page.getByLabel('Find Entity').fill(name)
  await keys(page, 'Enter')
  await expect.poll(() => status.textContent()).toContain('1 chosen')
}

async function moveByKeys(on: Page = page): Promise<void> {
  await on.getByRole('application').focus()
  await keys(on, 'Alt+ArrowDown')
  await on.keyboard.up('Alt')
}

describe('Diagram of a manifest', () => {
  it('comes first; its places are found once and stored for everyone', async () => {
    await page.goto(`/?manifest=${clinic}`)
    await expectShown(manifestDocument(page, 'Clinic').getByRole('tab', { name: 'Diagram', selected: true }))
    await expectShown(picture)
    await expect.poll(() => status.textContent()).toBe('4 entities')
    await expect.poll(async () => (await api.diagramViews(clinic)).views.map(({ name }) => name)).toEqual(['Overview'])
    const first = await placements()
    await saveScreenshot(page, 'diagram-clinic')
    await page.reload()
    await expectShown(picture)
    await expect.poll(() => status.textContent()).toBe('4 entities')
    expect(await placements()).toEqual(first)
    expect((await api.diagramViews(clinic)).views).toHaveLength(1)
  })

  it('two people who open it first see the same places', async () => {
    const yard = await api.createManifest('Yard')
    const shed = await api.createEntity({ name: 'Shed' }, yard)
    // The view of the other person is stored while this page finds places.
    await page.route(/\/diagram\/views$/, async route => {
      if (route.request().method() === 'POST')
        await theirApi.createDiagram(yard, {
          operationId: newUid(),
          name: 'Overview',
          shared: true,
          placements: { [shed.uid]: { x: 777, y: 0, hidden: false } },
        })
      await route.fallback()
    })
    await page.goto(`/?manifest=${yard}&tab=diagram`)
    await expectShown(page.getByRole('application', { name: 'Diagram of Yard' }))
    await expectShown(page.getByRole('button', { name: 'View: Overview' }))
    await findEntity('Shed')
    const stored = async () => (await api.diagramViews(yard)).open?.placements[shed.uid]
    // Moves made before the page has read the view of the other person are not stored.
    await expect
      .poll(async () => {
        await moveByKeys()
        return (await stored())?.y
      })
      .toBeGreaterThan(0)
    await expect.poll(async () => (await stored())?.x).toBe(777)
  })

  it('the tab chosen last is in the address and opens the next time', async () => {
    await openDiagram()
    const document = manifestDocument(page, 'Clinic')
    await document.getByRole('tab', { name: /^Entities/ }).click()
    await expect.poll(() => page.url()).toContain('tab=entities')
    await expectShown(document.getByRole('grid', { name: 'Entities' }))
    await page.goto(`/?manifest=${await api.manifestNamed('Shop')}`)
    await expectShown(manifestDocument(page, 'Shop').getByRole('tab', { name: /^Entities/, selected: true }))
    await page.goto(`/?manifest=${clinic}&tab=diagram`)
    await document.getByRole('tab', { name: /^Entities/ }).click()
    await document.getByRole('tab', { name: 'Diagram' }).click()
    await expectShown(picture)
  })

  it('a view is looked at where it was left', async () => {
    await openDiagram()
    await findEntity('Visit')
    await page.getByRole('button', { name: 'Zoom In' }).click()
    const zoom = page.getByText(/^Zoom \d+ %$/)
    await expect.poll(async () => Number(/\d+/.exec((await zoom.textContent()) ?? '')?.[0])).toBeGreaterThan(100)
    const left = await zoom.textContent()
    await page.reload()
    await expectShown(picture)
    await expect.poll(() => zoom.textContent()).toBe(left)
    await page.getByRole('button', { name: 'Show Whole Diagram' }).click()
    await expect.poll(() => zoom.textContent()).not.toBe(left)
  })

  it('a moved card is one step, which is stored, named and undone', async () => {
    await openDiagram()
    const before = await placements()
    await findEntity('Visit')
    await moveByKeys()
    const moved = { ...before.Visit!, y: before.Visit!.y + 8 }
    await expect.poll(async () => placements()).toEqual({ ...before, Visit: moved })
    await expect.poll(() => undo.getAttribute('aria-label')).toBe('Undo: Move Visit')
    await undo.click()
    await expect.poll(async () => placements()).toEqual(before)
  })

  it('a card that someone else moved first stays there, and a message says who moved it', async () => {
    await openDiagram()
    const { views } = await api.diagramViews(clinic)
    const { uid, revision: base } = views[0]!
    await findEntity('Visit')
    const changes = { [visit.uid]: { x: 4000, y: 4000, hidden: false } }
    await theirApi.changeDiagram(clinic, uid, { operationId: newUid(), base, changes })
    await moveByKeys()
    await expectShown(page.getByRole('region', { name: 'Messages' }).getByText(/has moved Visit at .* taken back/))
    expect((await placements()).Visit).toEqual({ x: 4000, y: 4000, hidden: false })
  })

  it('shows places of someone else when the page is looked at again', async () => {
    await openDiagram()
    const { views } = await api.diagramViews(clinic)
    const { uid, revision: base } = views[0]!
    const changes = { [visit.uid]: { x: 0, y: 600, hidden: true } }
    await theirApi.changeDiagram(clinic, uid, { operationId: newUid(), base, changes })
    await returnToPage(page)
    await expect.poll(() => status.textContent()).toContain('1 hidden')
    await openMenu('Show', 'Show All')
    await expect.poll(async () => (await placements()).Visit?.hidden).toBe(false)
  })

  it('without a connection moves wait, and are sent when the server answers again', async () => {
    await openDiagram()
    const before = await placements()
    await findEntity('Doctor')
    await journey.context.setOffline(true)
    await moveByKeys()
    await expect.poll(() => status.textContent()).toContain('Not saved yet')
    await journey.context.setOffline(false)
    await expect.poll(async () => (await placements()).Doctor?.y).toBe(before.Doctor!.y + 8)
    await expect.poll(() => status.textContent()).not.toContain('Not saved yet')
  })

  it('an entity added by someone else appears in a place of its own, and no other moves', async () => {
    await openDiagram()
    const before = await placements()
    const { id, uid } = await theirApi.createEntity({ name: 'Bed' }, clinic)
    await returnToPage(page)
    await expect.poll(() => status.textContent()).toContain('5 entities')
    await expect.poll(async () => (await api.diagramViews(clinic)).open?.placements[uid]).toBeDefined()
    expect(await placements()).toEqual(before)
    await api.deleteEntity(id)
  })

  it('an entity with unsaved edits is counted and has its new name', async () => {
    await openDiagram()
    await findEntity('Visit')
    await picture.focus()
    await keys(page, 'Enter')
    await expectShown(entityDocument(page, 'Visit'))
    await setText(page, 'Entity', 'Name', 'Encounter')
    await tab(page, 'Clinic').click()
    await expectShown(picture)
    await expect.poll(() => status.textContent()).toContain('1 with unsaved changes')
    await findEntity('Encounter')
    await tab(page, 'Visit').click()
    await tool(page, 'Discard changes').click()
    await tab(page, 'Clinic').click()
    await expect.poll(() => status.textContent()).not.toContain('unsaved')
  })
})

describe('What a diagram shows', () => {
  it('the entities around one as a view, saved under a name, chosen again and deleted', async () => {
    await openDiagram()
    await findEntity('Patient')
    await openMenu('Show', 'Only What Is Linked')
    await expect.poll(() => status.textContent()).toContain('2 hidden')
    await page.getByRole('button', { name: 'Save as View' }).click()
    const open = dialog(page, 'Save as View')
    await open.getByLabel('Name').fill('Patients')
    await press(open, 'Save')
    await open.waitFor({ state: 'detached' })
    await expectShown(page.getByRole('button', { name: 'View: Patients' }))
    expect((await theirApi.diagramViews(clinic)).views.map(({ name }) => name)).toEqual(['Overview'])
    await page.reload()
    await expect.poll(() => status.textContent()).toContain('2 hidden')
    await openMenu('View: Patients', 'Overview')
    await expect.poll(() => status.textContent()).not.toContain('hidden')
    await openMenu('View: Overview', 'Patients')
    await openMenu('View: Patients', 'Rename View')
    const renaming = dialog(page, 'Rename View')
    await renaming.getByLabel('Name').fill('Around patients')
    await press(renaming, 'Rename')
    await expectShown(page.getByRole('button', { name: 'View: Around patients' }))
    await openMenu('View: Around patients', 'Delete View')
    await press(question(page, 'Delete View'), 'Delete')
    await expectShown(page.getByRole('button', { name: 'View: Overview' }))
    expect((await api.diagramViews(clinic)).views.map(({ name }) => name)).toEqual(['Overview'])
  })

  it('a name in use is refused below its field', async () => {
    await openDiagram()
    await openMenu('View: Overview', 'Save as View')
    const open = dialog(page, 'Save as View')
    await open.getByRole('checkbox', { name: 'Shared' }).click()
    await open.getByLabel('Name').fill('Overview')
    await press(open, 'Save')
    await expectShown(open.getByText('There is already a view named Overview.'))
    await press(open, 'Cancel')
  })

  it('the path between two entities, listed and drawn', async () => {
    await openDiagram()
    await keys(page, 'Alt+l')
    const row = (name: string) => page.getByRole('treegrid').getByRole('row', { name: new RegExp(`^${name}`) })
    await row('Patient').first().click()
    await row('Doctor')
      .first()
      .click({ modifiers: ['ControlOrMeta'] })
    await expect.poll(() => status.textContent()).toContain('2 chosen')
    await openMenu('Show', 'Find Path')
    const ways = page.getByRole('region', { name: 'Patient to Doctor' })
    await expectShown(ways.getByRole('button', { name: /Patient → Visit → Doctor/, pressed: true }))
    await press(ways, 'Show Only These')
    await expect.poll(() => status.textContent()).toContain('1 hidden')
    await page.getByRole('button', { name: 'Show All' }).click()
    await expect.poll(() => status.textContent()).not.toContain('hidden')
  })

  it('an arrangement is previewed, then taken as one step', async () => {
    await openDiagram()
    const before = await placements()
    await openMenu('Arrange', 'Arrange All')
    const note = page.getByText('This is a preview.')
    await expectShown(note)
    expect(await placements()).toEqual(before)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await note.waitFor({ state: 'detached' })
    expect(await placements()).toEqual(before)
    await openMenu('Arrange', 'Arrange All')
    await page.getByRole('button', { name: 'Arrange', exact: true }).last().click()
    await note.waitFor({ state: 'detached' })
    await expect.poll(() => undo.getAttribute('aria-label')).toBe('Undo: Arrange')
    await expect.poll(async () => placements()).not.toEqual(before)
    await undo.click()
    await expect.poll(async () => placements()).toEqual(before)
  })

  it('is saved as PNG in at most three actions, by mouse and by keyboard alone', async () => {
    await openDiagram()
    const saved = async (save: (hand: Hand) => Promise<void>) => {
      const { name, bytes } = await captureDownload(page, () => inAtMost(page, 3, save))
      expect([name, new TextDecoder().decode(bytes.slice(1, 4))]).toEqual(['Clinic.png', 'PNG'])
    }
    await saved(async hand => {
      const more = page.getByRole('toolbar', { name: 'Diagram' }).getByRole('button', { name: 'More', exact: true })
      await hand.click(more)
      await hand.click(page.getByRole('menuitem', { name: 'Save as PNG', exact: true }))
    })
    await saved(async hand => {
      await hand.press('Control+k')
      await hand.type('save as png')
      await expect.poll(() => page.getByRole('option').first().textContent()).toContain('Save as PNG')
      await hand.press('Enter')
    })
  })

  it('is saved as SVG with all rows, and the chosen entities alone', async () => {
    await openDiagram()
    const saved = async (entry: string) => {
      const { name, bytes } = await captureDownload(page, () => openMenu('More', entry))
      expect(name).toBe('Clinic.svg')
      return new TextDecoder().decode(bytes)
    }
    const whole = await saved('Save as SVG')
    for (const text of ['Visit', 'Patient', 'patientId', 'Ward']) expect(whole).toContain(text)
    await findEntity('Patient')
    const chosen = await saved('Chosen as SVG')
    expect(chosen).toContain('Patient')
    expect(chosen).not.toContain('Ward')
  })

  it('an old version is read only: moving a card makes a copy that is not saved', async () => {
    await api.addManifestVersion(clinic, '2.0.0')
    await page.goto(`/?manifest=${clinic}&tab=diagram&version=1.0.0`)
    await expectShown(picture)
    const before = await placements()
    await findEntity('Doctor')
    await moveByKeys()
    await expectShown(page.getByText('"Copy of Overview" is not saved as a view.'))
    expect(await placements()).toEqual(before)
    await page.getByRole('button', { name: 'Show All' }).click()
    await expectShown(page.getByRole('button', { name: 'View: Overview' }))
  })

  it('has no accessibility violations', async () => {
    await openDiagram()
    expect(await violations(page)).toEqual([])
  })
})

describe('The list beside the diagram', () => {
  it('deletes all chosen entities after one question, and Undo brings them and their relationship back', async () => {
    const manifest = await api.createManifest('Deleting')
    const [order, buyer] = [
      await api.createEntity({ name: 'Order' }, manifest),
      await api.createEntity({ name: 'Buyer' }, manifest),
    ]
    await api.createEntity({ name: 'Staying' }, manifest)
    await api.relate(order.id, buyer, 'buyerId')
    await page.goto(`/?manifest=${manifest}&tab=diagram`)
    await expectShown(page.getByRole('application', { name: 'Diagram of Deleting' }))
    await keys(page, 'Alt+l')
    const row = (name: string) => page.getByRole('treegrid').getByRole('row', { name: new RegExp(`^${name}`) })
    await row('Buyer').first().click()
    await row('Order')
      .first()
      .click({ modifiers: ['Control'] })
    await keys(page, 'Delete')
    await press(question(page, 'Delete 2 Entities'), 'Delete')
    const messages = page.getByRole('region', { name: 'Messages' })
    await messages.getByText('Deleted 2 entities.').waitFor()
    await expect.poll(() => status.textContent()).toContain('1 entity')
    await messages.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => status.textContent()).toContain('3 entities')
    const targets = async () => (await api.entityOf(order.id)).entityAttributes.map(one => one.associatedEntity.id)
    await expect.poll(targets).toEqual([buyer.id])
  })
})
