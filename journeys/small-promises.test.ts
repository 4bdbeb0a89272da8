import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { openEntity, record, refuse, tool } from './driver/document.ts'
import { entityDocument, property, row, setText, tab } from './driver/entity.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { expectClean } from './driver/sight.ts'
import { menu, menuLines, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, find, press, question, snackbar } from './driver/widgets.ts'

const desk = await openDesk()
const { page } = desk
await desk.context.grantPermissions(['clipboard-read', 'clipboard-write'])

describe('The tree', () => {
  it('the workspaces have menus too: what is new and what is imported, and the library', holds('E2.8'), async () => {
    await (await nodeAt(page, 'Custom')).click({ button: 'right' })
    expect(await menuLines(page)).toEqual(['New Manifest', 'New Entity', 'Refresh', 'Import'])
    await page.getByRole('menuitem', { name: 'New Entity' }).click()
    await press(dialog(page, 'Create Entity'), 'Cancel')
    const custom = await nodeAt(page, 'Custom')
    await custom.focus()
    await keys(page, 'Shift+F10')
    await expectShown(page.getByRole('menuitem', { name: 'New Manifest' }))
    await keys(page, 'Escape')
    await expect.poll(() => hasFocus(custom)).toBe(true)
    const asked = record(page)
    await menu(page, custom, 'Refresh')
    await expect.poll(() => asked.some(({ url }) => url.includes('/manifest'))).toBe(true)
    await menu(page, await nodeAt(page, 'Standard'), 'Open CDM Library')
    await expectShown(page.getByRole('tree', { name: 'CDM Library' }))
    await page.getByRole('button', { name: 'Project Navigator' }).click()
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
  })

  it("deleting a manifest closes its tab and its entities', not those of others", holds('M4.16'), async () => {
    const api = apiOf(page)
    const gone = await api.createManifest('Doomed')
    const first = await api.createEntity({ name: 'FirstGone' }, gone)
    const second = await api.createEntity({ name: 'SecondGone' }, gone)
    const free = await api.createEntity({ name: 'Staying' })
    await page.goto(`/?manifest=${gone}`)
    await expectShown(tab(page, 'Doomed'))
    for (const { id, name } of [first, second, free]) {
      await nodeAt(page, 'Custom')
      await page.goto(`/?entity=${id}`)
      await expectShown(entityDocument(page, name))
    }
    for (const name of ['Doomed', 'FirstGone', 'SecondGone', 'Staying']) await expectShown(tab(page, name))
    await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Doomed'), 'Delete')
    await press(question(page, 'Delete Manifest'), 'Delete')
    for (const name of ['FirstGone', 'SecondGone', 'Doomed']) await tab(page, name).waitFor({ state: 'detached' })
    await expectShown(tab(page, 'Staying'))
    await expectShown(entityDocument(page, 'Staying'))
  })

  it(
    "'Workspace is not loaded yet.' where a new entity is wanted before the navigator has answered",
    holds('E8.10'),
    async () => {
      const held = Promise.withResolvers<void>()
      await page.route('**/1.0/cdm/manifest?*', async route => {
        await held.promise
        await route.continue()
      })
      await page.reload()
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByRole('menuitem', { name: /^Entity/ }).click()
      await expectShown(snackbar(page, 'Workspace is not loaded yet.'))
      held.resolve()
      await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Shop'))
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByRole('menuitem', { name: /^Entity/ }).click()
      await press(dialog(page, 'Create Entity'), 'Cancel')
    },
  )
})

describe('A document', () => {
  it("'Unexpected error' is told aloud where it cannot be loaded and nobody says why", holds('M8.34'), async () => {
    const { id } = await apiOf(page).createEntity({ name: 'Silent' })
    await refuse(page, 'GET', new RegExp(`/1.0/cdm/entity/${id}`))
    await page.goto(`/?entity=${id}`)
    await expectShown(snackbar(page, 'Unexpected error'))
    await expectShown(page.getByRole('main').getByRole('alert').getByText('Unexpected error', { exact: true }))
  })

  it(
    'scopes that are pasted as a text are split on commas, trimmed, and empty ones dropped',
    holds('E4.23'),
    async () => {
      const { id } = await apiOf(page).createEntity({ name: 'Pasted' })
      await openEntity(page, { id, name: 'Pasted' })
      const scopes = property(page, 'Entity', 'Select Scopes').getByRole('combobox')
      await page.evaluate(() => navigator.clipboard.writeText(' a, ,b ,'))
      await scopes.focus()
      await keys(page, 'Control+v')
      await expect.poll(() => scopes.textContent()).toBe('ab')
      const saved = record(page)
      await tool(page, 'Save').click()
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      const body: unknown = JSON.parse(saved.find(({ method }) => method === 'PUT')?.body ?? '{}')
      expect(body).toMatchObject({ entity: { operationScopes: { selectOperationScopes: ['a', 'b'] } } })
    },
  )
})

