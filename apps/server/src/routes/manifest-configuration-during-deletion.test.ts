import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfiguration } from '@cadmus/model/configuration'
import { createEntity } from '@cadmus/model/contract/entity'
import {
  addSubManifests,
  createManifest,
  getManifestConfiguration,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { transact } from '../commands/change.ts'
import { unlink } from '../commands/entity/delete-entity.ts'
import { deleteEntityRows } from '../store/entity-delete.ts'
import { entityById } from '../store/entity.ts'
import { configurationOf } from '../store/manifest-configuration.ts'
import { lockManifestNames, manifestById } from '../store/manifest.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'

describeOnBothStores('A configuration saved while a named entity is deleted', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const aManifest = async (manifestName: string) =>
    (await designer.call(createManifest, { body: { manifestName } })).manifest.id

  it('waits for the deletion and contains no deleted entity', async () => {
    const [above, below] = [await aManifest('Above'), await aManifest('Below')]
    await designer.call(addSubManifests, { params: { id: above }, body: { submanifests: [below] } })
    const { entity: removed } = await designer.call(createEntity, {
      body: { entity: { name: 'Gone' }, targetManifestId: below },
    })
    const params = { id: above }
    const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params })
    const body = readConfiguration(answer.manifestProperties)
    body.configurationBuild.aggregateQueries = [
      { name: 'howMany', entity: 'Gone', columns: [{ field: 'id', type: 'COUNT', alias: 'n' }] },
    ]
    const organisation = await organisationId(server)
    const { store: all } = server.context
    const actor = { userId: 'someone', userName: 'Someone', userEmail: '' }
    const change = { store: all, organisationId: organisation, actor, isAdmin: false }
    let saving: Promise<Response> | undefined
    await transact(change, 4, async (tx, work) => {
      await lockManifestNames(tx, organisation)
      const entity = await entityById(tx, organisation, removed.id)
      if (!entity) throw new Error('It is there.')
      await unlink(tx, change, work, { entities: [entity], onReferences: 'keep', describe: () => '' })
      saving = designer.send(saveManifestConfiguration, { params, body, ifMatch: etag })
      await wait(500)
      await deleteEntityRows(tx, organisation, [removed.id])
    })
    expect((await saving)?.status).toBe(200)
    const db = all.of(organisation)
    const manifest = await manifestById(db, organisation, above)
    expect(manifest && (await configurationOf(db, manifest)).named).toEqual([])
  })
})
