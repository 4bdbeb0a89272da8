import { databaseTypes, type DatabaseType } from '@cadmus/model/database-types'
import { aResolvedModel, aKey, aList, anEntity, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { describe, expect, it } from 'vitest'
import { databaseScript } from './script.ts'

/** Maximum number of characters of a comment where it is limited. */
const limits: Partial<Record<DatabaseType, { table: number; column: number }>> = {
  mysql: { table: 2048, column: 1024 },
  oracle: { table: 4000, column: 4000 },
  mssql: { table: 3750, column: 3750 },
}

function exportOf(type: DatabaseType, table: string, column: string, is: Partial<TypeAttribute> = {}) {
  const described = aTypeAttribute({ name: 'amount', dataType: 'integer', ...is, description: column })
  const entity = anEntity({ name: 'Invoice', description: table, typeAttributes: aList(aKey(), described) })
  const { sql, notes } = databaseScript(aResolvedModel([entity]), type, { applyAutoIncrement: true })
  return { sql, notes: notes.map(({ severity, code, message, path }) => [severity, code, message, path.at(-1)?.name]) }
}

describe('Decisions §10: a description that a database does not support unchanged', () => {
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

  it.each(databaseTypes)('%s: a description at the limit is kept, a longer one is shortened with a note', type => {
    const { table, column } = limits[type] ?? { table: 20_000, column: 20_000 }
    const whole = exportOf(type, 't'.repeat(table), 'c'.repeat(column))
    expect(whole.notes).toEqual([])
    expect(whole.sql).toContain(`'${'t'.repeat(table)}'`)
    expect(whole.sql).toContain(`'${'c'.repeat(column)}'`)
    const longer = exportOf(type, 't'.repeat(table + 1), 'c'.repeat(column + 1))
    expect(longer.notes).toEqual(limits[type] ? warnings : [])
    expect(longer.sql.includes('…')).toBe(limits[type] !== undefined)
  })

  it.each([
    ['mysql', '\\'.repeat(512), '\\'.repeat(513)],
    ['oracle', "'".repeat(2000), "'".repeat(2001)],
    ['oracle', 'é'.repeat(2000), 'é'.repeat(2001)],
    ['mssql', '😀'.repeat(1875), '😀'.repeat(1876)],
  ] as const)('%s: the length is counted in the unit of the database', (type, fitting, longer) => {
    expect(exportOf(type, '', fitting).notes).toEqual([])
    expect(exportOf(type, '', longer).notes).toEqual([warnings[1]])
  })

  it.each([
    ['', '[UTC]', []],
    ['When it was sent.', 'When it was sent. [UTC]', []],
    ['c'.repeat(1018), `${'c'.repeat(1018)} [UTC]`, []],
    ['c'.repeat(1019), `${'c'.repeat(1017)}… [UTC]`, [warnings[1]]],
  ])('mysql: the comment of an instant ends with its mark, after %#', (description, comment, notes) => {
    const exported = exportOf('mysql', '', description, { dataType: 'dateTime', format: 'instant' })
    expect(exported.notes).toEqual(notes)
    expect(exported.sql).toContain(`COMMENT '${comment}'`)
  })

  it('unsupported characters get a note, replaced line breaks do not', () => {
    const changed = (name: string) => [
      'note',
      'commentChanged',
      `The description of '${name}' has characters that this database or its tools do not support: they are replaced.`,
      name,
    ]
    expect(exportOf('mysql', 'a 😀', 'b').notes).toEqual([changed('Invoice')])
    expect(exportOf('oracle', 'R&D', 'of\ntwo lines').notes).toEqual([changed('Invoice')])
    expect(exportOf('mssql', 'of\ntwo lines', '$(x)').notes).toEqual([changed('amount')])
    for (const type of databaseTypes)
      expect([type, exportOf(type, 'of\r\ntwo lines', 'and\rthree').notes]).toEqual([type, []])
    expect(exportOf('postgresql', 'of\r\ntwo lines', '').sql).toContain("'of\ntwo lines'")
    expect(exportOf('postgresql', 'a 😀 R&D $(x)', 'bell\u0007').notes).toEqual([changed('amount')])
  })
})
