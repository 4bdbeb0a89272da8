import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import {
  configuration,
  configurationTool,
  openConfiguration,
  partTab,
  save,
  showPart,
  stored,
} from './driver/configuration.ts'
import { openDesk } from './driver/desk.ts'
import { expectShown, snackbar } from './driver/widgets.ts'

const desk = await openDesk()
const { page } = desk
const api = apiOf(page)
let count = 0

async function opened(): Promise<{ id: number; name: string }> {
  const name = `Refused_${++count}`
  const id = await api.createManifest(name)
  await openConfiguration(page, id, name, 'Property Configuration')
  return { id, name }
}

const field = (name: string) => page.getByRole('article').getByLabel(name, { exact: true })

async function write(name: string, text: string): Promise<void> {
  await field(name).fill(text)
  await field(name).press('Enter')
}

describe('A refused save of a configuration', () => {
  it('leads to the part and the field that it is about, rows without words not counted', async () => {
    const { name } = await opened()
    await write('Value of property 1', '')
    await page.getByRole('button', { name: 'Add Property' }).click()
    await page.getByRole('button', { name: 'Add Property' }).click()
    await write('Value of property 3', 'x')
    await showPart(page, 'API Configuration')
    await configurationTool(page, 'Save').click()
    const told = 'Property Configuration, Name of property 3: this is a required field'
    await expectShown(configuration(page, name).getByRole('alert').getByText(told))
    expect(await partTab(page, 'Property Configuration').getAttribute('aria-selected')).toBe('true')
    await expect.poll(() => field('Name of property 3').evaluate(input => input === document.activeElement)).toBe(true)
    await write('Name of property 3', 'zone')
    await save(page)
  })

  it('an open property that was a stored secret is asked for, and shut again it is what it was', async () => {
    const { id, name } = await opened()
    await write('Name of property 1', 'apiKey')
    const isSecret = page.getByRole('checkbox', { name: 'Property 1 is secret' })
    await isSecret.click()
    await write('Value of property 1', 'Lion-4711')
    await save(page)
    await isSecret.click()
    const words = 'The value of "apiKey" was secret and cannot be shown: enter it again.'
    await expectShown(page.getByRole('table', { name: 'Properties' }).getByText(words))
    expect(await field('Value of property 1').inputValue()).toBe('')
    await page.keyboard.press('Control+s')
    const alert = configuration(page, name).getByRole('alert')
    await expectShown(alert.getByText(`Property Configuration, Value of property 1: ${words}`))
    await expect.poll(() => field('Value of property 1').evaluate(input => input === document.activeElement)).toBe(true)
    await isSecret.click()
    await expect.poll(() => configurationTool(page, 'Save').isDisabled()).toBe(true)
    await isSecret.click()
    await write('Value of property 1', 'east')
    await page.keyboard.press('Control+s')
    await expectShown(snackbar(page, 'Successfully save configuration.'))
    const { customProperties } = (await stored(page, id)).packageProperties
    expect(customProperties).toEqual([{ name: 'apiKey', value: 'east', secret: false }])
  })

  it('tells the place of each problem', async () => {
    const { name } = await opened()
    await write('Name of property 1', 'zone')
    await page.route('**/configuration*', async route => {
      if (route.request().method() !== 'POST') return route.fallback()
      const errors = [
        { path: 'configurationBuild.apiScopeConfiguration.identityProvider', message: 'Not this one.' },
        { path: 'packageProperties.connectionPoolInfo.url', message: 'Too long.' },
      ]
      return route.fulfill({ status: 400, json: { message: 'Not this one.', code: 'invalid', errors } })
    })
    await configurationTool(page, 'Save').click()
    const alert = configuration(page, name).getByRole('alert')
    await expectShown(alert.getByText('API Scopes, Identity Provider: Not this one.'))
    await expectShown(alert.getByText('SQL Configuration, Connection Url: Too long.'))
    await configurationTool(page, 'Discard changes').click()
  })
})

it('the page had nothing to complain about', () => {
  expect(desk.complaints).toEqual([])
})
