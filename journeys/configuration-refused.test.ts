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
import { startJourney } from './driver/journey.ts'
import { expectShown, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const api = apiOf(page)
let count = 0

async function openNewManifest(): Promise<{ id: number; name: string }> {
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

describe('A rejected save of a configuration', () => {
  it('opens the part and focuses the field of the error, and accepts empty rows', async () => {
    const { name } = await openNewManifest()
    await write('Value of property 1', '')
    await page.getByRole('button', { name: 'Add Property' }).click()
    await page.getByRole('button', { name: 'Add Property' }).click()
    await write('Value of property 3', 'x')
    await showPart(page, 'API Configuration')
    await configurationTool(page, 'Save').click()
    const message = 'Property Configuration, Name of property 3: this is a required field'
    await expectShown(configuration(page, name).getByRole('alert').getByText(message))
    await expect.poll(() => partTab(page, 'Property Configuration').getAttribute('aria-selected')).toBe('true')
    await expect.poll(() => field('Name of property 3').evaluate(input => input === document.activeElement)).toBe(true)
    await write('Name of property 3', 'zone')
    await save(page)
  })

  it('requires the value of a property that is no longer secret, unless it is made secret again', async () => {
    const { id, name } = await openNewManifest()
    await write('Name of property 1', 'apiKey')
    const isSecret = page.getByRole('checkbox', { name: 'Property 1 is secret' })
    await isSecret.click()
    await write('Value of property 1', 'Lion-4711')
    await save(page)
    await isSecret.click()
    const message = 'The value of "apiKey" was secret and cannot be shown: enter it again.'
    await expectShown(page.getByRole('table', { name: 'Properties' }).getByText(message))
    await expect.poll(() => field('Value of property 1').inputValue()).toBe('')
    await page.keyboard.press('Control+s')
    const alert = configuration(page, name).getByRole('alert')
    await expectShown(alert.getByText(`Property Configuration, Value of property 1: ${message}`))
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

  it('lists each error with its part and field', async () => {
    const { name } = await openNewManifest()
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

it('the page logs no errors', () => {
  expect(journey.complaints).toEqual([])
})
