import { type ConsoleServer, startConsole } from '@cadmus/testing/console'
import { afterAll, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney, saveScreenshot, signIn } from './driver/journey.ts'
import { openEntity } from './driver/document.ts'
import { entityDocument, manifestDocument, property, setText, tab } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { nodeAt } from './driver/tree.ts'
import { expectShown, snackbar } from './driver/widgets.ts'

let next: ConsoleServer | undefined

const journey = await startJourney({ user: 'nobody' })
const { page } = journey
afterAll(() => next?.stop())

const banner = () => page.getByText('The server cannot be reached. Retrying; unsaved changes stay here.')
const description = () => property(page, 'Entity', 'Description').getByRole('textbox')
const label = async (name: string) => (await tab(page, name).textContent()) ?? ''

it('a part of the page that cannot be loaded leaves the others, and Retry loads it with its style', async () => {
  // Before the page loads, which fetches the code of documents once it is idle.
  await page.route('**/assets/documents-*.css', route => route.abort())
  await signIn(page)
  await (await nodeAt(page, 'Custom', 'Manifests', 'Shop')).dblclick()
  await expectShown(page.getByText('This part of the page could not be loaded.').first())
  await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Retry' }).first().click()
  await expectShown(manifestDocument(page, 'Shop').getByRole('tablist'))
  const isStyled = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet !== null),
    )
  await expect.poll(isStyled).toBe(true)
})

it('while the server is unreachable a banner is shown and editing continues; after its return the edits can be saved', async () => {
  const entity = await apiOf(page).createEntity({ name: 'Visited' })
  await openEntity(page, entity)
  await setText(page, 'Entity', 'Description', 'written before')
  await expect.poll(() => label('Visited')).toMatch(/unsaved changes/)
  await expect.poll(() => banner().count()).toBe(0)

  const { dataDir, port } = journey.console
  await journey.console.kill()
  await keys(page, 'Control+s')
  await expectShown(banner())
  await saveScreenshot(page, 'connection-away')
  await expect.poll(() => description().inputValue()).toBe('written before')
  await setText(page, 'Entity', 'Description', 'written while it was away')
  await expect.poll(() => label('Visited')).toMatch(/unsaved changes/)
  await keys(page, 'Control+s')
  const failed = entityDocument(page, 'Visited').getByText('The server cannot be reached.', { exact: true })
  await expectShown(failed)
  expect(new URL(page.url()).pathname).toBe('/')

  next = await startConsole({ dataDir, port })
  await banner().waitFor({ state: 'detached' })
  await failed.waitFor({ state: 'detached' })
  await expect.poll(() => description().inputValue()).toBe('written while it was away')
  await keys(page, 'Control+s')
  await expectShown(snackbar(page, 'Entity saved successfully!'))
  await expect.poll(() => label('Visited')).not.toMatch(/unsaved changes/)
  await page.reload()
  await expectShown(entityDocument(page, 'Visited'))
  await expect.poll(() => description().inputValue()).toBe('written while it was away')
})
