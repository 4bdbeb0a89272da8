import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from './driver/accessible.ts'
import { apiOf } from './driver/api.ts'
import { choose, chooseApis, expectStep } from './driver/blueprint.ts'
import { Hand } from './driver/hand.ts'
import { openPage, startJourneyWithInstance } from './driver/journey.ts'
import { refuse, send } from './driver/document.ts'
import { addAttribute, cell, entityDocument, manifestDocument, names } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { expectBuilt } from './driver/packages.ts'
import { enter } from './driver/sign-in.ts'
import { menu, nodeAt } from './driver/tree.ts'
import {
  dialog,
  dismissMessages,
  expectShown,
  holdMessages,
  pick,
  press,
  question,
  snackbar,
} from './driver/widgets.ts'

// The tests build on each other, starting with an empty store: design, build, publish, call.
const { browser, page, console: server } = await startJourneyWithInstance({ fresh: true })
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
  await keys(page, 'Control+s')
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
  await holdMessages(page)
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
  await explorer.waitForURL(`${instance.url}/api-explorer?package=sales`)
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

const shownVersion = async () => {
  const { items }: { items: { name: string; version: string }[] } = await (
    await instance.manage('GET', '/esbapi/packages')
  ).json()
  return items.find(one => one.name === 'sales')?.version
}

it('a manifest is published again in two clicks', async () => {
  await dismissMessages(page)
  await (await nodeAt(page, 'Custom', 'Manifests', 'Sales')).dblclick()
  await expectShown(manifestDocument(page, 'Sales'))
  const hand = new Hand(page)
  await hand.click(page.getByRole('toolbar', { name: 'Manifest' }).getByRole('button', { name: 'Publish Again' }))
  const open = dialog(page, 'Publish Again')
  await expectShown(open.getByText('Callers of 1.0.1 can go on.', { exact: true }))
  await expectShown(open.getByText('The records on the instance remain.', { exact: true }))
  await expectShown(open.getByText("REST, SOAP, GraphQL, The instance's embedded database", { exact: true }))
  await hand.click(open.getByRole('button', { name: 'Publish', exact: true }))
  await open.waitFor({ state: 'detached', timeout: 60_000 })
  expect(hand.count).toBe(2)
  await expect.poll(shownVersion).toBe('1.0.2')
  const listed: unknown = await (await call('GET', '/client', reader)).json()
  expect(listed).toMatchObject({ total: 3 })
})

it('another browser publishes the manifest again in two keys', async () => {
  const { page: other } = await openPage(browser, server.url)
  await enter(other, 'designer', `/?manifest=${await api.manifestNamed('Sales')}`)
  await expectShown(manifestDocument(other, 'Sales'))
  await expectShown(other.getByRole('toolbar', { name: 'Manifest' }).getByRole('button', { name: 'Publish Again' }))
  const hand = new Hand(other)
  await hand.press('Alt+p')
  const open = dialog(other, 'Publish Again')
  await expect.poll(() => open.getByRole('textbox', { name: 'Version' }).inputValue()).toBe('1.0.3')
  await expectShown(open.getByText('The records on the instance remain.', { exact: true }))
  await hand.press('Enter')
  await open.waitFor({ state: 'detached', timeout: 60_000 })
  expect(hand.count).toBe(2)
  await expect.poll(shownVersion).toBe('1.0.3')
})

