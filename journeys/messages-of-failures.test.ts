import { holds } from '@cadmus/testing/holds'
import type { Locator, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { openEntity, openManifest, record, refuse, tool, toolDialog } from './driver/document.ts'
import { entityDocument, fillProperty, manifestDocument, names, property, row, tab } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { storedUser } from './driver/session.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, press, question, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const harbour = await api.createManifest('Harbour')
const annex = await api.createManifest('Annex')
await api.addSubManifest(harbour, annex)
const berth = await api.createEntity({ name: 'Berth' }, harbour)
const typeAttributes = [{ name: 'flag' }, { name: 'decks', dataType: 'integer' as const }]
const ship = await api.createEntity({ name: 'Ship', typeAttributes }, harbour)
await api.relate(ship.id, berth, 'berthId')
await page.reload()

const node = (...path: string[]) => nodeAt(page, 'Custom', 'Manifests', 'Harbour', ...path)
const finish = (open: Locator) => press(open, 'Finish')

/** Responds like a proxy without a server: a status and no body. */
async function respond502(method: string, path: RegExp): Promise<void> {
  await page.route(path, async route => {
    if (route.request().method() === method) await route.fulfill({ status: 502, body: '' })
    else await route.fallback()
  })
}

/** Expects one message for a failure with a reason of the server, and another for one without. */
async function expectBoth(method: string, path: RegExp, act: () => Promise<void>, detailed: string, generic: string) {
  await refuse(page, method, path, 'It is needed.')
  await act()
  await expectShown(snackbar(page, detailed))
  await page.unrouteAll()
  await respond502(method, path)
  await act()
  await expectShown(snackbar(page, generic))
  await page.unrouteAll()
}

/** Lets Finish fail without a reason and expects `words` in the dialog, which remains open. */
async function expectRefused(open: Locator, method: string, path: RegExp, words: string): Promise<void> {
  await respond502(method, path)
  await finish(open)
  await expectShown(open.getByRole('alert').getByText(words, { exact: true }))
  await page.unrouteAll()
  await expectShown(open.getByRole('button', { name: 'Finish' }))
}

const bounds = 'this must be 2 to 50 characters long.'

const isDisabled = async (button: Locator) => (await button.getAttribute('aria-disabled')) === 'true'

/** Expects each wrong name to show its message and disable the button, and each right one to enable it. */
async function expectNames(
  open: Locator,
  [label, button]: readonly [string, string],
  wrong: readonly (readonly [string, string])[],
  right: readonly string[],
): Promise<void> {
  const field = open.getByLabel(label)
  const submit = open.getByRole('button', { name: button })
  for (const [name, words] of wrong) {
    await field.fill(name)
    await expectShown(open.getByText(words, { exact: true }))
    await expect.poll(() => isDisabled(submit)).toBe(true)
  }
  for (const name of right) {
    await field.fill(name)
    await expect.poll(() => isDisabled(submit)).toBe(false)
  }
}

describe('Validation messages below a field', () => {
  it(
    'the wizard rejects an existing entity name; without the lookup the server rejects it',
    holds('E5.10', 'E5.12', 'E5.13'),
    async () => {
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Entity', exact: true }).click()
      const wizard = dialog(page, 'Create Entity')
      const next = wizard.getByRole('button', { name: 'Next' })
      const name = wizard.getByRole('textbox', { name: 'Name' })
      await name.fill('Ship')
      await press(wizard, 'Next')
      await find(page, wizard, 'Select a manifest to where the entity will be injected', 'Harbour')
      await expectShown(wizard.getByText('An entity with the name "Ship" already exists.', { exact: true }))
      await expect.poll(() => isDisabled(next)).toBe(true)
      await name.press('End')
      await name.pressSequentially('yard')
      await expect.poll(() => name.inputValue()).toBe('Shipyard')
      await expect.poll(() => isDisabled(next)).toBe(false)
      await page.route(/\/manifest\/\d+\/entities/, route => route.abort())
      const blocked = page.waitForEvent('requestfailed', request => /search=ship(&|$)/.test(request.url()))
      await name.fill('ship')
      await blocked
      await expect.poll(() => wizard.getByRole('alert').count()).toBe(0)
      await expect.poll(() => isDisabled(next)).toBe(false)
      await press(wizard, 'Next')
      await name.fill('sail')
      await press(wizard, 'Finish')
      await expectShown(
        wizard.getByRole('alert').getByText('An entity with the name "ship" already exists.', { exact: true }),
      )
      await press(wizard, 'Cancel')
      await wizard.waitFor({ state: 'detached' })
    },
  )

  it(
    'a foreign key name that is invalid, existing or the primary key is rejected',
    holds('E5.24', 'E5.25', 'E5.26', 'E5.29'),
    async () => {
      await openEntity(page, ship)
      await page.getByRole('tab', { name: /^Relationships/ }).click()
      const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
      await open.getByLabel('Foreign Key Name').fill('quayId')
      await expect.poll(() => isDisabled(open.getByRole('button', { name: 'Finish' }))).toBe(true)
      await find(page, open, 'Associated Entity', 'Berth', 'user-defined/Harbour')
      const wrong = [
        ['a', bounds],
        ['id', 'Primary key should not be used as foreign key type attribute'],
        ['berthId', 'A relationship with the foreign key "berthId" already exists.'],
      ] as const
      await expectNames(open, ['Foreign Key Name', 'Finish'], wrong, ['quayId'])
      await press(open, 'Cancel')
      await open.waitFor({ state: 'detached' })
    },
  )
})

describe('Failures of actions in the tree', () => {
  it('no dialog opens for a manifest that cannot be loaded', holds('M8.10', 'M8.12', 'M8.14', 'M8.35'), async () => {
    // The sheet of an entity may have read the manifest, which is not read again for a while.
    await page.goto('/')
    for (const [line, action] of [
      ['Add Entity', 'add entity'],
      ['Add Sub-Manifest', 'add sub-manifest'],
    ] as const) {
      const act = async () => {
        await menu(page, await node(), line)
        await dialog(page, line).waitFor({ state: 'detached' })
      }
      const start = `Unable to open ${action} dialog`
      const path = new RegExp(`/manifest/${harbour}$`)
      if (line === 'Add Entity')
        await expectBoth('GET', path, act, `${start} - It is needed.`, `${start} - Request failed with status 502`)
      else {
        await respond502('GET', path)
        await act()
        await expectShown(snackbar(page, `${start} - Request failed with status 502`))
        await page.unrouteAll()
      }
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    }
    await respond502('POST', /\/validate/)
    await menu(page, await node(), 'Export > Database Schema')
    await expectShown(snackbar(page, 'Unable to open export manifest dialog - Request failed with status 502'))
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('Add Entity without a manifest is rejected with a link to the wizard', holds('M8.11'), async () => {
    await menu(page, await nodeAt(page, 'Custom', 'Entities'), 'Add Entity')
    await expectShown(snackbar(page, 'Unable to open add entity dialog - no manifest parent.'))
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await saveScreenshot(page, 'messages-no-manifest-parent')
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'New Entity' }).click()
    await press(dialog(page, 'Create Entity'), 'Cancel')
  })

  it('a failed entity export shows the reason', holds('M8.15'), async () => {
    const act = async () => menu(page, await node('Entities', 'Ship'), 'Export Entity')
    const start = 'Unable to export entity'
    await expectBoth('POST', /\/export/, act, `${start} - It is needed.`, `${start} - Request failed with status 502`)
  })

  it('a failed deletion shows the reason, and the node remains', holds('M8.2', 'M8.3', 'M8.19', 'M8.31'), async () => {
    const act = async () => {
      await menu(page, await node('Sub-Manifests', 'Annex'), 'Delete')
      await press(question(page, 'Delete Sub-Manifest'), 'Delete')
    }
    const start = 'Failed to delete sub-manifest'
    await expectBoth('DELETE', /\/submanifest\//, act, `${start}: It is needed.`, start)
    await expectShown(await node('Sub-Manifests', 'Annex'))
  })
})

describe('Failures shown in dialogs, which remain open', () => {
  it('Add Entity shows the failure and can be submitted again', holds('M8.22', 'M8.23', 'M8.38'), async () => {
    await menu(page, await node(), 'Add Entity')
    const open = dialog(page, 'Add Entity')
    await open.getByRole('checkbox', { name: 'Show Core Entities' }).click()
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

  it('Add Sub-Manifest shows the failure and remains open', holds('M8.21', 'M8.39'), async () => {
    await menu(page, await node(), 'Add Sub-Manifest')
    const open = dialog(page, 'Add Sub-Manifest')
    await find(page, open, 'Manifest', 'Shop')
    await expectRefused(open, 'PUT', /\/subManifests/, 'Failed to add sub-manifest to manifest')
    await press(open, 'Close')
  })

  it(
    'the manifest and entity wizards can be submitted again after a failure',
    holds('E3.27', 'M3.68', 'M7.3', 'M8.24', 'M8.26', 'M8.40', 'M8.58', 'M8.59'),
    async () => {
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
    },
  )

  it('Import shows the failure for an entity and for a manifest', holds('M7.3', 'M8.27', 'M8.28'), async () => {
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
    'Manage Versions can add versions even if reading or deleting them fails',
    holds('M8.25', 'M8.61', 'E7.91', 'E7.93'),
    async () => {
      await openManifest(page, harbour, 'Harbour')
      const open = await toolDialog(page, 'Manage Versions', 'Manage Versions')
      await open.getByLabel('Manifest Version').fill('1.1.0')
      await respond502('POST', /\/version/)
      await press(open, 'Add')
      await expectShown(open.getByRole('alert').getByText('Failed to create manifest version', { exact: true }))
      await page.unrouteAll()
      await press(open, 'Add')
      await expectShown(snackbar(page, 'Successfully created manifest version.'))
      await press(open, 'Cancel')

      await openEntity(page, ship)
      await respond502('GET', /\/entity\/custom\/\d+\/version/)
      const versions = await toolDialog(page, 'Manage Versions', 'Manage Versions')
      await expectShown(versions.getByText('No versions to display'))
      await expect.poll(() => versions.getByRole('grid').count()).toBe(0)
      await page.unrouteAll()
      await versions.getByLabel('Entity Version').fill('2.0.0')
      await press(versions, 'Add')
      await expectShown(row(page, 'Versions', '1.0.0'))
      const act = async () => {
        await row(page, 'Versions', '1.0.0').click({ button: 'right' })
        await page.getByRole('menuitem', { name: /^Delete/ }).click()
      }
      await expectBoth('DELETE', /\/version/, act, 'It is needed.', 'Request failed with status 502')
      await expect.poll(() => names(page, 'Versions')).toEqual(['2.0.0', '1.0.0'])
      await press(versions, 'Cancel')
    },
  )
})

describe('Relationship failures', () => {
  it('a changed relationship that Save rejects stays unsaved with the reason', holds('M8.41', 'M8.63'), async () => {
    await openEntity(page, ship)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await row(page, 'Relationships', 'berthId').click()
    const description = property(page, 'Entity Attribute', 'Description').getByRole('textbox')
    const change = async () => {
      await fillProperty(description, 'Where it lies')
      await description.press('Enter')
    }
    await refuse(page, 'POST', /\/entity\/\d+\/edits/, 'It is needed.')
    await change()
    await expectShown(snackbar(page, 'Successfully updated entity attribute.'))
    await keys(page, 'Control+s')
    await expectShown(page.getByRole('article').getByText('It is needed.'))
    await expect.poll(() => description.inputValue()).toBe('Where it lies')
    await page.unrouteAll()
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
  })

  it(
    'target attributes that cannot be loaded leave the picker and Finish disabled',
    holds('E5.27', 'E7.92'),
    async () => {
      const { id } = await api.createEntity({ name: 'Pier' }, harbour)
      const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
      await respond502('GET', new RegExp(`/entity/${id}(\\?|$)`))
      await open.getByLabel('Foreign Key Name').fill('pierId')
      const failed = page.waitForResponse(answer => answer.status() === 502)
      await find(page, open, 'Associated Entity', 'Pier')
      await failed
      const target = open.getByRole('combobox', { name: 'Target Attribute' })
      await expect.poll(() => target.textContent()).toBe('Select Attribute')
      await expect.poll(() => target.isDisabled()).toBe(true)
      const isBlocked = () => open.getByRole('button', { name: 'Finish' }).getAttribute('aria-disabled')
      await expect.poll(() => isBlocked()).toBe('true')
      await find(page, open, 'Associated Entity', 'Berth', 'user-defined/Harbour')
      await expect.poll(() => target.textContent()).toBe('id')
      await expect.poll(isBlocked).toBeNull()
      await press(open, 'Cancel')
    },
  )
})

describe('Deletion from the manifest document', () => {
  const remove = async () => {
    await tool(page, 'Delete Manifest').click()
    await press(question(page, 'Delete Manifest'), 'Delete')
  }

  it('a failed deletion is reported, and the document remains open', holds('M8.30'), async () => {
    await openManifest(page, annex, 'Annex')
    await respond502('DELETE', /\/manifest\//)
    await remove()
    await expectShown(snackbar(page, 'Failed to delete manifest'))
    await expectShown(manifestDocument(page, 'Annex'))
  })

  it('a successful deletion is reported for sub-manifests and other manifests', holds('M8.52', 'M8.53'), async () => {
    await openManifest(page, annex, 'Annex')
    await remove()
    await expectShown(snackbar(page, 'Successfully deleted sub-manifest!'))
    await tab(page, 'Annex').waitFor({ state: 'detached' })
    await openManifest(page, await api.manifestNamed('Jetty'), 'Jetty')
    await remove()
    await expectShown(snackbar(page, 'Successfully deleted manifest!'))
    await expect.poll(() => entityDocument(page, 'Bollard').count()).toBe(0)
    expect(journey.complaints).toEqual([])
  })
})
