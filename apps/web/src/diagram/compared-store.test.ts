import type { ComparedDiagram, ComparedRows } from '@cadmus/model/contract/comparison'
import type { Placements } from '@cadmus/model/diagram/view'
import { describe, expect, it } from 'vitest'
import { diagramData } from '../testing/diagram-data.ts'
import { comparedStore, goTo } from './compared-store.ts'
import type { DiagramData } from './scene-of.ts'
import type { DiagramStore } from './diagram-store.ts'
import { countTexts, differencesInOrder, showKind, shownDifferences, views } from './differences.ts'

type Mark = ComparedDiagram['marks']['entities'][number]
type Rows = ComparedRows['entities'][number]['rows']

/** Entities named by one word each, with a mark after a colon, and links such as 'Order>Customer:added'. */
function comparedData(names: string, ...links: string[]): DiagramData {
  const split = (texts: string[]) => texts.map(text => text.split(':') as [string, Mark?])
  const [cards, ends] = [split(names.split(' ')), split(links)]
  const data = diagramData(cards.map(([name]) => name).join(' '), ...ends.map(([link]) => link))
  const marks = (all: [string, Mark?][]) => all.map(([, mark = 'same']) => mark)
  return { ...data, marks: { entities: marks(cards), links: marks(ends) } }
}

const clinic = comparedData(
  'Bill:added Doctor Drug Patient:changed Visit Ward:removed',
  'Visit>Patient:changed',
  'Visit>Doctor',
  'Ward>Patient:removed',
)

function opened(data = clinic, placements: Placements = {}, rows = new Map<string, Rows>()) {
  const requested: string[][] = []
  const openedUids: string[] = []
  const store = comparedStore(data, placements, {
    open: uid => openedUids.push(uid),
    readRows: async uids => {
      requested.push([...uids])
      return rows
    },
  })
  return { store, requested, openedUids }
}

const settled = async (store: DiagramStore) => {
  await expect.poll(() => store.get().isArranging).toBe(false)
}
const cardOf = (store: DiagramStore, name: string) => store.get().cards.scene.names.indexOf(name)

function shownNames(store: DiagramStore): string {
  const { scene, hidden } = store.get().picture
  return scene.names.filter((_, card) => !hidden.has(card)).join(' ')
}

describe('the diagram of a comparison', () => {
  it('marks entities and links, and shows all of a small model', async () => {
    const { store } = opened()
    await settled(store)
    expect(shownNames(store)).toBe('Bill Doctor Drug Patient Visit Ward')
    const { marks, linkMarks } = store.get().picture
    expect([...marks.values()]).toEqual(['added', 'changed', 'removed'])
    expect([...linkMarks]).toEqual([
      [0, 'changed'],
      [2, 'removed'],
    ])
    expect(countTexts(store.get().cards.differences.cards).map(({ text }) => text)).toEqual([
      '1 added',
      '1 removed',
      '1 changed',
    ])
  })

  it('has entities where the view of the manifest has them, and places the others beside them', async () => {
    const names = ['Bill', 'Doctor', 'Drug', 'Patient', 'Visit']
    const at = (index: number) => ({ x: index * 400, y: 80, hidden: false })
    const placements = Object.fromEntries(names.map((name, index) => [`uid-${name}`, at(index)]))
    const { store } = opened(clinic, placements)
    await settled(store)
    const { places } = store.get().picture
    expect(names.map(name => places.x[cardOf(store, name)])).toEqual([0, 400, 800, 1200, 1600])
    expect(shownNames(store)).toContain('Ward')
  })

  it('shows what differs and what is linked with it, and then all as it was', async () => {
    const { store } = opened()
    await settled(store)
    store.show(views.differences)
    expect(shownNames(store)).toBe('Bill Patient Visit Ward')
    store.move(new Map([[cardOf(store, 'Bill'), { x: 8, y: 8 }]]), 'Move Bill')
    expect(store.get().session.stored.uid).toBe(views.differences)
    store.show(views.whole)
    expect(shownNames(store)).toBe('Bill Doctor Drug Patient Visit Ward')
  })

  it('begins with what differs in a large model', async () => {
    const same = Array.from({ length: 80 }, (_, index) => `Same${index}`).join(' ')
    const { store } = opened(comparedData(`New:added ${same}`))
    await settled(store)
    expect(shownNames(store)).toBe('New')
    const { store: equal } = opened(comparedData(same))
    await settled(equal)
    expect(shownNames(equal)).toBe(same)
  })

  it('hides and shows one kind of difference', async () => {
    const { store } = opened()
    await settled(store)
    showKind(store, 'removed', false)
    expect(shownNames(store)).toBe('Bill Doctor Drug Patient Visit')
    expect([...shownDifferences(store.get())]).toEqual(['added', 'changed'])
    store.undo()
    expect([...shownDifferences(store.get())]).toEqual(['added', 'changed', 'removed'])
    store.show(views.differences)
    showKind(store, 'changed', false)
    expect(shownNames(store)).toBe('Bill Ward')
    showKind(store, 'changed', true)
    expect(shownNames(store)).toBe('Bill Patient Visit Ward')
  })

  it('goes from one shown difference to the next, around the end', async () => {
    const { store } = opened()
    await settled(store)
    expect(differencesInOrder(store.get()).map(card => store.get().cards.scene.names[card])).toEqual([
      'Bill',
      'Patient',
      'Ward',
    ])
    const went = ([1, 1, 1, 1, -1] as const).map(by => goTo(store, by)?.text)
    expect(went).toEqual([
      'Bill, added, 1 of 3',
      'Patient, changed, 2 of 3',
      'Ward, removed, 3 of 3',
      'Bill, added, 1 of 3',
      'Ward, removed, 3 of 3',
    ])
    expect(store.get().looked).toEqual([cardOf(store, 'Ward')])
    showKind(store, 'removed', false)
    expect(goTo(store, -1)?.uid).toBe('uid-Patient')
    const { store: equal } = opened(comparedData('Bill'))
    expect(goTo(equal, 1)).toBeUndefined()
  })

  it('reads rows with their marks, also of entities that do not exist now', async () => {
    const gone = { ...clinic, entities: { ...clinic.entities, ids: [1, 2, 3, 4, 5, -7] } }
    const row = { uid: 'r', name: 'beds', type: 'integer', kind: 'attribute', nullable: false } as const
    const rows = new Map<string, Rows>([['uid-Ward', [{ ...row, mark: 'removed' }]]])
    const { store, requested } = opened(gone, {}, rows)
    await settled(store)
    store.needRows([cardOf(store, 'Ward'), cardOf(store, 'Bill')])
    await expect.poll(() => store.get().picture.rows(5)).toEqual([{ ...row, mark: 'removed' }])
    expect(requested).toEqual([['uid-Ward', 'uid-Bill']])
  })

  it('opens an entity of the comparison, whichever side has it', () => {
    const { store, openedUids } = opened()
    store.open(cardOf(store, 'Ward'))
    expect(openedUids).toEqual(['uid-Ward'])
  })
})
