import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signInToPicker } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { configure } from './driver/configuration.ts'
import { startJourney, openPage } from './driver/journey.ts'
import { openEntity, openManifest, openMore, record, send, tool } from './driver/document.ts'
import { names, property, row } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { nodeAt } from './driver/tree.ts'
import { expectShown, pick, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const templateId = await createTemplate()
const shownName = property(page, 'Entity', 'Name')

const LOCKED = ['Add Attribute', 'Add Relationship', 'Extend Entity', 'Delete Entity']

/** Lists the disabled commands of the entity toolbar on both tabs. */
async function listDisabledTools(): Promise<string[]> {
  const result: string[] = []
  for (const inner of [/^Type Attributes/, /^Relationships/]) {
    await page.getByRole('tab', { name: inner }).click()
    await page.getByRole('tab', { name: inner, selected: true }).waitFor()
    const buttons = page.getByRole('toolbar', { name: 'Entity' }).locator('button[aria-disabled=true]')
    result.push(...(await buttons.allTextContents()))
    await openMore(page)
    const lines = page.getByRole('menuitem', { disabled: true }).locator('span + span')
    result.push(...(await lines.evaluateAll(all => all.map(one => one.firstChild?.textContent ?? ''))))
    await keys(page, 'Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }
  await page.getByRole('tab', { name: /^Type Attributes/ }).click()
  return [...new Set(result)]
}

const isDisabled = async (button: Pick<Locator, 'getAttribute'>) =>
  (await button.getAttribute('aria-disabled')) === 'true'

/** Looks at a line of the menu opened last, and closes all menus. */
async function isMenuItemEnabled(line: string): Promise<boolean> {
  const menus = page.getByRole('menu')
  const item = menus.last().getByRole('menuitem', { name: new RegExp(`^${line}`) })
  await item.waitFor()
  const usable = !(await isDisabled(item))
  for (let open = await menus.count(); open > 0; open--) await keys(page, 'Escape')
  await menus.first().waitFor({ state: 'detached' })
  return usable
}

async function isSettingsItemEnabled(line: string): Promise<boolean> {
  await tool(page, 'Settings').click()
  await page.getByRole('menu').nth(1).waitFor()
  return isMenuItemEnabled(line)
}

async function isRowDeletable(name: string): Promise<boolean> {
  await row(page, 'Type attributes', name).click({ button: 'right' })
  return isMenuItemEnabled('Delete')
}

/** Lists the editable properties of the entity. */
async function listEditableProperties(): Promise<string[]> {
  const result: string[] = []
  for (const label of ['Name', 'Description', 'Version', 'Extends']) {
    const inputs = property(page, 'Entity', label).locator('input, textarea, [role=combobox]')
    const usable = await inputs.evaluateAll(all =>
      all.some(one => !one.matches('[readonly], :disabled, [aria-disabled=true], [aria-readonly=true]')),
    )
    if (usable) result.push(label)
  }
  return result
}

/** Expects items of the settings menu and the Delete of a row to be enabled or disabled. */
async function expectCommands(attribute: string, enabled: boolean): Promise<void> {
  for (const line of ['Extends Entity', 'Delete Entity'])
    await expect.poll(async () => [line, await isSettingsItemEnabled(line)]).toEqual([line, enabled])
  await expect.poll(() => isRowDeletable(attribute)).toBe(enabled)
}

const readDisabled = (name: string) => tool(page, name).getAttribute('aria-disabled')
const reason = (text: string) => page.getByRole('article').getByText(text, { exact: true })
const showVersion = (version: string) => pick(page, property(page, 'Entity', 'Version'), 'Version', version)

/** Expects every editing command and property to be disabled. */
async function expectLocked(why: string, attribute: string): Promise<void> {
  await expectShown(row(page, 'Type attributes', attribute))
  await expectShown(reason(why))
  await expect.poll(listDisabledTools).toEqual(expect.arrayContaining(['Save', 'Manage Versions', ...LOCKED]))
  await expect.poll(listEditableProperties).toEqual([])
  await expectCommands(attribute, false)
}

/** Expects that a scope of a locked entity can be set and survives a reload. */
async function expectScopesEditable({ id, name }: { id: number; name: string }): Promise<void> {
  await expectShown(page.getByRole('article').getByText('Its scopes can still be set.'))
  const scopes = property(page, 'Entity', 'Select Scopes')
  await scopes.getByRole('combobox').click()
  await page.getByRole('option', { name: 'patterns.read', exact: true }).click()
  await keys(page, 'Escape', 'Control+s')
  await expectShown(snackbar(page, 'Entity saved successfully!'))
  await page.reload()
  await expectShown(scopes.getByText('patterns.read', { exact: true }))
  expect((await api.entityOf(id)).operationScopes).toMatchObject({
    selectOperationScopes: ['patterns.read'],
    insertOperationScopes: [],
  })
  await expectShown(shownName.getByText(name, { exact: true }))
  await expect.poll(() => shownName.getByRole('textbox').count()).toBe(0)
}

/** Drags the row above the second one, then moves it up by keyboard. */
async function moveUp(name: string): Promise<void> {
  await expect.poll(() => names(page, 'Type attributes')).toContain(name)
  const [, second = ''] = await names(page, 'Type attributes')
  const targetPosition = { x: 80, y: 3 }
  await row(page, 'Type attributes', name).dragTo(row(page, 'Type attributes', second), { targetPosition })
  await row(page, 'Type attributes', name).focus()
  await keys(page, 'Alt+ArrowUp')
}

const headers = { 'X-Organisation-Code': 'ACME', 'If-Match': '*' }
const refused = (method: 'PUT' | 'DELETE', path: string, data?: object) =>
  page.request.fetch(path, { method, headers, ...(data ? { data } : {}) }).then(answer => answer.status())

describe('Read-only entities', () => {
  it(
    'an old version is read-only and its rows cannot be moved, while the latest version can be edited',
    holds('E2.76', 'E4.1', 'E4.5', 'E4.6', 'E4.10', 'E4.11', 'E4.14', 'E4.15'),
    async () => {
      const entity = await api.createEntity({ name: 'Aged', typeAttributes: [{ name: 'years' }, { name: 'months' }] })
      await send(page, 'POST', `/1.0/cdm/entity/custom/${entity.id}/version?version=1.1.0`)
      await openEntity(page, entity)
      await expect
        .poll(async () => (await listDisabledTools()).filter(name => name === 'Save' || LOCKED.includes(name)))
        .toEqual(['Save'])
      await expect.poll(listEditableProperties).toEqual(['Name', 'Description', 'Version'])
      await expect.poll(() => readDisabled('Manage Versions')).toBeNull()
      await expectCommands('years', true)
      await moveUp('months')
      await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'months', 'years'])
      await expect.poll(() => readDisabled('Save')).toBeNull()
      await showVersion('1.0.0')
      await expectShown(reason('Only the latest version can be edited.'))
      await moveUp('months')
      await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'years', 'months'])
      await expect.poll(listDisabledTools).toEqual(expect.arrayContaining(['Save', ...LOCKED]))
      await expect.poll(listEditableProperties).toEqual(['Version'])
      await expectCommands('years', false)
      const calls = record(page)
      await keys(page, 'Control+s')
      await showVersion('1.1.0')
      await expect.poll(() => readDisabled('Save')).toBeNull()
      expect(calls.filter(({ method }) => method !== 'GET')).toEqual([])
      await tool(page, 'Discard changes').click()
    },
  )

  it(
    'a template of the organisation is read-only and accepts no versions, but changes to its scopes',
    holds('E4.2', 'E4.7', 'E4.8', 'E4.11', 'E6.7'),
    async () => {
      await openEntity(page, { id: templateId, name: 'Pattern' })
      await expectLocked('A template entity is read-only.', 'code')
      await expectScopesEditable({ id: templateId, name: 'Pattern' })
    },
  )

  it(
    'an entity of the library and its relationships are read-only, but not its scopes',
    holds('E1.7', 'E4.2', 'E4.3', 'E4.4', 'E4.5', 'E4.7', 'E4.8', 'E4.9', 'E4.11', 'E4.12', 'E4.13', 'E6.7', 'M4.10'),
    async () => {
      const contact = { id: await api.entityNamed('Contact', 'DEFAULT'), name: 'Contact' }
      await openEntity(page, contact)
      await expectLocked('Predefined content is read-only.', 'familyName')
      await row(page, 'Type attributes', 'familyName').click()
      await expectShown(property(page, 'Type Attribute', 'Name').getByText('familyName', { exact: true }))
      const inputs =
        ':not([data-property=dependents]) > td :is(input, textarea, button, [role=combobox], [role=checkbox])'
      const attribute = page.getByRole('region', { name: 'Type Attribute', exact: true })
      await expect.poll(() => attribute.locator(inputs).count()).toBe(0)

      await page.getByRole('tab', { name: /^Relationships/ }).click()
      const first = page.getByRole('grid', { name: 'Relationships' }).locator('tbody tr').first()
      await first.getByRole('gridcell').last().click()
      const group = page.getByRole('region', { name: 'Entity Attribute', exact: true })
      await expectShown(group)
      await expect.poll(() => group.locator(inputs).count()).toBe(0)
      await first.click({ button: 'right' })
      await expect.poll(() => isDisabled(page.getByRole('menuitem', { name: /^Delete/ }))).toBe(true)
      await keys(page, 'Escape')
      const [relationship] = (await api.entityOf(contact.id)).entityAttributes
      const associatedEntityId = relationship?.associatedEntity.id
      const own = `/1.0/cdm/entity/${contact.id}`
      const path = `${own}/associatedEntity/${associatedEntityId}?associatedAttributeName=${relationship?.foreignKeyTypeAttribute}`
      const associatedEntityTypeAttribute = relationship?.associatedEntityTypeAttribute
      const foreignKeyAttribute = { typeAttributeName: 'x1' }
      const changed = { associatedEntityId, associatedEntityTypeAttribute, foreignKeyAttribute }
      expect(await refused('DELETE', path)).toBe(403)
      expect(await refused('PUT', path, changed)).toBe(403)
      await page.getByRole('tab', { name: /^Type Attributes/ }).click()
      await expectScopesEditable(contact)
    },
  )

  it('library entities, library templates and the external identity cannot be changed or deleted', async () => {
    for (const name of ['Contact', 'Brand', 'User']) {
      const path = `/1.0/cdm/entity/${await api.entityNamed(name, 'DEFAULT')}`
      expect([name, await refused('DELETE', path)]).toEqual([name, 403])
      expect([name, await refused('PUT', path, { entity: { name: 'Renamed' } })]).toEqual([name, 403])
    }
  })

  it('an entity without a path is read-only like library entities', holds('E3.12'), async () => {
    const { id } = await api.createEntity({ name: 'Placeless', typeAttributes: [{ name: 'status' }] })
    await page.route(new RegExp(`/cdm/entity/${id}(\\?|$)`), async route => {
      const response = await route.fetch()
      const { entity }: { entity: object } = await response.json()
      await route.fulfill({ response, json: { entity: { ...entity, path: '' } } })
    })
    await openEntity(page, { id, name: 'Placeless' })
    await expectShown(reason('Predefined content is read-only.'))
    await expect.poll(listEditableProperties).toEqual([])
    await expect.poll(() => isRowDeletable('status')).toBe(false)
  })
})

