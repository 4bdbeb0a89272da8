import { describe, expect, it } from 'vitest'
import type { EntityContent, EntityNode } from '../entity.ts'
import { aKey, aList, anEntity, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import type { MarkedText, TextModel } from './marked-text.ts'
import { printModel } from './print.ts'
import { textChanges } from './testing/at-once.ts'
import { edited } from './testing/edited-text.ts'

const customer = anEntity({
  name: 'Customer',
  typeAttributes: aList(aKey(), aTypeAttribute({ name: 'email' }), aTypeAttribute({ name: 'phone' })),
})
const order = anEntity({
  name: 'Order',
  entityAttributes: [aRelationship(customer, { position: 1 })],
})

function textOf(...entities: readonly EntityNode[]): MarkedText {
  const model: TextModel = {
    project: null,
    entities: entities.map(({ id, path, ...content }) => ({ id, path, content, isEditable: true, primaryKey: 'id' })),
    others: [],
  }
  return printModel(model)
}

const shown = textOf(customer, order)
const changed = (change: Partial<EntityContent>) => textOf({ ...customer, ...change }, order)
const [id, email, phone] = customer.typeAttributes

function after(text: MarkedText, next: MarkedText, base?: MarkedText): string {
  const changes = textChanges(text, next, base)
  return changes
    .toReversed()
    .reduce((all, { from, to, insert }) => all.slice(0, from) + insert + all.slice(to), text.text)
}

describe('changes of the shown text', () => {
  it('are only those stretches that the model changed', () => {
    const renamed = changed({
      name: 'Client',
      typeAttributes: [id!, { ...email!, name: 'mail', maxLength: 80 }, phone!],
    })
    const at = (text: string) => ({ from: shown.text.indexOf(text), to: shown.text.indexOf(text) + text.length })
    const type = shown.text.indexOf('string')
    expect(textChanges(shown, renamed)).toEqual([
      { ...at('Customer'), insert: 'Client' },
      { ...at('email'), insert: 'mail' },
      { from: type, to: type + 'string [not null]'.length, insert: 'string(80) [not null]' },
      { ...at('integer [ref: > Customer.id]'), insert: 'integer [ref: > Client.id]' },
    ])
    expect(textChanges(shown, shown)).toEqual([])
  })

  it.each<[string, MarkedText]>([
    ['an added attribute', changed({ typeAttributes: aList(id!, aTypeAttribute({ name: 'name' }), email!, phone!) })],
    ['a removed attribute', changed({ typeAttributes: [id!, phone!] })],
    ['another order', changed({ typeAttributes: aList(phone!, id!, email!) })],
    ['a description', changed({ description: 'Who buys.' })],
    ['a parent', changed({ extendsEntity: { id: order.id, name: 'Order', path: order.path } })],
    ['a removed entity', textOf(order)],
    ['an added entity', textOf(customer, anEntity({ name: 'Item' }), order)],
  ])('lead to the text of the model after %s, and back', (_what, next) => {
    const plain = (text: string) => text.replaceAll(/\n+/g, '\n').trim()
    expect(plain(after(shown, next))).toBe(plain(next.text))
    expect(plain(after(next, shown))).toBe(plain(shown.text))
  })

  it('leave comments, spelling and the order of tables as the user has them', () => {
    const [first, second] = shown.text.split('\n\n')
    const own = `${second}\n// Who buys\n${first}`.replace('email string [not null]', 'email  text [not null] // work')
    const marks = textChanges({ text: own, marks: marksIn(own) }, shown)
    expect(marks).toEqual([])
    const next = changed({ typeAttributes: [id!, email!, { ...phone!, name: 'mobile' }] })
    expect(after({ text: own, marks: marksIn(own) }, next)).toBe(own.replace('phone', 'mobile'))
  })

  it('with the text before leave what the user changed since, and what is only in the text', () => {
    const own = edited(shown, [
      ['email string', 'mail string(20)'],
      ['  phone string [not null]\n', '  fax string\n'],
      ['Table Order', 'Table Item {\n  id integer\n}\n\nTable Order'],
    ])
    const next = changed({ description: 'Who buys.' })
    const expected = own.text.replace('Customer {', "Customer {\n  Note: 'Who buys.'\n")
    expect(after(own, next, shown)).toBe(expected)
  })

  it('move a line that the model moved to another entity', () => {
    const moved = textOf(
      { ...customer, typeAttributes: [id!, email!] },
      { ...order, typeAttributes: [...order.typeAttributes, { ...phone!, position: 2 }] },
    )
    expect(after(shown, moved, shown)).toBe(moved.text)
  })

  it('write what blocks apart say of columns in their lines, once something changes', () => {
    const text = `${shown.text.replace(' [ref: > Customer.id]', '')}\nRef: Order.customerId > Customer.id\n`
    const own = { text, marks: marksIn(text) }
    expect(textChanges(own, shown)).toEqual([])
    const next = textOf(customer, { ...order, name: 'Purchase' })
    expect(after(own, next).trim()).toBe(next.text.trim())
    const typing = edited(own, [['email string', 'mail string(20)']])
    const kept = next.text.replace('email string', 'mail string(20)').trim()
    expect(after(typing, next, shown).trim()).toBe(kept)
    const [key] = order.entityAttributes
    const plain = aTypeAttribute({
      name: 'customerId',
      uid: key!.uid,
      dataType: 'integer',
      nullable: true,
      position: 1,
    })
    const unrelated = textOf(customer, {
      ...order,
      typeAttributes: [...order.typeAttributes, plain],
      entityAttributes: [],
    })
    expect(after(own, unrelated).trim()).toBe(unrelated.text.trim())
  })

  it('are none while the text has faults', () => {
    const broken = edited(shown, [['email string', 'email string(']])
    expect(textChanges(broken, changed({ name: 'Client' }))).toEqual([])
  })
})

/** Marks of the names of `shown` in another text, in which each has the same order within its table. */
function marksIn(text: string): MarkedText['marks'] {
  return shown.marks.map(mark => {
    const name = shown.text.slice(mark.from, mark.to)
    const owner = mark.kind === 'entity' ? 0 : text.indexOf(`Table ${ownerOf(mark)} {`)
    const from = mark.kind === 'entity' ? text.indexOf(`Table ${name} {`) + 6 : text.indexOf(`  ${name} `, owner) + 2
    return { ...mark, from, to: from + name.length }
  })
}

function ownerOf(mark: MarkedText['marks'][number]): string {
  const owner = shown.marks.findLast(one => one.kind === 'entity' && one.from < mark.from)
  return owner ? shown.text.slice(owner.from, owner.to) : ''
}
