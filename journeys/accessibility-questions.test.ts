import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { violationsInAnyLook } from './driver/axe.ts'
import { openDesk } from './driver/desk.ts'
import { openEntity, openManifest, tool, toolDialog } from './driver/document.ts'
import { entityDocument, row, setText, tab } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { openProfileMenu } from './driver/session.ts'
import { expectClean } from './driver/sight.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, question } from './driver/widgets.ts'

const { page } = await openDesk()
const api = apiOf(page)
const yard = await api.createManifest('Yard')
const base = await api.createEntity({ name: 'Base', typeAttributes: [{ name: 'mark' }] }, yard)
const shed = await api.createEntity(
  { name: 'Shed', extendsEntity: { id: base.id }, typeAttributes: [{ name: 'height' }] },
  yard,
)
await api.relate(shed.id, base, 'baseId')
const clean = (name: string) => expectClean(page, name)

describe('No menu or question breaks WCAG A or AA in any look, and every one is gone through by keys', () => {
  it('menus of the tree, of tabs, of an entity, of a relationship and of a version', async () => {
    await openEntity(page, shed)
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

  it('tours, their first step, and the end of a session with something unsaved', async () => {
    await page.goto('/')
    await openProfileMenu(page)
    await page.getByRole('menuitem', { name: 'Guided Tours' }).click()
    const tours = dialog(page, 'Guided Tours')
    await expectShown(tours)
    await clean('guided-tours')
    await press(tours, 'Create Manifest Tour')
    await expectShown(page.getByText('Open the wizard', { exact: true }))
    expect(await violationsInAnyLook(page, 'tour-step')).toEqual([])
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
    expect(await page.getByRole('tab', { name: /unsaved changes/ }).count()).toBe(0)
  })
})
