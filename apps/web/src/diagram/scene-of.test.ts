import { newEntityContent } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { expect, it } from 'vitest'
import { diagramData, idOf } from '../testing/diagram-data.ts'
import { cardsOf } from './scene-of.ts'

const data = diagramData('Visit Patient Doctor', 'Visit>Patient')

function relationshipTo(name: string, position: number, id = idOf(name)) {
  return newEntityAttribute({
    associatedEntity: { id, name, path: `user-defined/${name}` },
    associatedEntityTypeAttribute: 'id',
    foreignKeyTypeAttribute: `${name}Id`,
    position,
  })
}

function linksIn({ scene: { links, names } }: ReturnType<typeof cardsOf>) {
  return links.uids.map((_, link) => `${names[links.from[link]!]}>${names[links.to[link]!]} ${links.row[link]}`)
}

it('an unsaved relationship is drawn from the row of its foreign key, and a deleted one is not', () => {
  const visit = newEntityContent({ name: 'Visit', entityAttributes: [relationshipTo('Doctor', 1)] })
  const cards = cardsOf(data, new Map([[idOf('Visit'), visit]]), 'all')
  expect(linksIn(cards)).toEqual(['Visit>Doctor 1'])
  expect(cards.draftRows.get(0)?.map(({ name }) => name)).toEqual(['id', 'DoctorId'])
})

it('an entity with unsaved edits has its new name and rows', () => {
  const attributes = [newTypeAttribute({ name: 'code', position: 0 }), newTypeAttribute({ name: 'born', position: 1 })]
  const patient = newEntityContent({ name: 'Person', typeAttributes: attributes })
  const cards = cardsOf(data, new Map([[idOf('Patient'), patient]]), 'all')
  expect(cards.scene.names).toEqual(['Visit', 'Person', 'Doctor'])
  expect([...cards.scene.rowCounts]).toEqual([3, 2, 3])
  expect(linksIn(cards)).toEqual(['Visit>Person 1'])
})

it('an entity that an unsaved relationship refers to outside of the manifest is shown outside, once', () => {
  const attributes = [relationshipTo('Country', 1, 77), relationshipTo('Country', 2, 77)]
  const visit = newEntityContent({ name: 'Visit', entityAttributes: attributes })
  const cards = cardsOf(data, new Map([[idOf('Visit'), visit]]), 'all')
  expect(cards.scene.names).toEqual(['Visit', 'Patient', 'Doctor', 'Country'])
  expect(Array.from(cards.scene.areas, area => cards.scene.areaNames[area])).toEqual([
    'Clinic',
    'Clinic',
    'Clinic',
    'Outside',
  ])
  expect(cards.ids[3]).toBe(77)
})

it.each([
  ['names', [0, 0, 0], -1],
  ['keys', [2, 1, 1], 1],
  ['all', [3, 3, 3], 1],
] as const)(
  'with the detail %s cards have these rows, and links start where the foreign key is',
  (detail, rows, row) => {
    const { scene } = cardsOf(data, new Map(), detail)
    expect([[...scene.rowCounts], scene.links.row[0]]).toEqual([[...rows], row])
  },
)
