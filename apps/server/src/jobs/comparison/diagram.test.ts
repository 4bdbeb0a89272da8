import { compareModels } from '@cadmus/model/comparison/compare-models'
import type { ComparedDiagram, ComparedMark } from '@cadmus/model/contract/comparison'
import { diagramLimits } from '@cadmus/model/diagram/view'
import type { EntityNode } from '@cadmus/model/entity'
import { resolveModel } from '@cadmus/model/resolved-model'
import { aKey, aList, aManifest, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { describe, expect, it } from 'vitest'
import { comparedDiagram, comparedRows } from './diagram.ts'
import type { Sides, SideModel } from './sides.ts'

const root = aManifest({ name: 'Clinic' })
const billing = aManifest({ name: 'Billing' })

type Members = { own: EntityNode[]; billing?: EntityNode[]; outside?: EntityNode[] }

function side({ own, billing: inBilling, outside = [] }: Members): SideModel {
  const member = ({ id }: EntityNode) => ({ id, type: 'EXCLUSIVE' as const })
  const clinic = { ...root, entities: own.map(member), subManifests: inBilling ? [billing.id] : [] }
  const sub = { ...billing, entities: (inBilling ?? []).map(member) }
  const resolvedModel = resolveModel(clinic, {
    manifests: new Map([
      [clinic.id, clinic],
      [sub.id, sub],
    ]),
    entities: new Map([...own, ...(inBilling ?? []), ...outside].map(entity => [entity.id, entity])),
  })
  const shown = { name: 'Clinic', version: '1.0.0', packageVersion: null }
  return { resolvedModel, configuration: undefined, shown }
}

const sidesOf = (before: Members, after: Members): Sides => ({ before: side(before), after: side(after) })

const [id, name, born, note] = ['id', 'name', 'born', 'note'].map((title, position) =>
  position === 0 ? aKey({ name: title, position }) : aTypeAttribute({ name: title, position }),
)
const patient = anEntity({ name: 'Patient', typeAttributes: [id!, name!, born!, note!] })
const doctor = anEntity({ name: 'Doctor', typeAttributes: [aKey()] })
const toPatient = aRelationship(patient, { position: 1 })
const visit = anEntity({ name: 'Visit', typeAttributes: [aKey()], entityAttributes: [toPatient] })

function cardsOf({ areas, entities, marks }: ComparedDiagram): string[] {
  return entities.names.map((each, card) => {
    const { name: area, kind } = areas[entities.areas[card]!]!
    return `${kind === 'outside' ? 'outside' : area}: ${each} ${marks.entities[card]}`
  })
}

function linksOf({ entities, links, marks }: ComparedDiagram): string[] {
  return links.from.map((from, link) => {
    return `${entities.names[from]}>${entities.names[links.to[link]!]} ${marks.links[link]}`
  })
}

function rowsOf(sides: Sides, { uid }: EntityNode): [string, ComparedMark][] {
  const [card] = comparedRows(sides, [uid]).entities
  return card!.rows.map(row => [row.name, row.mark])
}

describe('the diagram of a comparison', () => {
  it('has the entities of both sides, matched by uid, each with its mark', () => {
    const renamed = { ...doctor, name: 'Physician' }
    const bill = anEntity({ name: 'Bill' })
    const diagram = comparedDiagram(sidesOf({ own: [patient, doctor, visit] }, { own: [patient, renamed, bill] }))
    expect(cardsOf(diagram)).toEqual([
      'Clinic: Patient same',
      'Clinic: Physician changed',
      'Clinic: Bill added',
      'Clinic: Visit removed',
    ])
    expect(diagram.entities.locked).not.toContain(false)
  })

  it('shows an entity as changed if another manifest lists it, and manifests that only one side has', () => {
    const diagram = comparedDiagram(sidesOf({ own: [patient], billing: [doctor, visit] }, { own: [patient, doctor] }))
    expect(cardsOf(diagram)).toEqual(['Clinic: Patient same', 'Clinic: Doctor changed', 'Billing: Visit removed'])
    expect(diagram.areas.map(({ kind }) => kind)).toEqual(['own', 'subManifest'])
  })

  it('has what lies outside at last: what is referred to, also if it was listed before', () => {
    const sides = sidesOf({ own: [doctor, patient, visit] }, { own: [visit], outside: [patient] })
    const diagram = comparedDiagram(sides)
    expect(cardsOf(diagram)).toEqual(['Clinic: Visit same', 'Clinic: Doctor removed', 'outside: Patient changed'])
    expect(linksOf(diagram)).toEqual(['Visit>Patient same'])
    const added = comparedDiagram(sidesOf({ own: [doctor] }, { own: [doctor, visit], outside: [patient] }))
    expect(cardsOf(added)).toEqual(['Clinic: Doctor same', 'Clinic: Visit added', 'outside: Patient added'])
  })

  it('has the same differences as the list of changes', () => {
    const described = { ...patient, description: 'new' }
    const sides = sidesOf({ own: [doctor, patient], billing: [visit] }, { own: [visit, described] })
    const diagram = comparedDiagram(sides)
    const { entities } = compareModels(sides.before, sides.after)
    const marked = diagram.entities.uids.filter((_, card) => diagram.marks.entities[card] !== 'same')
    expect(marked.toSorted()).toEqual(entities.map(({ uid }) => uid).toSorted())
  })

  it('keeps the links that are removed, also those of a relationship that refers to another entity now', () => {
    const retargeted = { ...toPatient, associatedEntity: { id: doctor.id, name: doctor.name, path: doctor.path } }
    const after = { ...visit, entityAttributes: [retargeted] }
    const sides = sidesOf({ own: [patient, doctor, visit] }, { own: [patient, doctor, after] })
    const diagram = comparedDiagram(sides)
    expect(linksOf(diagram)).toEqual(['Visit>Doctor added', 'Visit>Patient removed'])
    expect(diagram.links.row).toEqual([1, 1])
    expect(linksOf(comparedDiagram(sidesOf({ own: [patient, visit] }, { own: [patient] })))).toEqual([
      'Visit>Patient removed',
    ])
  })

  it('marks a link whose relationship has changed', () => {
    const after = { ...visit, entityAttributes: [{ ...toPatient, nullable: !toPatient.nullable }] }
    const diagram = comparedDiagram(sidesOf({ own: [patient, visit] }, { own: [patient, after] }))
    expect(linksOf(diagram)).toEqual(['Visit>Patient changed'])
  })

  it('tells entities apart that do not exist now', () => {
    const [one, other] = [-7, -8].map(missing => anEntity({ id: missing, name: `Old${-missing}` }))
    const { entities } = comparedDiagram(sidesOf({ own: [one!, other!, patient] }, { own: [patient] }))
    expect(entities.ids[0]).toBe(patient.id)
    expect(new Set(entities.ids).size).toBe(3)
    expect(entities.ids.filter(each => each < -1)).toHaveLength(2)
  })
})

describe('rows of a compared entity', () => {
  it('keep removed rows at their former place, and count them', () => {
    const longer = { ...note!, maxLength: 900, position: 1 }
    const added = aTypeAttribute({ name: 'phone', position: 2 })
    const sides = sidesOf({ own: [patient] }, { own: [{ ...patient, typeAttributes: [id!, longer, added] }] })
    expect(rowsOf(sides, patient)).toEqual([
      ['id', 'same'],
      ['name', 'removed'],
      ['born', 'removed'],
      ['note', 'changed'],
      ['phone', 'added'],
    ])
    const { entities } = comparedDiagram(sides)
    expect([entities.rows, entities.keyRows]).toEqual([[5], [1]])
  })

  it('show an attribute that became a foreign key once, among the foreign keys', () => {
    const attribute = aTypeAttribute({ name: 'patientId', uid: toPatient.uid, position: 1 })
    const before = { ...visit, typeAttributes: [...visit.typeAttributes, attribute], entityAttributes: [] }
    expect(rowsOf(sidesOf({ own: [before] }, { own: [visit], outside: [patient] }), visit)).toEqual([
      ['id', 'same'],
      ['patientId', 'changed'],
    ])
  })

  it('of an added or removed entity are all new or gone', () => {
    const sides = sidesOf({ own: [patient] }, { own: [doctor] })
    expect(rowsOf(sides, doctor)).toEqual([['id', 'added']])
    expect(new Set(rowsOf(sides, patient).map(([, mark]) => mark))).toEqual(new Set(['removed']))
    expect(comparedRows(sides, ['unknown']).entities).toEqual([])
  })

  it('leave out unchanged ones first where there are too many', () => {
    const attributes = aList(aKey(), ...Array.from({ length: 80 }, (_, at) => aTypeAttribute({ name: `a${at}` })))
    const large = anEntity({ name: 'Large', typeAttributes: attributes })
    const change = (from: number) => ({
      ...large,
      typeAttributes: attributes.map((one, at) => (at >= from ? { ...one, description: 'new' } : one)),
    })
    const some = rowsOf(sidesOf({ own: [large] }, { own: [change(78)] }), large)
    expect(some).toHaveLength(diagramLimits.rowsOfCard)
    expect(some.slice(-4)).toEqual([
      ['a77', 'changed'],
      ['a78', 'changed'],
      ['a79', 'changed'],
      ['32 more', 'same'],
    ])
    const many = rowsOf(sidesOf({ own: [large] }, { own: [change(1)] }), large)
    expect(many.at(-1)).toEqual(['32 more', 'changed'])
  })
})
