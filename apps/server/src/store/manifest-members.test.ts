import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEntity } from '@cadmus/model/contract/entity'
import { createManifest } from '@cadmus/model/contract/manifest'
import { manifestEdits } from '@cadmus/model/contract/edits'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import { newUid } from '@cadmus/model/uid'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { entitiesWithEnumerations } from './manifest-members.ts'

describeOnBothStores('The entities of a manifest', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  it('with attributes of enumerations are listed by their uids', async () => {
    const { id } = (await designer.call(createManifest, { body: { manifestName: 'Enumerated' } })).manifest
    const uids = [newUid(), newUid()]
    const enumerations = uids.map((uid, at) => {
      return { uid, name: `E${at}`, description: '', values: [{ uid: newUid(), value: 'a', label: '' }] }
    })
    const edits = [{ kind: 'changeManifest' as const, change: { enumerations } }]
    const body = { format: editFormat, operationId: newUid(), base: '*', edits }
    await designer.call(manifestEdits.save, { params: { id }, body })
    const created: number[] = []
    for (const [at, enumeration] of [...enumerations, null].entries()) {
      const typeAttributes = [{ name: 'state', enumeration: enumeration && { uid: enumeration.uid, name: '' } }]
      const entity = { name: `Entity${at}`, typeAttributes }
      created.push((await designer.call(createEntity, { body: { entity, targetManifestId: id } })).entity.id)
    }
    const [first = 0, second = 0] = created
    const organisation = await console.context.store.shared
      .selectFrom('organisation')
      .select('id')
      .where('code', '=', 'ACME')
      .executeTakeFirstOrThrow()
    const idsWith = (...sought: string[]) =>
      entitiesWithEnumerations(console.context.store.of(organisation.id), organisation.id, id, sought)
    expect(await idsWith(uids[0] ?? '')).toEqual([first])
    expect(await idsWith(uids[1] ?? '')).toEqual([second])
    expect(await idsWith(newUid())).toEqual([])
    expect(await idsWith(...Array.from({ length: 30 }, newUid))).toEqual([first, second])
  })
})
