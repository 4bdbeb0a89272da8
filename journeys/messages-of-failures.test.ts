import { holds } from '@cadmus/testing/holds'
import type { Locator, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk, shoot } from './driver/desk.ts'
import { openEntity, openManifest, record, refuse, tool, toolDialog } from './driver/document.ts'
import { entityDocument, manifestDocument, names, property, row, tab } from './driver/entity.ts'
import { storedUser } from './driver/session.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, press, question, snackbar } from './driver/widgets.ts'

const desk = await openDesk()
const { page } = desk
const api = apiOf(page)
const harbour = await api.createManifest('Harbour')
const annex = await api.createManifest('Annex')
await api.addSubManifest(harbour, annex)
const berth = await api.createEntity({ name: 'Berth' }, harbour)
const ship = await api.createEntity({ name: 'Ship' }, harbour)
await api.relate(ship.id, berth, 'berthId')
await page.reload()

const node = (...path: string[]) => nodeAt(page, 'Custom', 'Manifests', 'Harbour', ...path)
const finish = (open: Locator) => press(open, 'Finish')

/** What a proxy answers whose server is away: a status and nothing else. */
async function breakDown(method: string, path: RegExp): Promise<void> {
  await page.route(path, async route => {
    if (route.request().method() === method) await route.fulfill({ status: 502, body: '' })
    else await route.fallback()
  })
}

/** With the server's words and without any. */
async function expectBoth(method: string, path: RegExp, act: () => Promise<void>, said: string, unsaid: string) {
  await refuse(page, method, path, 'It is needed.')
  await act()
  await expectShown(snackbar(page, said))
  await page.unrouteAll()
  await breakDown(method, path)
  await act()
  await expectShown(snackbar(page, unsaid))
  await page.unrouteAll()
}

/** Finish fails without words: the dialog says what failed, and stays. */
async function expectRefused(open: Locator, method: string, path: RegExp, words: string): Promise<void> {
  await breakDown(method, path)
  await finish(open)
  await expectShown(open.getByRole('alert').getByText(words, { exact: true }))
  await page.unrouteAll()
  await expectShown(open.getByRole('button', { name: 'Finish' }))
}

