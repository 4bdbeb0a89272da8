import { layoutByAreas } from '@cadmus/diagram/layout/by-areas'
import { overlapsOf } from '@cadmus/diagram/testing/quality'
import type { DiagramView } from '@cadmus/model/diagram/view'
import { newEntityContent } from '@cadmus/model/entity'
import { describe, expect, it } from 'vitest'
import { connectionStore } from '../api/connection.ts'
import { ApiError, unreachable } from '../api/error.ts'
import { diagramData, idOf } from '../testing/diagram-data.ts'
import { at, ViewServer } from '../testing/view-server.ts'
import { noticeStore } from '../ui/notices.ts'
import type { DiagramOptions } from './diagram-state.ts'
import { DiagramStore } from './diagram-store.ts'
import type { DiagramData } from './scene-of.ts'
import { type ModelStep, nextRedo, nextUndo } from './view-session.ts'

const clinic = diagramData('Visit Patient Doctor Ward', 'Visit>Patient', 'Visit>Doctor')

type Page = { store: DiagramStore; related: unknown[]; closed: () => void }

/** A page with the diagram. `server`: has the view that is shown. */
function pageOf(
  data: DiagramData,
  options: Partial<DiagramOptions> & { server?: ViewServer; user?: string } = {},
): Page {
  const { server, user = 'me', ...rest } = options
  const related: unknown[] = []
  let closed: (() => void) | undefined
  const store = new DiagramStore({
    data,
    send: async (_view, change) => server!.change(user, change),
    readRows: async () => new Map(),
    layout: async scene => layoutByAreas(scene),
    storeFirst: undefined,
    relate: async (...input) => {
      related.push(input)
      return null
    },
    addEntity: onClosed => {
      closed ??= onClosed
    },
    ...rest,
  })
  if (server) store.receive(server.view, { sends: true })
  store.follow(server?.view.uid)
  return { store, related, closed: () => closed?.() }
}

const placedClinic = () =>
  new ViewServer({ 'uid-Visit': at(0), 'uid-Patient': at(400), 'uid-Doctor': at(800), 'uid-Ward': at(0, 400) })

function placeOf({ store }: Page, name: string) {
  const { scene, places } = store.get().picture
  const card = scene.names.indexOf(name)
  return { x: places.x[card]!, y: places.y[card]! }
}

const cardOf = ({ store }: Page, name: string) => store.get().cards.scene.names.indexOf(name)
const move = (page: Page, name: string, to: { x: number; y: number }) =>
  page.store.move(new Map([[cardOf(page, name), to]]), `Move ${name}`)
const settled = async (page: Page) => {
  await expect.poll(() => page.store.get().isWaiting).toBe(false)
}
const lastNotice = () => noticeStore.getState().notices.at(-1)?.text
const shownNames = ({ store }: Page) => {
  const { scene, hidden } = store.get().picture
  return scene.names.filter((_, card) => !hidden.has(card))
}

describe('first places', () => {
  it('are no longer awaited after a failure, and computed with the next change', async () => {
    let isFailing = true
    const layout = async (scene: Parameters<typeof layoutByAreas>[0]) => {
      if (isFailing) throw new Error('The layout could not be started.')
      return layoutByAreas(scene)
    }
    const page = pageOf(clinic, { layout })
    await expect.poll(() => page.store.get().isArranging).toBe(false)
    expect(lastNotice()).toBe('The diagram could not be arranged.')
    isFailing = false
    page.store.setData({ ...clinic })
    await expect.poll(() => shownNames(page)).toEqual(['Visit', 'Patient', 'Doctor', 'Ward'])
  })

  it('are not given up for arranging everything', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const page = pageOf(clinic, {
      layout: async (scene, signal) => {
        await promise
        signal.throwIfAborted()
        return layoutByAreas(scene)
      },
    })
    await page.store.arrange('choice')
    const arranging = page.store.arrange('all')
    resolve()
    await arranging
    await expect.poll(() => page.store.get().isArranging).toBe(false)
    expect(shownNames(page)).toEqual(['Visit', 'Patient', 'Doctor', 'Ward'])
  })

  it('are found without overlaps, stored as a shared view, and moves made before the answer are sent to it', async () => {
    const server = new ViewServer()
    const stored: DiagramView[] = []
    const page = pageOf(clinic, {
      send: async (_view, change) => server.change('me', change),
      storeFirst: async placements => {
        server.change('me', { operationId: 'first', base: 1, changes: placements })
        move(page, 'Ward', { x: -3000, y: 0 })
        stored.push({ ...server.view })
        return server.view
      },
    })
    await expect.poll(() => stored).toHaveLength(1)
    await settled(page)
    const { scene, places } = page.store.get().picture
    expect(overlapsOf(scene, places)).toBe(0)
    expect(server.view.placements['uid-Ward']).toEqual(at(-3000))
    expect(Object.keys(server.view.placements)).toHaveLength(4)
    expect(page.store.get().session.done.map(({ label }) => label)).toEqual(['Move Ward'])
  })

  it('give way to those that someone else stored first, and moves made until then are named', async () => {
    const refusal = Promise.withResolvers<DiagramView>()
    const page = pageOf(clinic, { storeFirst: () => refusal.promise })
    await expect.poll(() => page.store.get().isArranging).toBe(false)
    move(page, 'Ward', { x: -3000, y: 0 })
    refusal.reject(new ApiError(409, { message: 'There is already a view named Overview.' }))
    page.store.receive(placedClinic().view, { sends: true })
    page.store.follow('view')
    expect(placeOf(page, 'Ward')).toEqual({ x: 0, y: 400 })
    expect(lastNotice()).toBe('Ward stayed: someone else has moved it since.')
  })

  it('stay in the page of someone who may not store them', async () => {
    const page = pageOf(clinic)
    await expect.poll(() => page.store.get().isArranging).toBe(false)
    expect(shownNames(page)).toHaveLength(4)
    expect(page.store.get()).toMatchObject({ isTemporary: false, session: { sends: false } })
  })
})

