import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { choose, chooseApis, expectStep } from './driver/blueprint.ts'
import { startJourneyWithInstance } from './driver/journey.ts'
import { hold, send } from './driver/document.ts'
import { addAttribute, entityDocument, manifestDocument, names } from './driver/entity.ts'
import { keys, tabTo } from './driver/keyboard.ts'
import { card, expectBuilt } from './driver/packages.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, pick, press, question, snackbar } from './driver/widgets.ts'

// The tests build on each other, starting with an empty store: design, build, publish, call.
const { page, console: server } = await startJourneyWithInstance({ fresh: true })
const { instance } = server
const api = apiOf(page)

const reader = 'rita:a long enough password'
const writer = 'wilma:another long password'

/** Calls the REST API of the package; `user` is `name:password`. */
function call(method: string, path: string, user?: string, body?: object): Promise<Response> {
  return fetch(`${instance.url}/api/sales/1.0${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(user === undefined ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

it('a manifest with an entity is created in the wizard', async () => {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Manifest', exact: true }).click()
  const wizard = dialog(page, 'Create Manifest')
  await wizard.getByLabel('Name').fill('Sales')
  await press(wizard, 'Next')
  await wizard.getByRole('tab', { name: 'Create Custom Entity' }).click()
  await wizard.getByRole('textbox', { name: 'Name' }).fill('Client')
  await press(wizard, 'Add')
  await expect.poll(() => names(page, 'Entities')).toEqual(['Client'])
  await press(wizard, 'Finish')
  await expectShown(manifestDocument(page, 'Sales'))
  await (await nodeAt(page, 'Custom', 'Manifests', 'Sales', 'Entities', 'Client')).dblclick()
  await expectShown(entityDocument(page, 'Client'))
  await addAttribute(page, 'fullName')
  await addAttribute(page, 'revenue', 'double')
  await page.keyboard.press('Control+s')
  await expectShown(snackbar(page, 'Entity saved successfully!'))
})

it('the API of a manifest is configured with basic authentication and write scopes', async () => {
  const id = await api.manifestNamed('Sales')
  const entity = await api.entityOf(await api.entityNamed('Client'))
  await send(page, 'POST', `/1.0/cdm/manifest/${id}/configuration`, {
    manifestName: 'Sales',
    configurationBuild: {
      apiConfiguration: { type: ['REST'], security: 'BASIC' },
      sqlConfiguration: { applyLimitOffset: true },
      apiScopeConfiguration: {
        enableRbac: true,
        identityProvider: 'MARTINI_USER_DIRECTORY',
        scopeDefinitions: ['read', 'write'],
        globalScopes: [],
      },
    },
  })
  const { name, typeAttributes } = entity
  await send(page, 'PUT', `/1.0/cdm/entity/${entity.id}`, {
    entity: {
      name,
      typeAttributes: typeAttributes.map(({ nullable: isNullable, ...rest }) => ({ ...rest, isNullable })),
      operationScopes: { insertOperationScopes: ['write'], deleteOperationScopes: ['write'] },
    },
  })
  for (const [user, groups] of [
    [reader, ['read']],
    [writer, ['read', 'write']],
  ] as const) {
    const [userName, password] = user.split(':')
    const answer = await instance.manage('POST', '/esbapi/users', { name: userName, password, groups })
    expect(answer.status).toBe(200)
  }
})

it('the manifest is built, published to the local instance and started', holds('M1.7', 'M1.14', 'M4.35'), async () => {
  const open = await toHostedPackage()
  await open.getByRole('textbox', { name: 'Package name' }).fill('sales')
  await press(open, 'Next')
  await expectShown(open.getByText('Basic Authentication, Martini User Directory, with RBAC', { exact: true }))
  await press(open, 'Generate')
  await expectBuilt(page, 'sales')
  await expectShown(snackbar(page, "Package 'sales' successfully published"))
  const { items }: { items: { name: string; status: string }[] } = await (
    await instance.manage('GET', '/esbapi/packages')
  ).json()
  expect(items.find(one => one.name === 'sales')?.status).toBe('LOADED')
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Start' }).click()
  await expectShown(snackbar(page, "Package 'sales' 1.0.0 is started."))
  const [explorer] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'API explorer' }).click(),
  ])
  expect(explorer.url()).toBe(`${instance.url}/api-explorer?package=sales`)
  await explorer.close()
})

it(
  'the published REST API enforces authentication and the scopes of each operation',
  holds('E6.8', 'E9.7', 'E9.8'),
  async () => {
    expect((await call('GET', '/client')).status).toBe(401)
    expect((await call('GET', '/client', 'rita:guessed')).status).toBe(401)
    const record = { fullName: 'Ada Lovelace', revenue: 12.5 }
    expect((await call('POST', '/client', reader, record)).status).toBe(403)
    const made = await call('POST', '/client', writer, record)
    expect(made.status).toBe(200)
    const { client }: { client: { id: number } } = await made.json()
    expect(client).toMatchObject(record)
    const listed = await call('GET', '/client', reader)
    expect(listed.status).toBe(200)
    expect(await listed.json()).toMatchObject({ result: 'OK', total: 1, client: [record] })
    expect((await call('PUT', '/client', reader, { id: client.id, fullName: 'Ada King' })).status).toBe(200)
    expect(await (await call('GET', `/client/${client.id}`, reader)).json()).toMatchObject({
      client: { fullName: 'Ada King', revenue: 12.5 },
    })
    expect((await call('DELETE', `/client/${client.id}`, reader)).status).toBe(403)
    const { paths }: { paths: Record<string, object> } = await (await call('GET', '/openapi.json', reader)).json()
    const offered = Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [
        path,
        Object.keys(operations)
          .filter(key => key !== 'parameters')
          .toSorted(),
      ]),
    )
    expect(offered).toEqual({ '/client': ['get', 'post', 'put'], '/client/{id}': ['delete', 'get'] })
  },
)

it('the published GraphQL and SOAP APIs enforce the same scopes', async () => {
  const insert = JSON.stringify({
    query: 'mutation { insertClient(record: { fullName: "Grace Hopper", revenue: 7 }) { id fullName } }',
  })
  expect(await post('/graphql/sales/1.0', 'application/json', reader, insert)).toContain('"errors"')
  expect(JSON.parse(await post('/graphql/sales/1.0', 'application/json', writer, insert))).toMatchObject({
    data: { insertClient: { fullName: 'Grace Hopper' } },
  })
  const list = JSON.stringify({ query: '{ clientList { total } }' })
  expect(await post('/graphql/sales/1.0', 'application/json', reader, list)).toContain('"total":2')

  const envelope = (body: string) =>
    `<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body>${body}</Body></Envelope>`
  const made = envelope(
    '<InsertClient xmlns="urn:cadmus:sales:1.0"><record><fullName>Mary Kenneth</fullName><revenue>3</revenue></record></InsertClient>',
  )
  expect(await post('/soap/sales/1.0', 'text/xml', reader, made)).toContain('Fault')
  expect(await post('/soap/sales/1.0', 'text/xml', writer, made)).toContain('Mary Kenneth')
  const all = envelope('<SelectAllClient xmlns="urn:cadmus:sales:1.0"/>')
  expect(await post('/soap/sales/1.0', 'text/xml', reader, all)).toMatch(/Ada King.*Grace Hopper.*Mary Kenneth/s)
})

it('publishing a new version replaces the package and preserves the records', holds('M4.33'), async () => {
  const open = await toHostedPackage()
  await open.getByRole('radio', { name: 'Existing package' }).click()
  await pick(page, open, 'Existing package', 'sales  1.0.0')
  await press(open, 'Next')
  await expect.poll(() => open.getByText('1.0.1', { exact: true }).count()).toBe(1)
  await press(open, 'Generate')
  await press(question(page, 'Upload Package'), 'Proceed')
  await expectBuilt(page, 'sales')
  await expectShown(snackbar(page, "Package 'sales' successfully published"))
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Start' }).last().click()
  await expectShown(snackbar(page, "Package 'sales' 1.0.1 is started."))
  const listed: unknown = await (await call('GET', '/client', reader)).json()
  expect(listed).toMatchObject({ total: 3, client: [{ fullName: 'Ada King' }, {}, {}] })
})

it('publishing again takes one page and shows the verdict on the data before anything is published', async () => {
  const { id, typeAttributes } = await api.entityOf(await api.entityNamed('Client'))
  const left = typeAttributes.filter(({ name }) => name !== 'revenue')
  await send(page, 'PUT', `/1.0/cdm/entity/${id}?onReferences=remove`, {
    entity: { name: 'Client', typeAttributes: left },
  })
  const shownVersion = async () => {
    const { items }: { items: { name: string; version: string }[] } = await (
      await instance.manage('GET', '/esbapi/packages')
    ).json()
    return items.find(one => one.name === 'sales')?.version
  }
  const before = await shownVersion()
  await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Sales'), 'Publish Again')
  const open = dialog(page, 'Build Package')
  await expectStep(open, 'Summary')
  await expectShown(open.getByText('REST, SOAP, GraphQL', { exact: true }))
  const verdict = question(page, 'Publish anyway?')
  for (const decision of ['Cancel', 'Publish']) {
    await press(open, 'Generate')
    await press(question(page, 'Upload Package'), 'Proceed')
    await expectShown(verdict.getByText(/Its start would be refused: .*'revenue' of 'Client' is dropped/))
    expect(await shownVersion()).toBe(before)
    await press(verdict, decision)
  }
  await open.waitFor({ state: 'detached' })
  await expect.poll(shownVersion).not.toBe(before)
})

it('a package is built, uploaded and called by keyboard alone', async () => {
  await keys(page, 'Control+k')
  await page.keyboard.type('Build Package')
  await page.getByRole('option', { name: 'Build Package', exact: true }).waitFor()
  await keys(page, 'Enter')
  const open = dialog(page, 'Build Package')
  // Preselected because an entity of this manifest is open.
  await expect.poll(() => open.getByRole('combobox', { name: 'Manifest' }).textContent()).toBe('Sales')
  await tabTo(page, open.getByRole('combobox', { name: 'Manifest' }))
  await keys(page, 'Control+Enter')
  await expectStep(open, 'Publish / Export')
  await keys(page, 'Space', 'ArrowDown')
  await expect.poll(() => open.getByRole('radio', { name: 'Export' }).isChecked()).toBe(true)
  await keys(page, 'Enter')
  await expectStep(open, 'API or schema')
  await tabTo(page, open.getByRole('checkbox', { name: 'REST' }))
  const { requested, release } = await hold(page, /\/instance\/databases$/, 'POST')
  await expect.poll(() => open.getByRole('checkbox', { name: 'REST' }).isChecked()).toBe(true)
  await keys(page, 'Enter')
  await expectStep(open, 'Database Connection')
  await requested
  await tabTo(page, open.getByRole('radio', { name: 'New database' }))
  await keys(page, 'ArrowDown')
  const database = open.getByRole('combobox', { name: 'Existing database' })
  await tabTo(page, database)
  await keys(page, 'Enter')
  await page.keyboard.type('embedded')
  await keys(page, 'Enter')
  // The input is applied as soon as the instance answers.
  release()
  await expect.poll(() => database.textContent()).toBe('embedded (local)')
  await keys(page, 'Control+Enter')
  await expectStep(open, 'Connection Details')
  await tabTo(page, open.getByRole('textbox', { name: 'Database name' }))
  await keys(page, 'Enter')
  await expectStep(open, 'SQL Configuration')
  await keys(page, 'Enter')
  await expectStep(open, 'Package')
  await tabTo(page, open.getByRole('textbox', { name: 'Package name' }))
  await page.keyboard.type('by-keys')
  await keys(page, 'Enter')
  await expectStep(open, 'Summary')
  await tabTo(page, open.getByRole('button', { name: 'Generate' }))
  await keys(page, 'Enter')
  await expectBuilt(page, 'by-keys')
  await open.waitFor({ state: 'detached' })

  await tabTo(page, card(page, 'by-keys'))
  await keys(page, 'Shift+F10')
  await tabTo(page, page.getByRole('menuitem', { name: 'Upload' }), 'ArrowDown')
  await keys(page, 'Enter')
  const upload = dialog(page, 'Upload Package')
  await tabTo(page, upload.getByRole('combobox', { name: 'Instance' }))
  await page.keyboard.type('local')
  await page.getByRole('option', { name: /^local/ }).waitFor()
  await keys(page, 'ArrowDown', 'Enter')
  await tabTo(page, upload.getByRole('switch', { name: 'Started' }))
  await keys(page, 'Space')
  await tabTo(page, upload.getByRole('button', { name: 'Upload', exact: true }))
  await keys(page, 'Enter')
  await upload.waitFor({ state: 'detached' })
  await expectShown(snackbar(page, "Package 'by-keys' 1.0.0 is started."))
  await keys(page, 'F6')
  await tabTo(page, page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'API explorer' }).last())
  const [explorer] = await Promise.all([page.context().waitForEvent('page'), keys(page, 'Enter')])

  await tabTo(explorer, explorer.getByLabel('User name'))
  await explorer.keyboard.type('rita')
  await tabTo(explorer, explorer.getByLabel('Password'))
  await explorer.keyboard.type('a long enough password')
  await keys(explorer, 'Enter')
  await tabTo(explorer, explorer.locator('summary').filter({ hasText: 'Lists records of Client.' }))
  await keys(explorer, 'Enter')
  await tabTo(explorer, explorer.getByRole('button', { name: 'Send' }))
  await keys(explorer, 'Enter')
  await expectShown(explorer.getByText(/^200 in \d+ ms$/))
  await explorer.close()
})

/** Opens the wizard at its package step, with all three APIs for the local instance and its embedded database. */
async function toHostedPackage(): Promise<Locator> {
  await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Sales'), 'Export > Martini-style package')
  const open = dialog(page, 'Build Package')
  await expect.poll(() => open.getByRole('combobox', { name: 'Manifest' }).textContent()).toBe('Sales')
  await press(open, 'Next')
  await choose(open, 'Publish')
  await open.getByRole('radio', { name: 'Hosted Instances' }).click()
  await find(page, open, 'Hosted instance', 'local')
  await press(open, 'Next')
  await chooseApis(open, ['REST', 'SOAP', 'GraphQL'])
  await press(open, 'Next')
  await open.getByRole('radio', { name: 'Existing database' }).click()
  await pick(page, open, 'Existing database', 'embedded')
  await press(open, 'Next')
  await expectStep(open, 'Connection Details')
  await press(open, 'Next')
  await press(open, 'Next')
  await expectStep(open, 'Package')
  return open
}

/** Posts to the instance as a user; returns the response body, also that of an error. */
async function post(path: string, type: string, user: string, body: string): Promise<string> {
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`
  const headers = { 'content-type': type, authorization }
  return (await fetch(`${instance.url}${path}`, { method: 'POST', headers, body })).text()
}
