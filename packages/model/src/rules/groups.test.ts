import { describe, expect, it } from 'vitest'
import { newEntityAttribute } from '../entity-attribute.ts'
import { newEntityContent } from '../entity.ts'
import type { Group } from '../group.ts'
import { newTypeAttribute } from '../type-attribute.ts'
import { entityProblems } from './entity.ts'
import { groupFaults } from './groups.ts'

const attributes = ['id', 'orderNo', 'lineNo', 'price', 'document'].map((name, position) =>
  newTypeAttribute({
    name,
    position,
    uid: name,
    purpose: name === 'id' ? 'identifiedBy' : 'hasA',
    dataType: name === 'document' ? 'object' : 'integer',
  }),
)
const relationship = newEntityAttribute({
  uid: 'productId',
  associatedEntity: { id: 7, name: 'Product', path: 'Product' },
  associatedEntityTypeAttribute: 'id',
  foreignKeyTypeAttribute: 'productId',
  position: 9,
})
const line = newEntityContent({ name: 'OrderLine', typeAttributes: attributes, entityAttributes: [relationship] })

function group(kind: Group['kind'], names: readonly string[], fields: Partial<Group> = {}): Group {
  const members = names.map(name => ({ uid: name, name, descending: false }))
  return { uid: `${kind} ${names.join()}`, kind, name: '', members, ...fields }
}

const faultsOf = (...groups: Group[]) => groupFaults({ ...line, groups })

describe('a group of attributes', () => {
  it('may have attributes and foreign keys, by uid or by name', () => {
    expect(faultsOf(group('unique', ['orderNo', 'lineNo']), group('index', ['productId', 'price']))).toEqual([])
    const byName = { uid: '', name: 'ORDERNO', descending: false }
    expect(faultsOf(group('index', ['price'], { members: [byName, { ...byName, name: 'price' }] }))).toEqual([])
  })

  it.each([
    ['one attribute', group('unique', ['orderNo']), 'A group needs at least two attributes.'],
    ['an attribute twice', group('unique', ['orderNo', 'orderNo']), "'orderNo' is in the group twice."],
    ['an unknown attribute', group('index', ['orderNo', 'colour']), "There is no attribute 'colour'."],
    ['an object', group('index', ['orderNo', 'document']), "'document' is an object: it cannot be in a group."],
    [
      'attributes that are not the key',
      group('key', ['id', 'orderNo']),
      'A key group lists exactly the attributes of the key.',
    ],
    [
      'a descending order that has no meaning',
      group('unique', ['orderNo', 'lineNo'], {
        members: ['orderNo', 'lineNo'].map(name => ({ uid: name, name, descending: true })),
      }),
      'Only attributes of an index have a descending order.',
    ],
    [
      'a name of several lines',
      group('index', ['orderNo', 'lineNo'], { name: 'a\nb' }),
      'this must be at most 120 characters long, without line breaks.',
    ],
  ])('with %s is refused', (_, wrong, message) => {
    expect(faultsOf(wrong)).toEqual([expect.stringContaining(message)])
  })

  it('has at most 16 attributes', () => {
    const names = Array.from({ length: 17 }, (_, at) => `a${at}`)
    const wide = newEntityContent({
      name: 'Wide',
      typeAttributes: names.map((name, position) => newTypeAttribute({ name, uid: name, position })),
      groups: [group('index', names)],
    })
    expect(groupFaults(wide)).toEqual([expect.stringContaining('A group has at most 16 attributes.')])
  })

  it('is refused if another one has the same attributes or name', () => {
    const unique = group('unique', ['orderNo', 'lineNo'])
    expect(faultsOf(unique, { ...group('unique', ['lineNo', 'orderNo']), uid: 'b' })).toEqual([
      expect.stringContaining('These attributes are unique together already.'),
    ])
    const index = group('index', ['orderNo', 'lineNo'])
    expect(faultsOf(index, group('index', ['lineNo', 'orderNo']))).toEqual([])
    expect(faultsOf(index, { ...index, uid: 'b' })).toEqual([
      expect.stringContaining('There is an index of these attributes in this order already.'),
    ])
    expect(faultsOf({ ...unique, name: 'uq' }, { ...index, name: 'UQ' })).toEqual([
      expect.stringContaining('A group with the name "UQ" already exists.'),
    ])
  })

  it('is one of at most 100, unless there were more', () => {
    const many = (count: number) => ({
      ...line,
      groups: Array.from({ length: count }, (_, at) => group('unique', ['orderNo'], { uid: `group ${at}` })),
    })
    const problems = entityProblems(many(101), { previous: line })
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('at most 100')])
    expect(entityProblems(many(101), { previous: many(102) })).toEqual([])
  })

  it('may name inherited attributes, which are checked where they are known', () => {
    const subtype = { ...line, extendsEntity: { id: 3, name: 'Base', path: 'Base' }, groups: [] }
    const faultsWith = (inherited: { uid: string; name: string }) => {
      const [own] = group('unique', ['orderNo']).members
      const members = [...(own ? [own] : []), { ...inherited, descending: false }]
      return groupFaults({ ...subtype, groups: [group('unique', [], { members })] })
    }
    expect(faultsWith({ uid: '', name: 'inherited' })).toEqual([])
    for (const [uid, name] of [
      ['elsewhere', 'inherited'],
      ['elsewhere', ''],
      ['', ' '],
    ] as const)
      expect(faultsWith({ uid, name })).toEqual([expect.stringContaining('There is no attribute')])
  })

  it('keeps a fault that it had before, such as an import made', () => {
    const before = { ...line, groups: [group('unique', ['orderNo'])] }
    expect(groupFaults({ ...before }, before)).toEqual([])
    expect(groupFaults({ ...before, groups: [...before.groups, group('index', ['price'])] }, before)).toHaveLength(1)
  })
})