describe('a new entity', () => {
  it('is placed beside what it is linked with, stored, and moves no other and is no step', async () => {
    const server = placedClinic()
    const before = server.view.placements
    const page = pageOf(clinic, { server })
    page.store.setData(diagramData('Visit Patient Doctor Ward Bed', 'Visit>Patient', 'Visit>Doctor', 'Bed>Ward'))
    await settled(page)
    const { 'uid-Bed': bed, ...others } = server.view.placements
    expect(others).toEqual(before)
    expect(bed).toBeDefined()
    expect(overlapsOf(page.store.get().picture.scene, page.store.get().picture.places)).toBe(0)
    expect(page.store.get().session.done).toEqual([])
  })

  it('made by drawing to the ground is placed there and referred to', () => {
    const page = pageOf(clinic, { server: placedClinic() })
    page.store.relate(cardOf(page, 'Ward'), null, { at: { x: 1234, y: 567 } })
    page.store.setData(diagramData('Bed Visit Patient Doctor Ward', 'Visit>Patient', 'Visit>Doctor'))
    expect(placeOf(page, 'Bed')).toEqual({ x: 1234, y: 567 })
    expect(page.related).toEqual([[{ id: idOf('Ward'), name: 'Ward' }, { id: idOf('Bed'), name: 'Bed' }, undefined]])
  })

  it('made after its dialog was closed is not referred to, one of a later dialog is', () => {
    const page = pageOf(clinic, { server: placedClinic() })
    page.store.relate(cardOf(page, 'Ward'), null)
    page.closed()
    page.store.setData(diagramData('Visit Patient Doctor Ward Bed'))
    expect(page.related).toEqual([])
    page.store.relate(cardOf(page, 'Ward'), null)
    page.closed()
    page.store.setData(diagramData('Visit Patient Doctor Ward Bed Bath'))
    expect(page.related).toHaveLength(1)
  })
})

