import { describe, expect, it } from 'vitest'
import { readScript } from './script.ts'

function column(script: string, name: string) {
  const match = readScript(script)
    .tables.flatMap(({ columns }) => columns)
    .find(one => one.name === name)
  if (!match) throw new Error(`There is no column ${name}.`)
  return match
}

describe('Reading a script', () => {
  it('reads Oracle integers written with scale 0 as integers', () => {
    const script = `CREATE TABLE "HR"."DEPT" ("A" NUMBER(5,0) NOT NULL ENABLE, "B" NUMBER(10,0), "C" NUMBER(19,0), "D" NUMBER(*,0),
      "E" NUMBER(10,2), "F" NUMBER(25,0), CONSTRAINT "PK" PRIMARY KEY ("A"));`
    const formats = [...'ABCDEF']
      .map(name => column(script, name))
      .map(one => [one.dataType, one.format, one.precision, one.scale])
    expect(formats).toEqual([
      ['integer', null, 5, null],
      ['integer', null, 10, null],
      ['integer', null, 19, null],
      ['integer', null, 38, null],
      ['double', null, 10, 2],
      ['integer', null, 25, null],
    ])
    expect(readScript(script).remarks).toEqual([])
    const own = `-- Database schema of Shop for Oracle\n${script}`
    expect(column(own, 'B')).toMatchObject({ dataType: 'double', precision: 10, scale: 0 })
  })

  it('applies ALTER and DROP statements as the database does', () => {
    const mysql =
      "CREATE TABLE `a` (`id` int PRIMARY KEY, `k` varchar(20) NOT NULL DEFAULT 'b'); ALTER TABLE `a` MODIFY `k` varchar(9);"
    expect(column(mysql, 'k')).toMatchObject({ nullable: true, defaultValue: null, maxLength: 9 })
    const oracle = "CREATE TABLE a (k VARCHAR2(20) DEFAULT 'b' NOT NULL); ALTER TABLE a MODIFY (k VARCHAR2(9));"
    expect(column(oracle, 'k')).toMatchObject({ nullable: false, defaultValue: 'b', maxLength: 9 })
    const mssql = 'CREATE TABLE [a] ([k] [int] NOT NULL)\nGO\nALTER TABLE [a] ALTER COLUMN [k] [bigint]\nGO\n'
    expect(column(mssql, 'k')).toMatchObject({ nullable: true, format: null })
    const { tables } = readScript(
      'CREATE TABLE a (b int); CREATE TABLE c (d int); DROP TABLE IF EXISTS a, nothing; CREATE TABLE A (e int);',
    )
    expect(tables.map(({ name, columns }) => [name, columns.map(one => one.name)])).toEqual([
      ['c', ['d']],
      ['A', ['e']],
    ])
  })
})

