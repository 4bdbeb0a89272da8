import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { openEntity, openManifest, record, send, tool, toolDialog } from './driver/document.ts'
import { manifestDocument, property } from './driver/entity.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, pick, press } from './driver/widgets.ts'

const desk = await openDesk({ height: 1800 })
const { page } = desk
const api = apiOf(page)
const harbour = await api.createManifest('Harbour')
const ship = await api.createEntity({ name: 'Ship', typeAttributes: [{ name: 'flag' }] }, harbour)
await api.createEntity({ name: 'Berth' }, harbour)

const pattern =
  'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.'

const isDisabled = async (button: Locator) => (await button.getAttribute('aria-disabled')) === 'true'

describe('What stands below a field', () => {
  it('of the name of an attribute and of a manifest', holds('E5.6', 'M5.8'), async () => {
    await openEntity(page, ship)
    const attribute = await toolDialog(page, 'Add Attribute', 'New Type Attribute')
    await attribute.getByLabel('Name').fill('a__b')
    await expectShown(attribute.getByText(pattern, { exact: true }))
    expect(await isDisabled(attribute.getByRole('button', { name: 'Finish' }))).toBe(true)
    await attribute.getByLabel('Name').fill('')
    await press(attribute, 'Cancel')
    await page.goto('/?manifestWizard=open')
    const wizard = dialog(page, 'Create Manifest')
    await wizard.getByLabel('Name').fill('my__name')
    await expectShown(wizard.getByText(pattern, { exact: true }))
    expect(await isDisabled(wizard.getByRole('button', { name: 'Next' }))).toBe(true)
  })

  it('of a second entity of a name', holds('E5.12'), async () => {
    await openManifest(page, harbour, 'Harbour')
    const open = await toolDialog(page, 'Manage Entity', 'Add Entity')
    await open.getByRole('tab', { name: 'Create Custom Entity' }).click()
    await open.getByRole('textbox', { name: 'Name' }).fill('Ship')
    await press(open, 'Finish')
    await expectShown(open.getByText('An entity with the name "Ship" already exists.', { exact: true }))
  })

  it('of a foreign key that is called as the primary key', holds('E5.25'), async () => {
    await openEntity(page, ship)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await open.getByLabel('Foreign Key Name').fill('id')
    await find(page, open, 'Associated Entity', 'Berth', 'user-defined/Harbour')
    const words = 'Primary key should not be used as foreign key type attribute'
    await expectShown(open.getByText(words, { exact: true }))
    expect(await isDisabled(open.getByRole('button', { name: 'Finish' }))).toBe(true)
  })

  it('of a manifest that was picked as its own sub-manifest', holds('M5.10'), async () => {
    await openManifest(page, harbour, 'Harbour')
    const open = await toolDialog(page, 'Add Sub-Manifest', 'Add Sub-Manifest')
    await find(page, open, 'Manifest', 'Harbour')
    await expectShown(open.getByText("You can't select the same manifest as your sub-manifest.", { exact: true }))
    const body = { submanifests: [harbour] }
    const headers = { 'X-Organisation-Code': 'ACME' }
    const refused = await page.request.put(`/1.0/cdm/manifest/${harbour}/subManifests`, { headers, data: body })
    expect(refused.status()).toBe(400)
  })
})

describe('A manifest that is locked', () => {
  const adds = async () => [
    await isDisabled(tool(page, 'Manage Entity')),
    await isDisabled(tool(page, 'Add Sub-Manifest')),
  ]
  /** What an entity that is dropped on it makes the page send. */
  const drop = async (target: Locator) => {
    const calls = record(page)
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Country')).dragTo(target)
    await page.waitForTimeout(300)
    return calls.filter(call => call.method !== 'GET').map(call => new URL(call.url).pathname)
  }

  it('as an old version takes nothing in', holds('M4.4'), async () => {
    await send(page, 'POST', `/1.0/cdm/manifest/${harbour}/version?version=2.0.0`)
    await openManifest(page, harbour, 'Harbour')
    expect(await adds()).toEqual([false, false])
    const document = manifestDocument(page, 'Harbour')
    expect(await drop(document)).toEqual([`/1.0/cdm/manifest/${harbour}/entities`])
    await pick(page, property(page, 'Manifest', 'Version'), 'Version', '1.0.0')
    await expectShown(document.getByText('Only the latest version can be edited.'))
    expect(await adds()).toEqual([true, true])
    expect(await drop(document)).toEqual([])
  })

  it('as one of the library takes nothing in and loses nothing', holds('M4.5', 'M4.7'), async () => {
    await (await nodeAt(page, 'Standard', 'Manifests', 'parties', 'parties')).dblclick()
    await expectShown(manifestDocument(page, 'parties'))
    expect(await adds()).toEqual([true, true])
    expect(await isDisabled(tool(page, 'Delete Manifest'))).toBe(true)
    expect(await drop(await nodeAt(page, 'Standard', 'Manifests', 'parties', 'parties'))).toEqual([])
    expect(await drop(manifestDocument(page, 'parties'))).toEqual([])
    const id = new URL(page.url()).searchParams.get('manifest') ?? ''
    const headers = { 'X-Organisation-Code': 'ACME', 'If-Match': '*' }
    expect((await page.request.delete(`/1.0/cdm/manifest/${id}`, { headers })).status()).toBe(403)
  })
})