describe('moves', () => {
  it('of two people in different cards are both kept', async () => {
    const server = placedClinic()
    const [mine, theirs] = [pageOf(clinic, { server }), pageOf(clinic, { server, user: 'other' })]
    move(mine, 'Visit', { x: 8, y: 8 })
    move(theirs, 'Ward', { x: 16, y: 16 })
    await Promise.all([settled(mine), settled(theirs)])
    expect(server.view.placements).toMatchObject({ 'uid-Visit': at(8, 8), 'uid-Ward': at(16, 16) })
    expect(placeOf(theirs, 'Visit')).toEqual({ x: 8, y: 8 })
  })

  it('of the same card: the second one is taken back with a message that names who and when', async () => {
    const server = placedClinic()
    const [mine, theirs] = [pageOf(clinic, { server }), pageOf(clinic, { server, user: 'Jane' })]
    move(theirs, 'Visit', { x: 500, y: 500 })
    await settled(theirs)
    move(mine, 'Visit', { x: 8, y: 8 })
    await settled(mine)
    expect(placeOf(mine, 'Visit')).toEqual({ x: 500, y: 500 })
    expect(lastNotice()).toMatch(/^Jane has moved Visit at 2026-11-29 /)
    const refused = lastNotice()
    mine.store.undo()
    expect(placeOf(mine, 'Visit')).toEqual({ x: 500, y: 500 })
    expect(lastNotice()).not.toBe(refused)
  })

  it('without a connection stay, and are sent once in their order when it is back', async () => {
    const server = placedClinic()
    let isAway = true
    let calls = 0
    const page = pageOf(clinic, {
      server,
      send: async (_view, change) => {
        calls += 1
        // The server has stored it, but its answer does not arrive.
        if (calls === 1) server.change('me', change)
        if (isAway) throw unreachable()
        return server.change('me', change)
      },
    })
    move(page, 'Visit', { x: 8, y: 8 })
    move(page, 'Visit', { x: 16, y: 16 })
    await expect.poll(() => calls).toBe(1)
    connectionStore.setState({ away: true })
    expect(placeOf(page, 'Visit')).toEqual({ x: 16, y: 16 })
    expect(page.store.get().isWaiting).toBe(true)
    isAway = false
    connectionStore.setState({ away: false })
    await settled(page)
    expect(server.received).toEqual([{ 'uid-Visit': at(8, 8) }, { 'uid-Visit': at(16, 16) }])
  })

  it('that the server refuses as a whole are taken back with its reason', async () => {
    const server = placedClinic()
    const page = pageOf(clinic, {
      server,
      send: async () => {
        throw new ApiError(403, { message: 'You may not do that.' })
      },
    })
    move(page, 'Visit', { x: 8, y: 8 })
    await settled(page)
    expect([placeOf(page, 'Visit'), lastNotice()]).toEqual([{ x: 0, y: 0 }, 'You may not do that.'])
  })

  it('in a view that one may only read go to a copy of it, and Show All goes back', () => {
    const page = pageOf(clinic)
    page.store.receive(placedClinic().view, { sends: false })
    page.store.follow('view')
    move(page, 'Visit', { x: 8, y: 8 })
    expect(page.store.get()).toMatchObject({ isTemporary: true, session: { stored: { name: 'Copy of Overview' } } })
    expect(placeOf(page, 'Visit')).toEqual({ x: 8, y: 8 })
    page.store.showAll()
    expect(placeOf(page, 'Visit')).toEqual({ x: 0, y: 0 })
  })
})

describe('undo of a relationship and of moves', () => {
  /** A draft with the names of its steps. */
  function draftOf(...steps: string[]) {
    const [done, undone]: [string[], string[]] = [steps, []]
    const turn = (from: string[], to: string[]) => void to.push(from.pop()!)
    const add = (name: string): ModelStep => {
      done.push(name)
      return {
        label: name,
        canUndo: () => done.at(-1) === name,
        undo: () => turn(done, undone),
        canRedo: () => undone.at(-1) === name,
        isPresent: () => true,
        redo: () => turn(undone, done),
      }
    }
    return { done, add }
  }
  const undone = ({ store }: Page) => nextUndo(store.get().session)?.label
  const relating = (draft: ReturnType<typeof draftOf>): Partial<DiagramOptions> => ({
    relate: async (from, target) => draft.add(`${from.name} to ${target.name}`),
  })
  const relate = async (page: Page, from: string, target: string) => {
    page.store.relate(cardOf(page, from), cardOf(page, target))
    await expect.poll(() => undone(page)).toBe(`${from} to ${target}`)
  }

  it('is in the order in which they were made', async () => {
    const draft = draftOf('before')
    const page = pageOf(clinic, { server: placedClinic(), ...relating(draft) })
    move(page, 'Visit', { x: 8, y: 8 })
    await relate(page, 'Visit', 'Ward')
    await relate(page, 'Visit', 'Doctor')
    move(page, 'Ward', { x: 16, y: 16 })
    const [all, model] = [[] as string[], [...draft.done]]
    for (let name = undone(page); name !== undefined; name = undone(page)) {
      all.push(name)
      page.store.undo()
    }
    expect(all).toEqual(['Move Ward', 'Visit to Doctor', 'Visit to Ward', 'Move Visit'])
    expect([placeOf(page, 'Visit'), placeOf(page, 'Ward'), draft.done]).toEqual([
      { x: 0, y: 0 },
      { x: 0, y: 400 },
      ['before'],
    ])
    for (let count = 0; count < 4; count++) page.store.redo()
    expect([placeOf(page, 'Visit'), placeOf(page, 'Ward'), draft.done]).toEqual([
      { x: 8, y: 8 },
      { x: 16, y: 16 },
      model,
    ])
    page.store.undo()
    page.store.undo()
    await relate(page, 'Visit', 'Patient')
    expect(nextRedo(page.store.get().session)).toBeUndefined()
  })

  it('passes over a relationship that was changed or saved since', async () => {
    const draft = draftOf()
    const page = pageOf(clinic, { server: placedClinic(), ...relating(draft) })
    move(page, 'Visit', { x: 8, y: 8 })
    await relate(page, 'Visit', 'Ward')
    draft.done.push('later, in the sheet')
    expect(undone(page)).toBe('Move Visit')
    page.store.undo()
    expect([placeOf(page, 'Visit'), draft.done]).toEqual([{ x: 0, y: 0 }, ['Visit to Ward', 'later, in the sheet']])
  })
})

