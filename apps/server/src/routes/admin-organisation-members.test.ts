import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  adminGetOrganisation,
  adminListMembers,
  adminListOrganisationLogs,
  adminListUsers,
  adminRemoveMember,
  adminSetMember,
} from '@cadmus/model/contract/admin-organisation'
import { createEntity, listEntities } from '@cadmus/model/contract/entity'
import { signInHeader } from '@cadmus/model/contract/routes'
import { errorAnswer } from '@cadmus/model/contract/shared'
import { getSession } from '@cadmus/model/contract/sso'
import { messages } from '@cadmus/model/messages'
import { saveProfile } from '../auth/profile.ts'
import { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'
import { signInStranger } from '../testing/unknown-user.ts'

describeOnBothStores('Members of an organisation', store => {
  let server: TestConsole
  let admin: ConsoleClient
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store, env: { CADMUS_DEMO_PERMISSIONS: 'none' } })
    // An administrator by the provider's claim, without any organisation.
    const { browser, userId } = await server.as('admin')
    admin = new ConsoleClient(browser, userId, undefined, { [signInHeader]: '1' })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())
  beforeEach(() => server.advance(4000))

  const members = async (code = 'ACME', search = '') =>
    (await admin.call(adminListMembers, { params: { code }, query: { search } })).members
  const set = (userId: string, subscription: number, ifMatch = '*', code = 'ACME') =>
    admin.call(adminSetMember, { params: { code, userId }, body: { subscription }, ifMatch })
  const remove = (userId: string, ifMatch = '*') =>
    admin.call(adminRemoveMember, { params: { code: 'ACME', userId }, ifMatch })
  const permissions = async (client: ConsoleClient) => {
    const own = new ConsoleClient(client.browser, client.userId, undefined, { [signInHeader]: '1' })
    return (await own.call(getSession, {})).eccUser.permissions
  }

  it('gain and lose access with their membership at the next request', async () => {
    expect(await permissions(designer)).toEqual([])
    expect((await designer.refusal(listEntities, {})).answer.code).toBe('no_subscription')
    const { member } = await set(designer.userId, 3, 'none')
    expect(member).toMatchObject({ fullname: 'Dan Designer', subscription: 3, source: 'console', inEffect: true })
    expect(await permissions(designer)).toEqual([{ oc: 'ACME', on: 'Acme Trading', ng: 3 }])
    expect((await designer.send(listEntities, {})).status).toBe(200)
    await set(designer.userId, 0, '3')
    expect((await designer.refusal(listEntities, {})).answer.code).toBe('no_subscription')
    expect(await permissions(designer)).toEqual([{ oc: 'ACME', on: 'Acme Trading', ng: 0 }])
    await set(designer.userId, 1, '0')
    await remove(designer.userId, '1')
    expect(await permissions(designer)).toEqual([])
    const refusal = await designer.refusal(createEntity, { body: { entity: { name: 'TooLate' } } })
    expect(refusal).toMatchObject({ status: 403, answer: { code: 'no_subscription' } })
    const { organisationLogs } = await admin.call(adminListOrganisationLogs, { params: { code: 'ACME' } })
    expect(organisationLogs.map(entry => [entry.USER_NAME, entry.DESCRIPTION])).toEqual([
      ['Ada Admin', 'Removed Dan Designer from organisation ACME.'],
      ['Ada Admin', 'Changed the subscription of Dan Designer in organisation ACME from 0 to 1.'],
      ['Ada Admin', 'Changed the subscription of Dan Designer in organisation ACME from 3 to 0.'],
      ['Ada Admin', 'Added Dan Designer to organisation ACME with subscription 3.'],
    ])
  })

  it('local members of an organisation are found among known users, by name, user name or e-mail', async () => {
    const users = async (search: string, notIn?: string) =>
      (await admin.call(adminListUsers, { query: { search, ...(notIn ? { notIn } : {}) } })).users
    expect((await users('')).map(({ username, source }) => [username, source])).toEqual([
      ['admin', 'console'],
      ['designer', 'console'],
    ])
    expect((await users('ADA')).map(({ username }) => username)).toEqual(['admin'])
    expect((await users('designer@')).map(({ fullname }) => fullname)).toEqual(['Dan Designer'])
    // Exact and prefix matches come before other matches.
    expect((await users('da')).map(({ fullname }) => fullname)).toEqual(['Dan Designer', 'Ada Admin'])
    expect(await users('100%')).toEqual([])
    await set(designer.userId, 1)
    expect((await users('', 'ACME')).map(({ username }) => username)).toEqual(['admin'])
    expect((await members('ACME', 'desIGN')).map(({ username }) => username)).toEqual(['designer'])
    expect(await members('ACME', 'nobody')).toEqual([])
    await remove(designer.userId)
  })

  it('local members of an organisation must be known users with a valid subscription in a known organisation', async () => {
    const params = { code: 'ACME', userId: designer.userId }
    for (const subscription of [-1, 1.5, 1_000_000_001, '1', null, true]) {
      const answer = await admin.send(adminSetMember, { params, body: { subscription }, ifMatch: '*' })
      expect(answer.status).toBe(400)
    }
    const input = { body: { subscription: 1 }, ifMatch: '*' }
    const unknown = { ...input, params: { code: 'ACME', userId: "x' or 1=1 --" } }
    expect((await admin.refusal(adminSetMember, unknown)).answer.message).toBe('The user was not found.')
    const nowhere = { ...input, params: { ...params, code: 'NOWHERE' } }
    expect((await admin.refusal(adminSetMember, nowhere)).answer.message).toBe('The organisation was not found.')
    expect((await admin.refusal(adminRemoveMember, { params, ifMatch: '*' })).status).toBe(404)
    expect((await admin.refusal(adminSetMember, { params, body: { subscription: 1 } })).status).toBe(428)
    expect(await members()).toEqual([])
  })

  it('local members of an organisation are not changed based on an outdated state', async () => {
    await set(designer.userId, 1, 'none')
    const params = { code: 'ACME', userId: designer.userId }
    // A change of another membership does not conflict.
    const other = { code: 'ACME', userId: (await server.as('newcomer')).userId }
    await server.bootstrap('ACME').call(adminSetMember, { params: other, body: { subscription: 1 }, ifMatch: '*' })
    await server.bootstrap('ACME').call(adminSetMember, { params: other, body: { subscription: 2 }, ifMatch: '*' })
    const stale = await admin.refusal(adminSetMember, { params, body: { subscription: 5 }, ifMatch: 'none' })
    expect(stale).toMatchObject({
      status: 409,
      answer: {
        message: 'Someone else changed this membership: the subscription is now 1.',
        etag: '"1"',
        conflicts: [{ field: 'subscription', base: null, mine: 5, theirs: 1, who: 'Ada Admin' }],
      },
    })
    expect((await admin.refusal(adminRemoveMember, { params, ifMatch: '2' })).status).toBe(409)
    // Setting the current value again does not conflict.
    expect((await set(designer.userId, 1, '7')).member.subscription).toBe(1)
    await remove(designer.userId, '1')
    const removed = await admin.refusal(adminSetMember, { params, body: { subscription: 2 }, ifMatch: '1' })
    expect(removed.answer.message).toBe('Someone else changed this membership: the user is no longer a member.')
  })

  it('local members of an organisation are not saved with other user data than those of their tag', async () => {
    await set(designer.userId, 1, 'none')
    const params = { code: 'ACME', userId: designer.userId }
    const [body] = await members('ACME', 'Dan')
    const save = (changes: object, ifMatch = body!.etag) =>
      admin.send(adminSetMember, { params, body: { ...body, ...changes }, ifMatch })
    for (const subscription of [1, 2]) {
      const refused = await save({ subscription, email: 'other@acme.example' })
      const { errors } = errorAnswer.parse(await refused.json())
      expect([refused.status, errors]).toEqual([400, [{ path: 'email', message: messages.readOnly('email') }]])
    }
    const { shared } = server.context.store
    const setEmail = (email: string) =>
      shared.updateTable('user_account').set({ email }).where('id', '=', designer.userId).execute()
    // The provider has changed the data since.
    await setEmail('new@acme.example')
    expect((await save({ subscription: 2 })).status).toBe(200)
    expect((await members('ACME', 'Dan'))[0]).toMatchObject({ subscription: 2, email: 'new@acme.example' })
    await setEmail(body!.email)
    await remove(designer.userId, '2')
  })

  it('local members of an organisation have one state after many concurrent changes, with a log entry for each', async () => {
    const requested = [1, 2, 3, 4, 5]
    const params = { code: 'GLOBEX', userId: designer.userId }
    const answers = await Promise.all(
      requested.map(subscription => admin.send(adminSetMember, { params, body: { subscription }, ifMatch: 'none' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const entries = await admin.call(adminListOrganisationLogs, { params: { code: 'GLOBEX' } })
    expect(entries.totalElements).toBe(1)
    expect(await members('GLOBEX')).toHaveLength(1)
  })

  it("members managed by the provider are shown as such, and only the provider's memberships apply", async () => {
    const ruled = await signInStranger(server, [{ oc: 'ACME', on: 'Acme Trading', ng: 4 }], 'ACME')
    const [row] = await members('ACME', 'stranger')
    expect(row).toMatchObject({ userId: ruled.userId, subscription: 4, source: 'provider', inEffect: true })
    const params = { code: 'ACME', userId: ruled.userId }
    const refusal = await admin.refusal(adminSetMember, { params, body: { subscription: 9 }, ifMatch: '*' })
    expect(refusal).toMatchObject({
      status: 403,
      answer: { code: 'locked', message: 'The identity provider manages the memberships of this user.' },
    })
    // Earlier local memberships have no effect, but are listed and can be removed.
    const { shared } = server.context.store
    const stored = { user_id: ruled.userId, organisation_id: await organisationId(server, 'GLOBEX'), subscription: 8 }
    await shared.insertInto('membership').values(stored).execute()
    expect((await members('GLOBEX', 'stranger'))[0]).toMatchObject({ source: 'console', inEffect: false })
    const { organisation } = await admin.call(adminGetOrganisation, { params: { code: 'GLOBEX' } })
    expect(organisation).toMatchObject({ totalMembers: 1, totalSubscriptions: 1, namedByProvider: false })
    const elsewhere = new ConsoleClient(ruled.browser, ruled.userId, 'GLOBEX')
    expect((await elsewhere.refusal(listEntities, {})).answer.code).toBe('no_subscription')
    const input = { params: { code: 'GLOBEX', userId: ruled.userId }, ifMatch: '8' }
    await admin.call(adminRemoveMember, input)
    expect(await members('GLOBEX', 'stranger')).toEqual([])
    const { organisation: acme } = await admin.call(adminGetOrganisation, { params: { code: 'ACME' } })
    expect(acme.namedByProvider).toBe(true)
  })

  it("local members of an organisation follow the provider's data of the next sign-in", async () => {
    const profile = {
      subject: 'moving',
      username: 'moving',
      fullname: 'Mo Ving',
      email: 'mo@example.com',
      avatar: null,
      isAdmin: false,
    }
    const say = (permissions: { oc: string; on: string; ng: number }[] | null) =>
      saveProfile(server.context, 'tests', { ...profile, permissions })
    const seen = async () =>
      Promise.all(
        ['ACME', 'GLOBEX'].map(async code => (await members(code, 'Mo Ving')).map(({ subscription }) => subscription)),
      )
    await say([
      { oc: 'ACME', on: 'Acme Trading', ng: 1 },
      { oc: 'GLOBEX', on: 'Globex', ng: 0 },
    ])
    expect(await seen()).toEqual([[1], [0]])
    await say([{ oc: 'globex', on: 'Globex', ng: 6 }])
    expect(await seen()).toEqual([[], [6]])
    await say(null)
    expect(await seen()).toEqual([[], []])
  })

  it('local members of an organisation are shown with any characters in their names, without breaking messages', async () => {
    const hostile = {
      subject: 'hostile',
      username: `<img src=x onerror=alert(1)>`,
      fullname: `Robert'); drop table membership;-- \u202Eevil`,
      email: '%_\\@example.com',
      avatar: null,
      isAdmin: false,
      permissions: null,
    }
    const userId = await saveProfile(server.context, 'tests', hostile)
    await set(userId, 1)
    expect((await members('ACME', '%_\\@'))[0]).toMatchObject({ fullname: hostile.fullname, email: hostile.email })
    const { organisationLogs } = await admin.call(adminListOrganisationLogs, { params: { code: 'ACME' } })
    // Messages show direction-changing characters as escapes.
    expect(organisationLogs[0]?.DESCRIPTION).toMatch(
      /^Added Robert'\); drop table membership;-- .*evil to organisation/,
    )
    expect(organisationLogs[0]?.DESCRIPTION).not.toContain('\u202E')
    await remove(userId)
  })
})
