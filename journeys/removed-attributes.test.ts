import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { navigate, openEntity, send, tool, toolDialog } from './driver/document.ts'
import { entityDocument, names, row } from './driver/entity.ts'
import { expectAccessible } from './driver/accessible.ts'
import { keys } from './driver/keyboard.ts'
import { dialog, expectShown, find, press, question, snackbar } from './driver/widgets.ts'

type EntityRef = { id: number; name: string }

let count = 0

const journey = await startJourney()
const { page } = journey
const shop = await apiOf(page).manifestNamed('Shop')

/** Creates an entity with the attributes `code` and `size`, and one with a relationship to `code`. */
async function createRelated(): Promise<{ target: EntityRef; referrer: EntityRef }> {
  count += 1
  const typeAttributes = [{ name: 'code' }, { name: 'size' }]
  const target = await apiOf(page).createEntity({ name: `Wanted_${count}`, typeAttributes }, shop)
  const referrer = await apiOf(page).createEntity({ name: `Wanting_${count}` }, shop)
  await relate(referrer, target, 'code')
  return { target, referrer }
}

async function relate(from: EntityRef, to: EntityRef, attribute: string): Promise<void> {
  await send(page, 'POST', `/1.0/cdm/entity/${from.id}/associatedEntity`, {
    associatedEntityId: to.id,
    associatedEntityTypeAttribute: attribute,
    foreignKeyAttribute: { typeAttributeName: `by_${attribute}`, dataType: 'string' },
  })
}

async function remove(name: string): Promise<void> {
  await row(page, 'Type attributes', name).click()
  await keys(page, 'Control+-')
}

const deleteConfirmation = () => question(page, 'Delete Type Attributes?')
const saveConfirmation = () => question(page, 'Save Entity')

describe('Deleting a referenced attribute', () => {
  it('deleting a referenced attribute lists its references; undo and redo include the decision and Save applies it', async () => {
    const { target, referrer } = await createRelated()
    await openEntity(page, target)
    await remove('code')
    const links = deleteConfirmation().getByRole('list', { name: 'References' })
    await expectShown(links.getByText(`relationship by_code to ${target.name}.code`))
    await expectShown(deleteConfirmation().getByRole('radio', { checked: true }))
    await expectAccessible(page, 'removed-attribute-referred')
    await links.getByText(referrer.name, { exact: true }).click()
    await expectShown(entityDocument(page, referrer.name))
    await openEntity(page, target)
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'code', 'size'])

    await remove('code')
    await press(deleteConfirmation(), 'Delete')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'size'])
    await keys(page, 'Control+z')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'code', 'size'])
    await keys(page, 'Control+Shift+z')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'size'])
    // The decision survives a reload like the edit itself.
    await page.reload()
    await expectShown(entityDocument(page, target.name).getByText(/^Restored draft:/))
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await openEntity(page, referrer)
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'by_code'])
  })

  it('undoing the deletion of an attribute preserves its references', async () => {
    const { target, referrer } = await createRelated()
    await openEntity(page, target)
    await remove('code')
    await deleteConfirmation().getByRole('radio', { name: 'Remove both' }).click()
    await press(deleteConfirmation(), 'Delete')
    await keys(page, 'Control+z')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'code', 'size'])
    await remove('size')
    await expect.poll(() => deleteConfirmation().getByRole('radio').count()).toBe(0)
    await press(deleteConfirmation(), 'Delete')
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await navigate(page, `/?entity=${referrer.id}&tab=relationships`)
    await expect.poll(() => names(page, 'Relationships')).toEqual([target.name])
  })

  it('saving requires confirmation for references added after the attribute was deleted', async () => {
    const { target, referrer } = await createRelated()
    await openEntity(page, target)
    await remove('size')
    await press(deleteConfirmation(), 'Delete')
    await relate(referrer, target, 'size')
    await tool(page, 'Save').click()
    await expectShown(saveConfirmation().getByText(`relationship by_size to ${target.name}.size`))
    await press(saveConfirmation(), 'Cancel')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'code'])
    await tool(page, 'Save').click()
    await saveConfirmation().getByRole('radio', { name: 'Remove both' }).click()
    await press(saveConfirmation(), 'Save')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await navigate(page, `/?entity=${referrer.id}&tab=relationships`)
    await expect.poll(() => names(page, 'Relationships')).toEqual([target.name])
  })
})

