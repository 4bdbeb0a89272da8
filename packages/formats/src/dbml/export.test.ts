import type { ResolvedModel } from '@cadmus/model/resolved-model'
import {
  aCheck,
  aKey,
  aList,
  anEntity,
  aRelationship,
  aResolvedModel,
  aTypeAttribute,
} from '@cadmus/model/testing/builders'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import { expressionOf } from '@cadmus/model/values/computed'
import { literalText } from '@cadmus/model/values/literal'
import { shortLiteral } from '@cadmus/sql/dialect'
import { tablesOf } from '@cadmus/sql/tables'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { exportableModels } from '../testing/exportable-model.ts'
import { dbmlWriter } from './export.ts'

// Not imported: to follow imports the linter would read its file of 21 MB, which takes 6 GB and 40 seconds.
// oxlint-disable-next-line typescript/consistent-type-imports
const { exporter, Parser }: typeof import('@dbml/core') = createRequire(import.meta.url)('@dbml/core')

const options = { applyAutoIncrement: true }

function written(model: ResolvedModel): string {
  return [...dbmlWriter.write({ resolvedModel: model }, options).files.values()].join('')
}

/** The tables as read by the official parser. */
function parsed(model: ResolvedModel) {
  const [schema] = new Parser().parse(written(model), 'dbmlv2').schemas
  return { tables: schema?.tables ?? [], enums: schema?.enums ?? [], refs: schema?.refs ?? [] }
}

it('a manifest in DBML has tables with types, keys, defaults and notes, enums for choices, and references', () => {
  const customer = anEntity({ name: 'Customer', description: "It's\nwho buys." })
  const order = anEntity({
    name: 'Order',
    typeAttributes: aList(
      aKey(),
      aTypeAttribute({ name: 'state', choices: ['open', 'paid'], defaultValue: 'open', description: 'Now.' }),
      aTypeAttribute({ name: 'price', dataType: 'double', precision: 12, scale: 2, nullable: true }),
      aTypeAttribute({ name: 'code', maxLength: 20, unique: true }),
      aTypeAttribute({ name: 'sent', dataType: 'dateTime', format: 'instant', defaultValue: '2026-01-31T13:45+01:00' }),
    ),
    entityAttributes: [
      aRelationship(customer, { position: 9, foreignKeyTypeAttribute: 'customerId', onDelete: 'cascade' }),
    ],
  })
  expect(written(aResolvedModel([customer, order]))).toBe(`Project "Shop" {
}

Table "Customer" {
  "id" bigint [pk, increment, not null]

  Note: 'It\\'s\\nwho buys.'
}

Enum "Order_state" {
  "open"
  "paid"
}

Table "Order" {
  "id" bigint [pk, increment, not null]
  "state" "Order_state" [not null, default: 'open', note: 'Now.']
  "price" decimal(12,2)
  "code" varchar(20) [not null, unique]
  "sent" timestamptz [not null, default: '2026-01-31T12:45:00Z']
  "customerId" bigint

  indexes {
    ("customerId") [name: 'ix_Order_customerId']
  }
}

Ref: "Order"."customerId" > "Customer"."id" [delete: cascade]

`)
})

function defaultsOf(tables: ReturnType<typeof parsed>['tables']): string[] {
  return tables.flatMap(({ fields }) => fields.flatMap(({ dbdefault }) => (dbdefault ? String(dbdefault.value) : [])))
}

it('the official parser reads the DBML of odd and generated models with all tables, columns, keys and references', () => {
  const models = [...Object.values(hardModels).map(make => make()), ...exportableModels(20, 1, { checks: true })]
  for (const model of models) {
    const { schema } = tablesOf(model, options)
    const { tables, enums, refs } = parsed(model)
    expect(tables.map(({ name, fields }) => [name, fields.map(field => field.name)])).toEqual(
      schema.tables.map(({ name, columns }) => [name, columns.map(column => column.name)]),
    )
    expect(tables.map(({ note }) => note ?? '')).toEqual(schema.tables.map(({ comment }) => comment))
    expect(tables.map(({ fields }) => fields.map(read => [read.note ?? '', read.not_null ?? false]))).toEqual(
      schema.tables.map(({ columns }) => columns.map(({ comment, nullable }) => [comment, !nullable])),
    )
    expect(defaultsOf(tables)).toEqual(
      schema.tables
        .flatMap(({ columns }) =>
          columns.flatMap(column => (column.default === null ? [] : [{ one: column.default, type: column.type }])),
        )
        .map(({ one, type }) => (one.kind === 'computed' ? expressionOf(one) : literalText(shortLiteral(one, type)))),
    )
    expect(tables.map(({ fields, indexes }) => fields.some(({ pk }) => pk) || indexes.some(({ pk }) => pk))).toEqual(
      schema.tables.map(({ primaryKey }) => primaryKey !== null),
    )
    const lost = (what: string) => written(model).split(what).length - 1
    const references = schema.tables.flatMap(({ foreignKeys }) => foreignKeys)
    expect(refs.length + lost('its reference, because')).toBe(references.length)
    expect(tables.map(({ checks }) => checks.map(({ name }) => name))).toEqual(
      schema.tables.map(({ conditions = [] }) =>
        conditions.filter(({ text }) => !text.includes('`')).map(({ name }) => name),
      ),
    )
    const checks = schema.tables.flatMap(table => table.checks)
    expect(enums.length + lost('its choices, because')).toBe(checks.length)
  }
})