it('Publish Again shows the verdict on contract and data before anything is built', async () => {
  const { id, typeAttributes } = await api.entityOf(await api.entityNamed('Client'))
  const left = typeAttributes.filter(({ name }) => name !== 'revenue')
  await send(page, 'PUT', `/1.0/cdm/entity/${id}?onReferences=remove`, {
    entity: { name: 'Client', typeAttributes: left },
  })
  await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Sales'), 'Publish Again')
  const open = dialog(page, 'Publish Again')
  await expectShown(open.getByText('Breaks callers of 1.0.3:', { exact: true }))
  await expectShown(open.getByText('Client.revenue was removed.', { exact: true }))
  await expectShown(open.getByText(/Its start would be refused: .*'revenue' of 'Client' is dropped/))
  await expect.poll(() => open.getByRole('textbox', { name: 'Version' }).inputValue()).toBe('2.0.0')
  expect(await shownVersion()).toBe('1.0.3')
  await press(open, 'Change…')
  const wizard = dialog(page, 'Build Package')
  await expectStep(wizard, 'Summary')
  await expectShown(wizard.getByText('REST, SOAP, GraphQL', { exact: true }))
  await page.keyboard.press('Escape')
  await wizard.waitFor({ state: 'detached' })
})

it('Publish Again refuses what the records of the instance do not fit, and leads to the attribute', async () => {
  const { id, typeAttributes } = await api.entityOf(await api.entityNamed('Client'))
  const taxNumber = { name: 'taxNumber', dataType: 'string', isNullable: false }
  await send(page, 'PUT', `/1.0/cdm/entity/${id}`, {
    entity: {
      name: 'Client',
      typeAttributes: [
        ...typeAttributes.map(({ nullable: isNullable, ...rest }) => ({ ...rest, isNullable })),
        taxNumber,
      ],
    },
  })
  // The page has read the entity before.
  await page.reload()
  await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Sales'), 'Publish Again')
  const open = dialog(page, 'Publish Again')
  await expectShown(open.getByText(/'taxNumber' of 'Client' is required .* there are 3 records already\./))
  const publish = open.getByRole('button', { name: 'Publish', exact: true })
  await expect.poll(() => publish.getAttribute('aria-disabled')).toBe('true')
  await expectAccessible(page, 'publish-again-refused')
  await open.getByRole('link', { name: 'Fix' }).click()
  await open.waitFor({ state: 'detached' })
  await expectShown(cell(page, 'taxNumber', 'name'))
})

it('the instance counts what prevents the steps of a migration, which stand beside them', async () => {
  const id = await api.manifestNamed('Sales')
  await page.goto(`/?manifest=${id}&tab=compare&view=migration`)
  const pane = page.getByRole('region', { name: 'Comparison of Sales' })
  await pane.getByRole('button', { name: /^From: / }).click()
  await page
    .getByRole('menu')
    .getByText(/^runs on /)
    .click()
  const count = pane.getByRole('button', { name: 'Count', exact: true })
  await expectShown(pane.getByText(/can count them in its database/))
  await refuse(page, 'POST', /\/rebuild\/preview/, 'The instance cannot be reached.')
  await count.focus()
  await keys(page, 'Enter')
  await expectShown(pane.getByText(/could not be counted\. The instance cannot be reached\./))
  await page.unrouteAll()
  const counts = { version: '0.9.0', counts: [] }
  await page.route(/\/rebuild\/preview/, route =>
    route.fulfill({ json: { result: 'OK', message: '', warnings: [], obstacles: [], counts } }),
  )
  await press(pane, 'Retry')
  await expectShown(pane.getByText(/has the tables of version 0\.9\.0, not of /))
  await page.unrouteAll()
  await press(pane, 'Retry')
  await expectShown(pane.getByRole('region', { name: 'May fail' }).getByText('Counted: 3', { exact: true }))
  await expectAccessible(page, 'migration-counts')
})

/** Opens the wizard at its package step, with all three APIs for the local instance and its embedded database. */
async function toHostedPackage(): Promise<Locator> {
  await dismissMessages(page)
  await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Sales'), 'Export > Martini-style package')
  const open = dialog(page, 'Build Package')
  await expect.poll(() => open.getByRole('combobox', { name: 'Manifest' }).textContent()).toBe('Sales')
  await press(open, 'Next')
  await choose(open, 'Publish')
  await press(open, 'Use local')
  await expectStep(open, 'API or schema')
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