describe('An entity in the panel', () => {
  it(
    'is called by its new name in its tab, the tree and its path, its key by its new one; a length is a number',
    holds('E3.35', 'E4.19', 'E4.20', 'E4.21', 'E4.22'),
    async () => {
      const firm = await apiOf(page).createManifest('Firm')
      const typeAttributes = [{ name: 'note' }]
      const { id } = await apiOf(page).createEntity({ name: 'Regular', typeAttributes }, firm)
      await openEntity(page, { id, name: 'Regular' })
      await setText(page, 'Entity', 'Name', 'Client')
      await row(page, 'Type attributes', 'note').click()
      await setText(page, 'Type Attribute', 'Max Length', '080')
      await property(page, 'Type Attribute', 'Nullable').getByRole('checkbox').click()
      await row(page, 'Type attributes', 'id').click()
      await setText(page, 'Type Attribute', 'Name', 'clientId')
      const sent = page.waitForRequest(request => request.method() === 'PUT')
      await tool(page, 'Save').click()
      expect((await sent).postDataJSON()).toMatchObject({
        entity: { typeAttributes: [{ isNullable: false }, { isNullable: true }] },
      })
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      await expectShown(entityDocument(page, 'Client'))
      await expectShown(tab(page, 'Client'))
      await expectShown(await nodeAt(page, 'Custom', 'Manifests', 'Firm', 'Entities', 'Client'))
      await expectShown(property(page, 'Entity', 'Path').getByText('user-defined/Firm/Client', { exact: true }))
      expect(await apiOf(page).entityOf(id)).toMatchObject({
        name: 'Client',
        path: 'user-defined/Firm/Client',
        primaryKey: 'clientId',
        typeAttributes: [{ name: 'clientId' }, { name: 'note', maxLength: 80, nullable: true }],
      })
    },
  )
})

describe('A relationship in the panel', () => {
  async function chosen(name: string) {
    const api = apiOf(page)
    const target = await api.createEntity({ name: `${name}Target` })
    const entity = await api.createEntity({ name })
    await api.relate(entity.id, target, 'targetId')
    await openEntity(page, entity)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await row(page, 'Relationships', 'targetId').click()
    return entity
  }

  it(
    "an emptied associated entity says 'Required', and nothing is saved until another is picked",
    holds('E5.30'),
    async () => {
      const entity = await chosen('Emptied')
      const field = property(page, 'Entity Attribute', 'Associated Entity')
      const value = field.getByRole('combobox')
      const asked = record(page)
      await field.getByRole('button', { name: 'Clear Associated Entity' }).click()
      await expectShown(field.getByRole('alert').getByText('Required', { exact: true }))
      await expect.poll(() => value.getAttribute('aria-invalid')).toBe('true')
      expect(await hasFocus(value)).toBe(true)
      await expectClean(page, 'promises-required')
      await page.waitForTimeout(500)
      expect(asked.filter(({ method }) => method !== 'GET')).toEqual([])
      await apiOf(page).createEntity({ name: 'AnotherTarget' })
      await find(page, field, 'Associated Entity', 'AnotherTarget')
      await expectShown(snackbar(page, 'Successfully updated entity attribute.'))
      await expect.poll(() => value.getAttribute('aria-invalid')).toBe(null)
      await value.focus()
      await keys(page, 'Delete')
      await expect.poll(() => value.getAttribute('aria-invalid')).toBe('true')
      await page.goto(`/?entity=${entity.id}`)
      await expectShown(entityDocument(page, 'Emptied'))
      await page.getByRole('tab', { name: /^Relationships/ }).click()
      await expectShown(row(page, 'Relationships', 'targetId').getByText('AnotherTarget'))
    },
  )

  it('a trait is picked from a long list of names that is searched', holds('E3.73'), async () => {
    await chosen('Traited')
    const field = property(page, 'Entity Attribute', 'Trait Reference')
    await expect.poll(() => field.getByRole('combobox').textContent()).toMatch(/^is\.identifiedBy/)
    for (const beginning of ['is.', 'means.']) {
      await field.getByRole('combobox').click()
      await page.getByRole('combobox', { name: 'Search Trait Reference' }).fill(beginning)
      const options = page.getByRole('option')
      await expect.poll(async () => (await options.first().textContent()) ?? '').toMatch(new RegExp(`^${beginning}`))
      expect(await options.count()).toBeGreaterThanOrEqual(20)
      await keys(page, 'Escape')
    }
    await find(page, field, 'Trait Reference', 'means.location.city')
    await expectShown(snackbar(page, 'Successfully updated entity attribute.'))
    await page.reload()
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await row(page, 'Relationships', 'targetId').click()
    await expectShown(field.getByText('means.location.city', { exact: true }))
    expect(desk.complaints).toEqual([])
  })
})
