import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { hold, record, tool } from './driver/document.ts'
import { administrationOn, enterAdministration } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { addAttribute, entityDocument, manifestDocument, names, property, setText } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { copyLibrary } from './driver/library.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, pick, press, question, snackbar } from './driver/widgets.ts'

const library = copyLibrary()
const journey = await startJourney({ user: 'nobody', env: library.env })
const { page } = journey
const { title } = administrationOn(page)
await enterAdministration(page)
const globex = apiOf(page, 'GLOBEX', 'X-Admin-Organisation')
const acme = 'Acme Trading'
const at = (...path: string[]) => nodeAt(page, ...path)
const customer = entityDocument(page, 'Customer')
const unsaved = page.getByRole('tree', { name: 'Organisations' }).getByText('Unsaved changes')
const confirmation = question(page, 'Save Changes?')
const undo = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).last()

async function openCustomer(): Promise<void> {
  await page.goto('/admin?org=ACME')
  await (await at(acme, 'Manifests', 'Shop', 'Entities', 'Customer')).click()
  await expectShown(customer)
}

describe('Unsaved changes in the administration', () => {
  it('selecting another node requires confirmation, and Cancel keeps the document open', holds('M2.306'), async () => {
    await openCustomer()
    await addAttribute(page, 'shoeSize')
    await expectShown(unsaved)
    await (await at(acme, 'Manifests', 'Shop')).click()
    await expectShown(confirmation)
    await expectShown(confirmation.getByText('"Customer" has unsaved changes.', { exact: true }))
    await saveScreenshot(page, 'admin-save-changes')
    await press(confirmation, 'Cancel')
    await expectShown(customer)
    await expectShown(unsaved)
    await expect.poll(() => names(page, 'Type attributes')).toContain('shoeSize')
  })

  it('Back in the browser requires confirmation', async () => {
    await page.goBack()
    await expectShown(confirmation)
    await press(confirmation, 'Cancel')
    await expectShown(unsaved)
    await expect.poll(() => new URL(page.url()).searchParams.get('entity')).not.toBeNull()
  })

  it('Save stores the changes and shows the selected node', holds('M2.306', 'M1.21', 'E1.10'), async () => {
    await (await at(acme, 'Manifests', 'Shop')).click()
    await press(confirmation, 'Save')
    await expectShown(manifestDocument(page, 'Shop'))
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await (await at(acme, 'Manifests', 'Shop', 'Entities', 'Customer')).click()
    await expectShown(customer)
    await expect.poll(() => names(page, 'Type attributes')).toContain('shoeSize')
    await expect.poll(() => unsaved.count()).toBe(0)
    const ofAcme = apiOf(page)
    const { typeAttributes } = await ofAcme.entityOf(await ofAcme.entityNamed('Customer'))
    expect(typeAttributes.map(({ name }) => name)).toContain('shoeSize')
  })

  it('Discard drops the changes and shows the selected node', holds('M2.306'), async () => {
    await addAttribute(page, 'hatSize')
    await (await at('Globex')).click()
    await press(confirmation, 'Discard')
    await expectShown(title('[GLOBEX] Globex'))
    await (await at(acme, 'Manifests', 'Shop', 'Entities', 'Customer')).click()
    await expectShown(customer)
    await expect.poll(() => names(page, 'Type attributes')).not.toContain('hatSize')
  })

  it('Undo after Discard restores the changes, whichever node is shown', holds('M2.306'), async () => {
    await addAttribute(page, 'hatSize')
    await (await at(acme, 'Manifests', 'Shop')).click()
    await press(confirmation, 'Discard')
    await expectShown(manifestDocument(page, 'Shop'))
    await undo.click()
    await expectShown(customer)
    await expect.poll(() => names(page, 'Type attributes')).toContain('hatSize')
    await expectShown(unsaved)
    await (await at(acme)).click()
    await press(confirmation, 'Discard')
    await expectShown(title('[ACME] Acme Trading'))
    await undo.click()
    await expectShown(customer)
    await expect
      .poll(async () => (await names(page, 'Type attributes')).filter(name => name === 'hatSize'))
      .toHaveLength(1)
    await expectShown(unsaved)
    await tool(page, 'Discard changes').click()
    await expect.poll(() => unsaved.count()).toBe(0)
  })

  it(
    'a draft survives navigation before its document has loaded and appears in no other organisation',
    holds('M2.305'),
    async () => {
      await addAttribute(page, 'sockSize')
      await expectShown(unsaved)
      const entity = await apiOf(page).entityNamed('Customer')
      const { requested, release } = await hold(page, new RegExp(`/1.0/cdm/entity/${entity}(\\?.*)?$`), 'GET')
      page.once('dialog', prompt => void prompt.accept())
      await page.goto(`/admin?org=ACME&entity=${entity}`)
      await requested
      await (await at('Globex')).click()
      await expectShown(title('[GLOBEX] Globex'))
      release()
      await expect.poll(() => unsaved.count()).toBe(0)
      await (await at(acme, 'Manifests', 'Shop', 'Entities', 'Customer')).click()
      await expectShown(customer)
      await expect.poll(() => names(page, 'Type attributes')).toContain('sockSize')
      await expectShown(unsaved)
      await tool(page, 'Discard changes').click()
      await expect.poll(() => unsaved.count()).toBe(0)
    },
  )

  it('reloading the page shows the browser warning and restores the draft', holds('M2.305'), async () => {
    await addAttribute(page, 'gloveSize')
    await expectShown(unsaved)
    const warned: string[] = []
    page.once('dialog', prompt => {
      warned.push(prompt.type())
      void prompt.accept()
    })
    await page.reload()
    expect(warned).toEqual(['beforeunload'])
    await expectShown(customer)
    await expect.poll(() => names(page, 'Type attributes')).toContain('gloveSize')
    await expectShown(unsaved)
  })

  it('drafts of the administration and of the workspace are separate', async () => {
    page.once('dialog', prompt => void prompt.accept())
    await page.goto('/org')
    await page.getByRole('button', { name: 'Select Acme Trading' }).click()
    // Selecting an organisation opens the section that was visited last.
    await expectShown(page.getByRole('tree', { name: 'Organisations' }))
    const customerId = await apiOf(page).entityNamed('Customer')
    await page.goto(`/?entity=${customerId}`)
    await expectShown(page.getByRole('article').first())
    await expect.poll(() => names(page, 'Type attributes')).not.toContain('gloveSize')
    await expect.poll(() => page.getByText('unsaved change').count()).toBe(0)
    await page.goto('/admin?org=ACME')
    await (await at(acme, 'Manifests', 'Shop', 'Entities', 'Customer')).click()
    await expect.poll(() => names(page, 'Type attributes')).toContain('gloveSize')
    await tool(page, 'Discard changes').click()
    await expect.poll(() => unsaved.count()).toBe(0)
  })

  it('leaving by Home requires confirmation', holds('M2.256'), async () => {
    await addAttribute(page, 'coatSize')
    await page.getByRole('button', { name: 'Home' }).click()
    await press(confirmation, 'Discard')
    await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  })
})

