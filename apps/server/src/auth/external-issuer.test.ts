import { holds } from '@cadmus/testing/holds'
import { signInHeader } from '@cadmus/model/contract/routes'
import { authorize, getSession, refreshSession, signIn, signOut } from '@cadmus/model/contract/sso'
import { freePort, removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ssoRoutes } from '../routes/sso.ts'
import { organisationByCode } from '../store/organisation.ts'
import { openProviderStore } from './development/adapter.ts'
import { Browser } from '../testing/browser.ts'
import { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { probeRoutes, probeWho } from '../testing/probe.ts'

const page = { [signInHeader]: '1' }

/** A typical provider: profile and groups only at the userinfo endpoint, and no organisations. */
describe('Sign-in at an external provider', () => {
  let issuer: Server
  let console: TestConsole
  let store: ReturnType<typeof openProviderStore>
  const folder = temporaryFolder('issuer')
  let groups = ['staff']
  let picture: unknown
  const signedIn = async () => {
    const client = new ConsoleClient(console.visitor(), '', undefined, page)
    const { url } = await client.call(authorize, {})
    const provider = new Browser(new URL(url).origin)
    const { url: back } = await provider.follow(url)
    const { searchParams } = back
    const query = { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' }
    return { client, answer: await client.call(signIn, { query }) }
  }

  beforeAll(async () => {
    const port = await freePort()
    const issuerPort = await freePort()
    const address = `http://127.0.0.1:${issuerPort}`
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    store = openProviderStore(folder)
    const provider = new Provider(address, {
      clients: [
        {
          client_id: 'console',
          client_secret: 'a-secret-of-the-test',
          redirect_uris: [`http://localhost:${port}/sso/login`],
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
      claims: { openid: ['sub'], profile: ['name', 'groups', 'picture'], email: ['email'] },
      issueRefreshToken: () => true,
      adapter: store.adapter,
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, RefreshToken: 600, IdToken: 600 },
      features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => ({ sub, name: 'Eve External', email: 'eve@example.com', groups, picture }),
      }),
      async loadExistingGrant(context) {
        const grant = new context.oidc.provider.Grant({ clientId: 'console', accountId: 'eve' })
        grant.addOIDCScope('openid profile email offline_access')
        await grant.save()
        return grant
      },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    })
    const answer = provider.callback()
    issuer = createServer((request, response) => {
      if (request.url?.startsWith('/interaction/') === true) {
        void provider.interactionFinished(request, response, { login: { accountId: 'eve' } })
      } else void answer(request, response)
    })
    await new Promise<void>(resolve => issuer.listen(issuerPort, '127.0.0.1', resolve))
    console = await startConsole({
      routes: [...ssoRoutes, ...probeRoutes],
      env: {
        CADMUS_PORT: String(port),
        CADMUS_OIDC_ISSUER: address,
        CADMUS_OIDC_CLIENT_ID: 'console',
        CADMUS_OIDC_CLIENT_SECRET: 'a-secret-of-the-test',
      },
    })
  })
  afterAll(async () => {
    await console.stop()
    issuer.closeAllConnections()
    issuer.close()
    store.close()
    removeFolder(folder)
  })

  it('reads name and groups from the userinfo endpoint, without a development provider', holds('M1.31'), async () => {
    const { answer } = await signedIn()
    expect(answer.eccUser).toMatchObject({ fullname: 'Eve External', email: 'eve@example.com', isAdmin: false })
    expect((await console.visitor().fetch('/oidc/.well-known/openid-configuration')).status).toBe(404)
  })

  it('uses the local memberships, current at each request', async () => {
    const { client, answer } = await signedIn()
    expect(answer.eccUser.permissions).toEqual([])
    const { userId } = answer.eccUser
    const user = new ConsoleClient(client.browser, userId, 'CADMUS')
    expect((await user.refusal(probeWho, {})).answer.code).toBe('no_subscription')
    const { shared } = console.context.store
    const { id = 0 } = (await organisationByCode(shared, 'CADMUS')) ?? {}
    const membership = { user_id: userId, organisation_id: id, subscription: 1 }
    await shared.insertInto('membership').values(membership).execute()
    expect((await user.call(probeWho, {})).organisation).toBe('CADMUS')
    const identifyAgain = await client.call(getSession, {})
    expect(identifyAgain.eccUser.permissions).toEqual([{ oc: 'CADMUS', on: 'Cadmus', ng: 1 }])
    await shared.updateTable('membership').set({ subscription: 0 }).where('user_id', '=', userId).execute()
    expect((await user.refusal(probeWho, {})).status).toBe(403)
  })

  it('makes members of the group cadmus-admins administrators from the next refresh on', async () => {
    const { client } = await signedIn()
    groups = ['staff', 'cadmus-admins']
    await client.call(refreshSession, {})
    expect((await client.call(getSession, {})).eccUser.isAdmin).toBe(true)
    groups = ['staff']
    await client.call(refreshSession, {})
    expect((await client.call(getSession, {})).eccUser.isAdmin).toBe(false)
  })

  it.each([
    ['https://pictures.example/eve.png', 'https://pictures.example/eve.png'],
    [`https://pictures.example/${'e'.repeat(900)}`, `https://pictures.example/${'e'.repeat(900)}`],
    ['javascript:alert(1)', null],
    ['data:text/html,<script>alert(1)</script>', null],
    [`https://pictures.example/${'e'.repeat(5000)}`, null],
    ['/eve.png', null],
    [{ url: 'https://pictures.example/eve.png' }, null],
  ])('accepts only complete picture URLs: %j', async (claim, avatar) => {
    picture = claim
    console.advance(60_000)
    expect((await signedIn()).answer.eccUser.avatar).toBe(avatar)
  })

  it('signing out ends the session without redirect, because this provider has no logout', async () => {
    console.advance(60_000)
    const { client } = await signedIn()
    expect((await client.call(signOut, {})).url).toBeNull()
    expect((await client.refusal(getSession, {})).status).toBe(401)
    expect((await client.refusal(refreshSession, {})).status).toBe(401)
  })

  it('answers 503 while the provider is unavailable, and keeps the session', async () => {
    const { client } = await signedIn()
    issuer.closeAllConnections()
    await new Promise(resolve => issuer.close(resolve))
    expect((await client.refusal(refreshSession, {})).status).toBe(503)
    expect((await client.send(getSession, {})).status).toBe(200)
    // The provider is not even discovered yet, and signing out must not need it.
    await console.restart({})
    expect((await client.call(signOut, {})).url).toBeNull()
    expect((await client.refusal(getSession, {})).status).toBe(401)
  })
})

describe('The development provider', () => {
  it('marks its pages as a demo', async () => {
    const console = await startConsole({ env: { CADMUS_DEMO: '1', CADMUS_HOST: '0.0.0.0' } })
    const client = new ConsoleClient(console.visitor(), '', undefined, page)
    const { url } = await client.call(authorize, {})
    const { answer } = await client.browser.follow(url)
    expect(await answer.text()).toContain('This is a demo: anyone can sign in.')
    expect(answer.headers.get('content-security-policy')).not.toContain('unsafe')
    await console.stop()
  })

  it('keeps keys and sessions in the data directory, so a refresh survives a restart', async () => {
    const console = await startConsole()
    const designer = await console.as('designer')
    const jwks = await (await console.visitor().fetch('/oidc/jwks')).text()
    expect(jwks).not.toContain('"d"')
    const other = await startConsole({ fresh: true })
    expect(await (await other.visitor().fetch('/oidc/jwks')).text()).not.toBe(jwks)
    await other.stop()
    const { port } = console.context
    await console.restart({ CADMUS_PORT: String(port) })
    expect(await (await console.visitor().fetch('/oidc/jwks')).text()).toBe(jwks)
    const client = new ConsoleClient(designer.browser, designer.userId, undefined, page)
    expect((await client.send(refreshSession, {})).status).toBe(200)
    await console.stop()
  })
})
