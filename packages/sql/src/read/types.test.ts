import { describe, expect, it } from 'vitest'
import { readScript } from './script.ts'

describe('Reading a type', () => {
  it('resolves named types in every database that has them', () => {
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
      remarks: ['An array is imported as an object.'],
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

  it('uses the width that the database gives it', () => {
    expect(readScript('CREATE TABLE t (a INTEGER, b VARCHAR2(3))').tables[0]?.columns[0]).toMatchObject({
      format: null,
    })
    const mysql = readScript('CREATE TABLE `t` (`a` INT3, `b` INT UNIQUE KEY AUTO_INCREMENT)').tables[0]?.columns
    expect(mysql).toMatchObject([{ dataType: 'integer' }, { nullable: false }])
  })
})

describe('A type without an equivalent in the model', () => {
  const read = (script: string) => {
    const { tables, remarks } = readScript(script)
    const columns = tables.flatMap(table => table.columns)
    return {
      types: columns.map(({ format, precision, scale, defaultValue }) => [format, precision, scale, defaultValue]),
      remarks: remarks.map(({ message }) => message),
    }
  }

  it('reports Oracle dates imported as timestamps and a scale beyond the precision', () => {
    const script = `CREATE TABLE "T" ("A" DATE DEFAULT DATE '2026-01-31', "B" NUMBER(2,5))`
    expect(read(script)).toEqual({
      types: [
        ['local', null, null, '2026-01-31T00:00:00'],
        [null, 5, 5, null],
      ],
      remarks: [
        'An Oracle DATE includes a time of day and is imported as a timestamp.',
        'The precision is raised to the scale.',
      ],
    })
    expect(read(`-- Database schema of Shop for Oracle\nCREATE TABLE "T" ("A" DATE)`)).toEqual({
      types: [['date', null, null, null]],
      remarks: [],
    })
  })

  it('reports case-insensitive text, and deferrable constraints once', () => {
    const later = 'A deferrable constraint is imported as not deferrable.'
    expect(
      read(`CREATE TABLE t (a citext, b int REFERENCES t (c) DEFERRABLE INITIALLY DEFERRED, c int UNIQUE NOT DEFERRABLE,
        CONSTRAINT k UNIQUE (b) NOT DEFERRABLE);
      ALTER TABLE t ADD CONSTRAINT f FOREIGN KEY (c) REFERENCES t (b) DEFERRABLE`).remarks,
    ).toEqual([later, 'Case-insensitive text is imported as a string.'])
    expect(read('CREATE TABLE t (c int UNIQUE NOT DEFERRABLE, d int, UNIQUE (d) NOT DEFERRABLE)').remarks).toEqual([])
    expect(read('CREATE MEMORY TABLE T(A VARCHAR_IGNORECASE(9))').remarks).toEqual([
      'Case-insensitive text is imported as a string.',
    ])
  })
})

describe('A MySQL float with decimal places', () => {
  it('is imported with a remark on the rounding', () => {
    const { tables, remarks } = readScript('CREATE TABLE `t` (`a` float(7,4), `b` double(10,3) unsigned, `c` double)')
    expect(tables[0]?.columns.map(({ dataType }) => dataType)).toEqual(['float', 'double', 'double'])
    expect(remarks.map(({ message }) => message)).toEqual([
      'Rounding to 4 decimal places is ignored.',
      'Rounding to 3 decimal places is ignored.',
    ])
  })
})

describe('A MySQL column added at a position', () => {
  it('keeps its default value and has its place', () => {
    const script =
      "CREATE TABLE `t` (`a` int);\nALTER TABLE `t` ADD COLUMN `b` tinyint(1) NOT NULL DEFAULT '0' AFTER `a`, ADD `c` int DEFAULT 4 FIRST;"
    const { tables, remarks } = readScript(script)
    expect(tables[0]?.columns).toMatchObject([
      { name: 'c', defaultValue: '4' },
      { name: 'a' },
      { name: 'b', defaultValue: 'false' },
    ])
    expect(remarks).toEqual([])
  })
})

it('empty arrays stay empty arrays, and XML becomes a reported string', () => {
  const { tables, remarks } = readScript(
    "CREATE TABLE t (a text[] DEFAULT '{}', b jsonb DEFAULT '{}', c xml);",
    'postgresql',
  )
  expect(tables[0]?.columns.map(({ dataType, defaultValue }) => [dataType, defaultValue])).toEqual([
    ['object', '[]'],
    ['object', '{}'],
    ['string', null],
  ])
  expect(remarks.map(({ message }) => message)).toEqual([
    'An array is imported as an object.',
    'XML is imported as a string.',
  ])
})
