import { databaseTypes, databaseTypeTable, type DatabaseType } from '@cadmus/model/database-types'
import { describe, expect, it } from 'vitest'
import type { DatabaseKind } from './database-kind.ts'
import { databases, namingRules } from './databases.ts'

const reserved = (type: DatabaseType) => databases[type].reserved

describe('Databases', () => {
  it('that can be exported are the database types of the model', () => {
    const exported = Object.entries<DatabaseKind>(databases).filter(([, kind]) => kind.export !== undefined)
    expect(exported.map(([id]) => id)).toEqual(databaseTypes.toSorted())
  })
})

describe('Decisions 3: reserved words and names too long for a database', () => {
  it('lists the reserved words of each database', () => {
    for (const type of databaseTypes) {
      expect(['select', 'customer'].map(word => reserved(type).has(word))).toEqual([true, false])
      expect([...reserved(type)].filter(word => !/^[a-z][a-z0-9_]*$/.test(word))).toEqual([])
    }
    expect(databaseTypes.filter(type => reserved(type).has('rownum'))).toContain('oracle')
    expect(databaseTypes.filter(type => reserved(type).has('analyse'))).toContain('postgresql')
  })

  it("measures names in each database's unit: bytes, characters or UTF-16 code units", () => {
    const types = ['postgresql', 'mysql', 'hsql', 'oracle', 'mssql'] as const
    const tooLong = (name: string) =>
      types.filter((_, index) => namingRules(types).some(({ limit, size }, at) => at === index && size(name) > limit))
    expect(tooLong('x'.repeat(63))).toEqual([])
    expect(tooLong('x'.repeat(64))).toEqual(['postgresql'])
    expect(tooLong('x'.repeat(65))).toEqual(['postgresql', 'mysql'])
    expect(tooLong('x'.repeat(129))).toEqual(['postgresql', 'mysql', 'hsql', 'oracle', 'mssql'])
    expect(tooLong('表'.repeat(43))).toEqual(['postgresql', 'oracle'])
    expect(tooLong('😀'.repeat(64))).toEqual(['postgresql', 'oracle'])
    expect(tooLong('😀'.repeat(65))).toEqual(['postgresql', 'mysql', 'hsql', 'oracle', 'mssql'])
  })

  it('are shown with the label of the database', () => {
    expect(namingRules(databaseTypes).map(({ label }) => label)).toEqual(
      databaseTypes.map(type => databaseTypeTable[type].label),
    )
  })
})
