import { holds } from '@cadmus/testing/holds'
import { readArchive } from '@cadmus/formats/archive'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { administrationOn, enterAdministration } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { record } from './driver/document.ts'
import { entityDocument, manifestDocument } from './driver/entity.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { mark } from './driver/session.ts'
import { expectAccessible } from './driver/accessible.ts'
import { beginImport } from './driver/transfer.ts'
import { childrenOf, menu, menuLines, nodeAt, expand } from './driver/tree.ts'
import { dialog, captureDownload, expectShown, find, press, question, snackbar } from './driver/widgets.ts'

const journey = await startJourney({ user: 'nobody' })
const { page } = journey
const { tree, title, callApi } = administrationOn(page)
await enterAdministration(page)
const globex = apiOf(page, 'GLOBEX', 'X-Admin-Organisation')
const at = (...path: string[]) => nodeAt(page, 'Globex', ...path)
const pattern =
  'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.'

async function expectSelected(node: Locator): Promise<void> {
  await expect.poll(() => node.getAttribute('aria-selected')).toBe('true')
}

/** Expands an empty node; the returned function checks its new children and that the page was not reloaded. */
async function unfoldEmpty(...path: string[]) {
  const node = await at(...path)
  await expand(node)
  await expect.poll(() => childrenOf(page, node)).toEqual(['Empty'])
  const isSame = await mark(page)
  return async (names: string[]) => {
    await expect.poll(() => childrenOf(page, node)).toEqual(names)
    await expect.poll(() => isSame()).toBe(true)
  }
}

