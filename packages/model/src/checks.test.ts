import { describe, expect, it } from 'vitest'
import { contentFromRequest } from './apply-request.ts'
import { checkLine, resolvedChecks } from './checks.ts'
import { compareEntities, describeChanges } from './compare.ts'
import { readCondition } from './conditions/text.ts'
import { entityUpdate } from './contract/entity-shapes.ts'
import { detachFrom } from './detach.ts'
import { removeColumnsEdits } from './edits/copy-columns.ts'
import { removeParentEdits } from './edits/entity-actions.ts'
import { applyEntityEdits, entityEditsBetween, invertEntityEdits } from './edits/entity-edits.ts'
import { type EntityContent, newEntityContent } from './entity.ts'
import { mergeEntity } from './merge/entity.ts'
import { readEntityContent } from './read-content.ts'
import { newTypeAttribute } from './type-attribute.ts'

const columns = ['id', 'price', 'discount'].map((name, position) =>
  newTypeAttribute({
    name,
    position,
    uid: `uid-${name}`,
    purpose: name === 'id' ? 'identifiedBy' : 'hasA',
    dataType: 'integer',
  }),
)
const parsed = (text: string) => {
  const read = readCondition(text)
  if ('fault' in read) throw new Error(read.fault)
  return read.condition
}
const sent = (condition: string, name = '') => ({ uid: '', name, message: `Not ${condition}`, condition })
const item = contentFromRequest(
  entityUpdate.parse({ entity: { checks: [sent('PRICE >= 0', 'ck_price'), sent('discount < price')] } }),
  newEntityContent({ name: 'Item', typeAttributes: columns }),
)
const linesOf = ({ checks }: Pick<EntityContent, 'checks'>) => checks.map(checkLine)
const lines = ['ck_price: price >= 0 (Not PRICE >= 0)', 'discount < price (Not discount < price)']

function renamed(content: EntityContent, from: string, to: string): EntityContent {
  const uid = content.typeAttributes.find(({ name }) => name === from)?.uid ?? ''
  return applyEntityEdits(content, [{ kind: 'changeAttributes', changes: [{ uid, change: { name: to } }] }])
}

describe('the checks of an entity', () => {
  it('are sent as texts or trees, keep their uids, and sending back an answer changes nothing', () => {
    expect(linesOf(item)).toEqual(lines)
    const again = contentFromRequest(entityUpdate.parse({ entity: { checks: [sent('price >= 0', 'CK_PRICE')] } }), item)
    expect(again.checks[0]?.uid).toBe(item.checks[0]?.uid)
    expect(contentFromRequest(entityUpdate.parse({ entity: { checks: item.checks } }), item).checks).toEqual(
      item.checks,
    )
    expect(entityUpdate.safeParse({ entity: { checks: [sent('price >')] } }).error?.issues[0]?.message).toBe(
      'The condition is incomplete.',
    )
  })

  it('are read from the JSON of an entity, with the condition as a text', () => {
    const plain = newEntityContent({
      name: 'Item',
      typeAttributes: [newTypeAttribute({ name: 'price', position: 0, dataType: 'integer' })],
    })
    const { content } = readEntityContent({ ...plain, checks: [{ condition: 'price > 0' }] }, plain)
    expect(content && linesOf(content)).toEqual(['price > 0'])
  })

  it('follow a renamed attribute, go with a removed one, and come back by undo', () => {
    expect(linesOf(renamed(item, 'price', 'cost'))).toEqual([
      'ck_price: cost >= 0 (Not PRICE >= 0)',
      'discount < cost (Not discount < price)',
    ])
    const edits = removeColumnsEdits(item, ['uid-discount'])
    const after = applyEntityEdits(item, edits)
    expect(linesOf(after)).toEqual(lines.slice(0, 1))
    expect(applyEntityEdits(after, invertEntityEdits(item, edits))).toEqual(item)
    expect(applyEntityEdits(after, entityEditsBetween(after, item)).checks).toEqual(item.checks)
  })

  it('are compared as texts; a renamed attribute is no change of a check', () => {
    const other = { ...item, checks: [{ ...item.checks[0]!, condition: parsed('price > 0') }] }
    expect(compareEntities(item, other)).toEqual([
      { kind: 'changed', step: null, field: 'checks', before: lines, after: ['ck_price: price > 0 (Not PRICE >= 0)'] },
    ])
    expect(describeChanges(compareEntities(item, other))).toBe('Changed checks of the entity')
    expect(compareEntities(item, renamed(item, 'price', 'cost')).map(({ kind }) => kind)).toEqual(['renamed'])
  })

  it('are merged by uid and field', () => {
    const [first, second] = item.checks
    if (!first || !second) throw new Error('There are two checks.')
    const mine = { ...item, checks: [{ ...first, message: 'Mine' }, second] }
    const theirs = { ...item, checks: [first, { ...second, name: 'theirs' }] }
    const { merged } = mergeEntity(item, mine, theirs)
    expect(merged?.checks).toEqual([mine.checks[0], theirs.checks[1]])
    expect(mergeEntity(item, mine, { ...item, checks: [{ ...first, message: 'Other' }] }).conflicts).toMatchObject([
      { path: 'checks.ck_price', field: 'message' },
    ])
  })

  it('are a conflict if one side adds a check of an attribute that the other removes', () => {
    const added = { ...item, checks: [{ ...item.checks[0]!, uid: 'new', name: 'new' }] }
    const base = { ...item, checks: [] }
    const removed = applyEntityEdits(base, removeColumnsEdits(base, ['uid-price']))
    expect(mergeEntity(base, added, removed).conflicts).toMatchObject([{ path: 'checks.new', field: 'condition' }])
    expect(
      mergeEntity(item, item, applyEntityEdits(item, removeColumnsEdits(item, ['uid-price']))).merged?.checks,
    ).toEqual([])
  })
})

describe('inherited checks', () => {
  const parent = { ...item, id: 1, path: 'user-defined/Item' }
  const child = {
    ...newEntityContent({
      name: 'Special',
      extendsEntity: { id: 1, name: 'Item', path: parent.path },
      typeAttributes: [newTypeAttribute({ name: 'extra', position: 0, dataType: 'integer' })],
      checks: [{ uid: 'own', name: '', message: '', condition: parsed('extra > price') }],
    }),
    id: 2,
    path: 'user-defined/Special',
  }
  const lookup = (id: number) => [parent, child].find(one => one.id === id)

  it('hold for subtypes, and find their columns there', () => {
    const all = resolvedChecks(child, lookup)
    expect(all.map(({ check }) => check.uid)).toEqual([...item.checks.map(({ uid }) => uid), 'own'])
    expect(all[0]?.columnOf({ kind: 'attribute', uid: 'uid-price', name: 'x' })?.origin).toBe('inherited')
    expect(all[2]?.columnOf({ kind: 'attribute', uid: '', name: 'Price' })?.name).toBe('price')
  })

  it('become own ones if the parent is deleted; checks of inherited attributes go without the parent', () => {
    const detached = detachFrom(child, { removed: new Set([1]), lookup, onReferences: 'keep' })
    expect(linesOf(detached)).toEqual([...lines, 'extra > price'])
    const uids = new Set(detached.typeAttributes.map(({ uid }) => uid))
    expect(
      JSON.stringify(detached.checks)
        .match(/"uid":"[^"]*","name":"(?:price|discount|extra)"/g)
        ?.every(found => [...uids].some(uid => found.includes(uid))),
    ).toBe(true)
    expect(applyEntityEdits(child, removeParentEdits(child, [])).checks).toEqual([])
  })
})
