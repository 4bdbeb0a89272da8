import { describe, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { openEntity, openManifest, toolDialog } from './driver/document.ts'
import { entityDocument, property, row, setText, tab } from './driver/entity.ts'
import { expectAccessible as clean } from './driver/accessible.ts'
import { menu, nodeAt, expand } from './driver/tree.ts'
import { dialog, expectShown, find, press, question } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

const { page } = await startJourney()
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')
const sales = await api.createManifest('Sales')
const typeAttributes = Array.from({ length: 5 }, (_, at) => ({ name: `attribute_${at + 1}`, description: 'Words' }))
const target = await api.createEntity({ name: 'Target' }, sales)
const order = await api.createEntity(
  { name: 'Order', description: 'What a customer wants.', typeAttributes: [...typeAttributes, { name: 'ownerId' }] },
  sales,
)
await api.relate(order.id, target, 'targetId')
await api.addSubManifest(sales, shop)

// All confirmations share one component, and so do all menus: one of each is checked here, larger ones elsewhere.
describe('Screens and dialogs meet WCAG A and AA', () => {
  it('sign-in and failed sign-in', async () => {
    await page.context().clearCookies()
    await page.goto('/')
    await expectShown(page.getByRole('button', { name: 'newcomer' }))
    await clean(page, 'provider')
    await page.goto('/error?code=401&error=state%20mismatch&message=Words%20of%20the%20provider')
    await expectShown(page.getByText('STATE MISMATCH'))
    await clean(page, 'sign-in-failed')
    await page.goto('/')
    await page.getByRole('button', { name: 'designer' }).click()
    await expectShown(page.getByRole('tree'))
  })

  it('the workspace without documents, its menus, the palette, the shortcut list and the CDM Library', async () => {
    await expand(await nodeAt(page, 'Standard', 'Entities', 'parties'))
    const node = await nodeAt(page, 'Custom', 'Manifests', 'Shop')
    await clean(page, 'workspace')
    await page.getByRole('button', { name: /Profile of/ }).click()
    await expectShown(page.getByRole('menu'))
    await clean(page, 'profile-menu')
    await page.getByRole('menuitem', { name: /^Organizations/ }).click()
    await expectShown(dialog(page, 'Select Organisation'))
    await clean(page, 'select-organisation')
    await keys(page, 'Escape')
    await node.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Export' }).press('ArrowRight')
    await expectShown(page.getByRole('menuitem', { name: 'Database Schema' }))
    await clean(page, 'tree-menu-export', 'all')
    await keys(page, 'Escape', 'Escape', 'Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('Order')
    await expectShown(page.getByRole('option', { name: /^Order/ }).first())
    await clean(page, 'palette', 'all')
    await keys(page, 'Escape', '?')
    await expectShown(dialog(page, 'Keyboard shortcuts'))
    await clean(page, 'keys')
    await keys(page, 'Escape')
    await page.getByRole('button', { name: 'CDM Library' }).click()
    await page.getByRole('textbox', { name: 'Search', exact: true }).fill('cust')
    await expectShown(page.getByRole('treeitem', { name: /^Customer/ }).first())
    await clean(page, 'search')
    await page.getByRole('button', { name: 'Project Navigator' }).click()
  })

  it('an entity with a selected row, rejected input and unsaved changes, and its relationships', async () => {
    await openEntity(page, order)
    await setText(page, 'Entity', 'Description', 'Changed')
    await row(page, 'Type attributes', 'attribute_3').click()
    await setText(page, 'Type Attribute', 'Name', '1 bad name')
    await expectShown(property(page, 'Type Attribute', 'Name').getByRole('alert'))
    await clean(page, 'entity')
    await keys(page, 'Escape')
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await row(page, 'Relationships', 'Target').click()
    await expectShown(property(page, 'Entity Attribute', 'Foreign Key Type Attribute'))
    await clean(page, 'relationships')
    await tab(page, 'Order').click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Close/ }).click()
    await expectShown(question(page, 'Save Changes?'))
    await clean(page, 'leave-guard', 'all')
    await press(question(page, 'Save Changes?'), 'Discard')
  })

  it('a read-only entity that extends another, and a manifest', async () => {
    await (await nodeAt(page, 'Standard', 'Entities', 'parties', 'Customer')).dblclick()
    await expectShown(entityDocument(page, 'Customer'))
    await page.getByRole('tab', { name: 'Extended Attributes' }).click()
    await clean(page, 'extended')
    await openManifest(page, sales, 'Sales')
    await clean(page, 'manifest')
  })

  it('the dialogs of an entity and its attributes', async () => {
    await openEntity(page, order)
    for (const { button, title, variants } of [
      { button: 'Add Attribute', title: 'New Type Attribute', variants: 'all' },
      { button: 'Add To Manifest', title: 'Add Entity To Manifest', variants: 'light' },
      { button: 'Extend Entity', title: 'Extend Entity', variants: 'light' },
      { button: 'Manage Versions', title: 'Manage Versions', variants: 'all' },
    ] as const) {
      await toolDialog(page, button, title)
      await clean(page, title.toLowerCase().replaceAll(' ', '-'), variants)
      await keys(page, 'Escape')
    }
    await row(page, 'Type attributes', 'attribute_1').click()
    await property(page, 'Type Attribute', 'Choices').getByRole('button').click()
    const choices = dialog(page, 'Choices')
    await choices.getByRole('textbox').fill('Open')
    await press(choices, 'Add')
    await choices.getByRole('checkbox').click()
    await clean(page, 'choices')
    await press(choices, 'Cancel')
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const relationship = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await relationship.getByRole('combobox', { name: 'Associated Entity' }).click()
    await expectShown(page.getByRole('option').first())
    await clean(page, 'new-relationship', 'all')
    await keys(page, 'Escape')
    await find(page, relationship, 'Associated Entity', 'Target')
    await relationship.getByLabel('Foreign Key Name').fill('ownerId')
    await clean(page, 'new-relationship-filled')
    await press(relationship, 'Cancel')
  })

  it('the manifest wizard and the entity wizard', async () => {
    await page.goto('/?manifestWizard=open')
    const manifest = dialog(page, 'Create Manifest')
    // The option appears once the manifests have loaded.
    const duplicate = manifest.getByRole('radio', { name: 'Duplicate Existing Manifest' })
    await expectShown(duplicate)
    await clean(page, 'manifest-wizard-1')
    await manifest.getByRole('textbox', { name: 'Name' }).fill('Made')
    await press(manifest, 'Next')
    await manifest.getByRole('checkbox', { name: 'Show Core Entities' }).click()
    await find(page, manifest, 'Entity', 'Account')
    await press(manifest, 'Add')
    await manifest.getByText('Advance Filters').click()
    await clean(page, 'manifest-wizard-3', 'all')
    await press(manifest, 'Back')
    await duplicate.click()
    await press(manifest, 'Next')
    await find(page, manifest, 'Manifest to duplicate', 'Sales')
    await clean(page, 'manifest-wizard-2')
    await press(manifest, 'Cancel')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Entity' }).click()
    const entity = dialog(page, 'Create Entity')
    await entity.getByRole('radio', { name: 'Choose Existing Entity' }).click()
    await find(page, entity, 'Core entity', 'Account')
    await clean(page, 'entity-wizard-1')
    await press(entity, 'Next')
    await clean(page, 'entity-wizard-2')
    await press(entity, 'Next')
    await find(page, entity, 'Select a manifest to where the entity will be injected', 'Sales')
    await press(entity, 'Next')
    await clean(page, 'entity-wizard-4')
    await press(entity, 'Cancel')
  })

  it('the dialogs for adding to a manifest, choosing one, and importing', async () => {
    const node = await nodeAt(page, 'Custom', 'Manifests', 'Shop')
    await menu(page, node, 'Add Entity')
    await expectShown(dialog(page, 'Add Entity'))
    await clean(page, 'add-entity')
    await keys(page, 'Escape')
    // Neither the open document nor the selected node presets a manifest.
    await openEntity(page, await api.createEntity({ name: 'Loose' }))
    await (await nodeAt(page, 'Standard')).click()
    await page.getByRole('button', { name: 'Generate CDM Schema' }).first().click()
    await expectShown(dialog(page, 'Generate CDM Schema'))
    await clean(page, 'generate-which')
    await keys(page, 'Escape')
    await page.getByRole('button', { name: 'Import' }).click()
    const open = dialog(page, 'Import')
    await expectShown(open)
    await clean(page, 'import-1')
    await open.getByRole('radio', { name: 'Entity', exact: true }).click()
    await press(open, 'Next')
    await press(open, 'Next')
    await clean(page, 'import-3')
    await press(open, 'Cancel')
  })

  it('the first step of a guided tour', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: /Profile of/ }).click()
    await page.getByRole('menuitem', { name: 'Guided Tours' }).click()
    await press(dialog(page, 'Guided Tours'), 'Create Manifest Tour')
    await expectShown(page.getByText('Open the wizard', { exact: true }))
    await clean(page, 'tour-step', 'all')
  })
})
