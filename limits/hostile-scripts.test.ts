import { readSqlScripts } from '@cadmus/formats/ddl/read'
import { ImportError } from '@cadmus/formats/import-error'
import { it } from 'vitest'
import { within } from './within.ts'

const size = 10 * 1024 * 1024
const table = 'CREATE TABLE t (id int PRIMARY KEY, a int, b text);\n'

const prepared =
  "SET @cadmus = IF(EXISTS (SELECT 1 FROM information_schema.statistics), 'DO 0',\nREPLACE('|92|', '|92|', "
const condition = "IF OBJECT_ID(N'[a]', N'F') IS NOT NULL\nALTER TABLE a DROP CONSTRAINT b DROP CONSTRAINT "

function own(database: string): string {
  return `-- Database schema of Shop for ${database}\n`
}

function filled(text: (index: number) => string): string {
  const texts: string[] = []
  for (let length = 0, index = 0; length < size; index += 1) {
    const next = text(index)
    texts.push(next)
    length += next.length
  }
  return texts.join('')
}

function repeated(text: string): string {
  return text.repeat(Math.ceil(size / text.length))
}

function readOrRefuse(script: string): void {
  try {
    readSqlScripts(new Map([['a.sql', script]]), { take: () => {} })
  } catch (error) {
    // The reason names the file and mostly a line.
    if (!(error instanceof ImportError) || !error.message.startsWith('"a.sql"')) throw error
  }
}

it.each<[string, () => string]>([
  ['quotes', () => table + repeated("' ")],
  ['an unclosed text', () => `${table}INSERT INTO t VALUES ('${repeated('x y ')}`],
  ['an endless comment', () => `${table}/*${repeated(' x /* ')}`],
  ['deep parentheses', () => `CREATE TABLE u (a int CHECK (${'('.repeat(size / 2)}1${')'.repeat(size / 2)}));`],
  ['semicolons', () => table + repeated(';')],
  ['one INSERT', () => `${table}INSERT INTO t VALUES ${filled(at => `(${at}, ${at}, 'text ${at}'),\n`)}(0, 0, '');`],
  ['a list of choices', () => `CREATE TABLE t (a int CHECK (a IN (${filled(at => `${at},`)}1)));`],
  ['renames of one table', () => table + filled(at => `ALTER TABLE t${at || ''} RENAME TO t${at + 1};\n`)],
  ['renames of tables that come later', () => filled(at => `ALTER TABLE z${at} RENAME TO z${at + 1};\n`) + table],
  ['empty tables', () => filled(at => `CREATE TABLE t${at} (a int);\n`)],
  ['one wide table', () => `CREATE TABLE t (${filled(at => `c${at} int,`)} z int);`],
  ['indexes without names', () => table + repeated('CREATE INDEX ON t (a);\n')],
  ['views and their drops', () => table + repeated('CREATE VIEW v AS SELECT 1;DROP VIEW v;\n')],
  ['comments on missing tables', () => table + filled(at => `COMMENT ON COLUMN x${at}.a IS 'x';\n`)],
  ['prepared statements of our own', () => `${own('MySQL')}${repeated(prepared)}`],
  [
    'blocks of our own',
    () => `${own('Oracle')}${repeated("BEGIN\nEXECUTE IMMEDIATE TO_CLOB(q'~x~') ||\nTO_CLOB(q'~")}`,
  ],
  ['conditions of our own', () => `${own('SQL Server')}${repeated(condition)}`],
  ['choices of our own', () => `${own('PostgreSQL')}${table}-- Choices in the model:\n${repeated('-- t: 1\n')}`],
])('10 MB of a hostile script are read or refused within seconds: %s', (_, make) => {
  const script = make()
  within(10_000, () => readOrRefuse(script))
})
