import { writeArchive } from '@cadmus/formats/archive'
import { writePackage } from '@cadmus/formats/package/write'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { launchChromium } from '@cadmus/testing/chromium'
import { startInstance } from '@cadmus/testing/instance'
import { afterAll, describe, expect, it } from 'vitest'
import { violationsInAnyLook } from './driver/axe.ts'
import { downloaded } from './driver/widgets.ts'

type Security = 'NONE' | 'BASIC' | 'OAUTH2'

const password = 'a password that nobody else has'
const instance = await startInstance()
const browser = await launchChromium()
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await instance.manage('POST', '/esbapi/users', { name: 'ann', password, groups: ['reader'] })
await uploadShop('open', 'NONE')
await uploadShop('guarded', 'OAUTH2')
await uploadShop('basic', 'BASIC')
const faults: string[] = []
page.on('pageerror', error => faults.push(String(error)))
page.on('console', message => {
  // What is refused is an answer of this page, and the browser says so as well.
  if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
})

afterAll(async () => {
  await browser.close()
  await instance.stop()
})

async function uploadShop(name: string, security: Security): Promise<void> {
  const scopes = {
    enableRbac: true,
    identityProvider: 'MARTINI_USER_DIRECTORY' as const,
    scopeDefinitions: ['reader', 'writer'],
  }
  const configuration = aConfiguration({ security, scopes, connection: { type: 'HSQL', databaseName: 'embedded' } })
  const source = aPackageSource({ name, configuration })
  for (const entity of source.closure.byId.values()) {
    Object.assign(entity.operationScopes, {
      selectAllOperationScopes: ['reader'],
      selectOperationScopes: ['reader'],
      insertOperationScopes: ['writer'],
    })
  }
  await instance.upload(writeArchive(writePackage({ ...source, organisation: 'acme' })), name)
}

const open = async (name: string) => {
  await page.goto(`${instance.url}/api-explorer?package=${name}`)
  await page.getByRole('heading', { level: 2 }).waitFor()
}
const call = (method: string, path: string) =>
  page
    .locator('details')
    .filter({ has: page.getByText(method, { exact: true }) })
    .filter({ has: page.getByText(path, { exact: true }) })

