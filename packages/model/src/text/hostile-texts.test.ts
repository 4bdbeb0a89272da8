import { expect, it } from 'vitest'
import { anEntity } from '../testing/builders.ts'
import { readModel } from './testing/at-once.ts'

const entities = [anEntity({ name: 'Customer' }), anEntity({ name: 'Order' })].map(({ id, path, ...content }) => ({
  id,
  path,
  content,
  isEditable: true,
  primaryKey: 'id',
}))
const model = { project: null, entities, others: [] }

it.each<[string, string]>([
  ['blocks without end', 'Table aa {\n id integer\n'.repeat(5000)],
  ['nested blocks', `TableGroup x ${'{'.repeat(100_000)}`],
  ['brackets', `Table aa {\n id integer ${'['.repeat(100_000)}`],
  ['quotes', '"\n'.repeat(50_000)],
  ['backslashes', `Table aa { id integer [note: '${'\\'.repeat(100_000)}`],
  ['NULs', '\u0000'.repeat(100_000)],
  ['comments', '/*'.repeat(50_000)],
  ['line breaks in settings', `Table aa {\n id integer [${'\n'.repeat(100_000)}`],
  ['equal lines', `Table aa {\n${'  aa string\n'.repeat(10_000)}}`],
])('a hostile text of %s has a bounded number of problems and changes nothing', (_what, text) => {
  const { problems, edits, missing } = readModel({ text, marks: [] }, model)
  expect(problems.length).toBeGreaterThan(0)
  expect(problems.length).toBeLessThanOrEqual(200)
  expect(edits.size).toBe(0)
  expect(missing.length).toBe(text.includes('string') ? 2 : 0)
})
