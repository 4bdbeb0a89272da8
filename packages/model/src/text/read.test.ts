import { describe, expect, it } from 'vitest'
import { columnName, columnsInOrder } from '../columns.ts'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import type { EntityContent, EntityNode } from '../entity.ts'
import { onDeleteActions } from '../data-types.ts'
import { messages } from '../messages.ts'
import { textTexts } from '../messages/text.ts'
import { aKey, aList, anEntity, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import { linksTo } from './created-links.ts'
import type { Answers, MarkedText, TextModel, TextReading } from './marked-text.ts'
import { printModel } from './print.ts'
import { readModel } from './testing/at-once.ts'
import { edited } from './testing/edited-text.ts'

const customer = anEntity({
  name: 'Customer',
  description: "It's\nwho buys.",
  typeAttributes: aList(
    aKey(),
    aTypeAttribute({ name: 'email', maxLength: 80, unique: true }),
    aTypeAttribute({ name: 'born', dataType: 'dateTime', format: 'date', nullable: true }),
  ),
})
const order = anEntity({
  name: 'Order',
  typeAttributes: aList(
    aKey(),
    aTypeAttribute({
      name: 'state',
      choices: ['open', 'paid'],
      defaultValue: 'open',
      description: 'Now.',
      indexed: true,
    }),
    aTypeAttribute({ name: 'price', dataType: 'double', precision: 12, scale: 2, nullable: true, defaultValue: '1.5' }),
  ),
  entityAttributes: [aRelationship(customer, { position: 9, onDelete: 'cascade', nullable: false })],
})

function modelOf(entities: readonly EntityNode[], change: Partial<TextModel['entities'][number]> = {}): TextModel {
  return {
    project: { name: 'Shop', description: '' },
    entities: entities.map(({ id, path, ...content }) => ({
      id,
      path,
      content,
      isEditable: true,
      primaryKey: 'id',
      ...change,
    })),
    others: [],
  }
}
const model = modelOf([customer, order])
const shown = printModel(model)
const uidOf = (entity: EntityContent, name: string) =>
  columnsInOrder(entity).find(column => columnName(column) === name)?.uid ?? ''

/** The reading of the text after replacements, in which marks move with the text. */
function readAfter(changes: readonly (readonly [string, string])[], answers?: Answers): TextReading {
  return readModel(edited(shown, changes), model, answers)
}

/** The reading of a text without marks, as a pasted one. */
function readPasted(text: string, of: TextModel = model): TextReading {
  return readModel({ text, marks: [] }, of)
}

function after(reading: TextReading, { id, ...content }: EntityNode): EntityContent {
  return applyEntityEdits(content, reading.edits.get(id) ?? [])
}

function problemsOf(reading: TextReading, { text }: MarkedText): string[] {
  return reading.problems.map(({ from, to, message }) => `${text.slice(from, to)}: ${message}`)
}

it('the text of a model has a line for each attribute and relationship, with all that it shows of them', () => {
  expect(shown.text).toBe(`Project Shop {
}

Table Customer {
  Note: 'It\\'s\\nwho buys.'

  id integer [pk]
  email string(80) [not null, unique]
  born date
}

Table Order {
  id integer [pk]
  state string('open', 'paid') [not null, indexed: 'yes', default: 'open', note: 'Now.']
  price double(12, 2) [default: 1.5]
  customerId integer [not null, ref: > Customer.id, delete: 'cascade']
}
`)
  const named = shown.marks.map(({ from, to, kind }) => `${kind} ${shown.text.slice(from, to)}`)
  expect(named.slice(0, 3)).toEqual(['entity Customer', 'attribute id', 'attribute email'])
  expect(named.at(-1)).toBe('relationship customerId')
})

describe('reading a text', () => {
  it('as it is shown is no edit and keeps its marks', () => {
    const { problems, doubts, edits, added, missing, marks } = readModel(shown, model)
    expect({ problems, doubts, added, missing }).toEqual({ problems: [], doubts: [], added: [], missing: [] })
    expect(edits.size).toBe(0)
    expect(marks).toEqual(shown.marks)
  })

  it('renames by marks, and references by the former name stay', () => {
    const reading = readAfter([
      ['Table Customer', 'Table Client'],
      ['email string', 'mail string'],
    ])
    expect(reading.problems).toEqual([])
    expect([...reading.edits]).toEqual([
      [
        customer.id,
        [
          { kind: 'changeEntity', change: { name: 'Client' } },
          { kind: 'changeAttributes', changes: [{ uid: uidOf(customer, 'email'), change: { name: 'mail' } }] },
        ],
      ],
    ])
  })

  it('changes only what a line shows otherwise than before', () => {
    const reading = readAfter([
      ['email string(80) [not null, unique]', "email text [default: 'x']"],
      ["delete: 'cascade'", "delete: 'setNull', note: 'Who pays.'"],
    ])
    expect(after(reading, customer).typeAttributes[1]).toEqual({
      ...customer.typeAttributes[1],
      maxLength: null,
      nullable: true,
      unique: false,
      defaultValue: 'x',
    })
    expect(after(reading, order).entityAttributes).toEqual([
      { ...order.entityAttributes[0], onDelete: 'setNull', description: 'Who pays.' },
    ])
  })

  it('a deleted line removes its attribute, and a new one adds one at its place', () => {
    const reading = readAfter([
      ['  email string(80) [not null, unique]\n', ''],
      ['  price', '  total decimal(10,2) [not null]\n  price'],
    ])
    expect([...(reading.edits.get(customer.id) ?? [])]).toEqual([
      { kind: 'removeAttributes', uids: [uidOf(customer, 'email')] },
    ])
    const names = columnsInOrder(after(reading, order)).map(columnName)
    expect(names).toEqual(['id', 'state', 'total', 'price', 'customerId'])
    expect(after(reading, order).typeAttributes.find(({ name }) => name === 'total')).toMatchObject({
      dataType: 'double',
      precision: 10,
      scale: 2,
      nullable: false,
    })
  })

  it('an attribute becomes a relationship and the reverse, with the same identity', () => {
    const reading = readAfter([
      ['born date', 'born integer [ref: > Order.id]'],
      [", ref: > Customer.id, delete: 'cascade'", ''],
    ])
    expect(reading.problems).toEqual([])
    const { entityAttributes } = after(reading, customer)
    expect(entityAttributes).toMatchObject([{ uid: uidOf(customer, 'born'), foreignKeyTypeAttribute: 'born' }])
    expect(entityAttributes[0]?.associatedEntity).toEqual({ id: order.id, name: 'Order', path: order.path })
    expect(entityAttributes[0]?.associatedEntityTypeAttributeUid).toBe(uidOf(order, 'id'))
    const key = after(reading, order).typeAttributes.find(({ name }) => name === 'customerId')
    expect(key).toMatchObject({ uid: uidOf(order, 'customerId'), dataType: 'integer', nullable: false })
  })

  it('a line that moved to another table with its mark keeps its identity there', () => {
    const line = '  price double(12, 2) [default: 1.5]\n'
    const reading = readModel(
      edited(
        shown,
        [
          ['  born', line + '  born'],
          [
            `not null, indexed: 'yes', default: 'open', note: 'Now.']\n${line}`,
            `not null, indexed: 'yes', default: 'open', note: 'Now.']\n`,
          ],
        ],
        ['price'],
      ),
      model,
    )
    expect(reading.edits.get(order.id)).toEqual([{ kind: 'removeAttributes', uids: [uidOf(order, 'price')] }])
    const moved = after(reading, customer).typeAttributes.find(({ name }) => name === 'price')
    expect(moved).toEqual({ ...order.typeAttributes[2], position: 2 })
  })

  it('a table that is gone is reported and not deleted, and a new one is added with its relationships', () => {
    const text = shown.text
      .replace(/Table Customer \{[^}]*\}/, 'Table Person {\n  code string(9) [pk]\n  boss string [ref: > Orders.id]\n}')
      .replace(/ \[not null, ref: > Customer.id.*/, ' [ref: > Person.code]')
      .replace('Table Order ', 'Table Orders ')
      .replace('customerId integer', 'customerId string')
    const reading = readModel(
      {
        text,
        marks: shown.marks
          .filter(({ uid }) => uid === order.uid)
          .map(mark => ({ ...mark, from: text.indexOf('Orders {'), to: text.indexOf('Orders {') + 6 })),
      },
      model,
    )
    expect(reading.problems).toEqual([])
    expect(reading.missing.map(({ id }) => id)).toEqual([customer.id])
    const [person] = reading.added
    expect(person?.entityAttributes[0]?.associatedEntity.id).toBe(order.id)
    const created = new Map([[person?.uid ?? '', { id: 77, name: 'Person', path: 'user-defined/Shop/Person' }]])
    const links = linksTo(reading.links.get(order.id) ?? [], created)
    const linked = applyEntityEdits(after(reading, order), links)
    expect(linked.entityAttributes.at(-1)).toMatchObject({
      uid: uidOf(order, 'customerId'),
      associatedEntity: { id: 77, name: 'Person', path: 'user-defined/Shop/Person' },
      associatedEntityTypeAttribute: 'code',
      associatedEntityTypeAttributeUid: person?.typeAttributes[0]?.uid,
      foreignKeyDataType: 'string',
    })
  })
})

describe('names with unusual marks', () => {
  it('of a line that was copied with its mark, the one with the name keeps the identity', () => {
    const copied = edited(shown, [['  email', '  mail string(80) [not null, unique]\n  email']])
    const mark = copied.marks.find(({ uid }) => uid === uidOf(customer, 'email'))!
    const from = copied.text.indexOf('mail')
    const marks = [...copied.marks, { ...mark, from, to: from + 4 }]
    const reading = readModel({ text: copied.text, marks }, model)
    const [, mail, email] = columnsInOrder(after(reading, customer))
    expect([mail && columnName(mail), email]).toEqual(['mail', { ...customer.typeAttributes[1], position: 2 }])
    expect(mail?.uid).not.toBe(email?.uid)
  })

  it('of a line that was copied to another table and renamed, the one in its own table keeps the identity', () => {
    const copied = edited(shown, [
      ['email string', 'mail string'],
      ['  price', '  email string(80)\n  price'],
    ])
    const from = copied.text.indexOf('email string')
    const mark = { from, to: from + 5, kind: 'attribute' as const, uid: uidOf(customer, 'email') }
    const reading = readModel({ text: copied.text, marks: [mark, ...copied.marks] }, model)
    expect(after(reading, customer).typeAttributes[1]).toEqual({ ...customer.typeAttributes[1], name: 'mail' })
    expect(uidOf(after(reading, order), 'email')).not.toBe(uidOf(customer, 'email'))
  })

  it.each(['', ' after its removal was read'])(
    'of a line that moved to a new table%s, the attribute is a new one',
    when => {
      const line = 'price double(12, 2) [default: 1.5]'
      const place = ['Table Order', `Table Cost {\n  ${line}\n}\n\nTable Order`] as const
      const price = order.typeAttributes.find(({ name }) => name === 'price')
      const lacking = { ...order, typeAttributes: order.typeAttributes.filter(one => one !== price) }
      const removed = new Map(price ? [[price.uid, price]] : [])
      const now = when === '' ? model : { ...modelOf([customer, lacking]), removed }
      const reading = readModel(edited(shown, [[`  ${line}\n`, ''], place], ['price']), now)
      const edits = when === '' ? [{ kind: 'removeAttributes', uids: [price?.uid] }] : undefined
      expect(reading.edits.get(order.id)).toEqual(edits)
      const moved = reading.added[0]?.typeAttributes.find(({ name }) => name === 'price')
      expect(moved).toMatchObject({ precision: 12, scale: 2, defaultValue: '1.5' })
      expect(moved?.uid).not.toBe(price?.uid)
      const uids = reading.marks.map(({ uid }) => uid).filter(uid => uid === price?.uid || uid === moved?.uid)
      expect(uids).toEqual([moved?.uid])
    },
  )

  it('an empty mark at a name counts, and that of a new line is kept from reading to reading', () => {
    const from = shown.text.indexOf('email')
    const text = `${shown.text.slice(0, from)}mail${shown.text.slice(from + 5)}`.replace('born', 'nick string\n  born')
    const marks = [{ from, to: from, kind: 'attribute' as const, uid: uidOf(customer, 'email') }]
    const reading = readModel({ text, marks }, model)
    expect(columnsInOrder(after(reading, customer))[1]).toEqual({ ...customer.typeAttributes[1], name: 'mail' })
    expect(readModel({ text, marks: reading.marks }, model).marks).toEqual(reading.marks)
  })
})

describe('a text without marks', () => {
  it('is matched by names', () => {
    const { problems, doubts, edits, added } = readPasted(shown.text)
    expect([problems, doubts, edits.size, added]).toEqual([[], [], 0, []])
  })

  it('a line of the same type between the same neighbours is a rename', () => {
    const reading = readPasted(
      shown.text.replace('email string', 'mail string').replace('Table Order', 'Table Purchase'),
    )
    expect(reading.doubts).toEqual([])
    expect(after(reading, customer).typeAttributes[1]).toEqual({ ...customer.typeAttributes[1], name: 'mail' })
    expect(after(reading, order)).toMatchObject({ uid: order.uid, name: 'Purchase' })
  })

  it('asks which attribute a line is if there are several, and takes the answer', () => {
    const names = anEntity({
      name: 'Person',
      typeAttributes: aList(aKey(), aTypeAttribute({ name: 'first' }), aTypeAttribute({ name: 'last' })),
    })
    const people = modelOf([names])
    const text = printModel(people).text.replace('first', 'given').replace('  last string [not null]\n', '')
    const { doubts } = readPasted(text, people)
    const candidates = ['first', 'last'].map(name => ({ uid: uidOf(names, name), name }))
    const from = text.indexOf('given')
    expect(doubts).toEqual([{ from, to: from + 5, name: 'given', candidates }])
    const answered = (uid: string | null) => readModel({ text, marks: [] }, people, new Map([[from, uid]]))
    const chosen = answered(uidOf(names, 'last'))
    expect(chosen.doubts).toEqual([])
    expect(after(chosen, names).typeAttributes[1]?.uid).toBe(uidOf(names, 'last'))
    expect(after(answered(null), names).typeAttributes.map(({ name }) => name)).toEqual(['id', 'given'])
  })

  it('in the words of other tools is read: enums, references apart, indexes, types of databases', () => {
    const text = `
      // Shop
      Enum "state" { open  [note: 'now']
        "in work" }
      Table users as U [headercolor: #fff] {
        user_id bigint [primary key, increment]
        email varchar(80) [unique, not null, note: '''
          Who
            it is
        ''']
        is_new "boolean" [default: true]
        points int [default: \`1\`, check: \`points > 0\`]
        created_at timestamp [default: \`now()\`]
        indexes { (email, is_new) [name: 'both']
          is_new [name: 'one'] }
      }
      Table public.posts {
        post_id int [pk] /* key */
        state state [default: 'open']
        owner_id bigint
        Note { 'Texts' }
      }
      Ref owner: posts.owner_id > U.user_id [delete: set null, update: cascade]
      TableGroup all { users
        posts }`
    const reading = readPasted(text, { project: { name: 'Shop', description: '' }, entities: [], others: [] })
    expect(reading.problems).toEqual([])
    const [users, posts] = reading.added
    expect(users?.typeAttributes).toMatchObject([
      { name: 'user_id', dataType: 'integer', purpose: 'identifiedBy', nullable: false },
      { name: 'email', maxLength: 80, unique: true, nullable: false, description: 'Who\n  it is' },
      { name: 'is_new', dataType: 'boolean', defaultValue: 'true', indexed: true },
      { name: 'points', defaultValue: '1' },
      { name: 'created_at', dataType: 'dateTime', defaultValue: null, defaultKind: 'now' },
    ])
    expect(posts).toMatchObject({ name: 'posts', description: 'Texts' })
    expect(posts?.typeAttributes[1]).toMatchObject({ choices: ['open', 'in work'], defaultValue: 'open' })
    expect(posts?.entityAttributes).toMatchObject([
      { onDelete: 'setNull', associatedEntity: { id: -1, uid: users?.uid, name: 'users' }, position: 2 },
    ])
  })
})

describe('a broken text', () => {
  it('is reported line by line, and changes nothing', () => {
    const text = `Tabel Customer {
  id integer
}
Table Order {
  id integer [pk
  state string(40
  price
  total integer [note: 'x]
  "a integer
  other integer }
Ref: Order.id >
`
    const reading = readPasted(text)
    expect(problemsOf(reading, { text, marks: [] })).toEqual([
      `Tabel: ${textTexts.unknownBlock('Tabel')}`,
      `[: ${textTexts.openBracket}`,
      `(: ${textTexts.openList}`,
      `price: ${textTexts.noType('price')}`,
      `'x]: ${textTexts.openQuote("'")}`,
      `"a integer: ${textTexts.openQuote('"')}`,
      `\n: ${textTexts.noReference}`,
    ])
    expect([reading.edits.size, reading.added.length, reading.missing.length]).toEqual([0, 0, 0])
  })

  it.each([
    ['email string(80)', 'email strnig(80)', 'strnig(80)', '"strnig" is not a known data type.'],
    ['email string', 'id string', 'id', messages.attributeExists('id')],
    ['email string', 'e string', 'e', messages.nameLength(2, 50)],
    ['string(80)', 'string(0)', 'string(0)', messages.numberRange(1, 2_147_483_647)],
    ['born date', 'born integer(12, 2)', 'integer(12, 2)', messages.scaleType],
    ['[not null, unique]', '[pk]', 'pk', messages.oneKey],
    ['[not null, unique]', '[uniqe]', 'uniqe', textTexts.unknownSetting('uniqe')],
    ['[not null, unique]', '[unique, unique]', 'unique', textTexts.repeatedSetting('unique')],
    ['Customer.id', 'Custmer.id', 'ref: > Custmer.id', textTexts.unknownTarget('Custmer')],
    ['Customer.id', 'Customer.di', 'ref: > Customer.di', textTexts.unknownTargetAttribute('Customer', 'di')],
    ['Customer.id', 'Order.id', 'ref: > Order.id', messages.sameEntityAssociated],
    ["'cascade'", "'cascde'", "delete: 'cascde'", textTexts.unknownAction('delete', onDeleteActions)],
    ['customerId integer', 'customerId object', 'object', 'A foreign key is no object.'],
    ['Table Order', 'Table Customer', 'Customer', messages.entityExists('Customer')],
    ['Project Shop', 'Project Store', 'Project Store {\n}', textTexts.project],
    ['born date', "born date [default: 'soon']", "default: 'soon'", 'this must be a date such as 2026-01-31.'],
  ])('%j instead of %j is a problem at its place', (before, now, place, message) => {
    const text = edited(shown, [[before, now]])
    expect(problemsOf(readModel(text, model), text)).toEqual([`${place}: ${message}`])
  })

  it('a table that is being typed does not spoil those below', () => {
    const text = "Table Item\n\nTable Person {\n  id integer\n\nTable Member [extends: 'Person'] {\n  code\n}\nTable"
    expect(problemsOf(readPasted(text), { text, marks: [] })).toEqual([
      `Item: ${textTexts.noBlock}`,
      `Person: ${textTexts.openBlock('Person')}`,
      `code: ${textTexts.noType('code')}`,
      `: ${textTexts.noName}`,
    ])
  })

  it('a removed attribute that a relationship refers to is a problem of the relationship', () => {
    const text = edited(shown, [['  id integer [pk]\n  email', '  email']])
    expect(problemsOf(readModel(text, model), text)).toEqual([
      `ref: > Customer.id: ${textTexts.removedTarget('Customer', 'id')}`,
    ])
  })

  it('a second key beside an inherited one is a problem, and so is another parent', () => {
    const { id, name, path } = customer
    const typeAttributes = aList(aTypeAttribute({ name: 'code' }))
    const member = anEntity({ name: 'Member', extendsEntity: { id, name, path }, typeAttributes })
    const family = modelOf([customer, member])
    const printed = printModel(family)
    expect(printed.text).toContain("Table Member [extends: 'Customer'] {\n  code string [not null]\n}")
    const keyed = edited(printed, [['code string [not null]', 'code string [pk]']])
    const reason = { entity: 'Member', own: 'code', parent: 'Customer', inherited: 'id' }
    expect(problemsOf(readModel(keyed, family), keyed)).toEqual([`pk: ${messages.twoKeys(reason)}`])
    const moved = edited(printed, [["extends: 'Customer'", "extends: 'Member'"]])
    expect(problemsOf(readModel(moved, family), moved)).toEqual([`extends: 'Member': ${textTexts.parent}`])
    const renamed = edited(printed, [
      ['Table Customer', 'Table Client'],
      ["extends: 'Customer'", "extends: 'Client'"],
    ])
    expect(readModel(renamed, family).problems).toEqual([])
  })

  it('a change of a locked entity is a problem, and that of another one is not', () => {
    const locked = modelOf([customer, order], { isEditable: false })
    const text = edited(shown, [['email string', 'mail string']])
    const expected = [`Customer: ${textTexts.notEditable('Customer')}`]
    expect(problemsOf(readModel(text, locked), text)).toEqual(expected)
    expect(readModel(shown, locked).problems).toEqual([])
  })
})

it('names of object prototypes are settings that nobody knows', () => {
  for (const word of ['constructor', '__proto__']) {
    const text = { text: `Table Ward {\n  id integer [pk, ${word}]\n}`, marks: [] }
    expect(problemsOf(readModel(text, modelOf([])), text)).toEqual([`${word}: ${textTexts.unknownSetting(word)}`])
  }
})

it('lines in doubt have the candidates that no answer took', () => {
  const person = anEntity({
    name: 'Person',
    typeAttributes: aList(aKey(), ...['aa', 'bb', 'cc'].map(name => aTypeAttribute({ name }))),
  })
  const people = modelOf([person])
  const text = printModel(people).text.replace('aa', 'xx').replace('bb', 'yy').replace('cc', 'zz')
  const { doubts } = readModel({ text, marks: [] }, people, new Map([[text.indexOf('yy'), uidOf(person, 'aa')]]))
  expect(doubts.map(({ name, candidates }) => [name, candidates.map(one => one.name)])).toEqual([
    ['xx', ['bb', 'cc']],
    ['zz', ['bb', 'cc']],
  ])
})

it('a removed line that comes back with its mark has what the text does not show', () => {
  const columns = columnsInOrder(order).filter(({ uid }) =>
    [uidOf(order, 'price'), uidOf(order, 'customerId')].includes(uid),
  )
  const [price, customerId] = columns.map(column =>
    'dataType' in column
      ? { ...column, purpose: 'namedBy' as const }
      : { ...column, foreignKeyPurpose: 'locatedAt' as const },
  )
  const lacking = { ...order, typeAttributes: order.typeAttributes.slice(0, 2), entityAttributes: [] }
  const removed = new Map([price, customerId].flatMap(column => (column ? [[column.uid, column]] : [])))
  const reading = readModel(shown, { ...modelOf([customer, lacking]), removed })
  expect(reading.problems).toEqual([])
  const withoutPlace = (column: object | undefined) => ({ ...column, position: 0 })
  const back = columnsInOrder(after(reading, lacking)).slice(2)
  expect(back.map(withoutPlace)).toEqual([price, customerId].map(withoutPlace))
})

it('lines in a block of records are not removed without a word', () => {
  const { problems } = readAfter([
    ["note: 'Now.']", "note: 'Now.']\n  records {"],
    ['default: 1.5]', 'default: 1.5]\n  }'],
  ])
  expect(problems.map(({ message }) => message)).toEqual([
    'price stands in a block that is not read. Take its line out of the block.',
  ])
})
