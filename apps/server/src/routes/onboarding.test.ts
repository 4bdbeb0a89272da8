import { afterAll, beforeAll, expect, it } from 'vitest'
import { signInHeader } from '@cadmus/model/contract/routes'
import { beginOnboarding, getSession } from '@cadmus/model/contract/sso'
import { holds } from '@cadmus/testing/holds'
import { ConsoleClient } from '../testing/client.ts'
import {
  type DemoUserName,
  describeOnBothStores,
  signInAs,
  startConsole,
  type TestConsole,
} from '../testing/console.ts'
import { signInStranger } from '../testing/unknown-user.ts'

const page = { [signInHeader]: '1' }

describeOnBothStores.whenProving('The first launch of a user', store => {
  let server: TestConsole
  beforeAll(async () => {
    server = await startConsole({ store })
  })
  afterAll(() => server.stop())

  const isOnboarded = async ({ browser }: Pick<ConsoleClient, 'browser'>) =>
    (await new ConsoleClient(browser, '', undefined, page).call(getSession, {})).onboarded

  it(
    'the first launch of a user is remembered across browsers, organisations and sign-ins',
    holds('M1.25'),
    async () => {
      const organisations = ['ACME', 'GLOBEX'].map(oc => ({ oc, on: oc, ng: 1 }))
      const stranger = await signInStranger(server, organisations, 'ACME')
      expect(await isOnboarded(stranger)).toBe(false)
      expect(await stranger.call(beginOnboarding, {})).toEqual({ first: true })
      expect(await isOnboarded(stranger)).toBe(true)
      expect(await stranger.call(beginOnboarding, {})).toEqual({ first: false })
      const elsewhere = new ConsoleClient(stranger.browser, stranger.userId, 'GLOBEX')
      expect(await elsewhere.call(beginOnboarding, {})).toEqual({ first: false })

      const newcomer = await server.as('newcomer')
      expect(await isOnboarded(newcomer)).toBe(false)
      expect(await newcomer.call(beginOnboarding, {})).toEqual({ first: true })
      expect(await isOnboarded(await signInAs(server.visitor(), 'newcomer'))).toBe(true)
      expect(await isOnboarded(newcomer)).toBe(true)
    },
  )

  it('starts on only one of several concurrent pages', async () => {
    const stranger = await signInStranger(server, [{ oc: 'ACME', on: 'Acme', ng: 1 }], 'ACME')
    const answers = await Promise.all(Array.from({ length: 8 }, () => stranger.call(beginOnboarding, {})))
    expect(answers.filter(({ first }) => first)).toHaveLength(1)
  })

  it('the first launch of a user is already done for demo users marked as onboarded', async () => {
    const of = async (user: DemoUserName) => isOnboarded(await server.as(user))
    expect([await of('admin'), await of('designer')]).toEqual([true, true])
  })
})
