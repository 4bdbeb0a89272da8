import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { signInToPicker } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { configure } from './driver/configuration.ts'
import { startJourney, openPage, saveScreenshot } from './driver/journey.ts'
import { navigate, openEntity, openManifest, record, send, tool } from './driver/document.ts'
import { manifestDocument, names, property, row, setText } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { menuLines, nodeAt } from './driver/tree.ts'
import { expectShown, pick, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
const templateId = await createTemplate()
const shownName = property(page, 'Entity', 'Name')

const LOCKED = ['Add Attribute', 'Add Relationship', 'Extend Entity', 'Delete Entity']

/** Lists the disabled buttons of the entity toolbar on both tabs. */
async function listDisabledTools(): Promise<string[]> {
  const result: string[] = []
  for (const inner of [/^Type Attributes/, /^Relationships/]) {
    await page.getByRole('tab', { name: inner }).click()
    const buttons = page.getByRole('toolbar', { name: 'Entity' }).locator('button[aria-disabled=true]')
    result.push(...(await buttons.evaluateAll(all => all.map(one => one.getAttribute('aria-label') ?? ''))))
  }
  await page.getByRole('tab', { name: /^Type Attributes/ }).click()
  return [...new Set(result)]
}

async function isMenuItemEnabled(line: string): Promise<boolean> {
  const item = page.getByRole('menuitem', { name: new RegExp(`^${line}`) })
  await item.waitFor()
  const usable = (await item.getAttribute('aria-disabled')) !== 'true'
  await keys(page, 'Escape')
  return usable
}

async function isSettingsItemEnabled(line: string): Promise<boolean> {
  await tool(page, 'Settings').click()
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

const readDisabled = (name: string) => tool(page, name).getAttribute('aria-disabled')
const reason = (text: string) => page.getByRole('article').getByText(text, { exact: true })
const showVersion = (version: string) => pick(page, property(page, 'Entity', 'Version'), 'Version', version)

describe('Read-only entities', () => {
  it(
    'an old version is read-only, while the latest version can be edited',
    holds('E4.1', 'E4.5', 'E4.6', 'E4.10', 'E4.11', 'E4.14', 'E4.15'),
    async () => {
      const entity = await api.createEntity({
        name: 'Aged',
        typeAttributes: [{ name: 'years', dataType: 'integer' }],
      })
      await openEntity(page, entity)
      const disabled = await listDisabledTools()
      expect(LOCKED.filter(name => disabled.includes(name))).toEqual([])
      expect(disabled).toContain('Save')
      expect(await listEditableProperties()).toEqual(['Name', 'Description'])
      expect([await isSettingsItemEnabled('Extends Entity'), await isSettingsItemEnabled('Delete Entity')]).toEqual([
        true,
        true,
      ])
      expect([await readDisabled('Manage Versions'), await isRowDeletable('years')]).toEqual([null, true])
      await send(page, 'POST', `/1.0/cdm/entity/custom/${entity.id}/version?version=1.1.0`)
      await openEntity(page, entity)
      expect(await listEditableProperties()).toEqual(['Name', 'Description', 'Version'])
      const latest = await listDisabledTools()
      expect(LOCKED.filter(name => latest.includes(name))).toEqual([])
      await setText(page, 'Entity', 'Description', 'Unsaved')
      await expect.poll(() => readDisabled('Save')).toBeNull()
      await showVersion('1.0.0')
      await expectShown(reason('Only the latest version can be edited.'))
      expect(await listDisabledTools()).toEqual(expect.arrayContaining(['Save', ...LOCKED]))
      expect(await listEditableProperties()).toEqual(['Version'])
      expect([await isSettingsItemEnabled('Extends Entity'), await isSettingsItemEnabled('Delete Entity')]).toEqual([
        false,
        false,
      ])
      expect(await isRowDeletable('years')).toBe(false)
      await saveScreenshot(page, 'locked-old-version')
      const calls = record(page)
      await keys(page, 'Control+s')
      await showVersion('1.1.0')
      await expect.poll(() => readDisabled('Save')).toBeNull()
      expect(calls.filter(({ method }) => method === 'PUT')).toEqual([])

      // Entities of these types with versions and unsaved edits do not occur in the demo data.
      for (const [type, why] of [
        ['TEMPLATE', 'A template entity is read-only.'],
        ['CADMUS', 'An external-identity entity is read-only.'],
      ] as const) {
        await page.route(`**/1.0/cdm/entity/${entity.id}*`, async route => {
          const response = await route.fetch()
          const answer = await response.json()
          await route.fulfill({ response, json: { ...answer, entity: { ...answer.entity, type } } })
        })
        await page.reload()
        await expectShown(reason(why))
        await expectShown(page.getByText(/^Restored draft/))
        expect(await listDisabledTools()).toEqual(expect.arrayContaining(['Save', 'Manage Versions', ...LOCKED]))
        expect(await listEditableProperties()).toEqual([])
        await page.unrouteAll()
      }
    },
  )

  it(
    'a template of the organisation is read-only and accepts no versions',
    holds('E4.2', 'E4.8', 'E4.11', 'E6.7'),
    async () => {
      const admin = await openPage(journey.browser, journey.console.url)
      await signInToPicker(admin.page, 'admin')
      const entity = { name: 'OwnPattern', typeAttributes: [{ name: 'code' }] }
      await send(admin.page, 'POST', '/1.0/cdm/admin/entity', { org: 'ACME', entity, type: 'TEMPLATE' })
      await admin.context.close()
      const id = await api.entityNamed('OwnPattern')
      const refused = await page.request.put(`/1.0/cdm/entity/${id}`, {
        headers: { 'X-Organisation-Code': 'ACME', 'If-Match': '*' },
        data: { entity: { name: 'Renamed' } },
      })
      expect([refused.status(), await refused.json()]).toMatchObject([
        403,
        { message: 'A template entity is read-only.' },
      ])
      await openEntity(page, { id, name: 'OwnPattern' })
      await expectShown(reason('A template entity is read-only.'))
      expect(await listDisabledTools()).toEqual(expect.arrayContaining(['Save', 'Manage Versions', ...LOCKED]))
      expect(await listEditableProperties()).toEqual([])
      expect([await isSettingsItemEnabled('Extends Entity'), await isSettingsItemEnabled('Delete Entity')]).toEqual([
        false,
        false,
      ])
      expect(await isRowDeletable('code')).toBe(false)
    },
  )

  it.each([
    ['an entity of the library', 'Contact', 'familyName'],
    ['a template of the library', 'Brand', 'brandCode'],
    ['the external identity', 'User', 'email'],
  ])(
    '%s is read-only',
    holds('E1.7', 'E4.2', 'E4.3', 'E4.4', 'E4.5', 'E4.8', 'E4.9', 'E4.11', 'E4.12', 'E4.13', 'E6.7', 'M4.10'),
    async (_, name, attribute) => {
      await openEntity(page, { id: await api.entityNamed(name, 'DEFAULT'), name })
      await expectShown(row(page, 'Type attributes', attribute))
      await expectShown(reason('Predefined content is read-only.'))
      expect(await listDisabledTools()).toEqual(expect.arrayContaining(['Save', 'Manage Versions', ...LOCKED]))
      expect(await listEditableProperties()).toEqual([])
      expect([await isSettingsItemEnabled('Extends Entity'), await isSettingsItemEnabled('Delete Entity')]).toEqual([
        false,
        false,
      ])
      expect(await isRowDeletable(attribute)).toBe(false)
      await row(page, 'Type attributes', attribute).click()
      await expectShown(property(page, 'Type Attribute', 'Name').getByText(attribute, { exact: true }))
      const group = page.getByRole('region', { name: 'Type Attribute', exact: true })
      await expect
        .poll(() => group.locator('input, textarea, button, [role=combobox], [role=checkbox]').count())
        .toBe(0)
      const id = await api.entityNamed(name, 'DEFAULT')
      const headers = { 'X-Organisation-Code': 'ACME', 'If-Match': '*' }
      expect((await page.request.delete(`/1.0/cdm/entity/${id}`, { headers })).status()).toBe(403)
      const data = { entity: { name: 'Renamed' } }
      expect((await page.request.put(`/1.0/cdm/entity/${id}`, { headers, data })).status()).toBe(403)
      await saveScreenshot(page, `locked-${name}`)
    },
  )

  it('relationships of a library entity are read-only', holds('E4.13'), async () => {
    const id = await api.entityNamed('Contact', 'DEFAULT')
    await navigate(page, `/?entity=${id}`)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const first = page.getByRole('grid', { name: 'Relationships' }).locator('tbody tr').first()
    await first.getByRole('gridcell').last().click()
    const group = page.getByRole('region', { name: 'Entity Attribute', exact: true })
    await expectShown(group)
    await expect.poll(() => group.locator('input, textarea, button, [role=combobox], [role=checkbox]').count()).toBe(0)
    await first.click({ button: 'right' })
    expect(await isMenuItemEnabled('Delete')).toBe(false)
    const [relationship] = (await api.entityOf(id)).entityAttributes
    const associatedEntityId = relationship?.associatedEntity.id
    const name = relationship?.foreignKeyTypeAttribute
    const path = `/1.0/cdm/entity/${id}/associatedEntity/${associatedEntityId}?associatedAttributeName=${name}`
    const headers = { 'X-Organisation-Code': 'ACME', 'If-Match': '*' }
    expect((await page.request.delete(path, { headers })).status()).toBe(403)
    const associatedEntityTypeAttribute = relationship?.associatedEntityTypeAttribute
    const data = { associatedEntityId, associatedEntityTypeAttribute, foreignKeyAttribute: { typeAttributeName: 'x1' } }
    expect((await page.request.put(path, { headers, data })).status()).toBe(403)
  })

  it('an entity without a path is read-only like library entities', holds('E3.12'), async () => {
    const { id } = await api.createEntity({ name: 'Placeless', typeAttributes: [{ name: 'status' }] })
    await page.route(new RegExp(`/cdm/entity/${id}(\\?|$)`), async route => {
      const response = await route.fetch()
      const { entity }: { entity: object } = await response.json()
      await route.fulfill({ response, json: { entity: { ...entity, path: '' } } })
    })
    await openEntity(page, { id, name: 'Placeless' })
    await expectShown(page.getByRole('article').getByText('Predefined content is read-only.', { exact: true }))
    expect(await listDisabledTools()).toEqual(expect.arrayContaining(['Save', 'Manage Versions', ...LOCKED]))
    expect(await listEditableProperties()).toEqual([])
    expect(await isRowDeletable('status')).toBe(false)
    await saveScreenshot(page, 'locked-without-path')
  })

  it(
    'inherited attributes of all ancestors are read-only and exclude overridden names, ignoring case',
    holds('E2.95', 'E2.96', 'E2.97'),
    async () => {
      const grand = await api.createEntity({ name: 'Grand', typeAttributes: [{ name: 'zz' }, { name: 'AA' }] })
      const middle = await api.createEntity({
        name: 'Middle',
        extendsEntity: { id: grand.id },
        typeAttributes: [{ name: 'bb' }],
      })
      const leaf = await api.createEntity({
        name: 'Leaf',
        extendsEntity: { id: middle.id },
        typeAttributes: [{ name: 'Aa' }],
      })
      await openEntity(page, leaf)
      await page.getByRole('tab', { name: 'Extended Attributes' }).click()
      await expectShown(page.getByText('All type attributes from Middle entity', { exact: true }))
      // The primary key is inherited.
      await expect.poll(() => names(page, 'Extended attributes')).toEqual(['id', 'zz', 'bb'])
      await expect.poll(() => tool(page, 'Add Attribute').count()).toBe(0)
      await row(page, 'Extended attributes', 'bb').click({ button: 'right' })
      await expect.poll(() => menuLines(page)).toEqual(['Open Middle', 'Open Beside'])
      await page.keyboard.press('Escape')
      await expect.poll(() => row(page, 'Extended attributes', 'bb').getAttribute('aria-keyshortcuts')).toBeNull()
      await expect.poll(() => property(page, 'Type Attribute', 'Name').count()).toBe(0)
    },
  )

  it('a core manifest cannot be exported from the tree or its document', holds('M6.6'), async () => {
    const core = await nodeAt(page, 'Standard', 'Manifests', 'parties', 'parties')
    await core.click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Export/ }).click()
    for (const line of ['Database Schema', 'CDM Schema', 'Data Model']) {
      const item = page.getByRole('menuitem', { name: `${line} Predefined manifests cannot be exported.` })
      await expectShown(item)
      await expect.poll(() => item.getAttribute('aria-disabled')).toBe('true')
    }
    await saveScreenshot(page, 'locked-core-manifest')
    await keys(page, 'Escape', 'Escape')
    await core.dblclick()
    await expectShown(manifestDocument(page, 'parties'))
    const button = tool(page, 'Generate Database Schema')
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
    await button.hover()
    await expectShown(page.getByText('Predefined manifests cannot be exported.').first())
    await expect.poll(() => tool(page, 'Manage Entity').getAttribute('aria-disabled')).toBe('true')
  })
})

