import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { addAttribute, entityDocument, tab } from './driver/entity.ts'
import { nodeAt } from './driver/tree.ts'
import { expectShown, press, question } from './driver/widgets.ts'

const { page } = await openDesk()

const pathname = () => new URL(page.url()).pathname
/** Where the page itself came from, so that the browser's Back leads there without loading anything; answers how many steps. */
async function opened(name: string): Promise<number> {
  await page.goto('/org')
  const before = await page.evaluate(() => history.length)
  await page
    .getByRole('button', { name: /^Select / })
    .first()
    .click()
  await expectShown(page.getByRole('tree'))
  // By a press: an address would load the page anew.
  await (await nodeAt(page, 'Custom', 'Entities', name)).dblclick()
  await expectShown(entityDocument(page, name))
  // The address follows what is shown.
  await expect.poll(() => page.url()).toContain('entity=')
  return (await page.evaluate(() => history.length)) - before
}

describe('The pages of an address', () => {
  it('Back and Forward lead through them, and the document that was open is open', async () => {
    const { id } = await apiOf(page).createEntity({ name: 'AddressedEntity' })
    const steps = await opened('AddressedEntity')
    for (let step = 0; step < steps; step++) await page.goBack()
    await expectShown(page.getByRole('heading', { name: 'Organisations' }))
    for (let step = 0; step < steps; step++) await page.goForward()
    await expectShown(entityDocument(page, 'AddressedEntity'))
    expect(new URL(page.url()).search).toBe(`?entity=${id}`)
  })

  it('Back out of the workspace asks where something is unsaved: who stays is where they were, who discards leaves', async () => {
    const { id } = await apiOf(page).createEntity({ name: 'GuardedEntity' })
    const steps = await opened('GuardedEntity')
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

  it('an address that is none says so, and with a slash at its end it is the same', async () => {
    await page.goto('/nowhere')
    await expectShown(page.getByText('There is no such page.'))
    await page.goto('/org/')
    await expectShown(page.getByRole('heading', { name: 'Organisations' }))
  })
})