describe('Read-only manifests', () => {
  const readAddButtons = async () => [
    await isDisabled(tool(page, 'Manage Entity')),
    await isDisabled(tool(page, 'Add Sub-Manifest')),
  ]
  const drop = async (target: Locator) =>
    (await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Country')).dragTo(target)

  it(
    'a library manifest cannot be exported or deleted and, like an old version of a custom one, accepts no members',
    holds('M4.4', 'M4.5', 'M4.7', 'M4.8', 'M6.6'),
    async () => {
      // Tall enough for the source and the target of a drag to be visible.
      await page.setViewportSize({ width: 1440, height: 1800 })
      const { manifests }: { manifests: { id: number; name: string }[] } = await (
        await page.request.get('/1.0/cdm/manifest?filter=DEFAULT&search=parties', { headers })
      ).json()
      const id = manifests.find(({ name }) => name === 'parties')?.id ?? 0
      const parties = await openManifest(page, id, 'parties')
      const core = page.getByRole('treeitem', { name: 'parties', selected: true })
      await core.click({ button: 'right' })
      await page.getByRole('menuitem', { name: /^Export/ }).click()
      for (const line of ['Database Schema', 'CDM Schema', 'Data Model']) {
        const item = page.getByRole('menuitem', { name: `${line} Predefined manifests cannot be exported.` })
        await expect.poll(() => isDisabled(item)).toBe(true)
      }
      await keys(page, 'Escape', 'Escape')
      await expect.poll(() => readAddButtons()).toEqual([true, true])
      for (const name of ['Delete Manifest', 'Rename', 'Generate Database Schema'])
        await expect.poll(() => isDisabled(tool(page, name))).toBe(true)
      await openMore(page)
      await expectShown(page.getByRole('menu').getByText('Predefined manifests cannot be exported.').first())
      await keys(page, 'Escape')
      await row(page, 'Entities', 'Account').click({ button: 'right' })
      const remove = page.getByRole('menuitem', { name: /^Delete\b.*Predefined content is read-only\./ })
      await expect.poll(() => isDisabled(remove)).toBe(true)
      await keys(page, 'Escape')
      for (const [label, value] of [
        ['Name', 'parties'],
        ['Version', '1.0.0'],
        ['Path', 'predefined/parties/parties'],
      ] as const) {
        await expectShown(property(page, 'Manifest', label).getByText(value, { exact: true }))
        const inputs = property(page, 'Manifest', label).locator('input, textarea, [role=combobox]')
        await expect.poll(() => inputs.count()).toBe(0)
      }
      expect(await refused('DELETE', `/1.0/cdm/manifest/${id}`)).toBe(403)
      const calls = record(page)
      const changes = () => calls.filter(({ method }) => method !== 'GET').map(({ url }) => new URL(url).pathname)
      await drop(parties)

      const harbour = await api.createManifest('Harbour')
      await send(page, 'POST', `/1.0/cdm/manifest/${harbour}/version?version=2.0.0`)
      const document = await openManifest(page, harbour, 'Harbour')
      await pick(page, property(page, 'Manifest', 'Version'), 'Version', '1.0.0')
      await expectShown(document.getByText('Only the latest version can be edited.'))
      await expect.poll(() => readAddButtons()).toEqual([true, true])
      await pick(page, property(page, 'Manifest', 'Version'), 'Version', '2.0.0')
      await expect.poll(() => readAddButtons()).toEqual([false, false])
      await drop(document)
      // Of the two drops, only the second one adds the entity.
      await expect.poll(() => row(page, 'Entities', 'Country').count()).toBe(1)
      expect(changes()).toEqual([`/1.0/cdm/manifest/${harbour}/entities`])
    },
  )
})

/** Creates a manifest with scopes, a template of the organisation and library entities; returns the id of the template. */
async function createTemplate(): Promise<number> {
  const manifest = await api.createManifest('Patterns')
  await configure(page, manifest, {
    apiConfiguration: { type: ['REST'], security: 'OAUTH2' },
    apiScopeConfiguration: { enableRbac: true, scopeDefinitions: ['patterns.read', 'patterns.write'] },
  })
  const admin = await openPage(journey.browser, journey.console.url)
  await signInToPicker(admin.page, 'admin')
  const template = {
    entity: { name: 'Pattern', typeAttributes: [{ name: 'code' }] },
    type: 'TEMPLATE',
    targetManifestId: manifest,
  }
  await send(admin.page, 'POST', '/1.0/cdm/admin/entity', { ...template, org: 'ACME' })
  const entityIds = [await api.entityNamed('Contact', 'DEFAULT')]
  await send(admin.page, 'POST', `/1.0/cdm/manifest/${manifest}/entities`, { entityIds, type: 'TEMPLATE' })
  await admin.context.close()
  return api.entityNamed('Pattern')
}