describe('how much of each card is shown', () => {
  const rowsOfVisit = ({ store }: Page) => store.get().cards.scene.rowCounts[0]

  it('is stored after the moves before it, once the server can be reached', async () => {
    const server = placedClinic()
    let isAway = true
    const page = pageOf(clinic, {
      server,
      send: async (_view, change) => {
        if (isAway) throw unreachable()
        return server.change('me', change)
      },
    })
    move(page, 'Visit', { x: 8, y: 8 })
    page.store.setDetail('keys')
    page.store.setDetail('names')
    expect([page.store.get().picture.detail, rowsOfVisit(page)]).toEqual(['names', 0])
    expect([server.view.detail, page.store.get().isWaiting]).toEqual(['all', true])
    connectionStore.setState({ away: true })
    isAway = false
    connectionStore.setState({ away: false })
    await settled(page)
    expect([server.view.detail, server.received]).toEqual(['names', [{ 'uid-Visit': at(8, 8) }, {}]])
    expect(page.store.get().session.done.map(({ label }) => label)).toEqual(['Move Visit'])
  })

  it('goes back where the server refuses it, and follows the choice of someone else', async () => {
    const server = placedClinic()
    const page = pageOf(clinic, {
      server,
      send: async () => {
        throw new ApiError(403, { message: 'You may not do that.' })
      },
    })
    const rows = rowsOfVisit(page)
    page.store.setDetail('names')
    await settled(page)
    expect([page.store.get().picture.detail, rowsOfVisit(page), lastNotice()]).toEqual([
      'all',
      rows,
      'You may not do that.',
    ])
    server.change('Jane', { operationId: 'theirs', base: 1, detail: 'names' })
    page.store.receive(server.view, { sends: true })
    expect([page.store.get().picture.detail, rowsOfVisit(page)]).toEqual(['names', 0])
  })
})

describe('what is shown', () => {
  it('the entities around one, close together, and all again', () => {
    const page = pageOf(clinic, { server: placedClinic() })
    page.store.showNeighbourhood(cardOf(page, 'Patient'), 1)
    expect(shownNames(page)).toEqual(['Visit', 'Patient'])
    expect(page.store.get().isTemporary).toBe(true)
    expect(page.store.get().picture.hiddenNeighbours.get(cardOf(page, 'Visit'))).toBe(1)
    page.store.showNeighbourhood(cardOf(page, 'Patient'), 2)
    expect(shownNames(page)).toEqual(['Visit', 'Patient', 'Doctor'])
    page.store.showAll()
    expect(shownNames(page)).toHaveLength(4)
  })

  it('a hidden neighbour comes back to a free place', () => {
    const page = pageOf(clinic, { server: placedClinic() })
    page.store.showNeighbourhood(cardOf(page, 'Patient'), 1)
    page.store.setHidden([cardOf(page, 'Doctor')], false)
    expect(shownNames(page)).toEqual(['Visit', 'Patient', 'Doctor'])
    page.store.undo()
    expect(shownNames(page)).toEqual(['Visit', 'Patient'])
  })

  it('hiding is one step of the view', async () => {
    const server = placedClinic()
    const page = pageOf(clinic, { server })
    page.store.setHidden([cardOf(page, 'Ward')], true)
    await settled(page)
    expect(server.view.placements['uid-Ward']).toEqual(at(0, 400, true))
    expect(page.store.get().session.done.map(({ label }) => label)).toEqual(['Hide Ward'])
    page.store.undo()
    expect(shownNames(page)).toHaveLength(4)
  })

  it('ways between two entities, one of them in the picture', () => {
    const page = pageOf(clinic, { server: placedClinic() })
    page.store.showWay(cardOf(page, 'Patient'), cardOf(page, 'Doctor'))
    const { picture, ways } = page.store.get()
    expect(ways?.ways.map(({ cards }) => cards)).toEqual([[1, 0, 2]])
    expect([...picture.way]).toEqual([0, 1])
    expect(page.store.get().looked).toEqual([1, 0, 2])
    page.store.chooseWay(null)
    expect(page.store.get().picture.way.size).toBe(0)
    page.store.showWay(cardOf(page, 'Patient'), cardOf(page, 'Ward'))
    expect(page.store.get().ways?.ways).toEqual([])
  })
})

