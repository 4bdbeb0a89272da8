import { describe, expect, it } from 'vitest'
import { databaseTypes } from './database-types.ts'
import { identifierAdvice, reservedWords } from './reserved-words.ts'

describe('Decisions 3: reserved words and names too long for a database', () => {
  it('knows the words of each database, in any case', () => {
    for (const type of databaseTypes) {
      expect(identifierAdvice('Select', type)).toEqual({ reserved: true, tooLong: false })
      expect(identifierAdvice('Customer', type)).toEqual({ reserved: false, tooLong: false })
      expect([...reservedWords[type]].filter(word => !/^[a-z][a-z0-9_]*$/.test(word))).toEqual([])
    }
    expect(databaseTypes.filter(type => identifierAdvice('rownum', type).reserved)).toEqual(['oracle'])
    expect(databaseTypes.filter(type => identifierAdvice('analyse', type).reserved)).toEqual(['postgresql'])
  })

  it('measures names as each database does: bytes, characters or UTF-16 units', () => {
    const tooLong = (name: string) => databaseTypes.filter(type => identifierAdvice(name, type).tooLong)
    expect(tooLong('x'.repeat(63))).toEqual([])
    expect(tooLong('x'.repeat(64))).toEqual(['postgresql'])
    expect(tooLong('x'.repeat(65))).toEqual(['postgresql', 'mysql'])
    expect(tooLong('x'.repeat(129))).toEqual(['postgresql', 'mysql', 'hsql', 'oracle', 'mssql'])
    expect(tooLong('表'.repeat(43))).toEqual(['postgresql', 'oracle'])
  })
})
