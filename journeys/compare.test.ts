import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { violations, violationsInAllVariants } from './driver/axe.ts'
import { openManifest } from './driver/document.ts'
import { manifestDocument, tab } from './driver/entity.ts'
import { inAtMost } from './driver/hand.ts'
import { startJourney } from './driver/journey.ts'
import { focusText, hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { expectShown } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)

type Change = NonNullable<Parameters<typeof api.updateEntity>[1]['attribute']>

/** A manifest whose present state differs from 1.0.0. */
async function changedManifest(name: string) {
  const id = await api.createManifest(name)
  const attributes = [{ name: 'code', maxLength: 40 }, { name: 'note' }, { name: 'gone' }]
  const patient = await api.createEntity({ name: `${name}_Patient`, typeAttributes: attributes }, id)
  const ward = await api.createEntity({ name: `${name}_Ward`, typeAttributes: [{ name: 'floor' }] }, id)
  await api.addManifestVersion(id, '1.1.0')
  // The length of one attribute and the name of another have changed; a third one is gone.
  const attribute: Change = one => {
    if (one.name === 'gone') return null
    return one.name === 'code' ? { ...one, maxLength: 80 } : { ...one, name: one.name === 'note' ? 'remark' : one.name }
  }
  await api.updateEntity(patient.id, { description: 'A person who is treated', attribute })
  await api.describe(ward.id, 'Where patients stay')
  await api.createEntity({ name: `${name}_Doctor` }, id)
  return { id, name, patient, ward, path: '' }
}

const clinic = await changedManifest('Clinic')
const pane = page.getByRole('region', { name: 'Comparison of Clinic' })
const changes = pane.getByRole('tree', { name: 'Changes' })
const detail = pane.getByRole('region', { name: 'Difference', exact: true })