describe('The API explorer', () => {
  it('makes and lists records with what is typed into it', async () => {
    await open('open')
    const post = call('POST', '/customer')
    await post.locator('summary').click()
    const body = post.getByLabel('Body')
    expect(JSON.parse(await body.inputValue())).toMatchObject({ level: 'plain', active: true, email: null })
    await body.fill('{ "name": "Ann", "points": 9007199254740993 }')
    await post.getByRole('button', { name: 'Send' }).click()
    await post.getByText(/^200 in \d+ ms$/).waitFor()
    expect(await post.getByRole('region', { name: 'Answer' }).textContent()).toContain('"points": "9007199254740993"')
    const list = call('GET', '/customer')
    await list.locator('summary').click()
    await list.getByLabel('filter').fill('filter[name]=Ann&filter[points][gt]=1')
    await list.getByLabel('fields').fill('name')
    await list.getByLabel('fields').press('Enter')
    await list.getByText(/^200 in \d+ ms$/).waitFor()
    expect(JSON.parse((await list.getByRole('region', { name: 'Answer' }).textContent()) ?? '')).toMatchObject({
      total: 1,
      customer: [{ name: 'Ann' }],
    })
    const one = call('GET', '/customer/{id}')
    await one.locator('summary').click()
    await one.getByLabel('id').fill('999')
    await one.getByRole('button', { name: 'Send' }).click()
    await one.getByText(/^404 in \d+ ms$/).waitFor()
  })

  it('gets a token of the user directory, and says what it may call', async () => {
    await open('guarded')
    await page.getByText('Sign in to see what this package serves.').waitFor()
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Get a token' }).click()
    await page.getByRole('status').filter({ hasText: /\S/ }).first().waitFor()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Get a token' }).click()
    await page.getByRole('heading', { name: 'Customer' }).waitFor()
    await page.getByRole('button', { name: 'What may this token call?' }).click()
    await page.getByText('ann may call:').waitFor()
    expect(await page.getByRole('row', { name: 'GET /customer Yes' }).count()).toBe(1)
    expect(await page.getByRole('row', { name: 'POST /customer No' }).count()).toBe(1)
    const list = call('GET', '/customer')
    await list.locator('summary').click()
    await list.getByRole('button', { name: 'Send' }).click()
    await list.getByText(/^200 in \d+ ms$/).waitFor()
    const post = call('POST', '/customer')
    await post.locator('summary').click()
    await post.getByRole('button', { name: 'Send' }).click()
    await post.getByText(/^403 in \d+ ms$/).waitFor()
  })

  it('gives what describes the package to other tools, with what one signed in with', async () => {
    await open('basic')
    const wsdl = page.getByRole('button', { name: 'Download WSDL' })
    await wsdl.click()
    await page.getByText('Sign in to get it.', { exact: true }).waitFor()
    await page.getByText(`${instance.url}/soap/basic/1.0?wsdl`, { exact: true }).waitFor()
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password').fill(password)
    await page.getByLabel('Password').press('Enter')
    await page.getByRole('heading', { name: 'Customer' }).waitFor()
    const files: [string, string][] = []
    for (const name of ['WSDL', 'OpenAPI', 'GraphQL schema']) {
      const { name: file, bytes } = await downloaded(page, () =>
        page.getByRole('button', { name: `Download ${name}` }).click(),
      )
      files.push([file, new TextDecoder().decode(bytes)])
    }
    expect(files).toEqual([
      ['basic.wsdl', expect.stringContaining(`<soap:address location="${instance.url}/soap/basic/1.0"/>`)],
      ['basic.openapi.json', expect.stringContaining('"openapi"')],
      ['basic.graphql', expect.stringContaining('type Customer {')],
    ])
    expect(await violationsInAnyLook(page)).toEqual([])
    // Beside the explorer, which keeps who signed in.
    const [queries] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Write GraphQL queries' }).click(),
    ])
    await queries.getByRole('heading', { name: 'GraphQL' }).waitFor()
    await queries.getByRole('link', { name: 'API explorer' }).click()
    await queries.waitForURL(`${instance.url}/api-explorer?package=basic`)
    await queries.close()
  })

  it('shows no other package in the place of one that does not run', async () => {
    await page.goto(`${instance.url}/api-explorer?package=stopped`)
    await page.getByText("No package 'stopped' is running on this instance. Choose one that is.").waitFor()
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(0)
    expect(page.url()).toBe(`${instance.url}/api-explorer?package=stopped`)
    await page.getByLabel('Package').selectOption('open')
    await page.waitForURL(`${instance.url}/api-explorer?package=open`)
    await call('GET', '/customer').waitFor()
  })

  it('signs in with a user name and password where the package asks for them', async () => {
    await open('basic')
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password').fill(password)
    await page.getByLabel('Password').press('Enter')
    await page.getByRole('heading', { name: 'Customer' }).waitFor()
    expect(await page.locator('details').count()).toBeGreaterThan(10)
  })

  it.each(['open', 'guarded', 'basic'])(
    'has no accessibility faults on the package %s, opened and answered',
    async name => {
      await open(name)
      if (name === 'open') {
        const list = call('GET', '/customer')
        await list.locator('summary').click()
        await list.getByRole('button', { name: 'Send' }).click()
        await list.getByText(/^200 in \d+ ms$/).waitFor()
      }
      expect(await violationsInAnyLook(page)).toEqual([])
    },
  )

  it('needs nothing that its own policy would refuse, and leaves nothing behind', async () => {
    expect(faults).toEqual([])
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([0, 0, ''])
  })
})
