import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { openEntity, openManifest, toolDialog } from './driver/document.ts'
import { entityDocument, manifestDocument } from './driver/entity.ts'
import { expectLeavingAsks, leavingDialog } from './driver/leaving.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, press, snackbar } from './driver/widgets.ts'

const desk = await openDesk()
const { page } = desk
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')
const crate = await api.createEntity({ name: 'Crate' }, shop)

/** Untouched Escape closes it; then something is entered, and it asks. */
async function expectAskedOnlyThen(
  start: () => Promise<Locator>,
  enter: (open: Locator) => Promise<Locator>,
): Promise<void> {
  const untouched = await start()
  await page.keyboard.press('Escape')
  await untouched.waitFor({ state: 'detached' })
  const open = await start()
  const field = await enter(open)
  await expectLeavingAsks(page, open, field)
}

async function chosen(open: Locator, label: string, name: string, detail = ''): Promise<Locator> {
  await find(page, open, label, name, detail)
  return open.getByRole('combobox', { name: label })
}

async function typed(field: Locator, text: string): Promise<Locator> {
  await field.fill(text)
  return field
}

async function wizard(what: 'Entity' | 'Manifest'): Promise<Locator> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: what, exact: true }).click()
  const open = dialog(page, `Create ${what}`)
  await expectShown(open)
  return open
}

describe('Escape asks once something was entered, and only then:', () => {
  it('Rename Manifest', async () => {
    const start = async () => {
      await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop'), 'Rename')
      await expectShown(dialog(page, 'Rename Manifest'))
      return dialog(page, 'Rename Manifest')
    }
    await expectAskedOnlyThen(start, open => typed(open.getByRole('textbox', { name: 'Name' }), 'Market'))
  })

  it('Extend Entity, Add Entity To Manifest and Manage Versions', async () => {
    await openEntity(page, crate)
    await expectAskedOnlyThen(
      () => toolDialog(page, 'Extend Entity', 'Extend Entity'),
      open => chosen(open, 'Entity', 'Country', 'user-defined/Shop'),
    )
    await expectAskedOnlyThen(
      () => toolDialog(page, 'Add To Manifest', 'Add Entity To Manifest'),
      open => chosen(open, 'Select a manifest to add the entity', 'Shop'),
    )
    await expectAskedOnlyThen(
      () => toolDialog(page, 'Manage Versions', 'Manage Versions'),
      open => typed(open.getByLabel('Entity Version'), '3.0.0'),
    )
  })

  it('the question for which manifest a schema is', async () => {
    const start = async () => {
      await page.getByRole('button', { name: 'Generate Database Schema' }).first().click()
      await expectShown(dialog(page, 'Generate Database Schema'))
      return dialog(page, 'Generate Database Schema')
    }
    await expectAskedOnlyThen(start, open => chosen(open, 'Manifest', 'Shop'))
  })

  it('Add Sub-Manifest, and Add Entity with a name that is only typed or an entity that is only picked', async () => {
    await openManifest(page, shop, 'Shop')
    await expectAskedOnlyThen(
      () => toolDialog(page, 'Add Sub-Manifest', 'Add Sub-Manifest'),
      open => chosen(open, 'Manifest', 'Shop'),
    )
    const start = () => toolDialog(page, 'Manage Entity', 'Add Entity')
    await expectAskedOnlyThen(start, open => chosen(open, 'Entity', 'Country', 'user-defined/Shop'))
    const open = await start()
    await open.getByRole('tab', { name: 'Create Custom Entity' }).click()
    await expectLeavingAsks(page, open, await typed(open.getByRole('textbox', { name: 'Name' }), 'Fence'))
  })

  it('the wizards, by a choice alone', async () => {
    const open = await wizard('Manifest')
    const duplicate = open.getByRole('radio', { name: /^Duplicate/ })
    await duplicate.click()
    await expectLeavingAsks(page, open, duplicate)
    const other = await wizard('Entity')
    const existing = other.getByRole('radio', { name: /^Choose Existing/ })
    await existing.click()
    await expectLeavingAsks(page, other, existing)
  })
})

describe('A name that is typed and not added', () => {
  it('of an attribute counts as entered, stops Finish where it is wrong, and is taken by it where it is right', async () => {
    const open = await wizard('Entity')
    await open.getByRole('textbox', { name: 'Name' }).fill('Typist')
    await press(open, 'Next')
    await find(page, open, 'Select a manifest to where the entity will be injected', 'Shop')
    await press(open, 'Next')
    const name = open.getByRole('textbox', { name: 'Name' })
    const finish = open.getByRole('button', { name: 'Finish' })
    await name.fill('9lives')
    await expectShown(open.getByRole('alert').getByText(/^this must contain only alphanumeric/))
    await expect.poll(() => finish.getAttribute('aria-disabled')).toBe('true')
    await name.press('Control+Enter')
    await expectShown(open.getByText('Step 3 of 3: Type attributes'))
    await name.fill('lives')
    await press(open, 'Back')
    await press(open, 'Next')
    expect(await name.inputValue()).toBe('lives')
    await press(open, 'Finish')
    await expectShown(snackbar(page, 'Successfully created entity.'))
    await expectShown(page.getByRole('grid', { name: 'Type attributes' }).getByText('lives', { exact: true }))
  })

  it('of an entity is taken by Finish with what is picked, whichever row is seen', async () => {
    await openManifest(page, shop, 'Shop')
    const open = await toolDialog(page, 'Manage Entity', 'Add Entity')
    await open.getByRole('tab', { name: 'Create Custom Entity' }).click()
    await open.getByRole('textbox', { name: 'Name' }).fill('Typed_only')
    await open.getByRole('tab', { name: 'Choose Existing Entity' }).click()
    await find(page, open, 'Entity', 'Party')
    await press(open, 'Finish')
    await open.waitFor({ state: 'detached' })
    const { entity } = await apiOf(page).members(shop)
    expect(entity.map(item => item.name)).toEqual(expect.arrayContaining(['Typed_only', 'Party']))
  })

  it('is asked about before the page is left', async () => {
    await openEntity(page, crate)
    const open = await toolDialog(page, 'Manage Versions', 'Manage Versions')
    await open.getByLabel('Entity Version').fill('4.0.0')
    const asked: string[] = []
    page.once('dialog', one => {
      asked.push(one.type())
      void one.accept()
    })
    await page.reload()
    expect(asked).toEqual(['beforeunload'])
    await open.waitFor({ state: 'detached' })
    expect(await leavingDialog(page).count()).toBe(0)
  })

  it("is asked about before the browser's Back leads to another document", async () => {
    await openManifest(page, shop, 'Shop')
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Account')).dblclick()
    await expectShown(entityDocument(page, 'Account'))
    await page.getByRole('gridcell', { name: 'accountKind', exact: true }).click()
    await page.getByRole('button', { name: 'Edit Choices' }).click()
    const open = page.getByRole('dialog')
    await expectShown(open)
    await page.keyboard.type('Fresh')
    await page.goBack()
    await press(leavingDialog(page), 'Cancel')
    await leavingDialog(page).waitFor({ state: 'detached' })
    expect(await open.getByRole('textbox').last().inputValue()).toBe('Fresh')
    await page.goBack()
    await press(leavingDialog(page), 'Leave')
    await open.waitFor({ state: 'detached' })
    await expectShown(entityDocument(page, 'Account'))
    await page.goBack()
    await expectShown(manifestDocument(page, 'Shop'))
  })

  it('the page complained about nothing on the way', () => {
    expect(desk.complaints).toEqual([])
  })
})
