import { writeArchive } from '@cadmus/formats/archive'
import { writePackage } from '@cadmus/formats/package/write'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { ACTION_TIMEOUT, launchChromium } from '@cadmus/testing/chromium'
import { startInstance } from '@cadmus/testing/instance'
import type { Locator } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { violationsInAllVariants } from './driver/axe.ts'
import { keys } from './driver/keyboard.ts'
import { captureDownload } from './driver/widgets.ts'

type Security = 'NONE' | 'BASIC' | 'OAUTH2'

const password = 'a password that nobody else has'
const instance = await startInstance()
const browser = await launchChromium()
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
page.setDefaultTimeout(ACTION_TIMEOUT)
await instance.manage('POST', '/esbapi/users', { name: 'ann', password, groups: ['reader'] })
await uploadShop('open', 'NONE')
await uploadShop('guarded', 'OAUTH2')
await uploadShop('basic', 'BASIC')
const errors: string[] = []
page.on('pageerror', error => errors.push(String(error)))
page.on('console', message => {
  // The browser logs error responses, which these tests provoke on purpose.
  if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text())
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
  for (const entity of source.resolvedModel.byId.values()) {
    Object.assign(entity.operationScopes, {
      selectAllOperationScopes: ['reader'],
      selectOperationScopes: ['reader'],
      insertOperationScopes: ['writer'],
    })
  }
  await instance.upload(writeArchive(writePackage({ ...source, organisation: 'acme' })), name)
}