describe('Reading a script, with remarks by line', () => {
  it('reads bit and byte defaults by the column type and rejects bytes for text', () => {
    const postgres = `-- PostgreSQL database dump
CREATE TABLE t (a bit(3) DEFAULT B'101'::"bit", b bit varying(8) DEFAULT X'0f', c bit(12) DEFAULT X'abc', d text DEFAULT X'41');`
    expect([...'abcd'].map(name => column(postgres, name).defaultValue)).toEqual([
      '101',
      '00001111',
      '101010111100',
      null,
    ])
    expect(readScript(postgres).remarks.map(({ message }) => message)).toContain(
      "The default value X'41' of 'd' does not match its type or choices: it is ignored.",
    )
    const mysql =
      "CREATE TABLE `t` (`a` bit(8) DEFAULT b'101', `b` bit(1) DEFAULT b'1', `c` int DEFAULT 0x10, `d` varchar(9) DEFAULT x'4142', `e` varbinary(3) DEFAULT b'100000001')"
    expect([...'abcde'].map(name => column(mysql, name).defaultValue)).toEqual(['101', 'true', '16', 'AB', 'AQE='])
    const mssql =
      'CREATE TABLE [t] ([a] varbinary(3) DEFAULT (0xf01), [b] int DEFAULT (0x10), [c] bit DEFAULT (0x1))\nGO\n'
    expect([...'abc'].map(name => column(mssql, name).defaultValue)).toEqual(['DwE=', '16', 'true'])
  })

  it('decodes Unicode escapes in strings and names', () => {
    const script = String.raw`CREATE TABLE U&"t\0061" (a text DEFAULT U&'d\0061t\+01F600\\' NOT NULL, b text DEFAULT U&'!0064\0061' UESCAPE '!');`
    expect(readScript(script).tables.map(({ name }) => name)).toEqual(['ta'])
    expect(column(script, 'a')).toMatchObject({ defaultValue: 'dat\u{1f600}\\', nullable: false })
    expect(column(script, 'b').defaultValue).toBe(String.raw`d\0061`)
    expect(column(String.raw`CREATE TABLE t (a NVARCHAR2(9) DEFAULT U'\00e4')`, 'a').defaultValue).toBe('ä')
  })

  it('imports intervals as strings and reports dropped time zones of times', () => {
    const script = `CREATE TABLE t (a INTERVAL DAY (2) TO SECOND (6), b INTERVAL DAY TO SECOND, c INTERVAL DAY (1) TO SECOND (6),
      d TIMESTAMP (6) WITH LOCAL TIME ZONE, e NUMBER(5));`
    expect([...'abcd'].map(name => [column(script, name).dataType, column(script, name).format])).toEqual([
      ['string', null],
      ['string', null],
      ['dateTime', 'time'],
      ['dateTime', 'instant'],
    ])
    const zoned = 'CREATE TABLE t (f time with time zone, g timetz, h time without time zone)'
    expect([...readScript(script).remarks, ...readScript(zoned).remarks].map(({ message }) => message)).toEqual([
      'An interval is imported as a string.',
      'An interval is imported as a string.',
      'A time with a time zone is imported without it.',
      'A time with a time zone is imported without it.',
    ])
  })

  it('reports table elements that are neither columns nor keys, and accepts their keywords as column names', () => {
    const script = `CREATE TABLE t (a int, period text, exclude boolean, EXCLUDE USING gist (a WITH =),
  CONSTRAINT x EXCLUDE (a WITH =), PERIOD FOR SYSTEM_TIME (a, b));
ALTER TABLE ONLY t ADD CONSTRAINT y EXCLUDE USING gist (a WITH &&) WHERE ((a > 0));
ALTER TABLE t ADD SYSTEM VERSIONING;
ALTER TABLE t SET SCHEMA other;
ALTER TABLE t ADD CONSTRAINT z UNIQUE USING INDEX i;`
    expect(readScript(script).tables).toMatchObject([
      { columns: [{ name: 'a', indexed: false }, { name: 'period' }, { name: 'exclude' }] },
    ])
    expect(readScript(script).remarks.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      "1: The EXCLUDE USING gist (a WITH =) of table 't' is ignored.",
      "2: The EXCLUDE (a WITH =) of table 't' is ignored.",
      "2: The PERIOD FOR SYSTEM_TIME (a, b) of table 't' is ignored.",
      "3: The EXCLUDE USING gist (a WITH &&) WHERE ((a > 0)) of table 't' is ignored.",
      "4: The SYSTEM VERSIONING of table 't' is ignored.",
      "6: A key without a column list of table 't' is ignored.",
    ])
    const oracle = `CREATE TABLE e (id NUMBER(6,0) GENERATED BY DEFAULT ON NULL AS IDENTITY MINVALUE -1 MAXVALUE 9 INCREMENT BY 1 START WITH 1 CACHE 20 NOORDER NOKEEP NOT NULL,
  code VARCHAR2(5) DEFAULT ON NULL 'x', SUPPLEMENTAL LOG GROUP g (id) ALWAYS, PRIMARY KEY (id));
ALTER TABLE e ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;`
    expect(readScript(oracle).tables).toMatchObject([
      { columns: [{ isKey: true }, { defaultValue: 'x', nullable: false }] },
    ])
    expect(readScript(oracle).remarks.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      "2: The SUPPLEMENTAL LOG GROUP g (id) ALWAYS of table 'e' is ignored.",
      "3: The SUPPLEMENTAL LOG DATA (ALL) COLUMNS of table 'e' is ignored.",
    ])
  })

  it('reports prefix keys, unique columns with a single null and unenforced constraints', () => {
    const mysql = `CREATE TABLE \`t\` (\`id\` int KEY, \`a\` varchar(99), \`b\` text,
  UNIQUE KEY \`u\` (\`a\`(10)),
  KEY \`k\` (\`b\`(5)),
  CHECK (\`id\` in (1,2)) NOT ENFORCED);
CREATE UNIQUE INDEX \`v\` ON \`t\` (\`b\`(20));`
    expect(readScript(mysql).tables).toMatchObject([
      { columns: [{ isKey: true }, { unique: true }, { unique: true, indexed: true }] },
    ])
    const lines = (script: string) => readScript(script).remarks.map(({ line, message }) => `${line}: ${message}`)
    expect(lines(mysql)).toEqual([
      "2: 'a' is unique by its first 10 characters: it is imported as unique as a whole.",
      '4: A constraint that is not enforced is imported as enforced.',
      "5: 'b' is unique by its first 20 characters: it is imported as unique as a whole.",
    ])
    const oneNull = (name: string) => `'${name}' allows one row without a value: it is imported as allowing any number.`
    const unenforced = 'A constraint that is not enforced is imported as enforced.'
    const mssql = `CREATE TABLE [t] ([a] int NULL UNIQUE, [b] int NOT NULL UNIQUE, [c] int NULL INDEX i,
  INDEX j UNIQUE NONCLUSTERED ([c]) WHERE ([c] > 1))
GO
CREATE UNIQUE INDEX k ON [t] ([c]) WHERE ([c] IS NOT NULL)
GO
ALTER TABLE [t] ADD [d] int NULL, [e] int NOT NULL
GO
ALTER TABLE [t] NOCHECK CONSTRAINT ALL
GO
ALTER TABLE [t] CHECK CONSTRAINT [x]
GO`
    expect(readScript(mssql).tables[0]?.columns.map(({ name, unique, indexed }) => [name, unique, indexed])).toEqual([
      ['a', true, false],
      ['b', true, false],
      ['c', true, true],
      ['d', false, false],
      ['e', false, false],
    ])
    expect(lines(mssql)).toEqual([
      `1: ${oneNull('a')}`,
      "2: The INDEX j UNIQUE NONCLUSTERED ([c]) WHERE ([c] > 1) of table 't' is ignored.",
      `8: ${unenforced}`,
    ])
    expect(lines('CREATE TABLE t (a int UNIQUE NULLS NOT DISTINCT, b int UNIQUE);')).toEqual([`1: ${oneNull('a')}`])
    expect(lines("CREATE TABLE t (a VARCHAR2(9), CHECK (a IN ('x')) DISABLE, UNIQUE (a) ENABLE);")).toEqual([
      `1: ${unenforced}`,
    ])
  })

  it('skips command-line tool commands up to the end of the line', () => {
    const oracle = `REM it's a comment
SET DEFINE OFF
Prompt ****** Creating "A table
CREATE TABLE a (b VARCHAR2(9));
REM INSERTING into A
@other.sql
CREATE TABLE c (d NUMBER(5));`
    expect(readScript(oracle).tables.map(({ name }) => name)).toEqual(['a', 'c'])
    expect(readScript('USE shop\nCREATE TABLE `a` (`b` int);').tables.map(({ name }) => name)).toEqual(['a'])
    const hsql = `SET DATABASE UNIQUE NAME HSQLDB1
CREATE SCHEMA PUBLIC AUTHORIZATION DBA
CREATE MEMORY TABLE PUBLIC.A(B INTEGER NOT NULL PRIMARY KEY,C VARCHAR(9) DEFAULT '\\u00e4\\u005cu\\u000a''')
CREATE MEMORY TABLE PUBLIC.D(E INTEGER)
ALTER TABLE PUBLIC.D ADD UNIQUE (E)
INSERT INTO A VALUES(0,'x')
INSERT INTO A VALUES(1,'x')`
    expect(readScript(hsql).tables).toMatchObject([
      { name: 'A', columns: [{ isKey: true }, { defaultValue: "ä\\u\n'" }] },
      { name: 'D', columns: [{ unique: true }] },
    ])
    expect(readScript(hsql).remarks).toEqual([{ line: 6, kind: 'note', message: 'Table rows are not imported.' }])
  })

  it('reads an identity column of HSQLDB as the primary key of a table without another one', () => {
    const script = `CREATE CACHED TABLE a (id BIGINT IDENTITY, b INTEGER);
CREATE TABLE c (id BIGINT IDENTITY, d INTEGER, PRIMARY KEY (id, d));
CREATE TABLE e (id BIGINT IDENTITY PRIMARY KEY, a_id BIGINT, FOREIGN KEY (a_id) REFERENCES a);
CREATE TABLE f (g INTEGER);
ALTER TABLE f ADD COLUMN id INTEGER IDENTITY PRIMARY KEY;
CREATE TABLE h (id INTEGER GENERATED BY DEFAULT AS IDENTITY);`
    const { tables, remarks } = readScript(script)
    const keys = tables.map(({ columns }) => columns.filter(({ isKey }) => isKey).map(({ name }) => name))
    expect(keys).toEqual([['id'], ['id', 'd'], ['id'], ['id'], []])
    expect(tables[2]?.columns).toMatchObject([{}, { name: 'a_id', reference: { table: 0, column: 'id' } }])
    expect(remarks.filter(({ message }) => message.includes('key'))).toHaveLength(2)
  })

  it('reads altered enumerations and reports serial columns and temporary tables', () => {
    const script = `CREATE TYPE mood AS ENUM ('sad', 'ok');
ALTER TYPE public.mood ADD VALUE IF NOT EXISTS 'happy' BEFORE 'ok';
ALTER TYPE mood ADD VALUE 'glad';
ALTER TYPE mood RENAME VALUE 'sad' TO 'low';
ALTER TYPE public.mood OWNER TO me;
CREATE TEMPORARY TABLE t (m mood, n serial, o bigserial PRIMARY KEY);
CREATE INDEX i ON t (n);
DROP INDEX IF EXISTS other;
DROP INDEX i;
COMMENT ON INDEX i IS 'x';`
    expect(readScript(script).tables).toMatchObject([
      { columns: [{ choices: ['low', 'happy', 'ok', 'glad'] }, { nullable: false }, { isKey: true }] },
    ])
    expect(readScript(script).remarks.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      '6: A temporary table is imported as a permanent one.',
      "6: Generated values of 'n' are ignored: only a single integer key can be generated.",
      "10: The comment on 'i' is ignored: it is neither a table nor a column.",
    ])
  })
})
