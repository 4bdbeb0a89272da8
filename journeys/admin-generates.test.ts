import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { administrationOn, enterAdministration } from './driver/administration.ts'
import { expectStep, choose } from './driver/blueprint.ts'
import { startJourney } from './driver/journey.ts'
import { openInAdmin } from './driver/admin-documents.ts'
import { apiOf } from './driver/api.ts'
import { send } from './driver/document.ts'
import { manifestDocument, setText } from './driver/entity.ts'
import { card, cardNames } from './driver/packages.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, press, question, snackbar } from './driver/widgets.ts'

const { page, complaints } = await startJourney({ user: 'nobody' })
const { panel, title, callApi } = administrationOn(page)
await enterAdministration(page)
const acme = apiOf(page, 'ACME', 'X-Admin-Organisation')
const wizard = dialog(page, 'Create Manifest')
const licence = {
  manifestLimit: 50,
  rest: true,
  graphql: true,
  databaseTypes: ['mysql', 'hsql', 'oracle', 'postgresql', 'mssql'],
}

/** Advances the wizard to its last step with the name and the output type. */
async function toEntities(name: string, generate: string): Promise<void> {
  await page.goto('/admin?org=ACME')
  await expectShown(title('[ACME] Acme Trading'))
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Manifest', exact: true }).click()
  await wizard.getByLabel('Name').fill(name)
  await expect.poll(() => wizard.getByRole('radio', { name: 'Manifest', exact: true }).isChecked()).toBe(true)
  await wizard.getByRole('radio', { name: generate, exact: true }).click()
  await press(wizard, 'Next')
}

async function addEntity(name: string): Promise<void> {
  await wizard.getByRole('tab', { name: 'Create Custom Entity' }).click()
  await wizard.getByRole('textbox', { name: 'Name' }).fill(name)
  await press(wizard, 'Add')
}

describe('The manifest wizard in the administration', () => {
  it('builds the new manifest as Database and shows its package', holds('M4.48'), async () => {
    const name = 'Depot'
    await toEntities(name, 'Database')
    const finish = wizard.getByRole('button', { name: 'Finish' })
    await expect.poll(() => finish.isDisabled()).toBe(true)
    await expect.poll(() => finish.getAttribute('data-tip')).toBe('A package needs an entity.')
    await addEntity(`Shelf${name}`)
    await press(wizard, 'Finish')
    await page.waitForURL(`**/packages?new=${name}&org=ACME`)
    await expectShown(page.getByText('You are currently viewing the new exported Martini package.', { exact: false }))
    await expect.poll(() => cardNames(page)).toEqual([name])
    await expectShown(card(page, name).getByText(/^Database schema, built /))
  })

  it('opening the package with unsaved changes requires confirmation, and the manifest is created even after Cancel', async () => {
    await openInAdmin(page, await acme.createEntity({ name: 'Unsaved' }))
    await setText(page, 'Entity', 'Description', 'Changed')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Manifest', exact: true }).click()
    await wizard.getByLabel('Name').fill('Later')
    await wizard.getByRole('radio', { name: 'Database', exact: true }).click()
    await press(wizard, 'Next')
    await addEntity('ShelfLater')
    await press(wizard, 'Finish')
    await press(question(page, 'Package View'), 'Cancel')
    await wizard.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/admin')
    await expectShown(await nodeAt(page, 'Acme Trading', 'Manifests', 'Later'))
  })

  it('creates nothing if the licence lost REST, and opens the manifest if its package cannot be built', async () => {
    const { id } = await acme.createEntity({ name: 'Keyless' })
    await send(page, 'PUT', `/1.0/cdm/entity/${id}`, {
      entity: { name: 'Keyless', typeAttributes: [{ name: 'title' }] },
    })
    await toEntities('Alone', 'Database and API')
    await addEntity('ShelfAlone')
    // Another administrator removes REST from the licence, then restores it.
    await callApi('PUT', 'org/ACME', { licence: { ...licence, rest: false } })
    await press(wizard, 'Finish')
    await expectShown(
      wizard.getByText('The licence of the organisation does not include REST: it allows SOAP, GraphQL.', {
        exact: true,
      }),
    )
    await callApi('PUT', 'org/ACME', { licence })
    await wizard.getByRole('tab', { name: 'Choose Existing Entity' }).click()
    await find(page, wizard, 'Entity', 'Keyless')
    await press(wizard, 'Add')
    await press(wizard, 'Finish')
    await expectShown(snackbar(page, 'Failed to build manifest - Keyless has no primary key. Please try again.'))
    await expectShown(manifestDocument(page, 'Alone'))
    expect(new URL(page.url()).pathname).toBe('/admin')
  })
})

describe('Package export in the administration', () => {
  it('builds the package with the same wizard as the workspace', holds('M2.286'), async () => {
    await page.goto('/admin?org=ACME')
    await menu(page, await nodeAt(page, 'Acme Trading', 'Manifests', 'Shop'), 'Export > Martini-style package')
    const open = dialog(page, 'Build Package')
    await expect.poll(() => open.getByRole('combobox', { name: 'Manifest' }).textContent()).toBe('Shop')
    await press(open, 'Next')
    await expectStep(open, 'Publish / Export')
    await choose(open, 'Export')
    await choose(open, 'Data Models')
    await expectStep(open, 'Package')
    await open.getByRole('textbox', { name: 'Package name' }).fill('from-admin')
    await press(open, 'Next')
    await press(open, 'Generate')
    await expectShown(snackbar(page, "Package 'from-admin' successfully built"))
    await open.waitFor({ state: 'detached' })
    await page.goto('/admin?org=ACME&tab=packages')
    await panel.getByRole('tab', { name: 'Generated Packages' }).click()
    await expectShown(card(page, 'from-admin').getByText(/^Data models, built /))
    expect(complaints).toEqual([])
  })
})
