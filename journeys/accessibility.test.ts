import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { violationsInAnyLook } from './driver/axe.ts'
import { cdmFolder } from './driver/cdm.ts'
import { inTheme, shoot, type Theme, openDesk } from './driver/desk.ts'
import { entityDocument, manifestDocument, property, row, setText, tab } from './driver/entity.ts'
import { leavingDialog } from './driver/leaving.ts'
import { importManifest } from './driver/transfer.ts'
import { menu, nodeAt, unfold } from './driver/tree.ts'
import { dialog, expectShown, find, press, question } from './driver/widgets.ts'

const themes: readonly Theme[] = ['light', 'dark']
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
]

const { page } = await openDesk()
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')
const sales = await api.createManifest('Sales')
const typeAttributes = Array.from({ length: 20 }, (_, at) => ({ name: `attribute_${at + 1}`, description: 'Words' }))
const target = await api.createEntity({ name: 'Target' }, sales)
const { id: order } = await api.createEntity(
  { name: 'Order', description: 'What a customer wants.', typeAttributes },
  sales,
)
await api.relate(order, target, 'targetId')
await api.addSubManifest(sales, shop)

/** axe finds nothing in what is seen, in any look, which is kept as a picture in two themes and sizes where that is asked for. */
async function expectClean(name: string): Promise<void> {
  expect.soft(await violationsInAnyLook(page), name).toEqual([])
  if (process.env['CADMUS_SCREENSHOTS'] === undefined) return
  for (const theme of themes) {
    await inTheme(page, theme)
    for (const size of sizes) {
      await page.setViewportSize(size)
      await page.waitForTimeout(200)
      await shoot(page, `${theme}-${size.width}-${name}`)
    }
  }
  await inTheme(page, 'light')
  await page.setViewportSize({ width: 1440, height: 900 })
}

