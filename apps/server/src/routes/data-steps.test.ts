import { compareManifest, compareMigration } from '@cadmus/model/contract/comparison'
import { manifestEdits } from '@cadmus/model/contract/edits'
import { createEntity } from '@cadmus/model/contract/entity'
import { createManifest, getManifest } from '@cadmus/model/contract/manifest'
import type { DataStep } from '@cadmus/model/data-steps'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import { dataStepTexts as texts } from '@cadmus/model/messages/data-steps'
import { newUid } from '@cadmus/model/uid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'

let server: TestConsole
let designer: ConsoleClient
beforeAll(async () => {
  server = await startConsole()
  designer = await server.as('designer')
})
afterAll(() => server.stop())

let count = 0
async function opened(): Promise<number> {
  const body = { manifestName: `Stepped${++count}` }
  const { id } = (await designer.call(createManifest, { body })).manifest
  const entity = { name: 'Thing', typeAttributes: [{ name: 'rank' }] }
  await designer.call(createEntity, { body: { entity, targetManifestId: id } })
  return id
}

const step = (name: string, uid = newUid()): DataStep => ({
  kind: 'map',
  uid,
  attribute: { uid: newUid(), name },
  values: [{ from: 'old', to: 'new' }],
})

const stateOf = async (id: number) => designer.callWithTag(getManifest, { params: { id } })
const stepsOf = async (id: number) => (await stateOf(id)).answer.manifest.dataSteps

async function saved(id: number, dataSteps: DataStep[], base?: string) {
  const { etag } = await stateOf(id)
  const edits = [{ kind: 'changeManifest' as const, change: { dataSteps } }]
  const body = { format: editFormat, operationId: newUid(), base: base ?? etag, edits }
  return designer.call(manifestEdits.save, { params: { id }, body })
}

it('data steps are stored with their manifest, merged with those of others, and refused with a reason', async () => {
  const id = await opened()
  const { etag } = await stateOf(id)
  const [mine, theirs] = [step('mine'), step('theirs')]
  await saved(id, [theirs])
  await saved(id, [mine], etag)
  expect((await stepsOf(id)).map(({ attribute }) => attribute.name).toSorted()).toEqual(['mine', 'theirs'])
  await expect(saved(id, [{ ...step('x'), values: [] } as DataStep])).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(texts.inStep('x', texts.noValues)),
  })
  const other = await opened()
  const sides = {
    before: { kind: 'manifest' as const, manifest: other, version: null },
    after: { kind: 'now' as const },
  }
  const body = { ...sides, database: 'mysql' as const }
  const { dataSteps } = await designer.call(compareMigration, { params: { id }, body })
  expect(dataSteps.map(({ attribute }) => attribute.name).toSorted()).toEqual(['mine', 'theirs'])
  const compared = await designer.call(compareManifest, { params: { id }, body: sides })
  expect(compared.manifest.map(({ field }) => field)).toContain('dataSteps')
})
