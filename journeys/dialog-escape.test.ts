import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { openEntity, openManifest, toolDialog } from './driver/document.ts'
import { entityDocument, manifestDocument } from './driver/entity.ts'
import { expectLeaveConfirmation, leaveDialog } from './driver/leave-dialog.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, press, snackbar } from './driver/widgets.ts'
import { hasFocus, keys } from './driver/keyboard.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')
const crate = await api.createEntity({ name: 'Crate' }, shop)

/** Expects Escape to close the untouched dialog at once, and to require confirmation after input. */
async function expectConfirmationAfterInput(
  start: () => Promise<Locator>,
  enter: (open: Locator) => Promise<Locator>,
): Promise<void> {
  const untouched = await start()
  await keys(page, 'Escape')
  await untouched.waitFor({ state: 'detached' })
  const open = await start()
  const field = await enter(open)
  await expectLeaveConfirmation(page, open, field)
}

async function choose(open: Locator, label: string, name: string, detail = ''): Promise<Locator> {
  await find(page, open, label, name, detail)
  return open.getByRole('combobox', { name: label })
}

async function fillIn(field: Locator, text: string): Promise<Locator> {
  await field.fill(text)
  return field
}

async function wizard(kind: 'Entity' | 'Manifest'): Promise<Locator> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: kind, exact: true }).click()
  const open = dialog(page, `Create ${kind}`)
  await expectShown(open)
  return open
}

describe('Escape requires confirmation only if the dialog has input', () => {
  it('Add Entity To Manifest and Manage Versions require confirmation only after input', async () => {
    await openEntity(page, crate)
    await expectConfirmationAfterInput(
      () => toolDialog(page, 'Add To Manifest', 'Add Entity To Manifest'),
      open => choose(open, 'Select a manifest to add the entity', 'Shop'),
    )
    await expectConfirmationAfterInput(
      () => toolDialog(page, 'Manage Versions', 'Manage Versions'),
      open => fillIn(open.getByLabel('Entity Version'), '3.0.0'),
    )
  })

  it('the manifest picker of Generate Database Schema requires confirmation only after a selection', async () => {
    const party = await api.entityNamed('Party', 'DEFAULT')
    await openEntity(page, { id: party, name: 'Party' })
    await (await nodeAt(page, 'Standard')).click()
    const start = async () => {
      await page.getByRole('button', { name: 'Generate Database Schema' }).first().click()
      await expectShown(dialog(page, 'Generate Database Schema'))
      return dialog(page, 'Generate Database Schema')
    }
    await expectConfirmationAfterInput(start, open => choose(open, 'Manifest', 'Shop'))
  })

  it('Add Sub-Manifest and Add Entity require confirmation for a selected item or a typed name', async () => {
    await openManifest(page, shop, 'Shop')
    await expectConfirmationAfterInput(
      () => toolDialog(page, 'Add Sub-Manifest', 'Add Sub-Manifest'),
      open => choose(open, 'Manifest', 'Shop'),
    )
    const start = () => toolDialog(page, 'Manage Entity', 'Add Entity')
    await expectConfirmationAfterInput(start, open => choose(open, 'Entity', 'Country', 'user-defined/Shop'))
    const open = await start()
    await open.getByRole('tab', { name: 'Create Custom Entity' }).click()
    await expectLeaveConfirmation(page, open, await fillIn(open.getByRole('textbox', { name: 'Name' }), 'Fence'))
  })
})

describe('Names typed but not added', () => {
  it('a pending attribute name blocks Finish while invalid and is added by Finish when valid', async () => {
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
    await expect.poll(() => name.inputValue()).toBe('lives')
    await press(open, 'Finish')
    await expectShown(snackbar(page, 'Successfully created entity.'))
    await expectShown(page.getByRole('grid', { name: 'Type attributes' }).getByText('lives', { exact: true }))
  })

  it('reloading the page with a pending version requires confirmation', async () => {
    await openEntity(page, crate)
    const open = await toolDialog(page, 'Manage Versions', 'Manage Versions')
    await open.getByLabel('Entity Version').fill('4.0.0')
    const dialogTypes: string[] = []
    page.once('dialog', nativeDialog => {
      dialogTypes.push(nativeDialog.type())
      void nativeDialog.accept()
    })
    await page.reload()
    expect(dialogTypes).toEqual(['beforeunload'])
    await open.waitFor({ state: 'detached' })
    await expect.poll(() => leaveDialog(page).count()).toBe(0)
  })

  it('Back in the browser requires confirmation if the dialog has input', async () => {
    await openManifest(page, shop, 'Shop')
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Account')).dblclick()
    await expectShown(entityDocument(page, 'Account'))
    await page.getByRole('gridcell', { name: 'accountKind', exact: true }).click()
    await page.getByRole('button', { name: 'Edit Choices' }).click()
    const open = page.getByRole('dialog')
    await expect.poll(() => hasFocus(open.getByRole('textbox').last())).toBe(true)
    await page.keyboard.type('Fresh')
    await page.goBack()
    await press(leaveDialog(page), 'Cancel')
    await leaveDialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => open.getByRole('textbox').last().inputValue()).toBe('Fresh')
    await page.goBack()
    await press(leaveDialog(page), 'Leave')
    await open.waitFor({ state: 'detached' })
    await expectShown(entityDocument(page, 'Account'))
    await page.goBack()
    await expectShown(manifestDocument(page, 'Shop'))
  })

  it('the page reports no errors', () => {
    expect(journey.complaints).toEqual([])
  })
})