describe('No screen or dialog breaks WCAG A or AA, in a theme, with forced colours or at twice the size', () => {
  it('sign-in, the sign-in that failed, organisations', async () => {
    await page.context().clearCookies()
    await page.goto('/')
    await expectShown(page.getByRole('button', { name: 'newcomer' }))
    await expectClean('provider')
    await page.goto('/error?code=401&error=state%20mismatch&message=Words%20of%20the%20provider')
    await expectShown(page.getByText('STATE MISMATCH'))
    await expectClean('sign-in-failed')
    await page.goto('/')
    await page.getByRole('button', { name: 'designer' }).click()
    await expectShown(page.getByRole('tree'))
    await page.goto('/org')
    await expectShown(page.getByRole('heading', { name: 'Organisations' }))
    await expectClean('organisations')
  })

  it('the workspace without a document, its menus, the palette and the keys', async () => {
    await page.goto('/')
    await unfold(await nodeAt(page, 'Standard', 'Entities', 'parties'))
    await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities')
    await expectClean('workspace')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await expectShown(page.getByRole('menu'))
    await expectClean('new-menu')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /Profile of/ }).click()
    await expectShown(page.getByRole('menu'))
    await expectClean('profile-menu')
    await page.getByRole('menuitem', { name: /^Organizations/ }).click()
    await expectShown(dialog(page, 'Select Organisation'))
    await expectClean('select-organisation')
    await page.keyboard.press('Escape')
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop')).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Export' }).hover()
    await expectShown(page.getByRole('menuitem', { name: 'Database Schema' }))
    await expectClean('tree-menu')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('Order')
    await page
      .getByRole('option', { name: /^Order/ })
      .first()
      .waitFor()
    await expectClean('palette')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await expectShown(dialog(page, 'Keyboard shortcuts'))
    await expectClean('keys')
    await page.keyboard.press('Escape')
  })

  it('the CDM Library and a search', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'CDM Library' }).click()
    await expectShown(page.getByRole('tree', { name: 'CDM Library' }))
    await expectClean('library')
    await page.getByRole('textbox', { name: 'Search', exact: true }).fill('cust')
    await page
      .getByRole('treeitem', { name: /^Customer/ })
      .first()
      .waitFor()
    await expectClean('search')
    await page.getByRole('button', { name: 'Project Navigator' }).click()
  })

  it('an entity: attributes, a chosen row with its properties, relationships, what is unsaved', async () => {
    await page.goto(`/?entity=${order}`)
    await expectShown(entityDocument(page, 'Order'))
    await row(page, 'Type attributes', 'attribute_3').click()
    await expectShown(property(page, 'Type Attribute', 'Name'))
    await expectClean('entity')
    await row(page, 'Type attributes', 'attribute_4').click({ button: 'right' })
    await expectShown(page.getByRole('menuitem', { name: 'Delete' }))
    await expectClean('row-menu')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await row(page, 'Relationships', 'Target').click()
    await property(page, 'Entity Attribute', 'Foreign Key Type Attribute')
      .or(page.getByRole('heading', { name: 'Entity Attribute' }))
      .first()
      .waitFor()
    await expectClean('relationships')
    await page.getByRole('tab', { name: /^Type Attributes/ }).click()
    await setText(page, 'Entity', 'Name', '1 bad name')
    await expectShown(property(page, 'Entity', 'Name').getByRole('alert'))
    await expectClean('field-error')
    await page.keyboard.press('Escape')
    await setText(page, 'Entity', 'Description', 'Changed')
    await expectShown(page.getByRole('button', { name: 'Save', exact: true }).first())
    await expectClean('unsaved')
    await tab(page, 'Order').click({ button: 'right' })
    await page
      .getByRole('menuitem', { name: /^Close/ })
      .first()
      .click()
    await expectShown(question(page, 'Save Changes?'))
    await expectClean('leave-guard')
    await press(question(page, 'Save Changes?'), 'Discard')
  })

  it('a read-only entity, an entity that extends, a manifest', async () => {
    await (await nodeAt(page, 'Standard', 'Entities', 'parties', 'Account')).dblclick()
    await expectShown(entityDocument(page, 'Account'))
    await expectClean('read-only')
    await (await nodeAt(page, 'Standard', 'Entities', 'parties', 'Customer')).dblclick()
    await expectShown(entityDocument(page, 'Customer'))
    await page.getByRole('tab', { name: 'Extended Attributes' }).click()
    await expectClean('extended')
    await page.goto(`/?manifest=${sales}`)
    await expectShown(manifestDocument(page, 'Sales'))
    await expectClean('manifest')
  })

  it('the dialogs of an entity', async () => {
    await page.goto(`/?entity=${order}`)
    const toolbar = page.getByRole('toolbar', { name: 'Entity' })
    const steps = [
      { button: 'Add Attribute', title: 'New Type Attribute' },
      { button: 'Add To Manifest', title: 'Add Entity To Manifest' },
      { button: 'Extend Entity', title: 'Extend Entity' },
      { button: 'Manage Versions', title: 'Manage Versions' },
    ]
    for (const { button, title } of steps) {
      await toolbar.getByRole('button', { name: button }).click()
      await expectShown(dialog(page, title))
      await expectClean(title.toLowerCase().replaceAll(' ', '-'))
      await page.keyboard.press('Escape')
    }
    await toolbar.getByRole('button', { name: 'Delete Entity' }).click()
    await expectShown(question(page, 'Delete Entity'))
    await expectClean('delete-entity')
    await page.keyboard.press('Escape')
    await row(page, 'Type attributes', 'attribute_1').click()
    await property(page, 'Type Attribute', 'Choices').getByRole('button').click()
    const choices = dialog(page, 'Choices')
    await choices.getByRole('textbox').fill('Open')
    await press(choices, 'Add')
    await choices.getByRole('checkbox').click()
    await expectClean('choices')
    await press(choices, 'Cancel')
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await toolbar.getByRole('button', { name: 'Add Relationship' }).click()
    const relationship = dialog(page, 'New Relationship')
    await relationship.getByRole('combobox', { name: 'Associated Entity' }).click()
    await expectShown(page.getByRole('option').first())
    await expectClean('new-relationship')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })

  it('both wizards', async () => {
    await page.goto('/?manifestWizard=open')
    const manifest = dialog(page, 'Create Manifest')
    await expectShown(manifest)
    // It knows that there are manifests to duplicate, however early it was opened.
    await expectShown(manifest.getByRole('radio', { name: 'Duplicate Existing Manifest' }))
    await expectClean('manifest-wizard-1')
    await manifest.getByRole('textbox', { name: 'Name' }).fill('Made')
    await press(manifest, 'Next')
    await find(page, manifest, 'Entity', 'Account')
    await press(manifest, 'Add')
    await manifest.getByText('Advance Filters').click()
    await expectClean('manifest-wizard-3')
    await press(manifest, 'Cancel')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Entity' }).click()
    const entity = dialog(page, 'Create Entity')
    await expectShown(entity)
    await expectClean('entity-wizard-1')
    await entity.getByRole('radio', { name: 'Choose Existing Entity' }).click()
    await find(page, entity, 'Core entity', 'Account')
    await press(entity, 'Next')
    await expectClean('entity-wizard-2')
    await press(entity, 'Next')
    await find(page, entity, 'Select a manifest to where the entity will be injected', 'Sales')
    await expectClean('entity-wizard-3')
    await press(entity, 'Next')
    await expectClean('entity-wizard-4')
    await press(entity, 'Cancel')
  })

  it('adding to a manifest, import and export', async () => {
    await page.goto('/')
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop'), 'Add Entity')
    await expectShown(dialog(page, 'Add Entity'))
    await expectClean('add-entity')
    await press(dialog(page, 'Add Entity'), 'Close')
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop'), 'Add Sub-Manifest')
    await expectShown(dialog(page, 'Add Sub-Manifest'))
    await expectClean('add-sub-manifest')
    await page.keyboard.press('Escape')
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop'), 'Export > Database Schema')
    await expectShown(dialog(page, 'Export Database Schema').getByRole('button', { name: 'Export' }))
    await expectClean('export')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Import' }).click()
    await expectShown(dialog(page, 'Import'))
    await expectClean('import-1')
    await dialog(page, 'Import').getByRole('radio', { name: 'Entity', exact: true }).click()
    await press(dialog(page, 'Import'), 'Next')
    await expectClean('import-2')
    await press(dialog(page, 'Import'), 'Next')
    await expectClean('import-3')
    await page.keyboard.press('Escape')
    await press(leavingDialog(page), 'Leave')
    const { name, bytes } = cdmFolder()
    const report = await importManifest(page, name, bytes)
    await expectClean('import-report')
    await press(report, 'Close')
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop'), 'Delete')
    await expectShown(question(page, 'Delete Manifest'))
    await expectClean('delete-manifest')
    await page.keyboard.press('Escape')
  })
})