/** Drags the row above the second one, then moves it up by keyboard. */
async function moveUp(name: string): Promise<void> {
  const [, second = ''] = await names(page, 'Type attributes')
  const targetPosition = { x: 80, y: 3 }
  await row(page, 'Type attributes', name).dragTo(row(page, 'Type attributes', second), { targetPosition })
  await row(page, 'Type attributes', name).focus()
  await keys(page, 'Alt+ArrowUp')
}

describe('Rows and scopes of read-only entities', () => {
  it('rows of an old version cannot be moved by mouse or keyboard', holds('E2.76'), async () => {
    const entity = await api.createEntity({ name: 'AgedRows', typeAttributes: [{ name: 'years' }, { name: 'months' }] })
    await openEntity(page, entity)
    await moveUp('months')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'months', 'years'])
    await tool(page, 'Discard changes').click()
    await send(page, 'POST', `/1.0/cdm/entity/custom/${entity.id}/version?version=1.1.0`)
    await openEntity(page, entity)
    await pick(page, property(page, 'Entity', 'Version'), 'Version', '1.0.0')
    await expectShown(page.getByRole('article').getByText('Only the latest version can be edited.'))
    await moveUp('months')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'years', 'months'])
    await expect.poll(() => tool(page, 'Save').getAttribute('aria-disabled')).toBe('true')
  })

  it.each([
    ['a template of their own', 'Pattern'],
    ['an entity of the library', 'Contact'],
    ['a template of the library', 'Brand'],
  ])('%s accepts changes to its scopes', holds('E4.7'), async (kind, name) => {
    const id = kind.endsWith('own') ? templateId : await api.entityNamed(name, 'DEFAULT')
    await openEntity(page, { id, name })
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
    await saveScreenshot(page, `locked-scopes-${name}`)
  })
})

