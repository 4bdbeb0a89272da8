import { describe, expect, it } from 'vitest'
import { databaseTypes, databaseTypeTable, type DatabaseType } from './database-types.ts'
import { identifierSize, reservedWords } from './reserved-words.ts'

describe('Decisions 3: reserved words and names too long for a database', () => {
  it('lists the reserved words of each database', () => {
    for (const type of databaseTypes) {
      expect(['select', 'customer'].map(word => reservedWords[type].has(word))).toEqual([true, false])
      expect([...reservedWords[type]].filter(word => !/^[a-z][a-z0-9_]*$/.test(word))).toEqual([])
    }
    expect(databaseTypes.filter(type => reservedWords[type].has('rownum'))).toEqual(['oracle'])
    expect(databaseTypes.filter(type => reservedWords[type].has('analyse'))).toEqual(['postgresql'])
  })

  it("measures names in each database's unit: bytes, characters or UTF-16 code units", () => {
    const isTooLong = (name: string, type: DatabaseType) =>
      identifierSize(name, type) > databaseTypeTable[type].identifierLength
    const tooLong = (name: string) => databaseTypes.filter(type => isTooLong(name, type))
    expect(tooLong('x'.repeat(63))).toEqual([])
    expect(tooLong('x'.repeat(64))).toEqual(['postgresql'])
    expect(tooLong('x'.repeat(65))).toEqual(['postgresql', 'mysql'])
    expect(tooLong('x'.repeat(129))).toEqual(['postgresql', 'mysql', 'hsql', 'oracle', 'mssql'])
    expect(tooLong('表'.repeat(43))).toEqual(['postgresql', 'oracle'])
  })
})
