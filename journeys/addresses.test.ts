import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, openPage } from './driver/journey.ts'
import { openInAdmin } from './driver/admin-documents.ts'
import { addAttribute, entityDocument, names, tab } from './driver/entity.ts'
import { mark, stored } from './driver/session.ts'
import { nodeAt } from './driver/tree.ts'
import { expectShown, press, question } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey

const pathname = () => new URL(page.url()).pathname
/** Opens the entity without reloading the page, so that Back needs no request; returns the number of history steps. */
async function openFromOrganisations(name: string): Promise<number> {
  await page.goto('/org')
  const before = await page.evaluate(() => history.length)
  await page
    .getByRole('button', { name: /^Select / })
    .first()
    .click()
  await expectShown(page.getByRole('tree'))
  // Navigating to the address would reload the page.
  await (await nodeAt(page, 'Custom', 'Entities', name)).dblclick()
  await expectShown(entityDocument(page, name))
  // The address changes after the document is shown.
  await expect.poll(() => page.url()).toContain('entity=')
  return (await page.evaluate(() => history.length)) - before
}

describe('Page addresses', () => {
  it('Back and Forward move between pages and restore the open document', async () => {
    const { id } = await apiOf(page).createEntity({ name: 'AddressedEntity' })
    const steps = await openFromOrganisations('AddressedEntity')
    for (let step = 0; step < steps; step++) await page.goBack()
    await expectShown(page.getByRole('heading', { name: 'Organisations' }))
    for (let step = 0; step < steps; step++) await page.goForward()
    await expectShown(entityDocument(page, 'AddressedEntity'))
    expect(new URL(page.url()).search).toBe(`?entity=${id}`)
  })

  it('Back out of the workspace with unsaved changes requires confirmation: Cancel stays, Discard leaves', async () => {
    const { id } = await apiOf(page).createEntity({ name: 'GuardedEntity' })
    const steps = await openFromOrganisations('GuardedEntity')
    await addAttribute(page, 'unsaved')
    await expect.poll(() => tab(page, 'GuardedEntity').textContent()).toContain('unsaved changes')
    await page.evaluate(by => history.go(-by), steps)
    await press(question(page, 'Save Changes?'), 'Cancel')
    await question(page, 'Save Changes?').waitFor({ state: 'detached' })
    await expectShown(entityDocument(page, 'GuardedEntity'))
    expect(page.url()).toContain(`/?entity=${id}`)
    await page.evaluate(by => history.go(-by), steps)
    await press(question(page, 'Save Changes?'), 'Discard')
    await expectShown(page.getByRole('heading', { name: 'Organisations' }))
    expect(pathname()).toBe('/org')
  })

  it('an unknown address shows an error, and a trailing slash is ignored', async () => {
    await page.goto('/nowhere')
    await expectShown(page.getByText('There is no such page.'))
    await page.goto('/org/')
    await expectShown(page.getByRole('heading', { name: 'Organisations' }))
  })
})