describe('Read-only manifests', () => {
  let harbour: number

  beforeAll(async () => {
    // Tall enough for the source and the target of a drag to be visible.
    await page.setViewportSize({ width: 1440, height: 1800 })
    harbour = await api.createManifest('Harbour')
  })

  const isDisabled = async (button: Locator) => (await button.getAttribute('aria-disabled')) === 'true'
  const readAddButtons = async () => [
    await isDisabled(tool(page, 'Manage Entity')),
    await isDisabled(tool(page, 'Add Sub-Manifest')),
  ]
  /** Drops an entity on `target` and lists the paths of the requests it causes. */
  const drop = async (target: Locator) => {
    const calls = record(page)
    await (await nodeAt(page, 'Custom', 'Manifests', 'Shop', 'Entities', 'Country')).dragTo(target)
    await page.waitForTimeout(300)
    return calls.filter(call => call.method !== 'GET').map(call => new URL(call.url).pathname)
  }

  it('an old version accepts no entities or sub-manifests', holds('M4.4'), async () => {
    await send(page, 'POST', `/1.0/cdm/manifest/${harbour}/version?version=2.0.0`)
    await openManifest(page, harbour, 'Harbour')
    await expect.poll(() => readAddButtons()).toEqual([false, false])
    const document = manifestDocument(page, 'Harbour')
    expect(await drop(document)).toEqual([`/1.0/cdm/manifest/${harbour}/entities`])
    await pick(page, property(page, 'Manifest', 'Version'), 'Version', '1.0.0')
    await expectShown(document.getByText('Only the latest version can be edited.'))
    await expect.poll(() => readAddButtons()).toEqual([true, true])
    expect(await drop(document)).toEqual([])
  })

  it('a library manifest accepts no members and cannot be deleted', holds('M4.5', 'M4.7', 'M4.8'), async () => {
    await (await nodeAt(page, 'Standard', 'Manifests', 'parties', 'parties')).dblclick()
    await expectShown(manifestDocument(page, 'parties'))
    await expect.poll(() => readAddButtons()).toEqual([true, true])
    for (const name of ['Delete Manifest', 'Rename']) await expect.poll(() => isDisabled(tool(page, name))).toBe(true)
    await row(page, 'Entities', 'Account').click({ button: 'right' })
    const remove = page.getByRole('menuitem', { name: /^Delete\b.*Predefined content is read-only\./ })
    await expectShown(remove)
    await expect.poll(() => isDisabled(remove)).toBe(true)
    await keys(page, 'Escape')
    for (const [label, value] of [
      ['Name', 'parties'],
      ['Version', '1.0.0'],
      ['Path', 'predefined/parties/parties'],
    ] as const) {
      await expectShown(property(page, 'Manifest', label).getByText(value, { exact: true }))
      await expect
        .poll(() => property(page, 'Manifest', label).locator('input, textarea, [role=combobox]').count())
        .toBe(0)
    }
    expect(await drop(await nodeAt(page, 'Standard', 'Manifests', 'parties', 'parties'))).toEqual([])
    expect(await drop(manifestDocument(page, 'parties'))).toEqual([])
    const id = new URL(page.url()).searchParams.get('manifest') ?? ''
    const headers = { 'X-Organisation-Code': 'ACME', 'If-Match': '*' }
    expect((await page.request.delete(`/1.0/cdm/manifest/${id}`, { headers })).status()).toBe(403)
  })
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
  const template = { entity: { name: 'Pattern' }, type: 'TEMPLATE', targetManifestId: manifest }
  await send(admin.page, 'POST', '/1.0/cdm/admin/entity', { ...template, org: 'ACME' })
  const entityIds = [await api.entityNamed('Contact', 'DEFAULT'), await api.entityNamed('Brand', 'DEFAULT')]
  await send(admin.page, 'POST', `/1.0/cdm/manifest/${manifest}/entities`, { entityIds, type: 'TEMPLATE' })
  await admin.context.close()
  return api.entityNamed('Pattern')
}
