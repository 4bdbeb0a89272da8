import { expect, it } from 'vitest'
import { biographyProperties } from './biography-properties.ts'

type Biography = Parameters<typeof biographyProperties>[0]
type Event = Biography['events'][number]

const at = '2026-03-01T10:42:00'
const event = (fields: Partial<Event>): Event => ({
  sequence: 1,
  kind: 'changed',
  entity: { id: 1, name: 'Patient' },
  from: null,
  at,
  actor: { name: 'Ada' },
  description: 'Changed attributes',
  cause: null,
  changes: [],
  ...fields,
})

function textsOf(biography: Partial<Biography>): Record<string, string> {
  const none = { names: null, formerNames: [], since: { entity: null, manifests: [], builds: [] }, events: [] }
  const properties = biographyProperties({ ...none, more: false, ...biography })
  return Object.fromEntries(
    properties.map(property => [property.id, property.editor === 'shown' ? property.value : property.editor]),
  )
}

it('SQL names are one text if all databases have the same, else each with its databases', () => {
  const sql = (oracle: string) => [
    { database: 'PostgreSQL', name: 'rowid' },
    { database: 'MySQL', name: 'rowid' },
    { database: 'Oracle', name: oracle },
  ]
  expect(textsOf({ names: { api: 'rowid', sql: sql('rowid') } })).toMatchObject({ api: 'rowid', sql: 'rowid' })
  expect(textsOf({ names: { api: 'rowid', sql: sql('rowid_1') } })['sql']).toBe(
    'rowid (PostgreSQL, MySQL)\nrowid_1 (Oracle)',
  )
})

it('an event shows its changed fields by their labels, and the cause of the change', () => {
  const changes = [
    { field: 'name', before: 'dob', after: 'birthDate' },
    { field: 'associatedEntity', before: { id: 1, name: 'Person' }, after: { id: 2, name: 'Patient' } },
    { field: 'associatedEntityTypeAttributeUid', before: 'a', after: 'b' },
    { field: 'nullable', after: true },
  ]
  const shown = textsOf({ events: [event({ changes, cause: { kind: 'undo', sequence: 4 } })] })
  expect(shown['event 1']?.split('\n')).toEqual([
    'Name: dob → birthDate',
    'Associated Entity: Person → Patient',
    'Nullable: Yes',
    'An earlier change was undone.',
  ])
})

it('a change without a field that the panel shows has the description of the log', () => {
  const changes = [{ field: 'associatedEntityTypeAttributeUid', before: 'a', after: 'b' }]
  expect(textsOf({ events: [event({ changes })] })['event 1']).toBe('Changed attributes')
})

it('moves name both entities, and versions and builds are listed with their times', () => {
  const since = {
    entity: { version: '1.0.0', at },
    manifests: [{ id: 1, name: 'Clinic', version: '2.0.0', at }],
    builds: [{ name: 'Clinic_Package', version: '1.0.1', at }],
  }
  const shown = textsOf({ since, events: [event({ kind: 'moved', from: 'Person' })] })
  expect(shown['event 1']).toBe('Moved from Person to Patient.')
  expect(shown['since']?.split('\n')).toEqual([
    'version 1.0.0, 2026-03-01 10:42',
    'Clinic 2.0.0, 2026-03-01 10:42',
    'Clinic_Package 1.0.1, 2026-03-01 10:42',
  ])
})
