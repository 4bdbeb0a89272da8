import { afterAll, beforeAll, expect, it } from 'vitest'
import { validateManifest } from '@cadmus/model/contract/manifest-transfer'
import type { DatabaseType } from '@cadmus/model/database-types'
import { newManifestContent } from '@cadmus/model/manifest'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { insertManifests } from '../store/manifest.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined } from '../testing/entities.ts'
import { signInStranger } from '../testing/unknown-user.ts'

const longName = 'y'.repeat(70)

describeOnBothStores.whenProving('A predefined manifest validated by two organisations', store => {
  let console: TestConsole
  let acme: ConsoleClient
  let globex: ConsoleClient
  let manifestId: number
  beforeAll(async () => {
    console = await startConsole({ store })
    acme = await console.as('designer')
    globex = await signInStranger(console, [{ oc: 'GLOBEX', on: 'Globex', ng: 1 }], 'GLOBEX')
    manifestId = await addPredefinedManifest()
  })
  afterAll(() => console.stop())

  async function addPredefinedManifest(): Promise<number> {
    const key = newTypeAttribute({ name: 'id', dataType: 'integer', purpose: 'identifiedBy', position: 0 })
    const typeAttributes = [key, newTypeAttribute({ name: longName, position: 1 })]
    const entityId = await addPredefined(console, { name: 'Shared', typeAttributes })
    const { ids, ...all } = console.context.store
    const id = await ids.one()
    const members = [{ entityId, organisationId: 0, type: 'EXCLUSIVE' as const }]
    const content = newManifestContent({ name: 'Shared' })
    const made = { id, path: 'predefined/tests/SharedManifest', content, members, subManifests: [] }
    await insertManifests(all.of(0), 0, [made], { userName: 'Test' })
    return id
  }

  const license = async (code: string, licensed: readonly DatabaseType[]) =>
    console.context.store.shared
      .updateTable('organisation')
      .set({ licence_limits: `mc=50|db=${licensed.join('~')}` })
      .where('code', '=', code)
      .execute()

  /** Returns the databases on which the long name is reported as changed. */
  async function renamedOn(client: ConsoleClient): Promise<readonly string[]> {
    const { problems } = await client.call(validateManifest, { params: { id: manifestId } })
    const about = problems.filter(({ path, message }) => path.at(-1)?.name === longName && message.includes(longName))
    return about.flatMap(({ databases }) => databases ?? []).toSorted()
  }

  it("uses each organisation's licence, in turn, concurrently and after changes", async () => {
    await license('ACME', ['mysql', 'hsql'])
    await license('GLOBEX', ['hsql', 'postgresql'])
    for (let round = 0; round < 2; round += 1) {
      expect(await renamedOn(acme)).toEqual(['mysql'])
      expect(await renamedOn(globex)).toEqual(['postgresql'])
    }
    await license('ACME', ['postgresql', 'mysql'])
    await license('GLOBEX', ['hsql'])
    expect(await Promise.all([globex, acme, globex, acme].map(renamedOn))).toEqual([
      [],
      ['mysql', 'postgresql'],
      [],
      ['mysql', 'postgresql'],
    ])
  })
})
