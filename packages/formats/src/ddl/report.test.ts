import { expect, it } from 'vitest'
import { textAt } from '../cdm/report.ts'
import { readSqlScripts } from './read.ts'

const report = (files: Record<string, string>) => readSqlScripts(new Map(Object.entries(files))).report
const call = (count: number) => 'CALL p();\n'.repeat(count)
const table = 'CREATE TABLE a (id int PRIMARY KEY);\n'

it('10,000 equal findings are one bounded line', () => {
  const lines = report({ 'a.sql': table + call(10_000) })
  const lost = lines.filter(({ kind }) => kind === 'lost')
  expect(lost).toHaveLength(1)
  expect(lost[0]).toMatchObject({ count: 10_000, path: 'a.sql' })
  expect(lost[0]?.message).toBe(
    "10,000 × Statement 'CALL p …' is not supported: it is ignored: lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …",
  )
  expect(lost[0]?.places).toHaveLength(10_000)
  expect(lines.map(({ message }) => message)).toContain(
    'Listed below: 0 to mend before an export, 10,000 lost, 0 changed.',
  )
})

it('what was read is what was imported and what was not, thing by thing', () => {
  const script = `CREATE TABLE p (id int PRIMARY KEY, name text UNIQUE DEFAULT 'x', UNIQUE (id, name));
CREATE TABLE c (id int PRIMARY KEY, p_id int REFERENCES p, q_id int REFERENCES q, made date DEFAULT now() + '1 day', CHECK (id > p_id));
CREATE INDEX i ON c (made);
CREATE INDEX j ON c (lower(made));
COMMENT ON TABLE p IS 'x';
COMMENT ON COLUMN c.z IS 'y';`
  const lines = report({ 'a.sql': script })
  expect(lines.slice(0, 5).map(({ message }) => message)).toEqual([
    'Read as PostgreSQL.',
    'Read: 2 tables, 6 columns, 2 primary keys, 2 foreign keys, 2 unique constraints, 2 indexes, 1 check, 2 default values, 2 comments.',
    'Imported: 2 entities, 5 attributes, 1 relationship, 2 primary keys, 2 unique constraints, 1 index, 1 check, 1 default value, 1 comment.',
    'Not imported: 1 foreign key, 1 index, 1 default value, 1 comment.',
    'Listed below: 0 to mend before an export, 4 lost, 0 changed.',
  ])
})

it('things of a kind are one line with their names', () => {
  const lines = report({
    'a.sql': `${table}CREATE VIEW v AS SELECT 1;\nCREATE VIEW w AS SELECT 1;\n`,
    'b.sql': 'CREATE TABLE bcd (x int, y int);',
  })
  expect(lines.slice(4).map(({ message, path }) => [message, path])).toEqual([
    ["2 × Views are not imported: 'v' (line 2), 'w' (line 3)", 'a.sql'],
    [
      "3 × A name that breaks the naming rules is kept as it is: 'a' (a.sql line 1), 'bcd.x' (b.sql line 1), 'bcd.y' (b.sql line 1)",
      '',
    ],
  ])
  const views = lines.find(({ kind }) => kind === 'lost')
  expect(views?.places?.map(place => textAt(views.text ?? '', place))).toEqual([
    "Line 2: Views are not imported: 'v'.",
    "Line 3: Views are not imported: 'w'.",
  ])
})

it('what exports refuse comes first, then losses, changes and notes, each with its line', () => {
  const longName = 'n'.repeat(300)
  const script = `${call(1)}CREATE TABLE visit (day boolean PRIMARY KEY, ${longName} int);\nCREATE TEMPORARY TABLE bill (day int REFERENCES visit);`
  const lines = report({ 'a.sql': script }).map(({ kind, message }) => [kind, message.slice(0, 7)])
  expect(lines.slice(0, 4).map(([kind]) => kind)).toEqual(['read', 'read', 'read', 'read'])
  expect(lines.slice(4)).toEqual([
    ['problem', 'Line 2:'],
    ['problem', 'Line 3:'],
    ['lost', 'Line 1:'],
    ['changed', 'Line 3:'],
    ['note', 'Line 2:'],
  ])
})

it('a key of a date or a decimal is a note with its line, and references to it are imported', () => {
  const script =
    'CREATE TABLE visit (day date PRIMARY KEY);\nCREATE TABLE bill (price numeric(9,2) PRIMARY KEY, day date REFERENCES visit);'
  const lines = report({ 'a.sql': script }).map(({ kind, message }) => [kind, message])
  expect(lines.slice(4)).toEqual([
    ['note', 'Line 1: The primary key day of visit is dateTime: integers and strings are served best.'],
    ['note', 'Line 2: The primary key price of bill is double: integers and strings are served best.'],
  ])
})
