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
  saveAndReload,
  showPart,
  stored,
} from './driver/configuration.ts'
import { openDesk, shoot } from './driver/desk.ts'
import { hasFocus } from './driver/keyboard.ts'
import { expectShown, snackbar } from './driver/widgets.ts'

let count = 0

const desk = await openDesk()
const { page } = desk

type Scopes = { enableRbac?: boolean; scopeDefinitions?: string[]; globalScopes?: string[] }

/** A manifest with an API that asks who is calling, open at its scopes. */
async function opened(apiScopeConfiguration: Scopes = { enableRbac: true }): Promise<{ id: number; name: string }> {
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

/** A field of the tag input, as it stands before it is typed in. */
async function typed(text: string, key: string): Promise<void> {
  await input().fill(text)
  await input().press(key)
}

describe('Many scopes', () => {
  it('show three chips and how many more there are, each with its whole name in a title', async () => {
    const long = `orders.${'read.'.repeat(30)}all`
    const scopes = [long, 'orders.write', 'stock.read', 'stock.write', 'report.read']
    await opened({ enableRbac: true, scopeDefinitions: scopes, globalScopes: scopes })
    const chosen = globals()
    await expectShown(chosen.getByTitle(long, { exact: true }))
    await expectShown(chosen.getByText('+2 more', { exact: true }))
    expect(await chosen.getByText('+2 more').getAttribute('title')).toBe('stock.write\nreport.read')
    await expectShown(input().locator('..').getByTitle(long, { exact: true }))
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      for (const field of [chosen, input().locator('..')])
        expect(await field.evaluate(box => box.scrollWidth - box.clientWidth)).toBe(0)
      await shoot(page, `configuration-scopes-many-${width}`)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

describe('API Scopes', () => {
  it('can be opened only while an API asks who is calling', holds('M2.144'), async () => {
    const name = `Scoped_${++count}`
    const id = await apiOf(page).createManifest(name)
    await openConfiguration(page, id, name)
    const isDisabled = () => partTab(page, 'API Scopes').isDisabled()
    const security = (label: string) => page.getByRole('radio', { name: label, exact: true }).click()
    expect(await isDisabled()).toBe(true)
    await check('REST').click()
    expect(await isDisabled()).toBe(true)
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

  it('Enable RBAC enables the others', holds('M2.140', 'M4.19'), async () => {
    const { name } = await opened({ enableRbac: false })
    const disabled = async () => [
      await provider().isDisabled(),
      await input().isDisabled(),
      await globals().isDisabled(),
    ]
    expect(await disabled()).toEqual([true, true, true])
    await check('Enable RBAC').click()
    await expect.poll(disabled).toEqual([false, false, false])
    await saveAndReload(page, name)
    await expect.poll(() => check('Enable RBAC').isChecked()).toBe(true)
    expect(await disabled()).toEqual([false, false, false])
  })

  it('two identity providers, with Basic Authentication one', holds('M2.141', 'M5.29', 'M3.29'), async () => {
    const { id, name } = await opened()
    const offered = async () => {
      await provider().click()
      await expectShown(page.getByRole('option').first())
      const found = await page.getByRole('option').allTextContents()
      await page.keyboard.press('Escape')
      return found
    }
    expect(await offered()).toEqual(['Cadmus', 'Martini User Directory'])
    await showPart(page, 'API Configuration')
    await page.getByRole('radio', { name: 'Basic Authentication', exact: true }).click()
    await showPart(page, 'API Scopes')
    expect(await offered()).toEqual(['Martini User Directory'])
    await expect.poll(() => provider().textContent()).toBe('Martini User Directory')
    await saveAndReload(page, name)
    const { identityProvider } = (await stored(page, id)).configurationBuild['apiScopeConfiguration'] ?? {}
    expect(identityProvider).toBe('MARTINI_USER_DIRECTORY')
  })

  it(
    'takes a scope on Enter, comma and Tab, trimmed, and neither an empty one nor one twice',
    holds('M2.142', 'M5.22', 'M5.23', 'M5.24', 'M5.25', 'M3.30'),
    async () => {
      const { id, name } = await opened()
      await typed('read', 'Enter')
      await expect.poll(chips).toEqual(['read'])
      await input().pressSequentially('write,')
      await expect.poll(chips).toEqual(['read', 'write'])
      await typed('  list ', 'Tab')
      await expect.poll(chips).toEqual(['read', 'write', 'list'])
      await expect.poll(() => hasFocus(input())).toBe(true)
      await typed('   ', 'Enter')
      await typed('read', 'Enter')
      await expect.poll(() => input().inputValue()).toBe('')
      expect(await chips()).toEqual(['read', 'write', 'list'])
      await input().press('Tab')
      await expect.poll(() => hasFocus(globals())).toBe(true)
      await saveAndReload(page, name)
      await expect.poll(chips).toEqual(['read', 'write', 'list'])
      const { scopeDefinitions } = (await stored(page, id)).configurationBuild['apiScopeConfiguration'] ?? {}
      expect(scopeDefinitions).toEqual(['read', 'write', 'list'])
    },
  )

  it('takes pasted text apart, and what is left in the field goes along with a save', async () => {
    const { name } = await opened()
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

  it('global scopes are chosen of those defined', holds('M2.143', 'M3.31'), async () => {
    const { id, name } = await opened()
    await typed('read', 'Enter')
    await typed('write', 'Enter')
    await globals().click()
    await expectShown(page.getByRole('option', { name: 'write', exact: true }))
    expect(await page.getByRole('option').allTextContents()).toEqual(['read', 'write'])
    await page.getByRole('option', { name: 'read', exact: true }).click()
    await page.keyboard.press('Escape')
    await saveAndReload(page, name)
    await expect.poll(() => globals().textContent()).toBe('read')
    expect((await stored(page, id)).configurationBuild['apiScopeConfiguration']?.['globalScopes']).toEqual(['read'])
  })

  it('a scope stays while it is a global one', holds('M5.26', 'M5.28'), async () => {
    const { name } = await opened({ enableRbac: true, scopeDefinitions: ['read', 'free'], globalScopes: ['read'] })
    await removal('read').click()
    const words = 'Cannot remove scope "read" because it is used in Global Scopes or Entity Scopes.'
    await expectShown(problemBelow(configuration(page, name), words))
    expect(await chips()).toEqual(['read', 'free'])
    await expect.poll(() => hasFocus(input())).toBe(true)
    await shoot(page, 'configuration-scope-in-use')
    await removal('free').click()
    await expect.poll(chips).toEqual(['read'])
    await expect.poll(() => problemBelow(configuration(page, name), words).count()).toBe(0)
  })

  it('a scope stays while an operation of an entity asks for it', holds('M5.27', 'M5.28'), async () => {
    const { id, name } = await opened({ enableRbac: true, scopeDefinitions: ['read', 'write'] })
    await apiOf(page).createEntity({ name: 'Crate', operationScopes: { selectOperationScopes: ['write'] } }, id)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/manifest\/\d+\/path/, async route => {
      await released
      await route.continue()
    })
    await page.reload()
    await removal('write').click()
    // What entities ask for is not known yet: the press counts until it is.
    await expect.poll(chips).toEqual(['read'])
    release()
    const words = 'Cannot remove scope "write" because it is used in Global Scopes or Entity Scopes.'
    await expectShown(problemBelow(configuration(page, name), words))
    expect(await chips()).toEqual(['read', 'write'])
    expect(await page.getByRole('tab', { name: /unsaved changes/, selected: true }).count()).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('a scope is gone at once, also for a save that comes before it is known what entities ask for', async () => {
    const { id } = await opened({ enableRbac: true, scopeDefinitions: ['read', 'write'] })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/manifest\/\d+\/path/, async route => {
      await released
      await route.continue()
    })
    await page.reload()
    await removal('read').click()
    await page.keyboard.press('Control+s')
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    const scopes = (await stored(page, id)).configurationBuild['apiScopeConfiguration']
    expect(scopes?.['scopeDefinitions']).toEqual(['write'])
    release()
    await page.unrouteAll({ behavior: 'wait' })
    await expect.poll(chips).toEqual(['write'])
  })

  it('by keyboard: the last scope goes with Backspace, and comes back with Undo', async () => {
    await opened({ enableRbac: true, scopeDefinitions: ['read', 'write'] })
    await input().focus()
    await page.keyboard.press('Backspace')
    await expect.poll(chips).toEqual(['read'])
    await page.keyboard.press('Control+z')
    await expect.poll(chips).toEqual(['read', 'write'])
    await removal('read').focus()
    await page.keyboard.press('Enter')
    await expect.poll(chips).toEqual(['write'])
    await configurationTool(page, 'Undo: Removed read from Scope Definitions').click()
    await expect.poll(chips).toEqual(['read', 'write'])
  })
})

it('the page had nothing to complain about', () => {
  expect(desk.complaints).toEqual([])
})
