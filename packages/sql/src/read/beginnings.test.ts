import { describe, expect, it } from 'vitest'
import { readScript } from './script.ts'

function read(script: string) {
  const { tables, remarks } = readScript(script, 'mssql')
  return {
    tables: tables.map(({ name, columns }) => `${name}(${columns.map(column => column.name).join(', ')})`),
    remarks: remarks.map(({ line, message }) => `${line}: ${message}`),
  }
}

describe('A script of SQL Server without semicolons is read', () => {
  it('with all its tables, whatever statement stands before each', () => {
    const before = [
      'CREATE INDEX i ON t (a)',
      'CREATE UNIQUE INDEX j ON t (b)\nWHERE b IS NOT NULL',
      'ALTER TABLE t\nALTER COLUMN a BIGINT NULL',
      'ALTER TABLE t ADD c INT',
      'ALTER TABLE t ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES t (b) ON DELETE\nSET NULL',
      'ALTER TABLE t ADD DEFAULT (3) FOR b',
      'DROP INDEX i ON t',
      'INSERT INTO t (a)\nVALUES (1)',
      'UPDATE t\nSET a = 1',
      'USE x',
    ]
    const script = [
      'CREATE TABLE t (a INT, b INT)',
      ...before.map((text, at) => `${text}\nCREATE TABLE u${at} (k INT)`),
    ]
    const { tables, remarks } = read(script.join('\n'))
    expect(tables).toEqual(['t(a, b, c)', ...before.map((_text, at) => `u${at}(k)`)])
    expect(remarks).toEqual(['17: An index is dropped, which is left out.', '19: Rows of tables are not imported.'])
    expect(readScript(script.join('\n'), 'mssql').tables[0]?.columns).toMatchObject([
      { format: null, reference: { onDelete: 'setNull' } },
      { unique: true, defaultValue: '3' },
      {},
    ])
  })

  it('with what is made on a condition, on the same line or in a block', () => {
    const { tables, remarks } = read(`IF OBJECT_ID('a') IS NULL CREATE TABLE a (k INT)
IF NOT EXISTS (SELECT * FROM sys.objects WHERE name = 'b')
BEGIN
  CREATE TABLE b (k INT)
  CREATE INDEX i ON b (k)
END
ELSE CREATE TABLE c (k INT)
IF EXISTS (SELECT 1) DROP TABLE c
BEGIN TRY CREATE TABLE d (k INT) END TRY BEGIN CATCH PRINT 'x' END CATCH
BEGIN TRANSACTION work
CREATE TABLE e (k INT)
COMMIT
WHILE 1 = 0 BEGIN INSERT INTO e VALUES (1) END
CREATE TABLE f (k INT)`)
    expect(tables).toEqual(['a(k)', 'b(k)', 'd(k)', 'e(k)', 'f(k)'])
    expect(remarks).toEqual(['13: Rows of tables are not imported.'])
  })

  it('but for what routines make, whether they are made or changed, and with temporary tables as such', () => {
    const { tables, remarks } = read(`CREATE TABLE #t (k INT)
GO
ALTER PROCEDURE p AS
CREATE TABLE x (k INT)
GO
CREATE TABLE u (k INT)`)
    expect(tables).toEqual(['#t(k)', 'u(k)'])
    expect(remarks).toEqual([
      '1: A temporary table is taken as one that stays.',
      "3: The statement 'ALTER PROCEDURE …' is not known: it is left out.",
    ])
  })

  it('with foreign keys in the column and defaults for rows that are there', () => {
    const script =
      'CREATE TABLE t (k INT PRIMARY KEY, p INT NULL FOREIGN KEY REFERENCES t (k))\nALTER TABLE t ADD c INT NOT NULL DEFAULT 3 WITH VALUES'
    expect(readScript(script, 'mssql')).toMatchObject({
      tables: [{ columns: [{}, { reference: { column: 'k' } }, { defaultValue: '3' }] }],
      remarks: [],
    })
    const { remarks } = read('CREATE TABLE t (k INT)\nALTER TABLE t ADD DEFAULT (NEXT VALUE FOR s) FOR k')
    expect(remarks).toEqual(["2: The default value of 'k' is not understood: it is left out."])
  })
})

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

describe('A column of MySQL that is added in its place', () => {
  it('keeps its default', () => {
    const script =
      "CREATE TABLE `t` (`a` int);\nALTER TABLE `t` ADD COLUMN `b` tinyint(1) NOT NULL DEFAULT '0' AFTER `a`, ADD `c` int DEFAULT 4 FIRST;"
    const { tables, remarks } = readScript(script)
    expect(tables[0]?.columns).toMatchObject([{}, { defaultValue: 'false' }, { defaultValue: '4' }])
    expect(remarks).toEqual([])
  })
})
