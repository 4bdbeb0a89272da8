import { writeArchive } from '@cadmus/formats/archive'
import { writePackage } from '@cadmus/formats/package/write'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { expect, it } from 'vitest'
import { violationsInAllVariants } from './driver/axe.ts'
import { startJourneyWithInstance, openPage, saveScreenshot } from './driver/journey.ts'

const { page, browser, complaints, console: server } = await startJourneyWithInstance()
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
  for (const { operationScopes } of source.resolvedModel.byId.values()) {
    Object.assign(operationScopes, { selectAllOperationScopes: ['designers'], insertOperationScopes: ['stock.write'] })
  }
  await instance.upload(writeArchive(writePackage({ ...source, organisation: 'acme' })), name)
}

const permissionRow = (row: string) => page.getByRole('row', { name: row, exact: true })

const storage = () => page.evaluate(() => [localStorage.length, sessionStorage.length])

async function getToken(user: string): Promise<void> {
  await page.getByRole('button', { name: /^Get (a|another) token$/ }).click()
  await page.getByRole('button', { name: user }).click()
  await page.getByRole('heading', { name: 'Customer', exact: true }).waitFor()
  await page.getByRole('button', { name: 'What may this token call?' }).click()
  await page.getByText(`${user} may call:`).waitFor()
}

it('the address of an instance redirects to the API explorer', async () => {
  await page.goto(instance.url)
  await page.getByText('Sign in to see what this package serves.').waitFor()
  await page.waitForURL(`${instance.url}/api-explorer?package=stock`)
  expect(await violationsInAllVariants(page)).toEqual([])
})

it('the first sign-in of the explorer may use another user than the console', async () => {
  await getToken('newcomer')
  await expect.poll(() => permissionRow('POST /customer No: needs stock.write').count()).toBe(1)
})

it('signing in at the provider of the console gets a token with the scopes of the package', async () => {
  await getToken('designer')
  await permissionRow('GET /customer Yes').waitFor()
  await permissionRow('POST /customer No: needs stock.write').waitFor()
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
  await permissionRow('GET /customer Yes').waitFor()
  await permissionRow('POST /customer Yes').waitFor()
  await page.waitForURL(`${instance.url}/api-explorer?package=stock`)
})

it('one sign-in covers REST, GraphQL and SOAP and survives a reload', async () => {
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
  await saveScreenshot(page, 'soap-token')
  await expect.poll(() => storage()).toEqual([0, 1])
})

it('the token is sent to addresses of its own package only', async () => {
  const sent: string[] = []
  page.on('request', request => {
    if (request.headers()['authorization'] !== undefined) sent.push(request.url())
  })
  await page.reload()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('<total>0</total>').waitFor()
  expect(sent).toEqual([`${instance.url}/soap/stock/1.0?wsdl`, `${instance.url}/soap/stock/1.0`])
  const foreignAddresses = [
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
    return Promise.all(${JSON.stringify(foreignAddresses)}.map(address => caller.send(address).then(String, error => error.message)))
  })()`)
  expect(answers).toEqual(foreignAddresses.map(() => expect.stringMatching(/ is not an address of this package\.$/)))
})

it('signing out removes the token for all protocols', async () => {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Sign in to see what this package serves.').waitFor()
  await expect.poll(() => storage()).toEqual([0, 0])
  await page.getByRole('link', { name: 'GraphQL' }).click()
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('region', { name: 'Answer' }).getByText(/^401/).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Get a token' }).waitFor()
})

it('signing in returns to the protocol that was open', async () => {
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.getByRole('button', { name: 'designer' }).click()
  await page.getByText(/^Signed in as designer until/).waitFor()
  await page.waitForURL(`${instance.url}/api-explorer?package=stock&protocol=graphql`)
  await expect.poll(() => page.getByRole('link', { name: 'GraphQL' }).getAttribute('aria-current')).toBe('page')
})

it('an expired or rejected token is removed', async () => {
  const { context, page: tab } = await openPage(browser, server.url)
  await tab.clock.install()
  await tab.goto(`${instance.url}/api-explorer?package=stock&protocol=graphql`)
  await tab.getByRole('button', { name: 'Get a token' }).click()
  await tab.getByRole('button', { name: 'designer' }).click()
  await tab.getByText(/^Signed in as designer until/).waitFor()
  await tab.clock.fastForward('24:00:00')
  await tab.getByText('The sign-in has expired. Sign in again.').waitFor()
  await expect.poll(() => tab.evaluate(() => sessionStorage.length)).toBe(0)
  await tab.getByText('Use an existing token').click()
  await tab.getByLabel('Access token').fill('revoked')
  await tab.getByLabel('Access token').press('Enter')
  await tab.getByRole('button', { name: 'Run' }).click()
  await tab.getByText('The token is invalid or has expired. Sign in again.').waitFor()
  await tab.getByRole('button', { name: 'Get a token' }).waitFor()
  await context.close()
})

it('a token with a global scope lacks no permission', async () => {
  await publish('depot', ['designers'])
  await page.goto(`${instance.url}/api-explorer?package=depot`)
  await getToken('designer')
  await expect.poll(() => permissionRow('POST /customer Yes').count()).toBe(1)
  await expect.poll(() => page.getByText('The token lacks').count()).toBe(0)
  // Packages with the same issuer and audience share a sign-in.
  await page.getByLabel('Package').selectOption('stock')
  await page.waitForURL(`${instance.url}/api-explorer?package=stock`)
  await page.getByText(/^Signed in as designer until/).waitFor()
  await page.getByRole('heading', { name: 'Customer', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
})

it('an authorization code that was not requested is ignored', async () => {
  await page.goto(`${instance.url}/api-explorer?package=stock&code=stolen&state=guessed`)
  await page.getByText('Sign in to see what this package serves.').waitFor()
  await expect.poll(() => storage()).toEqual([0, 0])
  expect(complaints).toEqual([])
})
