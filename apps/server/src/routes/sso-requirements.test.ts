import { afterAll, beforeAll, expect, it } from 'vitest'
import { signInHeader } from '@cadmus/model/contract/routes'
import { getSession, signOut } from '@cadmus/model/contract/sso'
import { holds } from '@cadmus/testing/holds'
import { ConsoleClient } from '../testing/client.ts'
import {
  type DemoUserName,
  describeOnBothStores,
  signInAs,
  startConsole,
  type TestConsole,
} from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'
import { ssoRoutes } from './sso.ts'

const page = { [signInHeader]: '1' }

describeOnBothStores.whenProving('The user in the session answer', store => {
  let server: TestConsole
  beforeAll(async () => {
    server = await startConsole({ store, routes: ssoRoutes })
  })
  afterAll(() => server.stop())

  const session = async (user: DemoUserName, organisation?: string) => {
    const { browser } = await server.as(user)
    return new ConsoleClient(browser, '', organisation, page).call(getSession, {})
  }

  it(
    'the user in the session answer has userId, username, fullname, email, avatar and memberId, the same for each session',
    holds('M3.53'),
    async () => {
      const { eccUser, memberDetails } = await session('designer')
      const { userId, avatar, fullname, memberId } = eccUser
      expect(userId).not.toBe('')
      expect(eccUser).toMatchObject({ username: 'designer', email: 'designer@example.com' })
      expect(fullname.length).toBeGreaterThan(2)
      expect(avatar === null || avatar.length > 0).toBe(true)
      expect(memberId).not.toBe('')
      expect(memberDetails).toEqual({ avatar, fullname, memberId })
      const again = await signInAs(server.visitor(), 'designer')
      expect(again.userId).toBe(userId)
      expect((await session('admin')).eccUser.userId).not.toBe(userId)
    },
  )

  it(
    'the user in the session answer has organisationCode and organisationName of the current organisation',
    holds('M3.54'),
    async () => {
      const named = async (organisation?: string) => {
        const { organisationCode, organisationName } = (await session('admin', organisation)).eccUser
        return [organisationCode, organisationName]
      }
      const { permissions } = (await session('admin')).eccUser
      for (const { oc, on } of permissions) expect(await named(oc)).toEqual([oc, on])
      expect(await named()).toEqual([null, null])
      expect(await named('GLOBEX')).toEqual([null, null])
      expect((await session('designer')).eccUser).toMatchObject({ organisationCode: 'ACME' })
    },
  )

  it(
    'the user in the session answer has negroniPermission and negroniLicenseLimits: subscription and licence of that organisation',
    holds('M3.55'),
    async () => {
      const limits = 'mc=7|rs=0|gqls=1|db=mysql~hsql'
      const { shared } = server.context.store
      const acme = await organisationId(server)
      const licence = (text: string) =>
        shared.updateTable('organisation').set({ licence_limits: text }).where('id', '=', acme).execute()
      const { negroniLicenseLimits: before } = (await session('admin', 'ACME')).eccUser
      await licence(limits)
      const inAcme = (await session('admin', 'ACME')).eccUser
      const subscription = inAcme.permissions.find(({ oc }) => oc === 'ACME')?.ng ?? 0
      expect(subscription).toBeGreaterThan(0)
      expect(inAcme).toMatchObject({ negroniPermission: String(subscription), negroniLicenseLimits: limits })
      expect((await session('admin', 'CADMUS')).eccUser.negroniLicenseLimits).not.toBe(limits)
      expect((await session('admin')).eccUser).toMatchObject({ negroniPermission: '0', negroniLicenseLimits: '' })
      await licence(before)
    },
  )

  it(
    'the user in the session answer has the organisation with its licensed features, databases in the order of the licence',
    holds('M3.38', 'M3.39', 'M3.55', 'M9.12'),
    async () => {
      const { shared } = server.context.store
      const acme = await organisationId(server)
      const licence = (text: string) =>
        shared.updateTable('organisation').set({ licence_limits: text }).where('id', '=', acme).execute()
      const { negroniLicenseLimits: before } = (await session('admin', 'ACME')).eccUser
      await licence('mc=7|rs=0|gqls=1|db=db2~oracle~mysql')
      const { organisation } = await session('admin', 'ACME')
      const allowed = { manifestLimit: 7, rest: false, graphql: true, databaseTypes: ['oracle', 'mysql'] }
      expect(organisation).toMatchObject({ code: 'ACME', licence: allowed })
      expect((await session('admin')).organisation).toBeNull()
      expect((await session('admin', 'GLOBEX')).organisation).toBeNull()
      await licence('rs=1')
      expect((await session('designer')).organisation?.licence).toMatchObject({ manifestLimit: null, rest: true })
      await licence(before)
    },
  )

  it('the user in the session answer has the licence limits as one text per organisation', holds('M3.58'), async () => {
    for (const organisation of ['ACME', 'CADMUS']) {
      const { negroniLicenseLimits } = (await session('admin', organisation)).eccUser
      expect(negroniLicenseLimits).toMatch(/^mc=\d+\|rs=[01]\|gqls=[01]\|db=\w+(~\w+)*$/)
    }
  })

  it(
    'the user in the session answer has isAdmin and permissions: two organisations for the administrator, one for the designer',
    holds('M3.56'),
    async () => {
      const { eccUser: admin } = await session('admin')
      expect(admin.isAdmin).toBe(true)
      expect(admin.permissions.map(({ oc }) => oc).toSorted()).toEqual(['ACME', 'CADMUS'])
      expect(admin.permissions.every(({ on, ng }) => on !== '' && ng > 0)).toBe(true)
      const { eccUser: designer } = await session('designer')
      expect(designer.isAdmin).toBe(false)
      expect(designer.permissions.map(({ oc }) => oc)).toEqual(['ACME'])
    },
  )

  it('the user in the session answer has a flag isAdmin, true or false, but no role', holds('E6.1'), async () => {
    for (const [name, isAdmin] of [
      ['admin', true],
      ['designer', false],
      ['newcomer', false],
    ] as const) {
      const { browser } = await server.as(name)
      const answer: unknown = await (await new ConsoleClient(browser, '', undefined, page).send(getSession, {})).json()
      expect(answer).toHaveProperty('eccUser.isAdmin', isAdmin)
      expect(JSON.stringify(answer)).not.toMatch(/role|group/i)
    }
  })

  it(
    "the user in the session answer is signed out through the provider's logout page with a new state value each time",
    holds('M7.102'),
    async () => {
      const states: (string | null)[] = []
      for (let time = 0; time < 2; time++) {
        const { browser } = await signInAs(server.visitor(), 'newcomer')
        const { url } = await new ConsoleClient(browser, '', undefined, page).call(signOut, {})
        const { origin, pathname, searchParams } = new URL(url ?? '')
        expect([origin, pathname]).toEqual([server.url, '/oidc/session/end'])
        states.push(searchParams.get('state'))
      }
      expect(states[0]).toMatch(/^[\w-]{20,}$/)
      expect(states[1]).toMatch(/^[\w-]{20,}$/)
      expect(states[0]).not.toBe(states[1])
    },
  )
})
