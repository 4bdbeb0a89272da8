import { writeArchive } from '@cadmus/formats/archive'
import { writePackage } from '@cadmus/formats/package/write'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { expect, it } from 'vitest'
import { violationsInAnyLook } from './driver/axe.ts'
import { openDeskWithInstance, openPage, shoot } from './driver/desk.ts'

const { page, browser, complaints, console: server } = await openDeskWithInstance()
const { instance } = server

await publish('stock', [])

async function publish(name: string, globalScopes: string[]): Promise<void> {
  const configuration = aConfiguration({
    security: 'OAUTH2',
    scopes: {
      enableRbac: true,
      identityProvider: 'CADMUS',
      scopeDefinitions: ['designers', 'stock.write'],
      globalScopes,
    },
    connection: { type: 'HSQL', databaseName: 'embedded' },
  })
  const source = aPackageSource({ name, configuration })
  for (const { operationScopes } of source.closure.byId.values()) {
    Object.assign(operationScopes, { selectAllOperationScopes: ['designers'], insertOperationScopes: ['stock.write'] })
  }
  await instance.upload(writeArchive(writePackage({ ...source, organisation: 'acme' })), name)
}

const may = (row: string) => page.getByRole('row', { name: row, exact: true })

const storage = () => page.evaluate(() => [localStorage.length, sessionStorage.length])

async function getToken(user: string): Promise<void> {
  await page.getByRole('button', { name: /^Get (a|another) token$/ }).click()
  await page.getByRole('button', { name: user }).click()
  await page.getByRole('heading', { name: 'Customer', exact: true }).waitFor()
  await page.getByRole('button', { name: 'What may this token call?' }).click()
  await page.getByText(`${user} may call:`).waitFor()
}

it('the explorer is what the address of an instance leads to', async () => {
  await page.goto(instance.url)
  await page.getByText('Sign in to see what this package serves.').waitFor()
  expect(page.url()).toBe(`${instance.url}/api-explorer?package=stock`)
  expect(await violationsInAnyLook(page)).toEqual([])
})

it('gets its first token as somebody else than who is signed in at the console', async () => {
  await getToken('newcomer')
  expect(await may('POST /customer No: needs stock.write').count()).toBe(1)
})

it("gets a token from the console's provider, for whom one signs in as there, with the scopes of the package", async () => {
  await getToken('designer')
  expect([await may('GET /customer Yes').count(), await may('POST /customer No: needs stock.write').count()]).toEqual([
    1, 1,
  ])
  await page.getByText(/^Signed in as designer until .+\.$/).waitFor()
  await page.getByText('The token lacks stock.write. Get another token as a user with access.').waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy token' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const authorization = `Bearer ${await page.evaluate(() => navigator.clipboard.readText())}`
  expect(
    (await page.request.get(`${instance.url}/api/stock/1.0/customer`, { headers: { authorization } })).status(),
  ).toBe(200)
  await getToken('admin')
  expect([await may('GET /customer Yes').count(), await may('POST /customer Yes').count()]).toEqual([1, 1])
  expect(page.url()).toBe(`${instance.url}/api-explorer?package=stock`)
})

