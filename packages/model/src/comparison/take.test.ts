import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { constraintsWith } from '../constraints.ts'
import { columnsInOrder } from '../columns.ts'
import { compareEntities } from '../compare.ts'
import { applyEntityEdits, type EntityEdit } from '../edits/entity-edits.ts'
import type { EntityContent } from '../entity.ts'
import {
  aKey,
  aList,
  anEntity,
  anEntityContent,
  aRelationship,
  aTypeAttribute,
  referenceTo,
} from '../testing/builders.ts'
import { arbitraryContent, arbitraryEdits } from '../testing/arbitrary-edits.ts'
import { seededRandom } from '../testing/seeded-random.ts'
import { editsToTake } from './take.ts'

function taken(...[current, ...rest]: Parameters<typeof editsToTake>): EntityContent {
  const { edits, reason } = editsToTake(current, ...rest)
  if (reason !== undefined) throw new Error(reason)
  return applyEntityEdits(current, edits)
}

/** Without what is never taken, and with an order instead of positions. */
function comparable({ type: _type, copiedFrom: _from, uid: _uid, ...content }: EntityContent) {
  const order = columnsInOrder(content).map(({ uid, position: _, ...column }) => [uid, column])
  return { ...content, typeAttributes: null, entityAttributes: null, order }
}

/** Positions differ, as those of a saved entity do, and targets exist. */
function aSavedState(content: EntityContent): EntityContent {
  const position = new Map(columnsInOrder(content).map(({ uid }, index) => [uid, index]))
  const placed = <T extends { uid: string }>(item: T): T => ({ ...item, position: position.get(item.uid) ?? 0 })
  return {
    ...content,
    extendsEntity: content.extendsEntity && { ...content.extendsEntity, id: Math.max(1, content.extendsEntity.id) },
    typeAttributes: content.typeAttributes.map(placed),
    entityAttributes: content.entityAttributes.map(item => ({
      ...placed(item),
      associatedEntity: { ...item.associatedEntity, id: Math.max(1, item.associatedEntity.id) },
      alternativeTargets: item.alternativeTargets.map(target => ({
        ...target,
        entity: { ...target.entity, id: Math.max(1, target.entity.id) },
      })),
    })),
  }
}

function twoStates(seed: number): [EntityContent, EntityContent] {
  const before = arbitraryContent(seed)
  return [aSavedState(before), aSavedState(applyEntityEdits(before, arbitraryEdits(before, seed + 1)))]
}

const seeds = fc.integer({ min: 1, max: 1e6 })

describe('taking changes of arbitrary states', () => {
  it('all at once give the other state', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const [current, other] = twoStates(seed)
        const { uid, type, copiedFrom } = current
        expect(comparable(taken(current, other, 'all'))).toEqual(comparable(other))
        expect(taken(current, other, 'all')).toMatchObject({ uid, type, copiedFrom })
      }),
    )
  })

  it('one after another in any order give the other state, in either direction of the comparison', () => {
    fc.assert(
      fc.property(seeds, fc.boolean(), (seed, isForward) => {
        const random = seededRandom(seed)
        const [start, other] = twoStates(seed)
        let current = start
        const differences = () => {
          const changes = isForward ? compareEntities(current, other) : compareEntities(other, current)
          return changes.filter(change => change.kind !== 'changed' || change.step !== null || change.field !== 'type')
        }
        // Each change is taken from a new comparison: moves depend on each other.
        let left = differences()
        for (let steps = left.length; left.length > 0; steps -= 1) {
          expect(steps).toBeGreaterThan(0)
          current = taken(current, other, random.pick(left))
          left = differences()
        }
        expect(comparable(current)).toEqual(comparable(other))
      }),
    )
  })

  it('one change leaves all other columns and fields as they are', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const random = seededRandom(seed)
        const [current, other] = twoStates(seed)
        const changes = compareEntities(current, other)
        if (changes.length === 0) return
        const change = random.pick(changes)
        const after = taken(current, other, change)
        const uid = change.step?.uid
        // Further columns of a foreign key follow their columns.
        const pairs = (column: object) =>
          'alsoBy' in column && Array.isArray(column.alsoBy) ? column.alsoBy.filter(pair => pair.uid !== uid) : null
        const others = (content: EntityContent) =>
          columnsInOrder(content).flatMap(column =>
            column.uid === uid ? [] : [{ ...column, position: 0, alsoBy: pairs(column) }],
          )
        // The groups and checks of a column follow it.
        const following = constraintsWith(current, new Set(uid === undefined ? [] : [uid]))
        const followers = new Set([...following.groups, ...following.checks].map(one => one.uid))
        const fields = ({ typeAttributes: _attributes, entityAttributes: _relationships, ...own }: EntityContent) => ({
          ...own,
          groups: own.groups.filter(group => !followers.has(group.uid)),
          checks: own.checks.filter(check => !followers.has(check.uid)),
        })
        expect(others(after)).toEqual(others(current))
        expect(uid === undefined ? after.typeAttributes : fields(after)).toEqual(
          uid === undefined ? current.typeAttributes : fields(current),
        )
      }),
    )
  })
})