describe('What cannot be opened or done from the tree', () => {
  it('is a dialog for a manifest that cannot be read', holds('M8.10', 'M8.12', 'M8.14', 'M8.35'), async () => {
    for (const [line, what] of [
      ['Add Entity', 'add entity'],
      ['Add Sub-Manifest', 'add sub-manifest'],
    ] as const) {
      const act = async () => {
        await menu(page, await node(), line)
        await dialog(page, line).waitFor({ state: 'detached' })
      }
      const begin = `Unable to open ${what} dialog`
      const path = new RegExp(`/manifest/${harbour}$`)
      await expectBoth('GET', path, act, `${begin} - It is needed.`, `${begin} - Request failed with status 502`)
      expect(await page.getByRole('dialog').count()).toBe(0)
    }
    await breakDown('POST', /\/validate/)
    await menu(page, await node(), 'Export > Database Schema')
    await expectShown(snackbar(page, 'Unable to open export manifest dialog - Request failed with status 502'))
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('is an entity that would be added to no manifest; the wizard asks for one', holds('M8.11'), async () => {
    await menu(page, await nodeAt(page, 'Custom', 'Entities'), 'Add Entity')
    await expectShown(snackbar(page, 'Unable to open add entity dialog - no manifest parent.'))
    expect(await page.getByRole('dialog').count()).toBe(0)
    await shoot(page, 'messages-no-manifest-parent')
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'New Entity' }).click()
    await press(dialog(page, 'Create Entity'), 'Cancel')
  })

  it('is the export of an entity', holds('M8.15'), async () => {
    const act = async () => menu(page, await node('Entities', 'Ship'), 'Export Entity')
    const begin = 'Unable to export entity'
    await expectBoth('POST', /\/export/, act, `${begin} - It is needed.`, `${begin} - Request failed with status 502`)
  })

  it('is a deletion, which leaves its node', holds('M8.2', 'M8.3', 'M8.19', 'M8.31'), async () => {
    const act = async () => {
      await menu(page, await node('Sub-Manifests', 'Annex'), 'Delete')
      await press(question(page, 'Delete Sub-Manifest'), 'Delete')
    }
    const begin = 'Failed to delete sub-manifest'
    await expectBoth('DELETE', /\/submanifest\//, act, `${begin}: It is needed.`, begin)
    await expectShown(await node('Sub-Manifests', 'Annex'))
  })
})

describe('What a dialog was refused stands in it, and it stays', () => {
  it('Add Entity', holds('M8.22', 'M8.23', 'M8.38'), async () => {
    await menu(page, await node(), 'Add Entity')
    const open = dialog(page, 'Add Entity')
    await find(page, open, 'Entity', 'Skill')
    await expectRefused(open, 'POST', /\/manifest\/\d+\/entities/, 'Failed to add entity to manifest')
    await open.getByRole('checkbox', { name: 'Choose Skill' }).click()
    await press(open, 'Delete')
    await open.getByRole('tab', { name: 'Create Custom Entity' }).click()
    await open.getByRole('textbox', { name: 'Name' }).fill('Crane')
    await expectRefused(open, 'POST', /\/cdm\/entity/, 'Failed to create custom entity to manifest')
    await finish(open)
    await expectShown(snackbar(page, 'Successfully created custom entity to manifest.'))
  })

  it('Add Sub-Manifest', holds('M8.21', 'M8.39'), async () => {
    await menu(page, await node(), 'Add Sub-Manifest')
    const open = dialog(page, 'Add Sub-Manifest')
    await find(page, open, 'Manifest', 'Shop')
    await expectRefused(open, 'PUT', /\/subManifests/, 'Failed to add sub-manifest to manifest')
    await press(open, 'Close')
  })

  it('both wizards', holds('E3.27', 'M3.68', 'M7.3', 'M8.24', 'M8.26', 'M8.40', 'M8.58', 'M8.59'), async () => {
    const { userId } = await storedUser(page)
    const userOf = (request: Request) => new URL(request.url()).searchParams.get('userId')
    await page.goto('/?manifestWizard=open')
    const manifest = dialog(page, 'Create Manifest')
    await manifest.getByLabel('Name').fill('Jetty')
    await press(manifest, 'Next')
    await expectRefused(manifest, 'POST', /\/manifest\/wizard/, 'Failed to create manifest')
    const ofManifest = page.waitForRequest(/\/manifest\/wizard/)
    await finish(manifest)
    await expectShown(snackbar(page, 'Successfully created manifest.'))
    expect(userOf(await ofManifest)).toBe(userId)
    expect((await ofManifest).postDataJSON().duplicateManifest).toBe(-1)
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: /^Entity/ }).click()
    const entity = dialog(page, 'Create Entity')
    await entity.getByLabel('Name').fill('Bollard')
    await press(entity, 'Next')
    await find(page, entity, 'Select a manifest to where the entity will be injected', 'Jetty')
    await press(entity, 'Next')
    await entity.getByRole('textbox', { name: 'Name' }).fill('height')
    await expectRefused(entity, 'POST', /\/entity\/wizard/, 'Failed to create entity')
    const ofEntity = page.waitForRequest(/\/entity\/wizard/)
    await finish(entity)
    await expectShown(snackbar(page, 'Successfully created entity.'))
    expect(userOf(await ofEntity)).toBe(userId)
    await expectShown(entityDocument(page, 'Bollard'))
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'height'])
  })

  it('Import, of an entity and of a manifest', holds('M7.3', 'M8.27', 'M8.28'), async () => {
    const calls = record(page)
    for (const [kind, words, path] of [
      ['Entity', 'Failed to import entity', /\/entity\/import/],
      ['Manifest', 'Failed to import manifest', /\/manifest\/import/],
    ] as const) {
      await page.getByRole('toolbar', { name: 'Main' }).getByRole('button', { name: 'Import' }).click()
      const open = dialog(page, 'Import')
      await open.getByRole('radio', { name: kind, exact: true }).click()
      await press(open, 'Next')
      if (kind === 'Entity') await press(open, 'Next')
      const name = kind === 'Entity' ? 'ship.json' : 'ship.zip'
      const file = { name, mimeType: 'text/plain', buffer: Buffer.from('{}') }
      await open.locator('input[type=file]').setInputFiles(file)
      await expectRefused(open, 'POST', path, words)
      await press(open, 'Cancel')
      await open.waitFor({ state: 'detached' })
    }
    const { userId } = await storedUser(page)
    const sent = calls.filter(({ method }) => method === 'POST').map(({ url }) => new URL(url))
    expect(sent.map(({ pathname, searchParams }) => [pathname, searchParams.get('userId')])).toEqual([
      ['/1.0/cdm/entity/import', userId],
      ['/1.0/cdm/manifest/import', userId],
    ])
  })

  it(
    'Manage Versions, where what cannot be read or deleted hinders nothing else',
    holds('M8.25', 'M8.61', 'E7.91', 'E7.93'),
    async () => {
      await openManifest(page, harbour, 'Harbour')
      const open = await toolDialog(page, 'Manage Versions', 'Manage Versions')
      await open.getByLabel('Manifest Version').fill('1.1.0')
      await breakDown('POST', /\/version/)
      await press(open, 'Add')
      await expectShown(open.getByRole('alert').getByText('Failed to create manifest version', { exact: true }))
      await page.unrouteAll()
      await press(open, 'Add')
      await expectShown(snackbar(page, 'Successfully created manifest version.'))
      await press(open, 'Cancel')

      await openEntity(page, ship)
      await breakDown('GET', /\/entity\/custom\/\d+\/version/)
      const versions = await toolDialog(page, 'Manage Versions', 'Manage Versions')
      await expectShown(versions.getByText('No versions to display'))
      expect(await versions.getByRole('grid').count()).toBe(0)
      await page.unrouteAll()
      await versions.getByLabel('Entity Version').fill('2.0.0')
      await press(versions, 'Add')
      await expectShown(row(page, 'Versions', '1.0.0'))
      const act = async () => {
        await row(page, 'Versions', '1.0.0').click({ button: 'right' })
        await page.getByRole('menuitem', { name: /^Delete/ }).click()
      }
      await expectBoth('DELETE', /\/version/, act, 'It is needed.', 'Request failed with status 502')
      expect(await names(page, 'Versions')).toEqual(['2.0.0', '1.0.0'])
      await press(versions, 'Cancel')
    },
  )
})