describe('Leaving a document or section', () => {
  const expectConfirmation = async (of: typeof page, leave: () => Promise<void>, name: string) => {
    const confirmation = question(of, 'Save Changes?')
    await leave()
    await expectShown(confirmation.getByText(`"${name}" has unsaved changes.`, { exact: true }))
    await press(confirmation, 'Cancel')
    await confirmation.waitFor({ state: 'detached' })
    await expectShown(entityDocument(of, name))
  }

  it(
    'closing a tab or leaving the administration with unsaved changes requires confirmation',
    holds('M4.70'),
    async () => {
      const entity = await apiOf(page).createEntity({ name: 'Unsaved' })
      await page.goto(`/?entity=${entity.id}`)
      await expectShown(entityDocument(page, 'Unsaved'))
      await addAttribute(page, 'pending')
      await expectConfirmation(page, () => tab(page, 'Unsaved').locator('[data-close]').click(), 'Unsaved')
      await page.keyboard.press('Control+s')

      const other = await openPage(journey.browser, journey.console.url)
      const of = other.page
      await of.goto('/admin')
      await of.getByRole('button', { name: 'admin' }).click()
      await expectShown(of.getByRole('tree', { name: 'Organisations' }))
      await expect.poll(() => stored(of, 'lastVisit')).toBe('/admin')
      await openInAdmin(of, entity)
      await addAttribute(of, 'another')
      await expectConfirmation(of, () => of.getByRole('button', { name: 'Home' }).click(), 'Unsaved')
      await expectConfirmation(of, async () => (await nodeAt(of, 'Globex')).click(), 'Unsaved')
      await of.getByRole('button', { name: 'Home' }).click()
      await press(question(of, 'Save Changes?'), 'Discard')
      await other.context.close()
    },
  )

  it('switching sections reloads nothing and keeps the tabs and drafts of each section', async () => {
    const entity = await apiOf(page).createEntity({ name: 'InBothSections' })
    const { context, page: of } = await openPage(journey.browser, journey.console.url)
    await of.goto('/')
    await of.getByRole('button', { name: 'admin' }).click()
    await of.getByRole('button', { name: 'Select Acme Trading' }).click()
    await (await nodeAt(of, 'Custom', 'Entities', entity.name)).dblclick()
    await expectShown(entityDocument(of, entity.name))
    const isSame = await mark(of)
    await addAttribute(of, 'ofDesigner')

    await of.getByRole('button', { name: /Profile of/ }).click()
    await of.getByRole('menuitem', { name: 'Administration' }).click()
    await (await nodeAt(of, 'Acme Trading', 'Entities', entity.name)).click()
    await expectShown(entityDocument(of, entity.name))
    await expect.poll(() => names(of, 'Type attributes')).not.toContain('ofDesigner')
    await addAttribute(of, 'ofAdministrator')
    await of.getByRole('button', { name: 'Packages' }).click()
    await press(question(of, 'Package View'), 'Proceed')
    await expectShown(of.getByRole('heading', { level: 1, name: /^Packages of/ }))

    await of.getByRole('button', { name: 'Home' }).click()
    await expect.poll(() => tab(of, entity.name).textContent()).toContain('unsaved changes')
    await expect.poll(() => names(of, 'Type attributes')).toContain('ofDesigner')
    expect(await names(of, 'Type attributes')).not.toContain('ofAdministrator')
    await press(of.getByRole('toolbar', { name: 'Entity' }), 'Discard changes')

    await of.getByRole('button', { name: /Profile of/ }).click()
    await of.getByRole('menuitem', { name: 'Administration' }).click()
    await expectShown(of.getByRole('heading', { level: 1, name: '[ACME] Acme Trading' }))
    const node = await nodeAt(of, 'Acme Trading', 'Entities', entity.name)
    await expectShown(node.getByText('Unsaved changes'))
    await node.click()
    await expect.poll(() => names(of, 'Type attributes')).toContain('ofAdministrator')
    await press(of.getByRole('toolbar', { name: 'Entity' }), 'Discard changes')
    expect(await isSame()).toBe(true)
    await context.close()
  })

  it('signing in returns to the section that was visited last', holds('E9.15', 'M1.20'), async () => {
    const { context, page: of } = await openPage(journey.browser, journey.console.url)
    const marks = {
      '/admin': of.getByRole('tree', { name: 'Organisations' }),
      '/packages': of.getByRole('heading', { level: 1, name: /^Packages/ }),
      '/': of.getByRole('tree', { name: 'Project Navigator' }),
    }
    for (const [section, mark] of Object.entries(marks)) {
      await of.goto('/org')
      const provider = of.getByRole('button', { name: 'admin' })
      const picker = of.getByRole('button', { name: 'Select Acme Trading' })
      await provider.or(picker).first().waitFor()
      if (await provider.isVisible()) await provider.click()
      await picker.click()
      await of.goto(section)
      await expectShown(mark)
      await expect.poll(() => stored(of, 'lastVisit')).toBe(section)
      await context.clearCookies()
      await of.goto('/')
      await provider.click()
      await expectShown(mark)
      for (const other of Object.values(marks)) await expect.poll(() => other.count()).toBe(other === mark ? 1 : 0)
      expect(new URL(of.url()).pathname).toBe(section)
    }
    await context.close()
  })
})