const country = anEntity({ name: 'Country' })
const typeAttributes = aList(aKey(), aTypeAttribute({ name: 'code', maxLength: 4 }), aTypeAttribute({ name: 'size' }))
const current = anEntityContent({ typeAttributes })

describe('taking one change', () => {
  it('an added column behind the last one moves no other column', () => {
    const added = aTypeAttribute({ name: 'added', position: 7 })
    const other = { ...current, typeAttributes: [...typeAttributes, added] }
    const [change] = compareEntities(current, other)
    expect(editsToTake(current, other, change!)).toEqual<{ edits: EntityEdit[] }>({
      edits: [{ kind: 'addAttributes', added: [{ item: { ...added, position: 3 }, before: null }] }],
    })
  })

  it('the removal of a column takes it out of the groups of the entity', () => {
    const members = typeAttributes.map(({ uid, name }) => ({ uid, name, descending: false }))
    const grouped = { ...current, groups: [{ uid: 'g', kind: 'index' as const, name: '', members }] }
    const other = { ...current, typeAttributes: typeAttributes.slice(0, -1) }
    const [removal] = compareEntities(grouped, other).filter(({ kind }) => kind === 'removed')
    expect(taken(grouped, other, removal!).groups).toEqual([{ ...grouped.groups[0], members: members.slice(0, -1) }])
  })

  it('a target is taken together with its attribute', () => {
    const relationship = aRelationship(country, { position: 3 })
    const state = { ...current, entityAttributes: [relationship] }
    const other = {
      ...current,
      entityAttributes: [
        {
          ...relationship,
          associatedEntity: referenceTo(anEntity()),
          associatedEntityTypeAttribute: 'code',
          nullable: !relationship.nullable,
        },
      ],
    }
    for (const change of compareEntities(state, other).filter(
      one => one.kind === 'changed' && one.field.startsWith('associated'),
    )) {
      const [item] = taken(state, other, change).entityAttributes
      expect(item).toEqual({ ...other.entityAttributes[0], nullable: relationship.nullable })
    }
  })

  it('a parent or target that does not exist now is refused by name, unless it is not taken', () => {
    const gone = { id: -1, uid: 'gone', name: 'Gone\u202e', path: 'user-defined/Gone' }
    const relationship = aRelationship(country, { position: 3 })
    const state = { ...current, entityAttributes: [relationship] }
    const other = {
      ...state,
      extendsEntity: gone,
      entityAttributes: [{ ...relationship, associatedEntity: gone, nullable: !relationship.nullable }],
    }
    const reason = expect.stringMatching(/^Gone.* does not exist now\. Without it this cannot be taken over\.$/)
    const results = compareEntities(state, other).map(change => [
      'field' in change ? change.field : '',
      editsToTake(state, other, change),
    ])
    expect(results).toEqual([
      ['extendsEntity', { reason }],
      ['associatedEntity', { reason }],
      ['nullable', { edits: [expect.objectContaining({ kind: 'changeRelationships' })] }],
    ])
    expect(editsToTake(state, other, 'all')).toEqual({ reason })
    expect(editsToTake({ ...other, name: 'Renamed' }, other, 'all').edits).toHaveLength(1)
    expect(JSON.stringify(results)).not.toContain('\u202e')
  })

  it('the type of the entity is not taken', () => {
    const change = { kind: 'changed' as const, step: null, field: 'type', before: '', after: '' }
    expect(editsToTake(current, { ...current, type: 'TEMPLATE', uid: 'x' }, change)).toEqual({ edits: [] })
  })

  it('a column of another manifest is taken as a copy with its own uid', () => {
    const added = aTypeAttribute({ name: 'added', position: 1 })
    const other = { ...current, typeAttributes: aList(typeAttributes[0]!, added, ...typeAttributes.slice(1)) }
    const [change] = compareEntities(current, other)
    for (const one of [change!, 'all' as const]) {
      const { typeAttributes: after } = taken(current, other, one, { copies: true })
      const copy = after.find(({ name }) => name === 'added')
      expect(copy).toMatchObject({ copiedFrom: added.uid, position: 1 })
      expect(copy?.uid).not.toBe(added.uid)
    }
  })

  it('a change that no longer applies has no edits', () => {
    const [, code] = typeAttributes
    const step = { kind: 'typeAttribute' as const, uid: code!.uid, name: 'code' }
    const without = { ...current, typeAttributes: [typeAttributes[0]!] }
    for (const kind of ['moved', 'converted'] as const)
      expect(editsToTake(without, current, { kind, step })).toEqual({ edits: [] })
    const unknown = { kind: 'changed' as const, step, field: '__proto__', before: 1, after: 2 }
    expect(editsToTake(current, current, unknown)).toEqual({ edits: [] })
    expect(editsToTake(current, current, { kind: 'added', step: { ...step, uid: 'none' } })).toEqual({ edits: [] })
  })
})