it('a check is written with its message and name; one that the language cannot have is named in a note', () => {
  const order = anEntity({
    name: 'Order',
    typeAttributes: aList(
      aKey(),
      aTypeAttribute({ name: 'state' }),
      aTypeAttribute({ name: 'price', dataType: 'integer' }),
    ),
    checks: [
      aCheck('price >= 0', { name: 'ck_price', message: "It's not negative." }),
      aCheck("state <> ''"),
      aCheck("state <> '`'", { name: 'ck_quote' }),
    ],
  })
  const text = written(aResolvedModel([order]))
  expect(text).toContain(`  checks {
    \`price >= 0 /* It's not negative. */\` [name: 'ck_price']
    \`state <> ''\` [name: 'ck_Order_state']
  }`)
  expect(text).toContain("Not written of 'Order': its check 'ck_quote'")
  const [table] = parsed(aResolvedModel([order])).tables
  expect(table?.checks.map(({ name, expression }) => [name, expression])).toEqual([
    ['ck_price', "price >= 0 /* It's not negative. */"],
    ['ck_Order_state', "state <> ''"],
  ])
  expect(exporter.export(text, 'postgres')).toContain("CHECK (price >= 0 /* It's not negative. */)")
})

it('a one-to-one reference keeps its foreign key where the model has it', () => {
  const person = anEntity({ name: 'Person' })
  const link = (name: string, change: Parameters<typeof aRelationship>[1]) =>
    anEntity({ name, typeAttributes: [], entityAttributes: [aRelationship(person, { position: 9, ...change })] })
  const passport = link('Passport', { foreignKeyTypeAttribute: 'holderId', foreignKeyPurpose: 'identifiedBy' })
  const account = link('Account', { foreignKeyTypeAttribute: 'ownerId', unique: true, onDelete: 'cascade' })
  const text = written(aResolvedModel([person, passport, account]))
  expect(text).toContain('Ref: "Person"."id" - "Passport"."holderId" [delete: restrict]')
  expect(text).toContain('Ref: "Person"."id" - "Account"."ownerId" [delete: cascade]')
  const sql = exporter.export(text, 'postgres')
  expect(sql).toContain('ALTER TABLE "Passport" ADD FOREIGN KEY ("holderId") REFERENCES "Person" ("id")')
  expect(sql).toContain('ALTER TABLE "Account" ADD FOREIGN KEY ("ownerId") REFERENCES "Person" ("id")')
})

it('an enum has a name that no table has, and is the type of the columns that refer to its column', () => {
  const order = anEntity({
    name: 'Order',
    typeAttributes: aList(aKey(), aTypeAttribute({ name: 'state', choices: ['open', 'paid'], unique: true })),
  })
  const state = anEntity({
    name: 'Order_State',
    entityAttributes: [
      aRelationship(order, {
        position: 9,
        associatedEntityTypeAttribute: 'state',
        foreignKeyTypeAttribute: 'state',
        foreignKeyDataType: 'string',
      }),
    ],
  })
  const { tables, enums } = parsed(aResolvedModel([order, state]))
  expect(enums.map(({ name }) => name)).toEqual(['Order_state_2'])
  const types = tables.map(({ fields }) => fields.map(({ type }) => type.type_name))
  expect(types).toEqual([
    ['bigint', 'Order_state_2'],
    ['bigint', 'Order_state_2'],
  ])
})

it('an enumeration is one enum under its name, with labels as notes, of all columns that have it', () => {
  const values = ['open', 'paid'].map((value, at) => ({ uid: value, value, label: at === 0 ? "It's open" : '' }))
  const enumeration = { uid: 'e', name: 'OrderState', description: '', values }
  const chosen = { enumeration: { uid: 'e', name: 'OrderState' }, choices: ['open', 'paid'] }
  const entity = (name: string) =>
    anEntity({ name, typeAttributes: aList(aKey(), aTypeAttribute({ name: 'state', ...chosen })) })
  const model = aResolvedModel([entity('Order'), entity('Invoice'), entity('OrderState')])
  const withEnumerations = {
    ...model,
    manifests: model.manifests.map(one => ({ ...one, enumerations: [enumeration] })),
  }
  const { tables, enums } = parsed(withEnumerations)
  expect(enums.map(one => [one.name, one.values.map(({ name, note }) => [name, note ?? ''])])).toEqual([
    [
      'OrderState_2',
      [
        ['open', "It's open"],
        ['paid', ''],
      ],
    ],
  ])
  expect(tables.map(({ fields }) => fields.map(({ type }) => type.type_name)[1])).toEqual(Array(3).fill('OrderState_2'))
})

const odd = ["it's", 'a"b', "'''", 'back\\', '\\"', 'a\r\nb', '`x`', '} Table x {', '//', 'x\u2028y', 'a.[b]', '日😀']

it.each([...odd, 'null', 'Table', 'indexes', 'Note'])('%j as name, text and choice is read back unchanged', text => {
  const entity = anEntity({
    name: text,
    description: text,
    typeAttributes: aList(
      aKey({ name: text, description: text }),
      aTypeAttribute({ name: `${text}2`, choices: [text, 'x'], defaultValue: text }),
    ),
  })
  const model = aResolvedModel([entity])
  const { tables, enums } = parsed(model)
  const read = tables.map(({ name, note, fields }) => [
    [name, note ?? ''],
    ...fields.map(field => [field.name, field.note ?? '', field.dbdefault?.value ?? null]),
  ])
  const { schema } = tablesOf(model, options)
  expect(read).toEqual(
    schema.tables.map(({ name, comment, columns }) => [
      [name, comment],
      ...columns.map(column => [column.name, column.comment, column.default?.value ?? null]),
    ]),
  )
  expect(enums.map(({ values }) => values.map(({ name }) => name))).toEqual([[text, 'x']])
})
