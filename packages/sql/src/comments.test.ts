import { databaseTypes, type DatabaseType } from '@cadmus/model/database-types'
import { aClosure, aKey, aList, anEntity, aTypeAttribute } from '@cadmus/model/testing/builders'
import { describe, expect, it } from 'vitest'
import { databaseScript } from './script.ts'

/** So many letters a comment may have; null = any number. */
const limits: Record<DatabaseType, { table: number; column: number } | null> = {
  postgresql: null,
  mysql: { table: 2048, column: 1024 },
  hsql: null,
  oracle: { table: 4000, column: 4000 },
  mssql: { table: 3750, column: 3750 },
}

function told(type: DatabaseType, table: string, column: string) {
  const described = aTypeAttribute({ name: 'amount', dataType: 'integer', description: column })
  const entity = anEntity({ name: 'Invoice', description: table, typeAttributes: aList(aKey(), described) })
  const { sql, notes } = databaseScript(aClosure([entity]), type, { applyAutoIncrement: true })
  return { sql, notes: notes.map(({ severity, code, message, path }) => [severity, code, message, path.at(-1)?.name]) }
}

describe('Decisions §10: a description that a database does not take as it is', () => {
  const warnings = [
    [
      'warning',
      'commentShortened',
      "The description of 'Invoice' is longer than this database allows: it is shortened.",
      'Invoice',
    ],
    [
      'warning',
      'commentShortened',
      "The description of 'amount' is longer than this database allows: it is shortened.",
      'amount',
    ],
  ]

  it.each(databaseTypes)('%s: at the limit it is whole, one more letter is cut and told', type => {
    const { table, column } = limits[type] ?? { table: 20_000, column: 20_000 }
    const whole = told(type, 't'.repeat(table), 'c'.repeat(column))
    expect(whole.notes).toEqual([])
    expect(whole.sql).toContain(`'${'t'.repeat(table)}'`)
    expect(whole.sql).toContain(`'${'c'.repeat(column)}'`)
    const longer = told(type, 't'.repeat(table + 1), 'c'.repeat(column + 1))
    expect(longer.notes).toEqual(limits[type] ? warnings : [])
    expect(longer.sql.includes('…')).toBe(limits[type] !== null)
  })

  it.each([
    ['mysql', '\\'.repeat(512), '\\'.repeat(513)],
    ['oracle', "'".repeat(2000), "'".repeat(2001)],
    ['oracle', 'é'.repeat(2000), 'é'.repeat(2001)],
    ['mssql', '😀'.repeat(1875), '😀'.repeat(1876)],
  ] as const)('%s: a limit is counted as the database counts', (type, fitting, longer) => {
    expect(told(type, '', fitting).notes).toEqual([])
    expect(told(type, '', longer).notes).toEqual([warnings[1]])
  })

  it('characters that a database or its tools do not take are told, blanks for line breaks are not', () => {
    const changed = (name: string) => [
      'note',
      'commentChanged',
      `The description of '${name}' has characters that this database or its tools do not support: they are replaced.`,
      name,
    ]
    expect(told('mysql', 'a 😀', 'b').notes).toEqual([changed('Invoice')])
    expect(told('oracle', 'R&D', 'of\ntwo lines').notes).toEqual([changed('Invoice')])
    expect(told('mssql', 'of\ntwo lines', '$(x)').notes).toEqual([changed('amount')])
    for (const type of databaseTypes)
      expect([type, told(type, 'of\r\ntwo lines', 'and\rthree').notes]).toEqual([type, []])
    expect(told('postgresql', 'of\r\ntwo lines', '').sql).toContain("'of\ntwo lines'")
    expect(told('postgresql', 'a 😀 R&D $(x)', 'bell\u0007').notes).toEqual([changed('amount')])
  })
})