describe('An administrator', () => {
  it('edits an entity of another organisation and views its versions', holds('M1.21', 'E4.18', 'E6.6'), async () => {
    const { id } = await globex.createEntity({ name: 'Warehouse' })
    await page.goto(`/admin?org=GLOBEX&entity=${id}`)
    await expectShown(entityDocument(page, 'Warehouse'))
    await setText(page, 'Entity', 'Description', 'Where things stand.')
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expectShown(entityDocument(page, 'Warehouse').getByText('Where things stand.'))
    await tool(page, 'Manage Versions').click()
    const versions = dialog(page, 'Manage Versions')
    await press(versions, 'Add')
    await expectShown(versions.getByRole('row').filter({ hasText: '1.0.1' }))
    await press(versions, 'Cancel')
    await addAttribute(page, 'height')
    await keys(page, 'Control+s')
    await expectShown(entityDocument(page, 'Warehouse').getByText('1.0.1').first())
    await expect.poll(() => page.getByRole('tree').getByText('Unsaved changes').count()).toBe(0)
    const calls = record(page)
    await pick(page, property(page, 'Entity', 'Version'), 'Version', '1.0.0')
    await expectShown(entityDocument(page, 'Warehouse').getByText('Back to 1.0.1'))
    expect(calls.some(({ method, url }) => method === 'GET' && url.includes('version=1.0.0'))).toBe(true)
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id'])
    await expect.poll(() => new URL(page.url()).searchParams.get('version')).toBe('1.0.0')
    await saveScreenshot(page, 'admin-version')
    await entityDocument(page, 'Warehouse').getByText('Back to 1.0.1').click()
    await expect.poll(() => new URL(page.url()).searchParams.get('version')).toBeNull()
    await expect.poll(() => names(page, 'Type attributes')).toContain('height')
  })

  it('opens an organisation by its code in any letter case', async () => {
    const entity = await globex.entityNamed('Warehouse')
    const codes = new Set<string | undefined>()
    page.on('request', request => {
      if (request.url().includes('/1.0/cdm/entity/')) codes.add(request.headers()['x-admin-organisation'])
    })
    await page.goto(`/admin?org=globex&entity=${entity}`)
    await expectShown(entityDocument(page, 'Warehouse'))
    await expect.poll(() => new URL(page.url()).search).toBe(`?org=GLOBEX&entity=${entity}`)
    await addAttribute(page, 'width')
    await expectShown(unsaved)
    page.once('dialog', prompt => void prompt.accept())
    await page.goto(`/admin?org=GLOBEX&entity=${entity}`)
    await expectShown(entityDocument(page, 'Warehouse'))
    await expect.poll(() => names(page, 'Type attributes')).toContain('width')
    expect(codes).toEqual(new Set(['GLOBEX']))
    await tool(page, 'Discard changes').click()
    await expect.poll(() => unsaved.count()).toBe(0)
  })

  it('opens the configuration of a manifest of another organisation', async () => {
    const manifest = await globex.createManifest('Stock')
    await page.goto(`/admin?org=GLOBEX&manifest=${manifest}`)
    await expectShown(manifestDocument(page, 'Stock'))
    await tool(page, 'Configure').click()
    await expectShown(page.getByRole('tab', { name: 'API Configuration' }))
    await page.getByRole('tab', { name: 'SQL Configuration' }).click()
    await saveScreenshot(page, 'admin-configuration')
    await page.goBack()
    await expectShown(manifestDocument(page, 'Stock'))
  })

  it('reloads a predefined entity and sees its current library content', holds('E2.48', 'E6.2', 'E7.86'), async () => {
    await page.goto('/admin?org=GLOBEX')
    await expectShown(title('[GLOBEX] Globex'))
    await keys(page, 'Control+k')
    const palette = page.getByRole('combobox', { name: 'Search or run a command' })
    await palette.fill('Account')
    await page.getByRole('option', { name: /^Account *predefined\/parties$/ }).click()
    await expectShown(entityDocument(page, 'Account'))
    library.describe('parties/Account', 'As it is now.')
    const calls = record(page)
    const reloaded = page.waitForResponse(/\/1\.0\/cdm\/admin\/reload\/entity\/\d+$/)
    await tool(page, 'Reload Entity').click()
    expect((await reloaded).status()).toBe(200)
    await expectShown(snackbar(page, 'Successfully reloaded entity.'))
    await expectShown(entityDocument(page, 'Account').getByText('As it is now.', { exact: true }))
    expect(calls.filter(({ method }) => method !== 'GET').map(({ method }) => method)).toEqual(['PUT'])
    await saveScreenshot(page, 'admin-core-entity')
  })

  it(
    'adds an entity to a manifest of the organisation in a dialog labelled for administrators',
    holds('M7.104', 'E2.111'),
    async () => {
      await page.goto('/admin?org=GLOBEX')
      await menu(page, await at('Globex', 'Entities', 'Warehouse'), 'Add to Manifest')
      const open = dialog(page, 'Add Entity To Manifest')
      const field = { name: 'Select a manifest from the organisation to add the entity', exact: true }
      await expectShown(open.getByRole('combobox', field))
      await saveScreenshot(page, 'admin-add-to-manifest')
      const sent: unknown[] = []
      page.on('request', request => {
        if (request.method() === 'POST' && /manifest\/\d+\/entities/.test(request.url()))
          sent.push(request.postDataJSON())
      })
      await find(page, open, 'Select a manifest from the organisation to add the entity', 'Stock')
      await press(open, 'Finish')
      await open.waitFor({ state: 'detached' })
      const warehouse = await globex.entityNamed('Warehouse')
      expect(sent).toEqual([{ entityIds: [warehouse], type: 'TEMPLATE' }])
      const node = await at('Globex', 'Manifests', 'Stock', 'Entities', 'Warehouse')
      await expect.poll(() => node.getAttribute('aria-selected')).toBe('true')
    },
  )
})
