import { aKey, aList, aManifest, anEntity, aResolvedModel } from '@cadmus/model/testing/builders'
import type { DatabaseType } from '@cadmus/model/database-types'
import { resolveModel } from '@cadmus/model/resolved-model'
import type { SqlExport } from '@cadmus/model/sql-export'
import { describe, expect, it } from 'vitest'
import { databaseScript } from './script.ts'
import { attribute } from './testing/hard-names.ts'

const states = {
  uid: 'states',
  name: 'OrderState',
  description: '',
  values: [
    { uid: '1', value: 'new', label: 'New order' },
    { uid: '2', value: 'paid', label: '' },
  ],
}

/** Two attributes of one enumeration, one with choices of its own, and one whose choices are numbers. */
function shop(manifest = { enumerations: [states] }) {
  const enumeration = { uid: states.uid, name: states.name }
  const choices = ['new', 'paid']
  const order = anEntity({
    name: 'Order',
    typeAttributes: aList(
      aKey(),
      attribute('state', { choices, enumeration, maxLength: 20, defaultValue: 'new' }),
      attribute('formerState', { choices, enumeration, maxLength: 20, nullable: true }),
      attribute('size', { choices: ['S', 'M'], maxLength: 2 }),
      attribute('rank', { dataType: 'integer', choices: ['1', '2'] }),
    ),
  })
  const root = aManifest({ name: 'Shop', entities: [{ id: order.id, type: 'EXCLUSIVE' }], ...manifest })
  return resolveModel(root, { manifests: new Map([[root.id, root]]), entities: new Map([[order.id, order]]) })
}

function scriptOf(type: DatabaseType, sqlExport: Partial<SqlExport>) {
  return databaseScript(shop(), type, { applyAutoIncrement: true, sqlExport })
}

describe('Choices as types of the database', () => {
  it('are a type for each enumeration and each other column on PostgreSQL', () => {
    const { sql } = scriptOf('postgresql', { choices: 'native' })
    expect(sql.match(/^CREATE TYPE .*/gm)).toEqual([
      `CREATE TYPE "OrderState" AS ENUM ('new', 'paid');`,
      `CREATE TYPE "Order_size" AS ENUM ('S', 'M');`,
    ])
    expect(sql).toContain(`"state" "OrderState" DEFAULT 'new' NOT NULL`)
    expect(sql).toContain('"formerState" "OrderState",')
    expect(sql).toContain('"size" "Order_size" NOT NULL')
  })

  it('are in the column on MySQL', () => {
    expect(scriptOf('mysql', { choices: 'native' }).sql).toContain("`size` ENUM('S', 'M') NOT NULL")
  })

  it('are noted on MySQL, as a server that is not strict does not refuse other values', () => {
    const notes = scriptOf('mysql', { choices: 'native' }).notes.map(({ message }) => message)
    expect(notes.filter(message => message.includes('that is no choice'))).toHaveLength(1)
    const { notes: checked } = scriptOf('mysql', {})
    expect(checked.some(({ message }) => message.includes('that is no choice'))).toBe(false)
  })

  it('stay checks for other values, with a note for each column', () => {
    const { sql, notes } = scriptOf('postgresql', { choices: 'native' })
    expect(sql).toContain('CHECK ("rank" IN (1, 2))')
    expect(notes.map(({ message }) => message)).toEqual([
      "The choices of 'rank' are checked: only texts without a fixed length have such a type.",
    ])
  })

  it.each(['hsql', 'oracle', 'mssql'] as const)('stay checks with one note on %s', type => {
    const { notes, schema } = scriptOf(type, { choices: 'native' })
    expect(notes.filter(({ code }) => code === 'choicesChecked').map(({ message }) => message)).toEqual([
      'This database has no types of choices: they are checked.',
    ])
    expect(schema.tables[0]?.checks).toHaveLength(4)
  })
})

describe('Choices as tables', () => {
  it.each(['postgresql', 'mysql', 'hsql', 'oracle', 'mssql'] as const)(
    'have code, label and position, one table for each enumeration and each other column: %s',
    type => {
      const { schema, notes } = scriptOf(type, { choices: 'table' })
      expect(schema.tables.map(({ name }) => name)).toEqual(['OrderState', 'Order_size', 'Order_rank', 'Order'])
      expect(schema.tables[0]?.choices).toEqual([
        { value: { kind: 'text', value: 'new' }, label: 'New order' },
        { value: { kind: 'text', value: 'paid' }, label: 'paid' },
      ])
      const order = schema.tables[3]
      expect([
        order?.checks,
        order?.foreignKeys.map(({ columns, references }) => [...columns, references.table]),
      ]).toEqual([
        [],
        [
          ['state', 'OrderState'],
          ['formerState', 'OrderState'],
          ['size', 'Order_size'],
          ['rank', 'Order_rank'],
        ],
      ])
      expect(notes.filter(({ code }) => code === 'choicesChecked')).toEqual([])
    },
  )

  it('are named and written like other tables', () => {
    const { sql } = scriptOf('oracle', { choices: 'table', naming: 'upper', tablePrefix: 'X_', schema: 'shop' })
    expect(sql).toContain(
      `INSERT INTO "shop"."X_ORDER_STATE" ("CODE", "LABEL", "POSITION") VALUES ('new', 'New order', 1);`,
    )
  })

  it('are not there for a value that is longer than its column', () => {
    const item = anEntity({
      name: 'Item',
      typeAttributes: aList(aKey(), attribute('size', { choices: ['S', 'XL'], maxLength: 1 })),
    })
    const { schema, notes } = databaseScript(aResolvedModel([item]), 'hsql', {
      applyAutoIncrement: true,
      sqlExport: { choices: 'table' },
    })
    expect(schema.tables.map(({ name, checks }) => [name, checks.length])).toEqual([['Item', 1]])
    expect(notes.map(({ message }) => message)).toContain(
      "The choices of 'size' are checked: a value is longer than its column.",
    )
  })

  it('are not there without choices to refer to', () => {
    const { sql } = scriptOf('postgresql', { choices: 'table', foreignKeys: 'off' })
    expect(sql).toContain('CHECK')
    expect(sql).not.toContain('INSERT')
  })
})
