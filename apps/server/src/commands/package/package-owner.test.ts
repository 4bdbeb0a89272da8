import { adminCreateOrganisation } from '@cadmus/model/contract/admin-organisation'
import { deletePackage } from '@cadmus/model/contract/package'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startConsole, type TestConsole } from '../../testing/console.ts'
import { aBuiltPackage } from '../../testing/packages.ts'
import { organisationByCode } from '../../store/organisation.ts'
import { packageOwner } from './package-owner.ts'

describe('Owners of packages', () => {
  let server: TestConsole
  beforeAll(async () => {
    server = await startConsole({})
    const admin = await server.as('admin')
    for (const code of ['Q-1', 'Q_1']) await admin.call(adminCreateOrganisation, { body: { code, name: code } })
  })
  afterAll(() => server.stop())

  async function ownerOf(code: string) {
    const { store } = server.context
    const row = await organisationByCode(store.shared, code)
    return packageOwner(store, row?.id ?? 0)
  }

  it('differ for organisations whose codes give one id', async () => {
    const [one, other] = [await ownerOf('Q-1'), await ownerOf('Q_1')]
    expect(one.uid).not.toBe(other.uid)
    expect(one.ownsUnstated('q_1.shop', 'shop')).toBe(true)
    expect(one.ownsUnstated('acme.shop', 'shop')).toBe(false)
  })

  it('do not adopt packages that another organisation with such a code may have published before owners were recorded', async () => {
    const { store } = server.context
    const built = await aBuiltPackage(await server.as('designer'), 'Former')
    const acme = await organisationByCode(store.shared, 'ACME')
    const future = new Date(Date.now() + 86_400_000).toISOString()
    await store.shared.updateTable('organisation').set({ uid_since: future }).where('code', '=', 'ACME').execute()
    const admin = await server.as('admin')
    await admin.call(adminCreateOrganisation, { body: { code: 'RIVAL', name: 'Rival' } })
    await store.shared.updateTable('organisation').set({ code: 'ACME' }).where('code', '=', 'RIVAL').execute()
    const rival = await organisationByCode(store.shared, 'RIVAL')
    const owner = await packageOwner(store, rival?.id ?? 0)
    expect(owner.delivery(built.name)).toEqual({ owner: owner.uid, adopts: false })
    expect(owner.delivery('elsewhere').adopts).toBe(true)
    expect((await packageOwner(store, acme?.id ?? 0)).delivery(built.name).adopts).toBe(true)
    // Deleted in the console, but still running.
    const designer = await server.as('designer')
    await designer.call(deletePackage, { params: { id: built.id }, query: { version: '1.0.0' } })
    expect((await packageOwner(store, rival?.id ?? 0)).delivery(built.name).adopts).toBe(false)
  })
})
