import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addSubManifests,
  createManifest,
  deleteManifest,
  getManifest,
  removeSubManifest,
} from '@cadmus/model/contract/manifest'
import { holds } from '@cadmus/testing/holds'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('The limit of manifests', store => {
  let server: TestConsole
  beforeAll(async () => {
    server = await startConsole({ store })
  })
  afterAll(() => server.stop())

  let count = 0
  const freshName = () => `Limited${++count}`

  it('rejects a manifest above the licence limit', holds('M3.59'), async () => {
    const admin = server.bootstrap('CADMUS')
    const { shared } = server.context.store
    await shared.updateTable('organisation').set({ licence_limits: 'mc=1' }).where('code', '=', 'CADMUS').execute()
    await admin.call(createManifest, { body: { manifestName: 'Only' } })
    const { answer } = await admin.refusal(createManifest, { body: { manifestName: 'Another' } })
    expect(answer.message).toBe('Manifest limit of 1 reached. There is 1 now; 1 more was requested.')
  })

  it('rejects unlinking a sub-manifest that would exceed it as a root', holds('M3.59'), async () => {
    const admin = server.bootstrap('GLOBEX')
    const { shared } = server.context.store
    const licence = (limits: string) =>
      shared.updateTable('organisation').set({ licence_limits: limits }).where('code', '=', 'GLOBEX').execute()
    await licence('mc=2')
    const body = (subManifests: number[] = []) => ({ manifestName: freshName(), subManifests })
    const create = async (subs?: number[]) => (await admin.call(createManifest, { body: body(subs) })).manifest.id
    const one = await create()
    const other = await create([one])
    const [third, parent] = [await create([other]), await create()]
    await admin.call(addSubManifests, { params: { id: parent }, body: { submanifests: [third] } })
    await admin.call(addSubManifests, { params: { id: parent }, body: { submanifests: [other] } })
    expect(await create()).toBeGreaterThan(0)
    const refused = 'Manifest limit of 2 reached. There are 2 now; 1 more was requested.'
    const sub = { params: { id: parent, subId: third } }
    const removal = await admin.refusal(removeSubManifest, sub)
    expect([removal.status, removal.answer.code, removal.answer.message]).toEqual([403, 'manifest_limit', refused])
    // Listed in another manifest, it does not count as a root before or after.
    await admin.call(removeSubManifest, { params: { id: parent, subId: other } })
    await admin.call(addSubManifests, { params: { id: parent }, body: { submanifests: [one] } })
    await admin.call(removeSubManifest, { params: { id: other, subId: one } })
    const deletion = await admin.refusal(deleteManifest, { params: { id: parent } })
    expect([deletion.status, deletion.answer.message]).toEqual([403, refused])
    const { manifest } = await admin.call(getManifest, { params: { id: parent } })
    expect(manifest.subManifestPaths.map(({ id }) => id)).toEqual([third, one])
    await licence('mc=3')
    await admin.call(deleteManifest, { params: { id: parent } })
    // A limit lowered since does not block changes that add no root.
    await licence('mc=1')
    await admin.call(deleteManifest, { params: { id: one } })
    expect((await admin.refusal(createManifest, { body: body() })).status).toBe(403)
  })
})
