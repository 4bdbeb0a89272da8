import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import {
  configuration,
  configurationTool,
  configure,
  openConfiguration,
  partTab,
  problemBelow,
  save,
  showPart,
  stored,
} from './driver/configuration.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { expectShown, snackbar } from './driver/widgets.ts'

let count = 0

const journey = await startJourney()
const { page } = journey

type Scopes = { enableRbac?: boolean; scopeDefinitions?: string[]; globalScopes?: string[] }

/** Opens the scopes of a new manifest whose API requires authentication. */
async function openNewManifest(
  apiScopeConfiguration: Scopes = { enableRbac: true },
): Promise<{ id: number; name: string }> {
  const name = `Scoped_${++count}`
  const id = await apiOf(page).createManifest(name)
  const apiConfiguration = { type: ['REST'], security: 'OAUTH2' }
  await configure(page, id, { apiConfiguration, apiScopeConfiguration })
  await openConfiguration(page, id, name, 'API Scopes')
  return { id, name }
}

const check = (name: string) => page.getByRole('checkbox', { name, exact: true })
const input = () => page.getByRole('textbox', { name: 'Scope Definitions' })
const provider = () => page.getByRole('combobox', { name: 'Identity Provider' })
const globals = () => page.getByRole('combobox', { name: 'Global Scopes' })
const removal = (scope: string) => page.getByRole('button', { name: `Remove ${scope}`, exact: true })
const chips = async () =>
  (await page.getByRole('button', { name: /^Remove / }).evaluateAll(all => all.map(one => one.ariaLabel ?? ''))).map(
    label => label.replace('Remove ', ''),
  )

/** Enters a scope and confirms it with the key. */
async function enterScope(text: string, key: string): Promise<void> {
  await input().fill(text)
  await input().press(key)
}

