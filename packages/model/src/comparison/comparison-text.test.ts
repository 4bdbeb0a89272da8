import { expect, it } from 'vitest'
import type { Comparison, Consequences } from '../contract/comparison.ts'
import { comparisonText } from './comparison-text.ts'

const place = (name: string, manifest = 'Clinic') => ({ id: 1, name, path: `user-defined/${name}`, manifest })
const column = (name: string) => ({ kind: 'typeAttribute' as const, uid: name, name })

const comparison: Comparison = {
  before: { name: 'Clinic', version: '1.0.0', packageVersion: null },
  after: { name: 'Clinic', version: '1.1.0', packageVersion: '3.0.0' },
  manifest: [{ path: '', field: 'description', before: '', after: 'Patients and visits' }],
  subManifests: [
    { uid: 's', kind: 'renamed', before: 'Staff', after: 'Employees' },
    { uid: 't', kind: 'removed', before: 'Stock', after: '' },
  ],
  configuration: [{ path: 'configurationBuild.apiConfiguration', field: 'security', before: 'NONE', after: 'BASIC' }],
  entities: [
    {
      uid: 'p',
      kinds: ['renamed', 'moved', 'changed'],
      before: place('Person', 'Staff'),
      after: place('Patient'),
      changes: [
        { kind: 'renamed', step: null, before: 'Person', after: 'Patient' },
        { kind: 'removed', step: column('age') },
        { kind: 'changed', step: column('name'), field: 'maxLength', before: 40, after: null },
        { kind: 'converted', step: { kind: 'entityAttribute', uid: 'w', name: 'wardId' } },
      ],
    },
    { uid: 'v', kinds: ['added'], before: null, after: place('Visit'), changes: [] },
    { uid: 'w', kinds: ['removed'], before: place('Ward', ''), after: null, changes: [] },
  ],
  same: 1200,
  more: 2,
}

const consequences: Consequences = {
  problems: ['After (Clinic 1.1.0): Visit has no primary key.'],
  schema: {
    steps: [
      { grade: 'losesData', entity: 'Person', attribute: 'age', text: "'age' of 'Person' is dropped with its values." },
    ],
    refusals: ["'name' of 'Patient' is unique, which fails if there are records with the same value."],
    statements: ['BEGIN', 'DROP TABLE "Ward"', 'COMMIT'],
  },
  api: { isServed: true, breaks: ['Person was renamed to Patient.'], additions: ['Visit is new.'] },
  scopes: [
    { entity: 'Visit', operation: 'select', before: ['visits.read'], after: [], opens: true },
    { entity: 'Patient', operation: 'insert', before: [], after: ['patients.write', 'all'], opens: false },
    { entity: 'Note', operation: 'delete', before: [], after: [], opens: true },
    { entity: 'Note', operation: 'update', before: ['a'], after: null, opens: false },
  ],
}

it('a comparison becomes a text with a section for each manifest and entity, and its consequences below', () => {
  expect(comparisonText(comparison, consequences))
    .toBe(`# Changes from \`Clinic 1.0.0\` to \`Clinic 1.1.0, build 3.0.0\`

Entities: 1 added, 1 removed, 1 renamed, 1 moved, 1 changed; 1,200 the same.

## Manifest

- Changed \`description\` from none to \`Patients and visits\`

## Sub-manifests

- Renamed sub-manifest \`Staff\` to \`Employees\`
- Removed sub-manifest \`Stock\`

## Configuration

- Changed \`configurationBuild.apiConfiguration.security\` from \`NONE\` to \`BASIC\`

## Entities of \`Clinic\`

### \`Patient\`

- Moved from manifest \`Staff\` to \`Clinic\`
- Renamed entity \`Person\` to \`Patient\`
- Removed attribute \`age\`
- Changed max length of attribute \`name\` from 40 to none
- Made \`wardId\` a foreign key

### \`Visit\` (added)

## Entities outside the manifest

### \`Ward\` (removed)

2 more entities differ.

## Not worked out

- After (Clinic 1.1.0): Visit has no primary key.

## Breaks callers

- Person was renamed to Patient.

## New for callers

- Visit is new.

## Scopes

- **Opens to everyone**: select of \`Visit\`: no scope; before: \`visits.read\`
- insert of \`Patient\`: \`patients.write\`, \`all\`; before: no scope
- **Opens to everyone**: delete of \`Note\`: no authentication; before: no scope
- update of \`Note\`: not offered; before: \`a\`

## Changes of the tables

- Loses data: 'age' of 'Person' is dropped with its values.

## Existing records may prevent this

- 'name' of 'Patient' is unique, which fails if there are records with the same value.

## SQL

\`\`\`sql
BEGIN;
DROP TABLE "Ward";
COMMIT;
\`\`\`
`)
})

it('a comparison without a difference is one sentence', () => {
  const none = { ...comparison, manifest: [], subManifests: [], configuration: [], entities: [], more: 0 }
  expect(comparisonText({ ...none, after: none.before }, null)).toBe(
    '# Changes from `Clinic 1.0.0` to `Clinic 1.0.0`\n\nNo entity differs; 1,200 the same.\n',
  )
})

/** Each tries to end what it stands in, and to begin something else. */
const hostile = [
  'x\n\n# Heading',
  'x\r# Heading',
  '``` \n# Heading',
  '`x`',
  '` <script>alert(1)</script>',
  '[x](https://evil.example)',
  '![x](https://evil.example/x.png)',
  '<img src=x onerror=alert(1)>',
  '1. one\n2. two',
  '- x',
  '\u202Ereversed',
  '&lt;b&gt;',
  'a | b\n--- | ---',
  '~~~~',
  '',
  '```````',
]

it('names, values and sentences cannot change the structure of the text', () => {
  const structureOf = (text: string) => {
    const lines = text.split('\n')
    return lines.map(line => /^(#+ |- |```+|)/.exec(line)?.[1])
  }
  const textOf = (name: string) => {
    const entities = comparison.entities.map(entity => ({
      ...entity,
      before: entity.before && place(name, name),
      after: entity.after && place(name, name),
      changes: entity.changes.map(change => ({
        ...change,
        ...(change.step && { step: { ...change.step, name } }),
        before: name,
        after: name,
      })),
    }))
    const side = { name, version: name, packageVersion: name }
    const written = {
      ...comparison,
      before: side,
      after: side,
      entities,
      manifest: [{ path: name, field: name, before: name, after: name }],
    }
    return comparisonText(written, {
      ...consequences,
      problems: [name],
      api: { isServed: true, breaks: [name], additions: [`${name} is new.`] },
      scopes: [{ entity: name, operation: 'select', before: [name], after: null, opens: false }],
    })
  }
  const expected = structureOf(textOf('Plain'))
  for (const name of hostile) {
    const text = textOf(name)
    expect([name, structureOf(text)]).toEqual([name, expected])
    // Outside of code spans nothing is markup.
    const outside = text.replace(/```sql[^]*?\n```/, '').replace(/(?<!\\)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '')
    expect([name, outside.match(/(?<!\\)[<[\]!&|~]/g)]).toEqual([name, null])
    expect(text).not.toMatch(/[\u202E\r]/)
  }
})

it('backticks in statements do not end their block', () => {
  const schema = { ...consequences.schema, statements: ['SELECT `a`', "SELECT '\n````\n# Heading'"] }
  const text = comparisonText(comparison, { ...consequences, schema })
  expect(text).toMatch(/\n`````sql\nSELECT `a`;\nSELECT '\n````\n# Heading';\n`````\n$/)
})
