import { expect, it } from 'vitest'
import { readSqlScripts } from './read.ts'

const report = (files: Record<string, string>) => readSqlScripts(new Map(Object.entries(files))).report
const view = (count: number) => 'CREATE VIEW v AS SELECT 1;\n'.repeat(count)
const table = 'CREATE TABLE a (id int PRIMARY KEY);\n'

it('10,000 equal findings are one bounded line', () => {
  const lines = report({ 'a.sql': table + view(10_000) })
  const lost = lines.filter(({ kind }) => kind === 'lost')
  expect(lost).toHaveLength(1)
  expect(lost[0]).toMatchObject({ count: 10_000, path: 'a.sql' })
  expect(lost[0]?.message).toBe(
    "10,000 × Statement 'CREATE VIEW …' is not supported: it is ignored: lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …",
  )
  expect(lost[0]?.places).toHaveLength(10_000)
  expect(lines.map(({ message }) => message)).toContain(
    'Listed below: 0 to mend before an export, 10,000 lost, 0 changed.',
  )
})

it('what exports refuse comes first, then losses, changes and notes, each with its line', () => {
  const longName = 'n'.repeat(300)
  const script = `${view(1)}CREATE TABLE visit (day date PRIMARY KEY, ${longName} int);\nCREATE TEMPORARY TABLE bill (day date REFERENCES visit);`
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