describe('A relationship', () => {
  it('is as before where its change is refused, and a message says why', holds('M8.41', 'M8.63'), async () => {
    await openEntity(page, ship)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await row(page, 'Relationships', 'berthId').click()
    const description = property(page, 'Entity Attribute', 'Description').getByRole('textbox')
    const change = async () => {
      await description.fill('Where it lies')
      await description.press('Enter')
    }
    await refuse(page, 'PUT', /\/associatedEntity\//, 'It is needed.')
    await change()
    await expectShown(snackbar(page, 'It is needed.'))
    await expect.poll(() => description.inputValue()).toBe('')
    await page.unrouteAll()
    await change()
    await expectShown(snackbar(page, 'Successfully updated entity attribute.'))
    await expect.poll(() => description.inputValue()).toBe('Where it lies')
  })

  it(
    'has no target to offer where they cannot be read, and the dialog waits for one',
    holds('E5.27', 'E7.92'),
    async () => {
      const { id } = await api.createEntity({ name: 'Pier' }, harbour)
      const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
      await breakDown('GET', new RegExp(`/entity/${id}(\\?|$)`))
      await open.getByLabel('Foreign Key Name').fill('pierId')
      const failed = page.waitForResponse(answer => answer.status() === 502)
      await find(page, open, 'Associated Entity', 'Pier')
      await failed
      const target = open.getByRole('combobox', { name: 'Target Attribute' })
      await expect.poll(() => target.textContent()).toBe('Select Attribute')
      expect(await target.isDisabled()).toBe(true)
      const isBlocked = () => open.getByRole('button', { name: 'Finish' }).getAttribute('aria-disabled')
      expect(await isBlocked()).toBe('true')
      await find(page, open, 'Associated Entity', 'Berth', 'user-defined/Harbour')
      await expect.poll(() => target.textContent()).toBe('id')
      await expect.poll(isBlocked).toBeNull()
      await press(open, 'Cancel')
    },
  )
})

describe('The document of a manifest', () => {
  const remove = async () => {
    await tool(page, 'Delete Manifest').click()
    await press(question(page, 'Delete Manifest'), 'Delete')
  }

  it('says that it could not be deleted, and stays', holds('M8.30'), async () => {
    await openManifest(page, annex, 'Annex')
    await breakDown('DELETE', /\/manifest\//)
    await remove()
    await expectShown(snackbar(page, 'Failed to delete manifest'))
    await expectShown(manifestDocument(page, 'Annex'))
  })

  it('says that it was deleted: a sub-manifest, and one that is none', holds('M8.52', 'M8.53'), async () => {
    await openManifest(page, annex, 'Annex')
    await remove()
    await expectShown(snackbar(page, 'Successfully deleted sub-manifest!'))
    await tab(page, 'Annex').waitFor({ state: 'detached' })
    await openManifest(page, await api.manifestNamed('Jetty'), 'Jetty')
    await remove()
    await expectShown(snackbar(page, 'Successfully deleted manifest!'))
    expect(await entityDocument(page, 'Bollard').count()).toBe(0)
    expect(desk.complaints).toEqual([])
  })
})