describe('Creating by name in an organisation', () => {
  it(
    'an entity is named new_entity by default and is shown after creation',
    holds('M2.269', 'M2.277', 'M1.22', 'M4.17', 'M4.18', 'E7.82'),
    async () => {
      await page.goto('/admin?org=GLOBEX')
      await expectShown(title('[GLOBEX] Globex'))
      const expectBelow = await unfoldEmpty('Entities')
      await menu(page, await at(), 'Create Global Entity')
      const open = dialog(page, 'Create Global Entity')
      const field = open.getByLabel('Name')
      await expect.poll(() => field.inputValue()).toBe('new_entity')
      await expect.poll(() => hasFocus(field)).toBe(true)
      await field.fill('my__entity')
      await expectShown(open.getByText(pattern, { exact: true }))
      await expect.poll(() => open.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
      await expectAccessible(page, 'admin-create-entity', 'all')
      await field.fill('Depot')
      const calls = record(page)
      await press(open, 'Create')
      await expectShown(snackbar(page, 'Successfully created entity.'))
      await expectShown(entityDocument(page, 'Depot'))
      await expectBelow(['Depot'])
      await expectSelected(await at('Entities', 'Depot'))
      const sent = calls.find(({ method }) => method === 'POST')
      expect(sent?.url).toContain('/1.0/cdm/admin/entity')
      expect(JSON.parse(sent?.body ?? '')).toMatchObject({ org: 'GLOBEX', entity: { name: 'Depot' } })
    },
  )

  it(
    'a manifest is named new_manifest by default and is shown after creation',
    holds('M2.265', 'M2.270', 'M2.278', 'M4.17', 'M4.18'),
    async () => {
      await page.goto('/admin?org=GLOBEX')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await expect.poll(() => menuLines(page)).toEqual(['Create Global Entity', 'Create Manifest'])
      await page.getByRole('menuitem', { name: 'Create Manifest' }).click()
      await press(dialog(page, 'Create Manifest'), 'Cancel')
      const expectBelow = await unfoldEmpty('Manifests')
      await menu(page, await at(), 'Create Manifest')
      const open = dialog(page, 'Create Manifest')
      const field = open.getByLabel('Name')
      await expect.poll(() => field.inputValue()).toBe('new_manifest')
      await field.fill('a')
      await expectShown(open.getByText('this must be 2 to 50 characters long.', { exact: true }))
      await field.fill('Stock')
      await press(open, 'Create')
      await expectShown(snackbar(page, 'Successfully created manifest.'))
      await expectShown(manifestDocument(page, 'Stock'))
      await expectBelow(['Stock'])
      await expectSelected(await at('Manifests', 'Stock'))
    },
  )

  it('a duplicate name shows an error below the field', async () => {
    await menu(page, await at(), 'Create Manifest')
    const open = dialog(page, 'Create Manifest')
    await open.getByLabel('Name').fill('stock')
    await press(open, 'Create')
    await expectShown(open.getByText('A manifest with the name "stock" already exists.', { exact: true }))
    await open.getByLabel('Name').fill('new_manifest')
    await press(open, 'Cancel')
    await open.waitFor({ state: 'detached' })
  })

  it('a manifest is created by keyboard alone', async () => {
    await tabTo(page, await at())
    await keys(page, 'ContextMenu')
    await expect.poll(() => hasFocus(page.getByRole('menuitem', { name: 'Create Global Entity' }))).toBe(true)
    await keys(page, 'ArrowDown', 'Enter')
    const field = dialog(page, 'Create Manifest').getByLabel('Name')
    await expect.poll(() => hasFocus(field)).toBe(true)
    await page.keyboard.type('Typed')
    await keys(page, 'Enter')
    await expectShown(manifestDocument(page, 'Typed'))
  })
})

describe('Adding to a manifest of an organisation', () => {
  it(
    'an entity is added to the manifest by reference',
    holds('M2.271', 'M2.281', 'M7.104', 'M4.17', 'M4.18'),
    async () => {
      await page.goto('/admin?org=GLOBEX')
      const expectBelow = await unfoldEmpty('Manifests', 'Stock', 'Entities')
      await menu(page, await at('Manifests', 'Stock'), 'Add Entity')
      const open = dialog(page, 'Add Entity')
      await find(page, open, 'Entity', 'Depot')
      const calls = record(page)
      await press(open, 'Finish')
      await expectShown(snackbar(page, 'Successfully added entity to manifest.'))
      await expectShown(entityDocument(page, 'Depot'))
      await expectBelow(['Depot'])
      await expectSelected(await at('Manifests', 'Stock', 'Entities', 'Depot'))
      const sent = calls.find(({ method }) => method === 'POST')
      const depot = await globex.entityNamed('Depot')
      expect(JSON.parse(sent?.body ?? '')).toEqual({ entityIds: [depot], type: 'TEMPLATE' })
    },
  )

  it('a sub-manifest is added to the manifest and selected', holds('M2.272', 'M2.282', 'M4.18'), async () => {
    await menu(page, await at('Manifests', 'Stock'), 'Add Sub-Manifest')
    const open = dialog(page, 'Add Sub-Manifest')
    await find(page, open, 'Manifest', 'Typed')
    await press(open, 'Finish')
    await expectShown(snackbar(page, 'Successfully added sub-manifest to manifest.'))
    await expectShown(manifestDocument(page, 'Typed'))
    await expectSelected(await at('Manifests', 'Stock', 'Sub-Manifests', 'Typed'))
  })

  it(
    'the wizards create an entity and a manifest in the shown organisation',
    holds('M2.279', 'M2.280', 'M4.47'),
    async () => {
      const start = async (kind: string) => {
        await page.getByRole('button', { name: 'New', exact: true }).click()
        await page.getByRole('menuitem', { name: kind, exact: true }).click()
        return dialog(page, `Create ${kind}`)
      }
      const wizard = await start('Entity')
      await wizard.getByLabel('Name').fill('Shelf')
      await press(wizard, 'Next')
      await find(page, wizard, 'Select a manifest to where the entity will be injected', 'Stock')
      await press(wizard, 'Next')
      const attribute = wizard.getByRole('textbox', { name: 'Name' })
      await attribute.fill('shelfNumber')
      await attribute.press('Enter')
      await press(wizard, 'Finish')
      await expectShown(entityDocument(page, 'Shelf'))
      await expectSelected(await at('Manifests', 'Stock', 'Entities', 'Shelf'))
      const made = await start('Manifest')
      await made.getByLabel('Name').fill('Returns')
      await made.getByRole('radio', { name: 'Manifest', exact: true }).click()
      await press(made, 'Next')
      const answered = page.waitForResponse(/\/manifest\/wizard/)
      await press(made, 'Finish')
      expect(await (await answered).json()).toMatchObject({ generateType: 'Manifest' })
      await expectShown(manifestDocument(page, 'Returns'))
      await expectSelected(await at('Manifests', 'Returns'))
      const { pathname, searchParams } = new URL(page.url())
      expect([pathname, searchParams.get('org')]).toEqual(['/admin', 'GLOBEX'])
    },
  )
})

describe('Export and import in the administration', () => {
  let zip: Uint8Array

  it(
    'a manifest is exported in three formats, with PostgreSQL as the default database',
    holds('M2.273', 'M2.283', 'M2.284', 'M2.285'),
    async () => {
      await menu(page, await at('Manifests', 'Stock'), 'Export > Database Schema')
      const schema = dialog(page, 'Export Database Schema')
      await schema.getByRole('button', { name: 'Export' }).waitFor({ timeout: 60_000 })
      await expect
        .poll(() => schema.getByRole('combobox', { name: 'Database Type' }).textContent())
        .toContain('PostgreSQL')
      await saveScreenshot(page, 'admin-export-schema')
      const sql = await captureDownload(page, () => press(schema, 'Export'))
      expect(sql.name).toBe('Stock-postgresql.zip')
      expect(String(readArchive(sql.bytes).get('Stock.sql') ?? '')).not.toBe('')
      for (const [kind, file, inside] of [
        ['CDM Schema', 'Stock-cdm.zip', [expect.stringMatching(/Stock\.manifest\.cdm\.json$/)]],
        ['Data Model', 'Stock-model.zip', ['Stock/models/Depot.model', 'Stock/models/Shelf.model']],
      ] as const) {
        await menu(page, await at('Manifests', 'Stock'), `Export > ${kind}`)
        const open = dialog(page, `Export ${kind}`)
        await open.getByRole('button', { name: 'Export' }).waitFor({ timeout: 60_000 })
        const { name, bytes } = await captureDownload(page, () => press(open, 'Export'))
        expect(name).toBe(file)
        expect([...readArchive(bytes).keys()]).toEqual(expect.arrayContaining([...inside]))
        if (kind === 'CDM Schema') zip = bytes
      }
    },
  )

  it('without PostgreSQL in the licence, the first licensed database is the default', holds('M2.283'), async () => {
    const licence = { manifestLimit: null, rest: true, graphql: true, databaseTypes: ['mysql', 'mssql'] }
    await callApi('PUT', 'org/GLOBEX', { licence })
    await page.reload()
    await menu(page, await at('Manifests', 'Stock'), 'Export > Database Schema')
    const open = dialog(page, 'Export Database Schema')
    await open.getByRole('button', { name: 'Export' }).waitFor({ timeout: 60_000 })
    await expect.poll(() => open.getByRole('combobox', { name: 'Database Type' }).textContent()).toContain('MySQL')
    await press(open, 'Close')
  })

  it('an exported manifest is imported into another organisation', holds('M2.287'), async () => {
    await page.goto('/admin?org=CADMUS')
    await expectShown(title('[CADMUS] Cadmus'))
    await beginImport(page, 'Stock-cdm.zip', zip)
    const report = dialog(page, 'Import finished')
    await report.waitFor({ timeout: 90_000 })
    await saveScreenshot(page, 'admin-imported')
    await report.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expectShown(await nodeAt(page, 'Cadmus', 'Manifests', 'Stock'))
  })
})

describe('Deleting in the administration', () => {
  it('deleting an entity, a sub-manifest or a manifest requires confirmation', holds('M2.274'), async () => {
    await page.goto('/admin?org=GLOBEX')
    const remove = async (node: Locator, message: string) => {
      await menu(page, node, 'Delete')
      const confirmation = page.getByRole('alertdialog')
      await expectShown(confirmation)
      await press(confirmation, 'Delete')
      await expectShown(snackbar(page, message))
      await node.waitFor({ state: 'detached' })
    }
    await remove(await at('Manifests', 'Stock', 'Sub-Manifests', 'Typed'), 'Successfully deleted a sub-manifest')
    const shelf = await at('Manifests', 'Stock', 'Entities', 'Shelf')
    await shelf.click()
    await expectShown(entityDocument(page, 'Shelf'))
    await remove(shelf, 'Successfully deleted a entity')
    // The shown entity was deleted, so its organisation is shown instead.
    await expectShown(title('[GLOBEX] Globex'))
    const stock = await at('Manifests', 'Stock')
    await menu(page, stock, 'Delete')
    const confirmation = question(page, 'Delete Manifest')
    await expectShown(confirmation.getByText('Do you really want to delete the manifest?', { exact: true }))
    await press(confirmation, 'Cancel')
    await expectShown(stock)
    await remove(stock, 'Successfully deleted a manifest')
    await expect.poll(() => tree.getByRole('treeitem', { name: /^Stock/ }).count()).toBe(0)
  })

  it('deleting applies to the organisation of the node, not to the one that is shown', async () => {
    await globex.createManifest('Distant')
    await page.goto('/admin?org=CADMUS')
    await menu(page, await at('Manifests', 'Distant'), 'Delete')
    await press(question(page, 'Delete Manifest'), 'Delete')
    await expectShown(snackbar(page, 'Successfully deleted a manifest'))
    await expectShown(title('[GLOBEX] Globex'))
  })
})
