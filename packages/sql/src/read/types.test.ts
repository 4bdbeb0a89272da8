import { describe, expect, it } from 'vitest'
import { readScript } from './script.ts'

describe('Types are read', () => {
  it('by names of their own, of each database that has such', () => {
    const types = (script: string) => {
      const { tables, remarks } = readScript(script)
      const columns = tables.flatMap(table => table.columns)
      return {
        types: columns.map(({ dataType, maxLength, precision }) => [dataType, maxLength ?? precision]),
        remarks: remarks.map(({ message }) => message),
      }
    }
    expect(
      types(
        'SET search_path = x;\nCREATE DOMAIN b.iban AS character varying(34) NOT NULL;\nCREATE DOMAIN nr integer;\nCREATE TABLE t (a b.iban, c nr, d nr[])',
      ),
    ).toEqual({
      types: [
        ['string', 34],
        ['integer', null],
        ['object', null],
      ],
      remarks: ["What the type 'iban' says of its values is left out.", "'d': a list is taken as an object."],
    })
    expect(types('CREATE TYPE [dbo].[Iban] FROM [varchar](34)\nGO\nCREATE TABLE [t] ([a] [dbo].[Iban] NULL)')).toEqual({
      types: [['string', 34]],
      remarks: [],
    })
    expect(types('CREATE TYPE MONEY AS DECIMAL(12,2);\nCREATE MEMORY TABLE T(A MONEY)')).toEqual({
      types: [['double', 12]],
      remarks: [],
    })
  })

  it('as wide as the database makes them', () => {
    expect(readScript('CREATE TABLE t (a INTEGER, b VARCHAR2(3))').tables[0]?.columns[0]).toMatchObject({
      format: null,
    })
    const mysql = readScript('CREATE TABLE `t` (`a` INT3, `b` INT UNIQUE KEY AUTO_INCREMENT)').tables[0]?.columns
    expect(mysql).toMatchObject([{ dataType: 'integer' }, { nullable: false }])
  })
})

describe('What a database has and no model is told', () => {
  const read = (script: string) => {
    const { tables, remarks } = readScript(script)
    const columns = tables.flatMap(table => table.columns)
    return {
      types: columns.map(({ format, precision, scale, defaultValue }) => [format, precision, scale, defaultValue]),
      remarks: remarks.map(({ message }) => message),
    }
  }

  it("of Oracle's dates, which have a time of day, and of places that a number has no digits for", () => {
    const script = `CREATE TABLE "T" ("A" DATE DEFAULT DATE '2026-01-31', "B" NUMBER(2,5))`
    expect(read(script)).toEqual({
      types: [
        [null, null, null, '2026-01-31T00:00:00'],
        [null, 5, 5, null],
      ],
      remarks: [
        "'A': a date of Oracle, which has a time of day, is taken as a moment.",
        "'B': a number with fewer digits than it has places is taken with a digit for each.",
      ],
    })
    expect(read(`-- Database schema of Shop for Oracle\nCREATE TABLE "T" ("A" DATE)`)).toEqual({
      types: [['date', null, null, null]],
      remarks: [],
    })
  })

  it('of texts without regard to case, and once of keys that are checked later', () => {
    const later = 'A key that is checked at the end of a transaction is read as one that is checked at once.'
    expect(
      read(`CREATE TABLE t (a citext, b int REFERENCES t (c) DEFERRABLE INITIALLY DEFERRED, c int UNIQUE NOT DEFERRABLE,
        CONSTRAINT k UNIQUE (b) NOT DEFERRABLE);
      ALTER TABLE t ADD CONSTRAINT f FOREIGN KEY (c) REFERENCES t (b) DEFERRABLE`).remarks,
    ).toEqual([later, "'a': a text that is compared without regard to case is taken as a string."])
    expect(read('CREATE TABLE t (c int UNIQUE NOT DEFERRABLE, UNIQUE (c) NOT DEFERRABLE)').remarks).toEqual([])
    expect(read('CREATE MEMORY TABLE T(A VARCHAR_IGNORECASE(9))').remarks).toEqual([
      "'A': a text that is compared without regard to case is taken as a string.",
    ])
  })
})

describe('A number of MySQL that is rounded', () => {
  it('is told to be', () => {
    const { tables, remarks } = readScript('CREATE TABLE `t` (`a` float(7,4), `b` double(10,3) unsigned, `c` double)')
    expect(tables[0]?.columns.map(({ dataType }) => dataType)).toEqual(['float', 'double', 'double'])
    expect(remarks.map(({ message }) => message)).toEqual([
      "'a': that its values are rounded to 4 places is left out.",
      "'b': that its values are rounded to 3 places is left out.",
    ])
  })
})

describe('A column of MySQL that is added in its place', () => {
  it('keeps its default', () => {
    const script =
      "CREATE TABLE `t` (`a` int);\nALTER TABLE `t` ADD COLUMN `b` tinyint(1) NOT NULL DEFAULT '0' AFTER `a`, ADD `c` int DEFAULT 4 FIRST;"
    const { tables, remarks } = readScript(script)
    expect(tables[0]?.columns).toMatchObject([{}, { defaultValue: 'false' }, { defaultValue: '4' }])
    expect(remarks).toEqual([])
  })
})
