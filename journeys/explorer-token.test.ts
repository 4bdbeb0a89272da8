import { writeArchive } from '@cadmus/formats/archive'
import { writePackage } from '@cadmus/formats/package/write'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { expect, it } from 'vitest'
import { violationsInAnyLook } from './driver/axe.ts'
import { openDeskWithInstance, shoot } from './driver/desk.ts'

const { page, complaints, console: server } = await openDeskWithInstance()
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

async function getToken(user: string): Promise<void> {
  await page.getByRole('button', { name: 'Get a token' }).click()
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
  await page
    .getByText('You have a token. It lacks stock.write: get another one as somebody who may have that.')
    .waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy it' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const authorization = `Bearer ${await page.evaluate(() => navigator.clipboard.readText())}`
  expect(
    (await page.request.get(`${instance.url}/api/stock/1.0/customer`, { headers: { authorization } })).status(),
  ).toBe(200)
  await getToken('admin')
  expect([await may('GET /customer Yes').count(), await may('POST /customer Yes').count()]).toEqual([1, 1])
  expect(page.url()).toBe(`${instance.url}/api-explorer?package=stock`)
})

it('the page for GraphQL gets one the same way, and comes back to itself', async () => {
  await page.goto(`${instance.url}/graphql/stock/1.0`)
  const answer = page.getByRole('region', { name: 'Answer' })
  await page.getByLabel('Query').fill('{ customerList { total } }')
  await page.getByRole('button', { name: 'Run' }).click()
  await answer.getByText(/^401/).waitFor()
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.getByRole('button', { name: 'designer' }).click()
  await page
    .getByText('You have a token. It lacks stock.write: get another one as somebody who may have that.')
    .waitFor()
  expect(page.url()).toBe(`${instance.url}/graphql/stock/1.0`)
  await page.getByLabel('Query').fill('{ customerList { total } }')
  await page.getByRole('button', { name: 'Run' }).click()
  await answer.getByText('"total": 0').waitFor()
  await page.getByLabel('Query').fill('mutation { insertCustomer(record: { name: "Ann" }) { name } }')
  await page.getByRole('button', { name: 'Run' }).click()
  await answer.getByText('"errors"').waitFor()
  expect(await violationsInAnyLook(page)).toEqual([])
  await shoot(page, 'graphql-token')
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
})

it('lacks nothing where the token has a scope that allows everything', async () => {
  await publish('depot', ['designers'])
  await page.goto(`${instance.url}/api-explorer?package=depot`)
  await getToken('designer')
  expect(await may('POST /customer Yes').count()).toBe(1)
  await page.getByText('You have a token.', { exact: true }).waitFor()
})

it('takes no code that it did not ask for, and keeps nothing', async () => {
  await page.goto(`${instance.url}/api-explorer?package=stock&code=stolen&state=guessed`)
  await page.getByText('Sign in to see what this package serves.').waitFor()
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
  expect(complaints).toEqual([])
})
