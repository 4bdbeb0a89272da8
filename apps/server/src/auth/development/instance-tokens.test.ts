import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { Browser } from '../../testing/browser.ts'
import { type DemoUserName, startConsole, type TestConsole } from '../../testing/console.ts'

const instance = 'http://localhost:4555'
const back = `${instance}/api-explorer`
const tokenAnswer = z.object({ access_token: z.string(), token_type: z.string(), scope: z.string().optional() })
const keysAnswer = z.object({ keys: z.array(z.looseObject({ kty: z.string(), n: z.string(), e: z.string() })) })

let server: TestConsole
beforeAll(async () => {
  server = await startConsole({ env: { CADMUS_INSTANCES: `local=${instance}` } })
})
afterAll(() => server.stop())

type TokenRequest = { resource?: string; scope?: string; redirect?: string; verifier?: string | null }

/** Requests a token for an instance; returns the provider's redirect and the verifier. */
async function requested(
  user: DemoUserName,
  { resource = instance, scope = 'openid', redirect = back }: TokenRequest = {},
) {
  const verifier = randomBytes(32).toString('base64url')
  const browser = new Browser(server.url)
  const query = new URLSearchParams({
    client_id: 'cadmus-instance',
    response_type: 'code',
    redirect_uri: redirect,
    scope,
    resource,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'x',
  })
  const first = await browser.follow(`/oidc/auth?${query}`, {}, '/api-explorer')
  const action = new RegExp(`action="([^"]*/${user})"`).exec(await first.answer.text())?.[1]
  const { url } = action === undefined ? first : await browser.follow(action, { method: 'POST' }, '/api-explorer')
  return { url, verifier, resource, redirect }
}

function exchange({ url, verifier, resource, redirect }: Awaited<ReturnType<typeof requested>>, headers = {}) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: 'cadmus-instance',
    code: url.searchParams.get('code') ?? '',
    redirect_uri: redirect,
    code_verifier: verifier,
    resource,
  })
  return fetch(`${server.url}/oidc/token`, { method: 'POST', body, headers })
}

async function tokenOf(user: DemoUserName, input: TokenRequest = {}) {
  const answer = await exchange(await requested(user, input))
  const read: unknown = await answer.json()
  const { access_token: token } = tokenAnswer.parse(read)
  const [head = '', body = '', signature = ''] = token.split('.')
  const { keys } = keysAnswer.parse(await (await fetch(`${server.url}/oidc/jwks`)).json())
  const key = createPublicKey({ key: keys[0] ?? {}, format: 'jwk' })
  expect(verify('RSA-SHA256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
  const json = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { head: json(head), body: json(body) }
}

it("an instance's token is a JWT of the console's provider, for that resource, with the scopes of the user's groups", async () => {
  const { head, body } = await tokenOf('designer', { scope: 'openid designers shop.read cadmus-admins' })
  expect(head).toMatchObject({ alg: 'RS256', typ: 'at+jwt' })
  expect(body).toMatchObject({ iss: `${server.url}/oidc`, aud: instance, sub: 'designer' })
  expect(String(body['scope']).split(' ')).toContain('designers')
  expect(String(body['scope'])).not.toMatch(/shop|admins/)
  expect(Number(body['exp']) - Number(body['iat'])).toBe(3600)
  const admin = await tokenOf('admin', { scope: 'openid shop.read shop.write' })
  expect(String(admin.body['scope']).split(' ')).toEqual(expect.arrayContaining(['shop.read', 'shop.write']))
  expect(await tokenOf('designer', { scope: 'openid' })).toMatchObject({ body: { aud: instance } })
})

it('instance tokens are rejected for another resource, redirect or missing proof, and issued only once', async () => {
  const elsewhere = await requested('admin', { resource: 'http://localhost:9999' })
  expect(elsewhere.url.searchParams.get('error')).toBe('invalid_target')
  const stolen = await requested('admin', { redirect: 'http://localhost:9999/api-explorer' })
  expect(stolen.url.searchParams.get('code')).toBeNull()
  const unproved = await exchange({ ...(await requested('admin')), verifier: 'x'.repeat(43) })
  expect(unproved.status).toBe(400)
  const once = await requested('admin')
  expect([(await exchange(once)).status, (await exchange(once)).status]).toEqual([200, 400])
})

it("only an instance's own page may request its token", async () => {
  const allowed = async (origin: string) =>
    (await exchange(await requested('designer'), { origin })).headers.get('access-control-allow-origin')
  expect(await allowed(instance)).toBe(instance)
  expect(await allowed('http://evil.example')).toBeNull()
})
