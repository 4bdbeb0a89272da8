import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { violationsInAllVariants } from './driver/axe.ts'
import { startJourney } from './driver/journey.ts'
import { openEntity, openManifest, tool, toolDialog } from './driver/document.ts'
import { entityDocument, property, row, setText, tab } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { leaveDialog } from './driver/leave-dialog.ts'
import { openProfileMenu } from './driver/session.ts'
import { expectAccessible } from './driver/accessible.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, press, question } from './driver/widgets.ts'

const { page } = await startJourney()
const api = apiOf(page)
const yard = await api.createManifest('Yard')
const annex = await api.createManifest('Annex')
await api.addSubManifest(yard, annex)
const base = await api.createEntity({ name: 'Base', typeAttributes: [{ name: 'mark' }] }, yard)
const shed = await api.createEntity(
  { name: 'Shed', extendsEntity: { id: base.id }, typeAttributes: [{ name: 'height' }, { name: 'ownerId' }] },
  yard,
)
await api.relate(shed.id, base, 'baseId')
const clean = (name: string) => expectAccessible(page, name)

describe('Menus and confirmations meet WCAG A and AA in every display mode and are operable by keyboard', () => {
  it('menus of the tree, tabs, an entity, a relationship and a version', async () => {
    await page.goto(`/?entity=${shed.id}`)
    for (const [name, ...path] of [
      ['tree-menu-entity', 'Custom', 'Manifests', 'Yard', 'Entities', 'Shed'],
      ['tree-menu-standard', 'Standard', 'Entities', 'parties', 'Account'],
    ] as const) {
      const node = await nodeAt(page, ...path)
      await node.click({ button: 'right' })
      await expectShown(page.getByRole('menu'))
      await clean(name)
      await keys(page, 'Escape')
    }
    await page.getByRole('button', { name: 'CDM Library' }).click()
    await page.getByRole('textbox', { name: 'Search', exact: true }).fill('custo')
    await page
      .getByRole('treeitem', { name: /^Customer/ })
      .first()
      .click({ button: 'right' })
    await expectShown(page.getByRole('menu'))
    await clean('library-menu')
    await keys(page, 'Escape')
    await page.getByRole('button', { name: 'Project Navigator' }).click()
    await openManifest(page, yard, 'Yard')
    await tab(page, 'Yard').click({ button: 'right' })
    await expectShown(page.getByRole('menuitem', { name: 'Close All' }))
    await clean('tab-menu')
    await keys(page, 'Escape')
    await openEntity(page, shed)
    await tool(page, 'Settings').click()
    await expectShown(page.getByRole('menu'))
    await clean('settings-menu')
    await keys(page, 'Escape')
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await row(page, 'Relationships', 'Base').click({ button: 'right' })
    await expectShown(page.getByRole('menu'))
    await clean('relationship-menu')
    await page.getByRole('menuitem', { name: /^Delete/ }).click()
    await expectShown(question(page, 'Delete Entity Attributes?'))
    await clean('delete-relationships')
    await press(question(page, 'Delete Entity Attributes?'), 'Cancel')
    const versions = await toolDialog(page, 'Manage Versions', 'Manage Versions')
    await row(page, 'Versions', '1.0.0').click({ button: 'right' })
    await expectShown(page.getByRole('menu'))
    await clean('version-menu')
    await keys(page, 'Escape')
    await press(versions, 'Cancel')
  })

  it('confirmations of an entity, the larger text field, and the confirmation before input is lost', async () => {
    await openEntity(page, shed)
    await tool(page, 'Delete Extend Entity').click()
    await expectShown(question(page, 'Delete Extended Entity'))
    await clean('delete-extended-entity')
    await press(question(page, 'Delete Extended Entity'), 'Cancel')
    await page.getByRole('tab', { name: /^Type Attributes/ }).click()
    await row(page, 'Type attributes', 'height').click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Delete/ }).click()
    await expectShown(question(page, 'Delete Type Attributes?'))
    await clean('delete-type-attributes')
    await press(question(page, 'Delete Type Attributes?'), 'Cancel')
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const relationship = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await find(page, relationship, 'Associated Entity', 'Base')
    await relationship.getByLabel('Foreign Key Name').fill('ownerId')
    await clean('new-relationship-filled')
    await press(relationship, 'Finish')
    await expectShown(question(page, 'Add New Relationship'))
    await clean('add-new-relationship')
    await press(question(page, 'Add New Relationship'), 'Cancel')
    await keys(page, 'Escape')
    await expectShown(leaveDialog(page))
    await clean('leave-without-saving')
    await press(leaveDialog(page), 'Leave')
    await property(page, 'Entity', 'Description')
      .getByRole('button', { name: /larger/ })
      .click()
    await expectShown(dialog(page, 'Description'))
    await clean('larger-field')
    await press(dialog(page, 'Description'), 'Cancel')
  })

  it('manifest dialogs for renaming, versions, schema generation, sub-manifest deletion and duplication', async () => {
    await openManifest(page, yard, 'Yard')
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Yard'), 'Rename')
    await expectShown(dialog(page, 'Rename Manifest'))
    await clean('rename-manifest')
    await press(dialog(page, 'Rename Manifest'), 'Cancel')
    const versions = await toolDialog(page, 'Manage Versions', 'Manage Versions')
    await clean('manifest-versions')
    await press(versions, 'Cancel')
    // Neither the open document nor the selected node presets a manifest.
    await openEntity(page, await api.createEntity({ name: 'Loose' }))
    await (await nodeAt(page, 'Standard')).click()
    await page.getByRole('button', { name: 'Generate CDM Schema' }).first().click()
    await expectShown(dialog(page, 'Generate CDM Schema'))
    await clean('generate-which')
    await keys(page, 'Escape')
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Yard', 'Sub-Manifests', 'Annex'), 'Delete')
    await expectShown(question(page, 'Delete Sub-Manifest'))
    await clean('delete-sub-manifest')
    await press(question(page, 'Delete Sub-Manifest'), 'Cancel')
    await page.goto('/?manifestWizard=open')
    const wizard = dialog(page, 'Create Manifest')
    await wizard.getByRole('radio', { name: 'Duplicate Existing Manifest' }).click()
    await press(wizard, 'Next')
    await find(page, wizard, 'Manifest to duplicate', 'Yard')
    await clean('manifest-wizard-2')
    await press(wizard, 'Cancel')
  })

  it('guided tours, their first step, and the logout confirmation for unsaved changes', async () => {
    await page.goto('/')
    await openProfileMenu(page)
    await page.getByRole('menuitem', { name: 'Guided Tours' }).click()
    const tours = dialog(page, 'Guided Tours')
    await expectShown(tours)
    await clean('guided-tours')
    await press(tours, 'Create Manifest Tour')
    await expectShown(page.getByText('Open the wizard', { exact: true }))
    expect(await violationsInAllVariants(page, 'tour-step')).toEqual([])
    await keys(page, 'Escape')
    await openEntity(page, shed)
    await setText(page, 'Entity', 'Description', 'Changed')
    await expectShown(entityDocument(page, 'Shed').getByText('Changed', { exact: true }))
    await openProfileMenu(page)
    await page.getByRole('menuitem', { name: 'Logout', exact: true }).click()
    await expectShown(question(page, 'Logout'))
    await clean('logout')
    await press(question(page, 'Logout'), 'Cancel')
    await tool(page, 'Discard changes').click()
    await expect.poll(() => page.getByRole('tab', { name: /unsaved changes/ }).count()).toBe(0)
  })
})
