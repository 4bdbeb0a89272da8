import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { enterAdministration } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { openDesk, openPage } from './driver/desk.ts'
import { tool, toolDialog } from './driver/document.ts'
import { entityDocument, row, setText } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { namings } from './driver/session.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, downloaded, expectShown, press, question, snackbar } from './driver/widgets.ts'

const desk = await openDesk()
const { page } = desk

describe('Every call of the page', () => {
  it('names an organisation in each call, or that it is one of signing in', holds('M7.1', 'M7.2', 'E7.3'), async () => {
    const calls = namings(page)
    await page.reload()
    const entities = ['Custom', 'Manifests', 'Shop', 'Entities']
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop')).dblclick()
    await expectShown(page.getByRole('article', { name: 'Manifest Shop' }))
    await (await nodeAt(page, ...entities, 'Customer')).dblclick()
    await expectShown(entityDocument(page, 'Customer'))
    await setText(page, 'Entity', 'Description', 'Who buys.')
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    const versions = await toolDialog(page, 'Manage Versions', 'Manage Versions')
    await press(versions, 'Add')
    await expectShown(row(page, 'Versions', '1.0.1'))
    await row(page, 'Versions', '1.0.0').click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Delete/ }).click()
    await row(page, 'Versions', '1.0.0').waitFor({ state: 'detached' })
    await press(versions, 'Cancel')
    await downloaded(page, async () => menu(page, await nodeAt(page, ...entities, 'Customer'), 'Export Entity'))

    const made = calls.map(({ method, path }) => `${method} ${path.replace(/\/\d+(?=\/|$)/, '/{id}')}`)
    expect(made).toEqual(
      expect.arrayContaining([
        'GET /1.0/cdm/entity/{id}',
        'PUT /1.0/cdm/entity/{id}',
        'POST /1.0/cdm/entity/custom/{id}/version',
        'DELETE /1.0/cdm/entity/custom/{id}/version',
        'POST /1.0/cdm/entity/{id}/export',
      ]),
    )
    const wrong = calls.filter(({ path, organisation, signIn }) =>
      path.includes('/sso/') ? signIn !== '1' : organisation !== 'ACME',
    )
    expect(wrong).toEqual([])
    expect(calls.filter(({ elsewhere }) => elsewhere !== undefined)).toEqual([])
    const none: Record<string, string> = {}
    const path = `/1.0/cdm/entity/${await apiOf(page).entityNamed('Customer')}`
    for (const headers of [none, { 'X-Organisation-Code': 'GLOBEX' }]) {
      expect((await page.request.get('/1.0/cdm/manifest', { headers })).status()).toBe(403)
      const data = { entity: { name: 'Renamed' } }
      const ifMatch = { ...headers, 'If-Match': '*' }
      expect((await page.request.put(path, { headers: ifMatch, data })).status()).toBe(403)
      expect((await page.request.delete(path, { headers })).status()).toBe(403)
    }
  })

  it.each([
    ['a member of another organisation', 'Pallet', 'ACME'],
    ['whoever works in none', 'Shelf', undefined],
  ])('%s names in each call the organisation that it is made in', holds('M7.1'), async (_, name, own) => {
    const other = await openPage(desk.browser, desk.console.url)
    await enterAdministration(other.page)
    if (own) {
      await other.page.goto('/org')
      await other.page.getByRole('button', { name: 'Select Acme Trading' }).click()
      // The section that was visited last.
      await expectShown(other.page.getByRole('tree', { name: 'Organisations' }))
    }
    await other.page.goto('/admin?org=GLOBEX')
    const calls = namings(other.page)
    await menu(other.page, await nodeAt(other.page, 'Globex'), 'Create Global Entity')
    const open = dialog(other.page, 'Create Global Entity')
    await open.getByLabel('Name').fill(name)
    await press(open, 'Create')
    await expectShown(entityDocument(other.page, name))
    await setText(other.page, 'Entity', 'Description', 'Where things stand.')
    await keys(other.page, 'Control+s')
    await expectShown(snackbar(other.page, 'Entity saved successfully!'))
    await menu(other.page, await nodeAt(other.page, 'Globex', 'Entities', name), 'Delete')
    await press(question(other.page, 'Delete Entity'), 'Delete')
    await expectShown(snackbar(other.page, 'Successfully deleted a entity'))
    await other.context.close()
    const made = calls.map(({ method, path }) => `${method} ${path.replace(/\d+$/, '{id}')}`)
    for (const change of ['POST /1.0/cdm/admin/entity', 'PUT /1.0/cdm/entity/{id}', 'DELETE /1.0/cdm/entity/{id}'])
      expect(made).toContain(change)
    const sent = calls.filter(({ path }) => !path.includes('/sso/'))
    const whose = own ? { organisation: own } : { signIn: '1' }
    // The list of organisations is of the console, and in none of them.
    const where = (path: string) => (path.startsWith('/1.0/cdm/admin/org') ? {} : { elsewhere: 'GLOBEX' })
    expect(sent).toMatchObject(sent.map(({ path }) => ({ ...whose, ...where(path) })))
    expect(sent.filter(({ organisation }) => organisation !== own)).toEqual([])
  })
})
