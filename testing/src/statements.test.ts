import { describe, expect, it } from 'vitest'
import { MSSQL, MYSQL, ORACLE, splitStatements } from './statements.ts'

describe('splitting a script into statements', () => {
  it('splits at semicolons outside of strings, names and comments', () => {
    const script = `-- first; comment
      CREATE TABLE "a;b" (x int); /* ; */ INSERT INTO "a;b" VALUES ('it''s; 1');;`
    expect(splitStatements(script)).toEqual(['CREATE TABLE "a;b" (x int)', `INSERT INTO "a;b" VALUES ('it''s; 1')`])
  })

  it('respects backslashes in MySQL strings', () => {
    expect(splitStatements("SELECT 'a\\';b'; SELECT `c;\\`", MYSQL)).toEqual(["SELECT 'a\\';b'", 'SELECT `c;\\`'])
  })

  it('splits at GO and / on lines of their own', () => {
    expect(splitStatements("SELECT [a;b]\nGO\nSELECT 'GO'\n", MSSQL)).toEqual(['SELECT [a;b]', "SELECT 'GO'"])
    expect(splitStatements('SELECT 1/2 FROM x\n/\nSELECT 2 FROM y', ORACLE)).toHaveLength(2)
  })
})