describe('Comparison of a manifest', () => {
  it('1.0.0 and now are compared as a picture in at most four actions by mouse, and a link opens the same', async () => {
    await page.goto(`/?manifest=${clinic.id}`)
    const document = manifestDocument(page, 'Clinic')
    await inAtMost(page, 4, async hand => {
      await hand.click(document.getByRole('tab', { name: 'Compare' }))
      await expectShown(pane.getByRole('button', { name: 'From: 1.0.0' }))
      await expectShown(pane.getByRole('button', { name: 'To: Now' }))
      await hand.click(pane.getByRole('button', { name: 'Diagram', exact: true }))
      await expectShown(pane.getByRole('application'))
    })
    await expect.poll(() => new URL(page.url()).search).toContain('tab=compare&view=diagram')
    await page.reload()
    await expectShown(pane.getByRole('application'))
  })

  it('1.0.0 and now are compared as a picture in at most four actions by keyboard alone', async () => {
    await page.goto(`/?manifest=${clinic.id}&tab=entities`)
    await expectShown(manifestDocument(page, 'Clinic'))
    const first = page.getByRole('option').first()
    await inAtMost(page, 4, async hand => {
      await hand.press('Control+k')
      await hand.type('compare versions')
      await expect.poll(() => first.textContent()).toContain('Compare Versions')
      await hand.press('Enter')
      await expectShown(changes)
      await hand.press('Control+k')
      await hand.type('comparison as diagram')
      await expect.poll(() => first.textContent()).toContain('Show Comparison as Diagram')
      await hand.press('Enter')
      await expectShown(pane.getByRole('application'))
    })
  })

  it('lists changes by kind, shows both sides and goes on with F7', async () => {
    await page.goto(`/?manifest=${clinic.id}&tab=compare`)
    await expect.poll(() => changes.getByRole('treeitem').count()).toBe(3)
    await pane
      .getByRole('group', { name: 'Filter by kind' })
      .getByRole('button', { name: /^added/ })
      .click()
    await expect.poll(() => changes.getByRole('treeitem').count()).toBe(1)
    await pane
      .getByRole('group', { name: 'Filter by kind' })
      .getByRole('button', { name: /^added/ })
      .click()
    await changes.getByRole('treeitem', { name: /Clinic_Patient/ }).click()
    for (const difference of ['Description', 'code: Length', 'remark: Name', 'gone: removed']) {
      await keys(page, 'F7')
      await expect.poll(() => detail.getByRole('heading').textContent()).toBe(difference)
    }
    await expectShown(pane.getByRole('table', { name: '1.0.0' }).getByRole('rowheader', { name: /gone: removed/ }))
    await keys(page, 'F7')
    await expectShown(changes.getByRole('treeitem', { name: /Clinic_Ward/, selected: true }))
    await expect.poll(() => detail.getByRole('heading').textContent()).toBe('Description')
    await keys(page, 'Shift+F7')
    await expectShown(changes.getByRole('treeitem', { name: /Clinic_Patient/, selected: true }))
    await expect.poll(() => detail.getByRole('heading').textContent()).toBe('gone: removed')
  })

  it('sides are chosen and swapped; the address names them, and Back returns to them', async () => {
    await page.goto(`/?manifest=${clinic.id}&tab=compare`)
    await pane.getByRole('button', { name: 'Swap sides' }).click()
    await expect.poll(() => new URL(page.url()).search).toContain('before=now&after=version-1.0.0')
    await openManifest(page, await api.manifestNamed('Shop'), 'Shop')
    await page.goBack()
    await expectShown(pane.getByRole('button', { name: 'From: Now' }))
    await expectShown(pane.getByRole('button', { name: 'To: 1.0.0' }))
  })

  it('is accessible in both themes, in forced colours and at 200 % zoom', async () => {
    await page.goto(`/?manifest=${clinic.id}&tab=compare`)
    await changes.getByRole('treeitem', { name: /Clinic_Patient/ }).click()
    await keys(page, 'F7')
    await expectShown(detail.getByRole('button', { name: 'Take This', exact: true }))
    expect(await violationsInAllVariants(page, 'compare')).toEqual([])
  })

  it('Migration has the script of the same difference, up and down, accessible', async () => {
    await page.goto(`/?manifest=${clinic.id}&tab=compare&view=consequences`)
    await pane.getByRole('button', { name: 'Migration', exact: true }).click()
    const losses = pane.getByRole('region', { name: /^Loses data/ })
    await expectShown(losses.getByText("'gone' of 'Clinic_Patient' is dropped with its values."))
    await expectShown(pane.getByRole('heading', { name: /^Clinic_1.0.0_to_1.1.0_/ }))
    expect(await violations(page)).toEqual([])
    await pane.getByRole('button', { name: 'Down', exact: true }).click()
    await expectShown(pane.getByRole('heading', { name: /^Clinic_1.1.0_to_1.0.0_/ }))
    await expectShown(losses.getByText("'Clinic_Doctor' is dropped with all its records."))
  })

  it('in the diagram, F7 and the list of changes go to the same entities', async () => {
    await page.goto(`/?manifest=${clinic.id}&tab=compare&view=diagram`)
    await expectShown(pane.getByRole('application'))
    await changes.getByRole('treeitem', { name: /Clinic_Ward/ }).click()
    await expectShown(pane.getByText(/· 1 chosen/))
    await keys(page, 'F7')
    await expectShown(changes.getByRole('treeitem', { name: /Clinic_(Doctor|Patient)/, selected: true }))
  })

  it('a change is taken over by keyboard alone, saved, and named in the log', async () => {
    await page.goto(`/?manifest=${clinic.id}&tab=compare`)
    await expectShown(changes)
    await changes.getByRole('treeitem', { name: /Clinic_Ward/ }).focus()
    await keys(page, 'Enter', 'F7')
    await expect.poll(() => focusText(page)).toContain('Description')
    await tabTo(page, detail.getByRole('button', { name: 'Take This', exact: true }))
    await keys(page, 'Enter')
    await expectShown(page.getByRole('region', { name: 'Messages' }).getByText(/^Taken: Changed description/))
    await expectShown(pane.getByRole('button', { name: 'To: My draft' }))
    await expect.poll(() => changes.getByRole('treeitem', { name: /Clinic_Ward/ }).count()).toBe(0)
    await expectShown(tab(page, 'Clinic_Ward'))
    await keys(page, 'Control+Shift+s')
    await expect.poll(async () => (await api.entityOf(clinic.ward.id)).description).toBe('')
    await expectShown(pane.getByRole('button', { name: 'To: Now' }))
    await expect.poll(() => changes.getByRole('treeitem').count()).toBe(2)
  })

  it('after a change was taken, the next one of the same entity is shown', async () => {
    await page.goto(`/?manifest=${clinic.id}&tab=compare`)
    const patient = changes.getByRole('treeitem', { name: /Clinic_Patient/ })
    await patient.click()
    await keys(page, 'F7')
    await expect.poll(() => detail.getByRole('heading').textContent()).toBe('Description')
    await detail.getByRole('button', { name: 'Take This', exact: true }).click()
    await expect.poll(() => detail.getByRole('heading').textContent()).toBe('code: Length')
    await expectShown(patient.and(page.locator('[aria-selected=true]')))
    await keys(page, 'Control+z')
    await expectShown(pane.getByRole('button', { name: 'To: Now' }))
    await keys(page, 'Control+y')
    await expectShown(pane.getByRole('button', { name: 'To: My draft' }))
    await keys(page, 'Control+z')
    await expectShown(pane.getByRole('button', { name: 'To: Now' }))
  })

  it('the list of other manifests gets the focus from the menu that opens it, and returns it', async () => {
    await page.goto(`/?manifest=${clinic.id}&tab=compare`)
    const side = pane.getByRole('button', { name: 'To: Now' })
    const list = pane.getByRole('combobox', { name: 'Manifest to compare with' })
    await expectShown(side)
    await side.focus()
    await keys(page, 'Enter')
    await tabTo(page, page.getByRole('menuitem', { name: 'Another Manifest…' }), 'ArrowDown')
    await keys(page, 'Enter')
    await expect.poll(() => hasFocus(list)).toBe(true)
    await tabTo(page, pane.getByRole('button', { name: 'Keep the current side' }))
    await keys(page, 'Enter')
    await expect.poll(() => hasFocus(side)).toBe(true)
  })
})
