import { describe, expect, it } from 'vitest'
import { readScript } from './script.ts'

function read(script: string) {
  const { tables, remarks } = readScript(script, 'mssql')
  return {
    tables: tables.map(({ name, columns }) => `${name}(${columns.map(column => column.name).join(', ')})`),
    remarks: remarks.map(({ line, message }) => `${line}: ${message}`),
  }
}

describe('Reading a SQL Server script without semicolons', () => {
  it('finds every table whatever statement precedes it', () => {
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
    expect(remarks).toEqual(['19: Table rows are not imported.'])
    expect(readScript(script.join('\n'), 'mssql').tables[0]?.columns).toMatchObject([
      { format: null, reference: { onDelete: 'setNull' } },
      { unique: true, defaultValue: '3' },
      {},
    ])
  })

  it('finds tables created conditionally, inline or in a block', () => {
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
    expect(remarks).toEqual(['13: Table rows are not imported.'])
  })

  it('skips tables created in routines and reports temporary tables', () => {
    const { tables, remarks } = read(`CREATE TABLE #t (k INT)
GO
ALTER PROCEDURE p AS
CREATE TABLE x (k INT)
GO
CREATE TABLE u (k INT)`)
    expect(tables).toEqual(['#t(k)', 'u(k)'])
    expect(remarks).toEqual(['1: A temporary table is imported as a permanent one.', '3: Procedures are not imported.'])
  })

  it('reads foreign keys in columns and defaults WITH VALUES', () => {
    const script =
      'CREATE TABLE t (k INT PRIMARY KEY, p INT NULL FOREIGN KEY REFERENCES t (k))\nALTER TABLE t ADD c INT NOT NULL DEFAULT 3 WITH VALUES'
    expect(readScript(script, 'mssql')).toMatchObject({
      tables: [{ columns: [{}, { reference: { column: 'k' } }, { defaultValue: '3' }] }],
      remarks: [],
    })
    const { remarks } = read('CREATE TABLE t (k INT)\nALTER TABLE t ADD DEFAULT (NEXT VALUE FOR s) FOR k')
    expect(remarks).toEqual([
      "2: The default value (NEXT VALUE FOR s) of 'k' is computed by the database: it is ignored.",
    ])
  })

  it('does not split a statement at a keyword that continues it', () => {
    const { tables, remarks } = read(`CREATE TABLE t (a INT)
INSERT INTO t
SELECT CASE a WHEN 1 THEN
  CASE WHEN a = 2 THEN 3
  ELSE 4
  END
ELSE 5
END AS b FROM t
MERGE INTO t USING u ON t.a = u.a
WHEN MATCHED THEN
UPDATE SET a = CASE WHEN a = 1 THEN 2
  END
WHEN NOT MATCHED THEN
INSERT (a) VALUES (1);
CREATE TABLE v (a INT)`)
    expect(tables).toEqual(['t(a)', 'v(a)'])
    expect(remarks).toEqual(['2: Table rows are not imported.'])
  })
})

describe('A table statement inside another statement', () => {
  const nested = {
    'no semicolon between two tables': ['postgresql', 'CREATE TABLE a (k INT)\n\nCREATE TABLE b (k INT);', 3],
    'after rows': ['mysql', 'CREATE TABLE a (k INT);\nINSERT INTO a VALUES (1)\nCREATE TEMPORARY TABLE b (k INT);', 3],
    'after an unknown statement': ['oracle', 'CREATE TABLE a (k INT);\nFLASHBACK x\nALTER TABLE a ADD (c INT);', 3],
    'inside an option': ['hsql', 'CREATE TABLE a (k INT) WITH DATA\nCREATE CACHED TABLE b (k INT)', 2],
  } as const

  it.each(Object.entries(nested))('is reported with its line: %s', (_name, [dialect, script, line]) => {
    const { tables, remarks } = readScript(script, dialect)
    const nestedRemarks = remarks.filter(({ message }) =>
      message.endsWith('is inside another statement: it is ignored.'),
    )
    expect([tables.length + nestedRemarks.length, nestedRemarks.map(one => one.line)]).toEqual([2, [line]])
  })

  it('is not detected in a string, comment or quoted name', () => {
    const script = `CREATE TABLE "create" ("table" INT DEFAULT 1); -- CREATE TABLE x
COMMENT ON TABLE "create" IS 'CREATE TABLE y'; /* ALTER TABLE z */ GRANT ALTER ON TABLE "create" TO u;`
    expect(readScript(script, 'postgresql').remarks).toEqual([])
  })

  it('is not detected in GRANT and REVOKE', () => {
    const script = `CREATE TABLE t (a INT);
GRANT CREATE TABLE TO u;
GRANT CREATE VIEW, CREATE TABLE TO u;
REVOKE CREATE TABLE FROM u;`
    for (const dialect of ['oracle', 'mssql'] as const) {
      const nestedRemarks = readScript(script, dialect).remarks.filter(({ message }) =>
        message.includes('another statement'),
      )
      expect(nestedRemarks).toEqual([])
    }
  })
})
