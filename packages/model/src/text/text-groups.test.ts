import { describe, expect, it } from 'vitest'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import { newEntityContent, type EntityContent } from '../entity.ts'
import type { Group } from '../group.ts'
import { newTypeAttribute } from '../type-attribute.ts'
import type { MarkedText, TextModel } from './marked-text.ts'
import { printModel } from './print.ts'
import { readModel, textChanges } from './testing/at-once.ts'
import { edited } from './testing/edited-text.ts'

const typeAttributes = ['id', 'orderNo', 'lineNo', 'price'].map((name, position) =>
  newTypeAttribute({
    name,
    uid: `uid-${name}`,
    position,
    dataType: 'integer',
    purpose: name === 'id' ? 'identifiedBy' : 'hasA',
  }),
)

function group(kind: Group['kind'], names: readonly string[], name = ''): Group {
  const members = names.map(member => ({ uid: `uid-${member}`, name: member, descending: member === 'price' }))
  return { uid: `${kind} ${names.join()}`, kind, name, members }
}

const unique = group('unique', ['orderNo', 'lineNo'], 'uq_line')
const index = group('index', ['price', 'orderNo'])
const line = newEntityContent({ name: 'OrderLine', uid: 'line', typeAttributes, groups: [unique, index] })
const modelOf = (content: EntityContent): TextModel => ({
  project: { name: 'Shop', description: '' },
  entities: [{ id: 7, path: 'OrderLine', content, isEditable: true, primaryKey: 'id' }],
  others: [],
})
const shown = printModel(modelOf(line))

function after(text: MarkedText): { groups: readonly Group[]; problems: readonly string[] } {
  const { problems, edits } = readModel(text, modelOf(line))
  const { groups } = applyEntityEdits(line, edits.get(7) ?? [])
  return { groups, problems: problems.map(({ message }) => message) }
}

const block = `  indexes {
    (orderNo, lineNo) [unique, name: 'uq_line']
    (price, orderNo)
  }
}`

describe('Groups in a text', () => {
  it('stand in a block of the table, which is read as no change', () => {
    expect(shown.text).toContain(block)
    expect(readModel(shown, modelOf(line)).edits.size).toBe(0)
  })

  it.each<[string, string, string, readonly Group[]]>([
    ['renamed', "name: 'uq_line'", "name: 'uq_order_line'", [{ ...unique, name: 'uq_order_line' }, index]],
    ['removed', '    (price, orderNo)\n', '', [unique]],
    [
      'reordered',
      '(price, orderNo)',
      '(orderNo, price)',
      [unique, { ...group('index', ['orderNo', 'price']), uid: expect.any(String) as unknown as string }],
    ],
    [
      'added',
      '    (price, orderNo)\n',
      '    (price, orderNo)\n    (lineNo, price) [unique]\n',
      [unique, index, { ...group('unique', ['lineNo', 'price']), uid: expect.any(String) as unknown as string }],
    ],
  ])('can be %s', (_, from, to, groups) => {
    const { groups: read, problems } = after(edited(shown, [[from, to]]))
    expect(problems).toEqual([])
    const plain = (all: readonly Group[]) =>
      all.map(({ members, ...rest }) => ({ ...rest, members: members.map(({ uid }) => uid) }))
    expect(plain(read)).toEqual(plain(groups))
  })

  it('follow a line that is renamed or deleted, whatever name they have for it', () => {
    const renamed = after(edited(shown, [['  lineNo integer', '  position integer']]))
    expect(renamed.problems).toEqual([])
    expect(renamed.groups.map(({ members }) => members.map(({ name }) => name).join())).toEqual([
      'orderNo,position',
      'price,orderNo',
    ])
    const text = /\n {2}lineNo [^\n]*/.exec(shown.text)?.[0] ?? ''
    const deleted = after(edited(shown, [[text, '']]))
    expect(deleted).toEqual({ problems: [], groups: [index] })
  })

  it('of an unknown attribute are a problem', () => {
    expect(after(edited(shown, [['(price, orderNo)', '(price, colour)']])).problems).toContain(
      "There is no attribute 'colour'.",
    )
  })

  it('of a pasted table are those of the new entity', () => {
    const text = 'Table Pair {\n  left int\n  right int\n  indexes {\n    (left, right) [unique, name: "u"]\n  }\n}\n'
    const { added, problems } = readModel({ text, marks: [] }, { project: null, entities: [], others: [] })
    expect(problems).toEqual([])
    expect(added[0]?.groups).toMatchObject([
      { kind: 'unique', name: 'u', members: [{ name: 'left' }, { name: 'right' }] },
    ])
  })

  it.each<[string, readonly Group[]]>([
    ['is replaced', [unique, group('index', ['lineNo', 'price'])]],
    ['goes with the last group', []],
    ['keeps lines of the user when the model changes elsewhere', [unique, index]],
  ])('the block %s, and comments stay', (_, groups) => {
    const own = edited(shown, [['  price integer', '  // my note\n  price integer']])
    const next = { ...line, groups: [...groups], description: groups.length === 2 ? 'x' : '' }
    const text = textChanges(own, printModel(modelOf(next)), shown).reduceRight(
      (all, { from, to, insert }) => `${all.slice(0, from)}${insert}${all.slice(to)}`,
      own.text,
    )
    expect(text).toContain('// my note')
    const target = printModel(modelOf(next)).text
    const blockOf = (all: string) => /indexes \{[^}]*\}/.exec(all)?.[0] ?? ''
    expect(blockOf(text)).toBe(blockOf(target))
  })
})
