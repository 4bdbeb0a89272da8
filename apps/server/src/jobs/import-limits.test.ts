import { getImportProgress, importManifest } from '@cadmus/model/contract/manifest-transfer'
import { madeUpFolder } from '@cadmus/formats/testing/made-up-folder'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import type { ConsoleClient } from '../testing/client.ts'

const file = (bytes: Uint8Array) => ({ manifestFile: { name: 'folder.zip', bytes: new Uint8Array(bytes) } })

describeOnBothStores('Limits of an import', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store, env: { CADMUS_IMPORT_SECONDS: '2', CADMUS_IMPORT_MEMORY: '32' } })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  it('one that takes too long or too much memory is stopped with a clear message, and nothing stays', async () => {
    const db = console.context.store.shared
    const { id } = await db.selectFrom('organisation').select('id').where('code', '=', 'ACME').executeTakeFirstOrThrow()
    const contents = () =>
      console.context.store.of(id).selectFrom('content').select('hash').where('organisation_id', '=', id).execute()
    const before = (await contents()).length
    const key = randomUUID()
    const { status, answer } = await designer.refusal(importManifest, {
      files: file(madeUpFolder(6000, 40)),
      query: { key },
    })
    expect([status, answer.message]).toEqual([
      400,
      expect.stringMatching(
        /^(The import took more than 2 seconds and was stopped|Reading the file takes more memory)/,
      ),
    ])
    expect(await designer.call(getImportProgress, { params: { key } })).toMatchObject({
      state: 'failed',
      message: answer.message,
    })
    expect((await contents()).length).toBe(before)
  }, 120_000)
})