describe('Many scopes', () => {
  it('show three chips and the number of the others, with full names as tooltips', async () => {
    const long = `orders.${'read.'.repeat(30)}all`
    const scopes = [long, 'orders.write', 'stock.read', 'stock.write', 'report.read']
    await openNewManifest({ enableRbac: true, scopeDefinitions: scopes, globalScopes: scopes })
    const chosen = globals()
    await expectShown(chosen.getByTitle(long, { exact: true }))
    await expectShown(chosen.getByText('+2 more', { exact: true }))
    await expect.poll(() => chosen.getByText('+2 more').getAttribute('title')).toBe('stock.write\nreport.read')
    await expectShown(input().locator('..').getByTitle(long, { exact: true }))
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      for (const field of [chosen, input().locator('..')])
        await expect.poll(() => field.evaluate(box => box.scrollWidth - box.clientWidth)).toBe(0)
      await saveScreenshot(page, `configuration-scopes-many-${width}`)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

describe('API Scopes', () => {
  it('are enabled only if an API requires authentication', holds('M2.144'), async () => {
    const name = `Scoped_${++count}`
    const id = await apiOf(page).createManifest(name)
    await openConfiguration(page, id, name)
    const isDisabled = () => partTab(page, 'API Scopes').isDisabled()
    const security = (label: string) => page.getByRole('radio', { name: label, exact: true }).click()
    await expect.poll(() => isDisabled()).toBe(true)
    await check('REST').click()
    await expect.poll(() => isDisabled()).toBe(true)
    await security('Basic Authentication')
    await expect.poll(isDisabled).toBe(false)
    await security('OAuth Authentication')
    await expect.poll(isDisabled).toBe(false)
    await check('REST').click()
    await expect.poll(isDisabled).toBe(true)
    await check('SOAP').click()
    await expect.poll(isDisabled).toBe(false)
    await security('None')
    await expect.poll(isDisabled).toBe(true)
    await configurationTool(page, 'Discard changes').click()
  })

  it('Enable RBAC enables the other fields', holds('M2.140', 'M4.19'), async () => {
    const { id } = await openNewManifest({ enableRbac: false })
    const disabled = async () => [
      await provider().isDisabled(),
      await input().isDisabled(),
      await globals().isDisabled(),
    ]
    await expect.poll(() => disabled()).toEqual([true, true, true])
    // The browser dims disabled fields.
    const opacity = () => input().evaluate(element => getComputedStyle(element.parentElement ?? element).opacity)
    await expect.poll(opacity).toBe('0.5')
    await check('Enable RBAC').click()
    await expect.poll(disabled).toEqual([false, false, false])
    await save(page)
    expect((await stored(page, id)).configurationBuild['apiScopeConfiguration']?.['enableRbac']).toBe(true)
  })

  it(
    'two identity providers are offered, but only one with Basic Authentication',
    holds('M2.141', 'M5.29', 'M3.29'),
    async () => {
      const { id } = await openNewManifest()
      const expectOffered = async (...options: string[]) => {
        await provider().click()
        await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(options)
        await keys(page, 'Escape')
        await page.getByRole('option').first().waitFor({ state: 'detached' })
      }
      await expectOffered('Cadmus', 'Martini User Directory')
      await showPart(page, 'API Configuration')
      await page.getByRole('radio', { name: 'Basic Authentication', exact: true }).click()
      await showPart(page, 'API Scopes')
      await expectOffered('Martini User Directory')
      await expect.poll(() => provider().textContent()).toBe('Martini User Directory')
      await save(page)
      const { identityProvider } = (await stored(page, id)).configurationBuild['apiScopeConfiguration'] ?? {}
      expect(identityProvider).toBe('MARTINI_USER_DIRECTORY')
    },
  )

  it(
    'Enter, comma and Tab add a trimmed scope, and empty or duplicate scopes are ignored',
    holds('M2.142', 'M5.22', 'M5.23', 'M5.24', 'M5.25', 'M3.30'),
    async () => {
      const { id } = await openNewManifest()
      await enterScope('read', 'Enter')
      await expect.poll(chips).toEqual(['read'])
      await input().pressSequentially('write,')
      await expect.poll(chips).toEqual(['read', 'write'])
      await enterScope('  list ', 'Tab')
      await expect.poll(chips).toEqual(['read', 'write', 'list'])
      await expect.poll(() => hasFocus(input())).toBe(true)
      await enterScope('   ', 'Enter')
      await enterScope('read', 'Enter')
      await expect.poll(() => input().inputValue()).toBe('')
      await expect.poll(() => chips()).toEqual(['read', 'write', 'list'])
      await input().press('Tab')
      await expect.poll(() => hasFocus(globals())).toBe(true)
      await save(page)
      const { scopeDefinitions } = (await stored(page, id)).configurationBuild['apiScopeConfiguration'] ?? {}
      expect(scopeDefinitions).toEqual(['read', 'write', 'list'])
    },
  )

  it('pasted text is split into scopes, and saving includes the text left in the field', async () => {
    const { name } = await openNewManifest()
    await input().evaluate(field => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', 'read, write\nlist\t')
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await expect.poll(chips).toEqual(['read', 'write', 'list'])
    await input().fill('last')
    await input().press('Control+s')
    await expect.poll(chips).toEqual(['read', 'write', 'list', 'last'])
    await expect.poll(() => configurationTool(page, 'Save').isDisabled()).toBe(true)
    await page.reload()
    await expectShown(configuration(page, name))
    await expect.poll(chips).toEqual(['read', 'write', 'list', 'last'])
  })

  it('global scopes are selected from the defined scopes', holds('M2.143', 'M3.31'), async () => {
    const { id } = await openNewManifest()
    await enterScope('read', 'Enter')
    await enterScope('write', 'Enter')
    await globals().click()
    await expectShown(page.getByRole('option', { name: 'write', exact: true }))
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['read', 'write'])
    await page.getByRole('option', { name: 'read', exact: true }).click()
    await keys(page, 'Escape')
    await expect.poll(() => globals().textContent()).toBe('read')
    await save(page)
    expect((await stored(page, id)).configurationBuild['apiScopeConfiguration']?.['globalScopes']).toEqual(['read'])
  })

  it('a scope that is a global scope cannot be removed', holds('M5.26', 'M5.28'), async () => {
    const { name } = await openNewManifest({
      enableRbac: true,
      scopeDefinitions: ['read', 'free'],
      globalScopes: ['read'],
    })
    await removal('read').click()
    const message = 'Cannot remove scope "read" because it is used in Global Scopes or Entity Scopes.'
    await expectShown(problemBelow(configuration(page, name), message))
    await expect.poll(() => chips()).toEqual(['read', 'free'])
    await expect.poll(() => hasFocus(input())).toBe(true)
    await saveScreenshot(page, 'configuration-scope-in-use')
    await removal('free').click()
    await expect.poll(chips).toEqual(['read'])
    await expect.poll(() => problemBelow(configuration(page, name), message).count()).toBe(0)
  })

  it('a scope that an entity operation requires cannot be removed', holds('M5.27', 'M5.28'), async () => {
    const { id, name } = await openNewManifest({ enableRbac: true, scopeDefinitions: ['read', 'write'] })
    await apiOf(page).createEntity({ name: 'Crate', operationScopes: { selectOperationScopes: ['write'] } }, id)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/manifest\/\d+\/path/, async route => {
      await released
      await route.continue()
    })
    await page.reload()
    await removal('write').click()
    // The removal applies until the scopes of the entities are loaded.
    await expect.poll(chips).toEqual(['read'])
    release()
    const message = 'Cannot remove scope "write" because it is used in Global Scopes or Entity Scopes.'
    await expectShown(problemBelow(configuration(page, name), message))
    await expect.poll(() => chips()).toEqual(['read', 'write'])
    await expect.poll(() => page.getByRole('tab', { name: /unsaved changes/, selected: true }).count()).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('removing a scope takes effect even in a save before the scopes of the entities are loaded', async () => {
    const { id } = await openNewManifest({ enableRbac: true, scopeDefinitions: ['read', 'write'] })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/manifest\/\d+\/path/, async route => {
      await released
      await route.continue()
    })
    await page.reload()
    await removal('read').click()
    await keys(page, 'Control+s')
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    const scopes = (await stored(page, id)).configurationBuild['apiScopeConfiguration']
    expect(scopes?.['scopeDefinitions']).toEqual(['write'])
    release()
    await page.unrouteAll({ behavior: 'wait' })
    await expect.poll(chips).toEqual(['write'])
  })

  it('Backspace removes the last scope, and Undo restores it', async () => {
    await openNewManifest({ enableRbac: true, scopeDefinitions: ['read', 'write'] })
    await input().focus()
    await keys(page, 'Backspace')
    await expect.poll(chips).toEqual(['read'])
    await keys(page, 'Control+z')
    await expect.poll(chips).toEqual(['read', 'write'])
    await removal('read').focus()
    await keys(page, 'Enter')
    await expect.poll(chips).toEqual(['write'])
    await configurationTool(page, 'Undo: Removed read from Scope Definitions').click()
    await expect.poll(chips).toEqual(['read', 'write'])
  })
})

it('the page logs no errors', () => {
  expect(journey.complaints).toEqual([])
})
