import { describe, expect, it } from 'vitest'
import { databaseScript } from '../script.ts'
import { scriptDatabases } from '../databases.ts'
import { hardModels } from '../testing/hard-models.ts'
import { readScript } from './script.ts'
import { weighDatabases } from './weigh.ts'

const databaseOf = (script: string) => weighDatabases(script)[0]?.database

describe('The database of a script', () => {
  it.each([
    ['postgresql', 'a plain script', 'CREATE TABLE t (a INT PRIMARY KEY, b DATE NOT NULL);'],
    ['postgresql', 'an empty script', ''],
    [
      'postgresql',
      'a comment that says number',
      '-- the number of seats\nCREATE TABLE hall (id INT PRIMARY KEY, d DATE);',
    ],
    [
      'postgresql',
      'a column that is called number',
      'CREATE TABLE hall (number INT PRIMARY KEY, d DATE, n varchar(9));',
    ],
    [
      'postgresql',
      'an index on a column that is called number',
      'CREATE TABLE t (number TEXT); CREATE INDEX i ON t (number);',
    ],
    [
      'postgresql',
      'a dropped column that is called number',
      'CREATE TABLE t (a TEXT); ALTER TABLE t DROP COLUMN number, ADD b int;',
    ],
    [
      'postgresql',
      'backticks in data',
      "CREATE TABLE shelf (id SERIAL, n TEXT);\nINSERT INTO shelf VALUES ('\n`code` ENGINE=InnoDB AUTO_INCREMENT');",
    ],
    [
      'postgresql',
      'GO in a comment',
      '/*\nGO\n*/\nCREATE TABLE shelf (id UUID, made TIMESTAMP WITH TIME ZONE);\n-- GO\n',
    ],
    ['postgresql', 'GO in a text', "CREATE TABLE t (a text DEFAULT '\nGO\n');"],
    [
      'postgresql',
      'words of others in rows of COPY',
      "CREATE TABLE t (a text);\nCOPY t FROM stdin;\nit's `x` ENGINE=InnoDB\nGO\n\\.\nCREATE TABLE u (b int);",
    ],
    [
      'postgresql',
      'backslashes at the ends of texts',
      "CREATE TABLE t (a text DEFAULT 'C:\\', b text DEFAULT 'D:\\');",
    ],
    [
      'postgresql',
      'words of others in a dollar-quoted text',
      'DO $$ BEGIN x := `a` NUMBER VARCHAR2(3); END $$; CREATE TABLE t (a int);',
    ],
    ['postgresql', 'arrays', 'CREATE TABLE t (a int[] DEFAULT ARRAY[1], b text[]);'],
    [
      'postgresql',
      'words of others as names',
      'CREATE TABLE engine (enum int, identity text, varchar2 text, "AUTO_INCREMENT" int, go int);',
    ],
    ['postgresql', 'a command of psql', "\\echo it's\nCREATE TABLE t (a int);"],
    [
      'mysql',
      'an escaped quote',
      "CREATE TABLE book (id INT, title VARCHAR(40) DEFAULT 'Don\\'t panic', n VARCHAR(9));",
    ],
    [
      'mysql',
      'a column that is called number',
      "CREATE TABLE p (id INT AUTO_INCREMENT, number VARCHAR(9) COMMENT 'x');",
    ],
    [
      'mysql',
      'an index without backticks',
      'CREATE TABLE b (id INT UNSIGNED, pages SMALLINT, KEY k_pages (pages)) DEFAULT CHARSET=utf8;',
    ],
    [
      'mysql',
      'words of others in data',
      "CREATE TABLE `t` (`a` int);\nINSERT INTO `t` VALUES ('VARCHAR2(3) NUMBER(5)\n/\nGO\n::');",
    ],
    ['mysql', 'a comment after a number sign', "# it's\nCREATE TABLE t (a int);"],
    ['oracle', 'NUMBER as a type', 'CREATE TABLE genre (id NUMBER NOT NULL, CONSTRAINT pk PRIMARY KEY (id));'],
    ['oracle', 'a line for its command-line tool', "REM it's\nCREATE TABLE t (a VARCHAR2(9));\n/\n"],
    [
      'oracle',
      'the words of PostgreSQL',
      "COMMENT ON TABLE t IS 'x';\nCREATE TABLE t (a VARCHAR2(9 CHAR), b TIMESTAMP WITH TIME ZONE);",
    ],
    ['mssql', 'brackets', 'CREATE TABLE [dbo].[t] ([a] [int] NOT NULL)'],
    ['mssql', 'batches', 'CREATE TABLE t (a int)\nGO\nCREATE TABLE u (a nvarchar(max))\nGO\n'],
    ['hsql', 'tables in memory', 'CREATE MEMORY TABLE T(A VARCHAR(9))'],
  ])('is %s for %s', (database, _what, script) => {
    expect(databaseOf(script)).toBe(database)
  })

  it.each(scriptDatabases)('is %s for its generated scripts, with and without their title', database => {
    for (const make of Object.values(hardModels)) {
      const { sql } = databaseScript(make(), database, { applyAutoIncrement: true })
      expect(databaseOf(sql)).toBe(database)
      expect(databaseOf(sql.slice(sql.indexOf('\n')))).toBe(database)
    }
  })

  it('is not the one of a title in a text', () => {
    const script = "CREATE TABLE t (a jsonb DEFAULT '\n-- Database schema of Shop for Oracle\n');"
    expect(databaseOf(script)).toBe('postgresql')
  })

  it('is the one that the caller names, and comes with the evidence otherwise', () => {
    const script = 'CREATE TABLE [t] ([a] int)'
    expect(readScript('CREATE TABLE t (a int)', 'oracle')).toMatchObject({ dialect: 'oracle', evidence: [] })
    const { dialect, evidence } = readScript(script)
    expect([dialect, evidence.map(({ weight }) => weight > 0)]).toEqual(['mssql', [true, false, false, false, false]])
  })
})