describe('Extending an entity with a key', () => {
  const key = (name: string) => ({ name, dataType: 'integer' as const, purpose: 'identifiedBy' as const })
  const extendConfirmation = () => question(page, 'Extend Entity')

  async function extend(entity: EntityRef, parent: EntityRef): Promise<void> {
    await openEntity(page, entity)
    const open = await toolDialog(page, 'Extend Entity', 'Extend Entity')
    await find(page, open, 'Entity', parent.name)
    await press(open, 'Apply')
  }

  it('extending an entity removes its referenced automatic key after confirmation; undo and removing the extension restore it', async () => {
    count += 1
    const contact = await apiOf(page).createEntity(
      { name: `Contact_${count}`, typeAttributes: [key('contactId')] },
      shop,
    )
    const patient = await apiOf(page).createEntity(
      { name: `Patient_${count}`, typeAttributes: [{ name: 'note' }] },
      shop,
    )
    const visit = await apiOf(page).createEntity({ name: `Visit_${count}` }, shop)
    await apiOf(page).relate(visit.id, patient, 'patientId')
    await extend(patient, contact)
    await expectShown(
      extendConfirmation().getByText(
        `The key "id" will be removed: "contactId" is inherited from ${contact.name} instead.`,
      ),
    )
    await expectShown(extendConfirmation().getByText(`relationship patientId to ${patient.name}.id`))
    await press(extendConfirmation(), 'Apply')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['note'])
    await keys(page, 'Control+z')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'note'])
    await keys(page, 'Control+Shift+z')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['note'])
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await tool(page, 'Delete Extend Entity').click()
    await expectShown(question(page, 'Delete Extended Entity').getByText('The key "id" will be restored.'))
    await press(question(page, 'Delete Extended Entity'), 'Delete')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'note'])
    await tool(page, 'Save').click()
    await expect.poll(async () => (await apiOf(page).entityOf(patient.id)).primaryKey).toBe('id')
    expect((await apiOf(page).entityOf(visit.id)).typeAttributes.map(({ name }) => name)).toEqual(['id', 'patientId'])
  })

  it('the Extend Entity dialog names both keys if the extension would add a second one', async () => {
    count += 1
    const contact = await apiOf(page).createEntity(
      { name: `Contact_${count}`, typeAttributes: [key('contactId')] },
      shop,
    )
    const nurse = await apiOf(page).createEntity({ name: `Nurse_${count}`, typeAttributes: [key('badge')] }, shop)
    await extend(nurse, contact)
    const open = dialog(page, 'Extend Entity')
    await expectShown(open.getByText(`has the key "badge" and inherits the key "contactId" from ${contact.name}`))
    await press(open, 'Close')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['badge'])
  })
})

describe('Removing an extension with referenced attributes', () => {
  const removeConfirmation = () => question(page, 'Delete Extended Entity')

  /** Creates a subtype of an entity with `code`, and an entity with a relationship to the inherited `code`. */
  async function createInherited(): Promise<{ subtype: EntityRef; referrer: EntityRef }> {
    count += 1
    const parent = await apiOf(page).createEntity({ name: `Elder_${count}`, typeAttributes: [{ name: 'code' }] }, shop)
    const subtype = await apiOf(page).createEntity({ name: `Heir_${count}`, extendsEntity: { id: parent.id } }, shop)
    const referrer = await apiOf(page).createEntity({ name: `Wanting_${count}` }, shop)
    await relate(referrer, subtype, 'code')
    return { subtype, referrer }
  }

  it('removing an extension lists the references to inherited attributes and Save applies the decision after a reload', async () => {
    const { subtype, referrer } = await createInherited()
    await openEntity(page, subtype)
    await tool(page, 'Delete Extend Entity').click()
    const links = removeConfirmation().getByRole('list', { name: 'References' })
    await expectShown(links.getByText(`relationship by_code to ${subtype.name}.code`))
    await saveScreenshot(page, 'extends-removed-referred')
    await removeConfirmation().getByRole('radio', { name: 'Remove both' }).click()
    await press(removeConfirmation(), 'Delete')
    await expect.poll(() => tool(page, 'Save').getAttribute('aria-disabled')).toBeNull()
    await keys(page, 'Control+z')
    await expectShown(tool(page, 'Delete Extend Entity'))
    await keys(page, 'Control+Shift+z')
    await expectShown(tool(page, 'Extend Entity'))
    await page.reload()
    await expectShown(entityDocument(page, subtype.name).getByText(/^Restored draft:/))
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await openEntity(page, referrer)
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id'])
    await page.goto(`/?entity=${referrer.id}&tab=relationships`)
    await expectShown(page.getByText('No relationships to display', { exact: true }))
  })

  it('removing an extension without referenced attributes offers no choice', async () => {
    const { subtype } = await createInherited()
    const alone = await apiOf(page).createEntity({ name: `Alone_${count}`, extendsEntity: { id: subtype.id } }, shop)
    await openEntity(page, alone)
    await tool(page, 'Delete Extend Entity').click()
    await expectShown(removeConfirmation())
    await expect.poll(() => removeConfirmation().getByRole('radio').count()).toBe(0)
    await press(removeConfirmation(), 'Delete')
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
  })

  it('deleting attributes causes no errors on the page', () => {
    expect(journey.complaints).toEqual([])
  })
})