it('signs in once for REST, GraphQL and SOAP, until the tab is closed, signed out of, or the token ends', async () => {
  await page.goto(`${instance.url}/graphql/stock/1.0`)
  await page.getByText(/^Signed in as admin until/).waitFor()
  const answer = page.getByRole('region', { name: 'Answer' })
  await page.getByLabel('Query').fill('{ customerList { total } }')
  await page.getByRole('button', { name: 'Run' }).click()
  await answer.getByText('"total": 0').waitFor()
  await page.getByRole('link', { name: 'SOAP' }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  await answer.getByText('<total>0</total>').waitFor()
  await page.reload()
  await page.getByText(/^Signed in as admin until/).waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  await answer.getByText('<total>0</total>').waitFor()
  expect(await violationsInAnyLook(page)).toEqual([])
  await shoot(page, 'soap-token')
  expect(await storage()).toEqual([0, 1])
})

it('sends a token to the addresses of its package only', async () => {
  const sent: string[] = []
  page.on('request', request => {
    if (request.headers()['authorization'] !== undefined) sent.push(request.url())
  })
  await page.reload()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('<total>0</total>').waitFor()
  expect(sent).toEqual([`${instance.url}/soap/stock/1.0?wsdl`, `${instance.url}/soap/stock/1.0`])
  const elsewhere = [
    '/api/depot/1.0/customer',
    '/api/stock/1.0/../../depot/1.0',
    '/api/stock/1.01',
    'http://localhost:1/api/stock/1.0',
  ]
  const answers = await page.evaluate<string[]>(`(async () => {
    const file = '/api-explorer/caller.js'
    const { callerOf } = await import(file)
    const signIns = { find: () => ({ authorization: 'Bearer secret' }) }
    const caller = callerOf({ namespace: 'stock' }, 'realm', signIns, () => {})
    return Promise.all(${JSON.stringify(elsewhere)}.map(address => caller.send(address).then(String, error => error.message)))
  })()`)
  expect(answers).toEqual(elsewhere.map(() => expect.stringMatching(/ is not an address of this package\.$/)))
})

it('forgets the token at sign out, in all protocols', async () => {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Sign in to see what this package serves.').waitFor()
  expect(await storage()).toEqual([0, 0])
  await page.getByRole('link', { name: 'GraphQL' }).click()
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('region', { name: 'Answer' }).getByText(/^401/).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Get a token' }).waitFor()
})

it('comes back from the issuer to the protocol that was shown', async () => {
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.getByRole('button', { name: 'designer' }).click()
  await page.getByText(/^Signed in as designer until/).waitFor()
  expect(page.url()).toBe(`${instance.url}/api-explorer?package=stock&protocol=graphql`)
  expect(await page.getByRole('link', { name: 'GraphQL' }).getAttribute('aria-current')).toBe('page')
})

it('forgets a token that expires while the page is open, and one that the instance refuses', async () => {
  const { context, page: tab } = await openPage(browser, server.url)
  await tab.clock.install()
  await tab.goto(`${instance.url}/api-explorer?package=stock&protocol=graphql`)
  await tab.getByRole('button', { name: 'Get a token' }).click()
  await tab.getByRole('button', { name: 'designer' }).click()
  await tab.getByText(/^Signed in as designer until/).waitFor()
  await tab.clock.fastForward('24:00:00')
  await tab.getByText('The sign-in has expired. Sign in again.').waitFor()
  expect(await tab.evaluate(() => sessionStorage.length)).toBe(0)
  await tab.getByText('Use an existing token').click()
  await tab.getByLabel('Access token').fill('revoked')
  await tab.getByLabel('Access token').press('Enter')
  await tab.getByRole('button', { name: 'Run' }).click()
  await tab.getByText('The token is invalid or has expired. Sign in again.').waitFor()
  await tab.getByRole('button', { name: 'Get a token' }).waitFor()
  await context.close()
})

it('lacks nothing where the token has a scope that allows everything', async () => {
  await publish('depot', ['designers'])
  await page.goto(`${instance.url}/api-explorer?package=depot`)
  await getToken('designer')
  expect(await may('POST /customer Yes').count()).toBe(1)
  expect(await page.getByText('The token lacks').count()).toBe(0)
  // One issuer and one audience: another package of theirs is signed in to as well.
  await page.getByLabel('Package').selectOption('stock')
  await page.waitForURL(`${instance.url}/api-explorer?package=stock`)
  await page.getByText(/^Signed in as designer until/).waitFor()
  await page.getByRole('heading', { name: 'Customer', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
})

it('takes no code that it did not ask for, and stores nothing', async () => {
  await page.goto(`${instance.url}/api-explorer?package=stock&code=stolen&state=guessed`)
  await page.getByText('Sign in to see what this package serves.').waitFor()
  expect(await storage()).toEqual([0, 0])
  expect(complaints).toEqual([])
})
