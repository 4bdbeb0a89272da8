import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { refuse, send, tool } from './driver/document.ts'
import { entityDocument, names } from './driver/entity.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { expectShown, press, question, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey

// The members of the manifest are read once it is expanded.
const doomed = await apiOf(page).createEntity({ name: 'Doomed' }, await apiOf(page).manifestNamed('Shop'))

const confirmation = () => question(page, 'Delete Entity')

describe('Deleting in the tree', () => {
  it(
    'a failed deletion shows the reason of the server, or a generic message without one',
    holds('M8.16', 'M8.17', 'M8.18'),
    async () => {
      const remove = async (title: string, ...path: string[]) => {
        await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop', ...path), 'Delete')
        await press(question(page, title), 'Delete')
      }
      await refuse(page, 'DELETE', /\/cdm\//, 'It is needed.')
      await remove('Delete Manifest')
      await expectShown(snackbar(page, 'Failed to delete manifest: It is needed.'))
      await remove('Delete Entity', 'Entities', 'Country')
      await expectShown(snackbar(page, 'Failed to delete entity: It is needed.'))
      await page.unrouteAll()
      await refuse(page, 'DELETE', /\/cdm\//)
      await remove('Delete Manifest')
      await expectShown(snackbar(page, 'Failed to delete manifest for unknown reason'))
    },
  )
})

describe('Deleting the open entity', () => {
  it(
    "a failed deletion shows the reason of the server or 'Failed to delete entity'; a successful one clears the selection",
    holds('E8.3', 'E8.12', 'E8.19', 'E4.32'),
    async () => {
      await (await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Doomed')).dblclick()
      const document = entityDocument(page, 'Doomed')
      const selected = page.getByRole('treeitem', { selected: true })
      const panel = page.getByRole('complementary', { name: 'Properties' }).getByRole('region', { name: 'Entity' })
      await expect.poll(async () => [await selected.count(), await panel.count()]).toEqual([1, 1])
      const remove = async () => {
        await tool(page, 'Delete Entity').click()
        await press(confirmation(), 'Delete')
      }
      await refuse(page, 'DELETE', /\/cdm\/entity\//)
      await remove()
      await expectShown(document.getByRole('alert').getByText('Failed to delete entity', { exact: true }))
      await page.unrouteAll()
      await refuse(page, 'DELETE', /\/cdm\/entity\//, 'It is needed.')
      await remove()
      await expectShown(document.getByRole('alert').getByText('It is needed.', { exact: true }))
      await page.unrouteAll()
      await remove()
      await expectShown(snackbar(page, 'Successfully deleted entity!'))
      await document.waitFor({ state: 'detached' })
      await expect.poll(async () => [await selected.count(), await panel.count()]).toEqual([0, 0])
      await expect.poll(() => page.evaluate(() => localStorage.getItem('cadmus.selectedNode'))).toBeNull()
      await page.goto(`/?entity=${doomed.id}`)
      await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
      await expect.poll(() => document.count()).toBe(0)
    },
  )
})

describe('Deleting objects with references', () => {
  it('the confirmation links to the referring entities before anything is deleted', async () => {
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Account'), 'Delete')
    await expectShown(confirmation().getByText('Do you really want to delete the entity?', { exact: true }))
    await expectShown(
      confirmation().getByText('Its attributes, relationships, scopes and all its versions are deleted too.', {
        exact: true,
      }),
    )
    const retentionNote = 'Its audit log entries and built packages are not deleted.'
    await expectShown(confirmation().getByText(retentionNote, { exact: true }))
    const link = confirmation()
      .getByRole('list', { name: 'References' })
      .getByText('SalesOrder', { exact: true })
      .first()
    await expectShown(link)
    await link.click()
    await confirmation().waitFor({ state: 'detached' })
    await expectShown(page.getByRole('article', { name: 'Entity SalesOrder', exact: true }))
  })

  it('deleting an entity turns foreign keys that refer to it into attributes by default', async () => {
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Account'), 'Delete')
    await expectShown(confirmation().getByRole('radio', { checked: true }))
    await press(confirmation(), 'Delete')
    await expectShown(snackbar(page, 'Successfully deleted a entity'))
    await page.getByRole('treeitem', { name: /^Account$/ }).waitFor({ state: 'detached' })
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'SalesOrder')).click()
    await expectShown(entityDocument(page, 'SalesOrder'))
    await page.getByRole('textbox', { name: 'Search type attributes' }).fill('accountId')
    await expect.poll(() => names(page, 'Type attributes')).toContain('accountId')
    // An export rejects dangling references.
    const shop = await apiOf(page).manifestNamed('Shop')
    await send(page, 'POST', `/1.0/cdm/manifest/${shop}/export`, {
      databaseType: 'postgresql',
      exportType: 'DB_STRUCTURE',
    })
  })

  it('the confirmation for a manifest lists which contents are deleted and which remain', async () => {
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Catalogue'), 'Delete')
    const open = question(page, 'Delete Manifest')
    for (const text of [
      'The entities that it owns, its configuration and all versions of these are deleted too.',
      'Its sub-manifests, listed entities of other manifests, audit logs and built packages are not deleted.',
    ])
      await expectShown(open.getByText(text, { exact: true }))
    await press(open, 'Cancel')
  })

  it('the page reports no errors', () => {
    expect(journey.complaints).toEqual([])
  })
})
