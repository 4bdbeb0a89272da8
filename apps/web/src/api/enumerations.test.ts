import type { Enumeration } from '@cadmus/model/enumeration'
import { expect, it, vi } from 'vitest'
import { callApi } from './client.ts'
import { saveEnumerations } from './enumerations.ts'
import { saveManifestEdits } from './manifest-edits.ts'
import { currentScope } from './scope.ts'

vi.mock('./client.ts', () => ({ callApi: vi.fn<(...all: unknown[]) => unknown>() }))
vi.mock('./manifest-edits.ts', () => ({ saveManifestEdits: vi.fn<(...all: unknown[]) => unknown>() }))

const enumerationOf = (name: string): Enumeration => ({ uid: name, name, description: '', values: [] })
const chosen = { uid: 'Size', name: 'Size' }

it('a deletion is taken back with the choices of all attributes', async () => {
  vi.mocked(saveManifestEdits).mockResolvedValue({ manifest: {} as never, etag: 'after' })
  const answers: unknown[] = [
    { effects: [{ document: { kind: 'entity', id: 4, name: 'Box' } }, { document: { kind: 'manifest', id: 9 } }] },
    {
      entity: {
        typeAttributes: [
          { uid: 'one', enumeration: chosen },
          { uid: 'two', enumeration: null },
          { uid: 'three', enumeration: { uid: 'Colour', name: 'Colour' } },
        ],
      },
    },
    {},
  ]
  vi.mocked(callApi).mockImplementation(async () => answers.shift() as never)
  const [size, colour] = [enumerationOf('Size'), enumerationOf('Colour')]
  const base = { etag: 'before', scope: currentScope(), before: [size, colour] }
  const { undo } = await saveEnumerations(9, [colour], base)
  await undo()
  const sent = vi.mocked(saveManifestEdits).mock.calls.map(([, edits, { etag }]) => [etag, edits])
  expect(sent).toEqual([
    ['before', [{ kind: 'changeManifest', change: { enumerations: [colour] } }]],
    ['after', [{ kind: 'changeManifest', change: { enumerations: [size, colour] } }]],
  ])
  const edits = [{ kind: 'changeAttributes', changes: [{ uid: 'one', change: { enumeration: chosen } }] }]
  expect(vi.mocked(callApi).mock.lastCall?.[1]).toMatchObject({
    body: { changes: [{ kind: 'entity', id: 4, base: '*', edits }] },
  })
})
