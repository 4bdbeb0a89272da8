import { describe, expect, it } from 'vitest'
import { contentFromRequest, entityRequestOf } from './apply-request.ts'
import { compareEntities, describeChanges } from './compare.ts'
import { entityUpdate } from './contract/entity-shapes.ts'
import { detachFrom } from './detach.ts'
import { removeColumnsEdits } from './edits/copy-columns.ts'
import { applyEntityEdits, entityEditsBetween, invertEntityEdits } from './edits/entity-edits.ts'
import { newEntityAttribute } from './entity-attribute.ts'
import { type EntityContent, newEntityContent } from './entity.ts'
import type { Group } from './group.ts'
import { resolvedGroups } from './groups.ts'
import { mergeEntity } from './merge/entity.ts'
import { newTypeAttribute } from './type-attribute.ts'

const columns = ['id', 'orderNo', 'lineNo', 'price'].map((name, position) =>
  newTypeAttribute({
    name,
    position,
    uid: `uid-${name}`,
    purpose: name === 'id' ? 'identifiedBy' : 'hasA',
    dataType: 'integer',
  }),
)

function group(kind: Group['kind'], names: readonly string[], uid = `${kind}-${names.join('-')}`): Group {
  return { uid, kind, name: '', members: names.map(name => ({ uid: `uid-${name}`, name, descending: false })) }
}

const unique = group('unique', ['orderNo', 'lineNo'])
const index = group('index', ['orderNo', 'lineNo', 'price'])
const line = newEntityContent({ name: 'OrderLine', typeAttributes: columns, groups: [unique, index] })
const namesOf = ({ groups }: EntityContent) => groups.map(({ members }) => members.map(({ name }) => name).join())

function renamed(content: EntityContent, from: string, to: string): EntityContent {
  const typeAttributes = content.typeAttributes.map(item => (item.name === from ? { ...item, name: to } : item))
  return { ...content, typeAttributes }
}

describe('the groups of an entity', () => {
  it('lose a removed attribute, and go with their last but one; undo brings both back', () => {
    const edits = removeColumnsEdits(line, ['uid-lineNo'])
    const after = applyEntityEdits(line, edits)
    expect(namesOf(after)).toEqual(['orderNo,price'])
    expect(applyEntityEdits(after, invertEntityEdits(line, edits))).toEqual(line)
  })

  it('keep an attribute that becomes a foreign key with the same uid', () => {
    const [, orderNo] = columns
    const converted = {
      ...line,
      typeAttributes: columns.filter(item => item !== orderNo),
      entityAttributes: [
        {
          ...newEntityAttributeOf('orderNo'),
          uid: 'uid-orderNo',
          position: 1,
        },
      ],
    }
    expect(applyEntityEdits(line, entityEditsBetween(line, converted)).groups).toEqual(line.groups)
  })

  it('follow a rename, and a request without changes changes nothing', () => {
    const body = entityUpdate.parse(entityRequestOf(renamed(line, 'lineNo', 'position'), ''))
    expect(namesOf(contentFromRequest(body, line))).toEqual(['orderNo,position', 'orderNo,position,price'])
    expect(contentFromRequest(entityUpdate.parse(entityRequestOf(line, '')), line)).toEqual(line)
  })

  it('sent by name and without uid are the former ones of the same attributes', () => {
    const { entity, ...rest } = entityRequestOf(line, '')
    const groups = [{ kind: 'unique', members: [{ name: 'orderNo' }, { name: 'lineNo' }] }]
    const body = entityUpdate.parse({ ...rest, entity: { ...entity, groups } })
    expect(contentFromRequest(body, line).groups).toEqual([unique])
  })

  it('are compared by uid: a renamed attribute is no change of its groups', () => {
    const [change] = compareEntities(line, { ...line, groups: [index] })
    expect(change).toMatchObject({
      field: 'groups',
      before: ['unique together (orderNo, lineNo)', 'index (orderNo, lineNo, price)'],
      after: ['index (orderNo, lineNo, price)'],
    })
    const after = { ...renamed(line, 'price', 'amount'), groups: line.groups }
    expect(describeChanges(compareEntities(line, after))).toBe('Renamed attribute price to amount')
  })

  it('of two people are merged by uid', () => {
    const mine = { ...line, groups: [...line.groups, group('index', ['price', 'orderNo'])] }
    const theirs = { ...line, groups: [{ ...unique, name: 'uq_line' }, index] }
    expect(mergeEntity(line, mine, theirs).merged?.groups).toEqual([
      { ...unique, name: 'uq_line' },
      index,
      group('index', ['price', 'orderNo']),
    ])
  })

  it('conflict if one person adds an attribute to a group that another deletes', () => {
    const base = { ...line, groups: [unique] }
    const mine = { ...base, groups: [unique, group('index', ['price', 'orderNo'])] }
    const theirs = applyEntityEdits(base, removeColumnsEdits(base, ['uid-price']))
    expect(mergeEntity(base, mine, theirs).conflicts).toMatchObject([
      { path: 'groups.price, orderNo', field: 'members' },
    ])
    expect(mergeEntity(base, base, theirs).merged?.groups).toEqual([unique])
  })
})

describe('the groups of a subtype', () => {
  const base = { ...line, id: 1, path: 'OrderLine' }
  const own = newTypeAttribute({ name: 'ORDERNO', uid: 'own-orderNo', position: 0, dataType: 'string' })
  const subtype = {
    ...newEntityContent({
      name: 'SpecialLine',
      typeAttributes: [own],
      extendsEntity: { id: 1, name: 'OrderLine', path: 'OrderLine' },
      groups: [group('index', ['price', 'id'])],
    }),
    id: 2,
    path: 'SpecialLine',
  }
  const lookup = (id: number) => [base, subtype].find(entity => entity.id === id)

  it('are the inherited ones, in which own attributes take the place of those that they override, and its own', () => {
    const written = resolvedGroups(subtype, lookup).map(({ members, isWhole }) => [
      isWhole,
      members.map(({ column }) => column.name).join(),
    ])
    expect(written).toEqual([
      [true, 'ORDERNO,lineNo'],
      [true, 'ORDERNO,lineNo,price'],
      [true, 'price,id'],
    ])
  })

  it('lack a member whose attribute the parent lost', () => {
    const less = { ...base, typeAttributes: columns.filter(({ name }) => name !== 'price'), groups: [] }
    const [left] = resolvedGroups(subtype, id => (id === 1 ? less : undefined))
    expect(left).toMatchObject({ isWhole: false, members: [{ column: { name: 'id' } }] })
  })

  it('become its own with copies of the attributes when the parent is deleted', () => {
    const left = detachFrom(subtype, { removed: new Set([1]), lookup, onReferences: 'keep' })
    const names = new Map(left.typeAttributes.map(({ uid, name }) => [uid, name]))
    expect(left.groups.map(({ members }) => members.map(({ uid }) => names.get(uid)).join())).toEqual([
      'ORDERNO,lineNo',
      'ORDERNO,lineNo,price',
      'price,id',
    ])
  })
})

function newEntityAttributeOf(name: string) {
  return newEntityAttribute({
    associatedEntity: { id: 7, name: 'Order', path: 'Order' },
    associatedEntityTypeAttribute: 'no',
    foreignKeyTypeAttribute: name,
    position: 0,
  })
}
