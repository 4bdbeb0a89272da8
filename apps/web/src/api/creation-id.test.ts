import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addEntityVersion, createEntityByWizard } from './entities.ts'
import { createManifestByWizard } from './manifests.ts'

/** The next responses of the server; null: no response. */
let answers: (Response | null)[] = []
let sent: { saveId: string | null; body: unknown }[] = []

beforeEach(() => {
  ;[answers, sent] = [[], []]
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    sent.push({ saveId: new URL(url, 'http://cadmus').searchParams.get('saveId'), body })
    const answer = answers.shift()
    if (!answer) throw new TypeError('Failed to fetch')
    return answer
  })
})
afterEach(() => vi.unstubAllGlobals())

const other = (made?: { id: number; name: string }) =>
  Response.json(
    { code: 'operation_reused', message: 'Under the same id something else was saved before.', made },
    { status: 409 },
  )
const named = (name: string) => ({ entity: { name } })
const ids = () => sent.map(({ saveId }) => saveId)

it('a form changed after a lost response reuses the id and receives the created object; the next creation has a new id', async () => {
  const form = {}
  await expect(createEntityByWizard(named('Order'), form)).rejects.toThrow('The server cannot be reached.')
  answers = [other({ id: 7, name: 'Order' })]
  await expect(createEntityByWizard(named('Orders'), form)).rejects.toThrow(
    '“Order” was already created: only the response was lost. You have changed the form since. Continue to create another one, or close it.',
  )
  await expect(createEntityByWizard(named('Orders'), form)).rejects.toThrow()
  expect(ids()[1]).toBe(ids()[0])
  expect(ids()[2]).not.toBe(ids()[0])
})

it('the id is kept if the changed content itself is refused, and another form has its own id', async () => {
  const form = {}
  const refused = () => Response.json({ code: 'invalid', message: 'A manifest of that name exists.' }, { status: 400 })
  await expect(createManifestByWizard({ manifestName: 'Shop' }, form)).rejects.toThrow()
  answers = [refused()]
  await expect(createManifestByWizard({ manifestName: 'Store' }, form)).rejects.toThrow(
    'A manifest of that name exists.',
  )
  await expect(createManifestByWizard({ manifestName: 'Stores' }, form)).rejects.toThrow()
  await expect(createManifestByWizard({ manifestName: 'Other' }, {})).rejects.toThrow()
  expect([ids()[1], ids()[2]]).toEqual([ids()[0], ids()[0]])
  expect(ids()[3]).not.toBe(ids()[0])
})

it('earlier content of a form gets a new id once the form has created something else', async () => {
  const form = {}
  await expect(createEntityByWizard(named('Parcel'), form)).rejects.toThrow()
  answers = [other({ id: 7, name: 'Parcel' })]
  await expect(createEntityByWizard(named('Parcels'), form)).rejects.toThrow('was already created')
  await expect(createEntityByWizard(named('Parcel'), {})).rejects.toThrow()
  expect(ids()[1]).toBe(ids()[0])
  expect(ids()[2]).not.toBe(ids()[0])
})

it('a version with another number is reported too after a lost response', async () => {
  const form = {}
  await expect(addEntityVersion(7, '2.0.0', form)).rejects.toThrow()
  answers = [other()]
  await expect(addEntityVersion(7, '3.0.0', form)).rejects.toThrow(
    'It was already created: only the response was lost.',
  )
  expect(ids()[1]).toBe(ids()[0])
})