describe('arranging', () => {
  it('is a preview, which nothing stores until it is taken, as one step', async () => {
    const server = placedClinic()
    const page = pageOf(clinic, { server })
    const before = server.view.placements
    await page.store.arrange('all')
    expect(page.store.get().preview).not.toBeNull()
    expect(placeOf(page, 'Ward')).not.toEqual({ x: 0, y: 400 })
    page.store.dropPreview()
    expect([placeOf(page, 'Ward'), server.view.placements]).toEqual([{ x: 0, y: 400 }, before])
    await page.store.arrange('all')
    page.store.takePreview()
    await settled(page)
    expect(page.store.get().session.done).toHaveLength(1)
    page.store.undo()
    await settled(page)
    expect(server.view.placements).toEqual(before)
  })

  it('a card moved in the preview is part of its step', async () => {
    const server = placedClinic()
    const page = pageOf(clinic, { server })
    const before = server.view.placements
    await page.store.arrange('all')
    move(page, 'Ward', { x: 0, y: -800 })
    expect([placeOf(page, 'Ward'), server.view.placements]).toEqual([{ x: 0, y: -800 }, before])
    page.store.takePreview()
    await settled(page)
    expect(server.view.placements['uid-Ward']).toEqual(at(0, -800))
    expect(page.store.get().session.done).toHaveLength(1)
    await page.store.arrange('all')
    move(page, 'Ward', { x: 80, y: 80 })
    page.store.dropPreview()
    expect(placeOf(page, 'Ward')).toEqual({ x: 0, y: -800 })
  })

  it('of a choice leaves the other cards where they are', async () => {
    const page = pageOf(clinic, { server: placedClinic() })
    page.store.choose([cardOf(page, 'Visit'), cardOf(page, 'Patient')], 'replace')
    await page.store.arrange('choice')
    page.store.takePreview()
    expect([placeOf(page, 'Doctor'), placeOf(page, 'Ward')]).toEqual([
      { x: 800, y: 0 },
      { x: 0, y: 400 },
    ])
    page.store.align('left')
    expect(placeOf(page, 'Visit').x).toBe(placeOf(page, 'Patient').x)
  })
})

describe('a model that changes', () => {
  it('ends a preview and a path, whose cards and links have other indexes then', async () => {
    const page = pageOf(clinic, { server: placedClinic() })
    await page.store.arrange('all')
    page.store.showWay(cardOf(page, 'Visit'), cardOf(page, 'Doctor'))
    expect(page.store.get().preview).not.toBeNull()
    page.store.setData(diagramData('Bed Visit Patient Doctor', 'Visit>Patient', 'Visit>Doctor'))
    expect(page.store.get()).toMatchObject({ preview: null, ways: null })
    page.store.showWay(cardOf(page, 'Visit'), cardOf(page, 'Doctor'))
    page.store.setData(diagramData('Bed Visit Patient Doctor', 'Bed>Patient', 'Visit>Doctor'))
    expect(page.store.get().ways).toBeNull()
  })

  it('a layout that failed is over, and entities can be arranged again', async () => {
    const page = pageOf(clinic, { layout: async () => Promise.reject(new Error('no worker')) })
    await expect.poll(() => lastNotice()).toBe('The diagram could not be arranged.')
    await expect.poll(() => page.store.get().isArranging).toBe(false)
  })
})

describe('unsaved edits of entities', () => {
  it('mark their cards; a choice stays with its entities when cards are added before', () => {
    const page = pageOf(clinic, { server: placedClinic() })
    page.store.choose([cardOf(page, 'Doctor')], 'replace')
    page.store.setUnsaved(new Map([[idOf('Visit'), newEntityContent({ name: 'Encounter' })]]))
    expect([...page.store.get().picture.marks]).toEqual([[cardOf(page, 'Encounter'), 'unsaved']])
    page.store.setUnsaved(new Map())
    page.store.setData(diagramData('Bed Visit Patient Doctor Ward'))
    const { picture } = page.store.get()
    expect(Array.from(picture.chosen, card => picture.scene.names[card])).toEqual(['Doctor'])
    expect(picture.marks.size).toBe(0)
  })
})
