import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { arrive } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { configure } from './driver/configuration.ts'
import { openDesk, openPage, shoot } from './driver/desk.ts'
import { openEntity, send, tool } from './driver/document.ts'
import { names, property, row } from './driver/entity.ts'
import { keys } from './driver/keyboard.ts'
import { expectShown, pick, snackbar } from './driver/widgets.ts'

const desk = await openDesk()
const { page } = desk
const api = apiOf(page)
const pattern = await patternsWithScopes()
const shownName = property(page, 'Entity', 'Name')

/** Above the row that follows the key, with the mouse and then with the keyboard. */
async function moveUp(name: string): Promise<void> {
  const [, second = ''] = await names(page, 'Type attributes')
  const targetPosition = { x: 80, y: 3 }
  await row(page, 'Type attributes', name).dragTo(row(page, 'Type attributes', second), { targetPosition })
  await row(page, 'Type attributes', name).focus()
  await keys(page, 'Alt+ArrowUp')
}

describe('What is locked', () => {
  it('in an old version no row is moved, by mouse or by keyboard; in the latest each is', holds('E2.76'), async () => {
    const entity = await api.createEntity({ name: 'Aged', typeAttributes: [{ name: 'years' }, { name: 'months' }] })
    await openEntity(page, entity)
    await moveUp('months')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'months', 'years'])
    await tool(page, 'Discard changes').click()
    await send(page, 'POST', `/1.0/cdm/entity/custom/${entity.id}/version?version=1.1.0`)
    await openEntity(page, entity)
    await pick(page, property(page, 'Entity', 'Version'), 'Version', '1.0.0')
    await expectShown(page.getByRole('article').getByText('Only the latest version can be edited.'))
    await moveUp('months')
    expect(await names(page, 'Type attributes')).toEqual(['id', 'years', 'months'])
    expect(await tool(page, 'Save').getAttribute('aria-disabled')).toBe('true')
  })

  it.each([
    ['a template of their own', 'Pattern'],
    ['an entity of the library', 'Contact'],
    ['a template of the library', 'Brand'],
  ])('%s: its scopes are ticked and saved all the same, and stay', holds('E4.7'), async (kind, name) => {
    const id = kind.endsWith('own') ? pattern : await api.entityNamed(name, 'DEFAULT')
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
    expect(await shownName.getByRole('textbox').count()).toBe(0)
    await shoot(page, `locked-scopes-${name}`)
  })
})

/** A manifest with scopes, to which an administrator gives a template of its own and entities of the library; answers the template's id. */
async function patternsWithScopes(): Promise<number> {
  const manifest = await api.createManifest('Patterns')
  await configure(page, manifest, {
    apiConfiguration: { type: ['REST'], security: 'OAUTH2' },
    apiScopeConfiguration: { enableRbac: true, scopeDefinitions: ['patterns.read', 'patterns.write'] },
  })
  const admin = await openPage(desk.browser, desk.console.url)
  await arrive(admin.page, 'admin')
  const template = { entity: { name: 'Pattern' }, type: 'TEMPLATE', targetManifestId: manifest }
  await send(admin.page, 'POST', '/1.0/cdm/admin/entity', { ...template, org: 'ACME' })
  const entityIds = [await api.entityNamed('Contact', 'DEFAULT'), await api.entityNamed('Brand', 'DEFAULT')]
  await send(admin.page, 'POST', `/1.0/cdm/manifest/${manifest}/entities`, { entityIds, type: 'TEMPLATE' })
  await admin.context.close()
  return api.entityNamed('Pattern')
}