const signInWithPassword = async () => {
  await page.getByLabel('User name').fill('ann')
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Password').press('Enter')
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

const answerOf = (within: Pick<Locator, 'getByRole'>) =>
  within.getByRole('region', { name: 'Answer' }).getByRole('region', { name: 'Content' })

describe('The API explorer', () => {
  it('creates and lists records from the entered values', async () => {
    await open('open')
    const post = call('POST', '/customer')
    await post.locator('summary').click()
    const body = post.getByLabel('Body')
    await expect
      .poll(async () => JSON.parse(await body.inputValue()))
      .toMatchObject({ level: 'plain', active: true, email: null })
    await body.fill('{ "name": "Ann", "points": 9007199254740993 }')
    await post.getByRole('button', { name: 'Send' }).click()
    await post.getByText(/^200 in \d+ ms$/).waitFor()
    await expect.poll(() => answerOf(post).textContent()).toContain('"points": "9007199254740993"')
    const list = call('GET', '/customer')
    await list.locator('summary').click()
    await list.getByLabel('filter').fill('filter[name]=Ann&filter[points][gt]=1')
    await list.getByLabel('fields').fill('name')
    await list.getByLabel('fields').press('Enter')
    await list.getByText(/^200 in \d+ ms$/).waitFor()
    await expect
      .poll(async () => JSON.parse((await answerOf(list).textContent()) ?? ''))
      .toMatchObject({ total: 1, customer: [{ name: 'Ann' }] })
    const one = call('GET', '/customer/{id}')
    await one.locator('summary').click()
    await one.getByLabel('id').fill('999')
    await one.getByRole('button', { name: 'Send' }).click()
    await one.getByText(/^404 in \d+ ms$/).waitFor()
  })

  it('obtains a token from the user directory and lists the calls that it permits', async () => {
    await open('guarded')
    await page.getByText('Sign in to see what this package serves.').waitFor()
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Get a token' }).click()
    await page.getByText('The user name or the password is wrong.').waitFor()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Get a token' }).click()
    await page.getByRole('heading', { name: 'Customer' }).waitFor()
    await page.getByRole('button', { name: 'What may this token call?' }).click()
    await page.getByText('ann may call:').waitFor()
    await expect.poll(() => page.getByRole('row', { name: 'GET /customer Yes' }).count()).toBe(1)
    await expect.poll(() => page.getByRole('row', { name: 'POST /customer No' }).count()).toBe(1)
    const list = call('GET', '/customer')
    await list.locator('summary').click()
    await list.getByRole('button', { name: 'Send' }).click()
    await list.getByText(/^200 in \d+ ms$/).waitFor()
    const post = call('POST', '/customer')
    await post.locator('summary').click()
    await post.getByRole('button', { name: 'Send' }).click()
    await post.getByText(/^403 in \d+ ms$/).waitFor()
  })

  it('downloads the WSDL, OpenAPI and GraphQL schema with the credentials of the sign-in', async () => {
    await open('basic')
    await page.getByRole('link', { name: 'SOAP' }).click()
    await page.getByRole('button', { name: 'Download WSDL' }).click()
    await page.getByText('Sign in to download this file.', { exact: true }).waitFor()
    await page.getByText(`${instance.url}/soap/basic/1.0?wsdl`, { exact: true }).waitFor()
    await signInWithPassword()
    await page.getByLabel('Envelope').waitFor()
    const files: [string, string][] = []
    for (const [protocol, name] of [
      ['SOAP', 'WSDL'],
      ['REST', 'OpenAPI'],
      ['GraphQL', 'GraphQL schema'],
    ] as const) {
      await page.getByRole('link', { name: protocol }).click()
      const { name: file, bytes } = await captureDownload(page, () =>
        page.getByRole('button', { name: `Download ${name}` }).click(),
      )
      files.push([file, new TextDecoder().decode(bytes)])
    }
    expect(files).toEqual([
      ['basic.wsdl', expect.stringContaining(`<soap:address location="${instance.url}/soap/basic/1.0"/>`)],
      ['basic.openapi.json', expect.stringContaining('"openapi"')],
      ['basic.graphql', expect.stringContaining('type Customer {')],
    ])
  })

  it('shows only the operations that contain the words of the filter', async () => {
    await open('open')
    const filter = page.getByRole('searchbox', { name: 'Filter operations' })
    const status = page.getByRole('status').filter({ hasText: 'operations' })
    const shown = () => page.locator('details.operation:visible summary').allTextContents()
    await expect.poll(() => status.textContent()).toMatch(/^[1-9]\d* operations$/)
    const all = Number.parseInt((await status.textContent()) ?? '', 10)
    await expect.poll(shown).toHaveLength(all)
    await filter.fill('customer delete')
    await expect.poll(async () => (await shown()).every(text => /DELETE.*customer/i.test(text))).toBe(true)
    await expect.poll(() => status.textContent()).toBe(`${(await shown()).length} of ${all} operations`)
    await filter.fill('nothing at all')
    await expect.poll(() => status.textContent()).toBe(`0 of ${all} operations`)
    await expect.poll(() => page.getByRole('heading', { level: 3 }).count()).toBe(0)
    await filter.fill('')
    await expect.poll(shown).toHaveLength(all)
  })

  it('calls a SOAP operation with an envelope generated from the WSDL', async () => {
    await open('open')
    await page.getByRole('link', { name: 'SOAP' }).focus()
    await keys(page, 'Enter')
    await page.waitForURL(`${instance.url}/api-explorer?package=open&protocol=soap`)
    await page.getByLabel('Operation').selectOption('InsertCustomer')
    await page.getByText('Creates a record of Customer.').waitFor()
    const envelope = page.getByLabel('Envelope')
    await expect
      .poll(() => envelope.inputValue())
      .toMatch(/<record>\n +<name>text<\/name>\n(.*\n)* +<!-- <points>1<\/points> -->\n/)
    await envelope.press('Control+Enter')
    await page.getByText(/^200 in \d+ ms$/).waitFor()
    await expect
      .poll(() => answerOf(page).textContent())
      .toMatch(/\n {4}<InsertCustomerResponse xmlns="urn:cadmus:open:1.0">\n {6}<record>\n {8}<id>/)
    await envelope.fill((await envelope.inputValue()).replace(/<name>.*<\/name>/, ''))
    await page.getByRole('button', { name: 'Send' }).click()
    const status = page.getByRole('region', { name: 'Answer' }).getByRole('status')
    await expect.poll(() => status.textContent()).toMatch(/^500 in \d+ msFault soap:Client: .*name/)
    // The envelope changes with the SOAP version, and edits remain with their operation.
    await page.getByLabel('SOAP version').selectOption('1.2')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => status.textContent()).toMatch(/^400 in \d+ msFault soap:Sender: .*name/)
    await page.getByLabel('Operation').selectOption('SelectAllCustomer')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('<totalNotFiltered>').waitFor()
    await page.getByLabel('Operation').selectOption('InsertCustomer')
    await expect.poll(() => envelope.inputValue()).not.toContain('<name>')
    await page.getByRole('link', { name: 'REST' }).click()
    await page.goBack()
    await expect.poll(() => envelope.inputValue()).not.toContain('<name>')
    expect(await violationsInAllVariants(page)).toEqual([])
  })

  it('generates a valid envelope for each SOAP operation of an entity', async () => {
    await open('open')
    await page.getByRole('link', { name: 'SOAP' }).click()
    const operation = page.getByLabel('Operation')
    await operation.waitFor()
    const ofCustomer = async () =>
      (await operation.locator('option').allTextContents()).filter(name => name.endsWith('Customer'))
    await expect.poll(ofCustomer).toContain('SelectAllOrderByCustomer')
    for (const name of await ofCustomer()) {
      await operation.selectOption(name)
      await page.getByRole('button', { name: 'Send' }).click()
      const status = page.getByRole('region', { name: 'Answer' }).getByRole('status')
      await expect
        .poll(async () => [name, await status.textContent()])
        .toEqual([name, expect.stringMatching(/^200 in|record not found|refers/)])
    }
  })

  it('shows a message instead of another package if the package is not running', async () => {
    await page.goto(`${instance.url}/api-explorer?package=stopped`)
    await page.getByText("No package 'stopped' is running on this instance. Choose another one.").waitFor()
    await expect.poll(() => page.getByRole('heading', { level: 2 }).count()).toBe(0)
    expect(page.url()).toBe(`${instance.url}/api-explorer?package=stopped`)
    await page.getByLabel('Package').selectOption('open')
    await page.waitForURL(`${instance.url}/api-explorer?package=open`)
    await call('GET', '/customer').waitFor()
  })

  it('signs in with a user name and password for all protocols, and stores no password', async () => {
    await open('basic')
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password').fill('wrong')
    await page.getByLabel('Password').press('Enter')
    await page.getByText('The user name or the password is wrong.').waitFor()
    await signInWithPassword()
    await page.getByRole('heading', { name: 'Customer' }).waitFor()
    await expect.poll(() => page.locator('details').count()).toBeGreaterThan(10)
    await page.getByRole('link', { name: 'SOAP' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText(/^200 in \d+ ms$/).waitFor()
    await expect
      .poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage })))
      .not.toContain('Basic')
    await page.reload()
    await page.getByText('Sign in to see what this package serves.').waitFor()
  })

  it.each(['open', 'guarded'])('has no accessibility violations for the package %s', async name => {
    await open(name)
    if (name === 'open') {
      const list = call('GET', '/customer')
      await list.locator('summary').click()
      await list.getByRole('button', { name: 'Send' }).click()
      await list.getByText(/^200 in \d+ ms$/).waitFor()
    }
    expect(await violationsInAllVariants(page)).toEqual([])
  })

  it('logs no errors such as policy violations, and clears the browser storage on sign-out', async () => {
    expect(errors).toEqual([])
    await open('guarded')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect
      .poll(() => page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]))
      .toEqual([0, 0, ''])
  })
})
