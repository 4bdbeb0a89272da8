import { writeArchive } from '@cadmus/formats/archive'
import { writePackage } from '@cadmus/formats/package/write'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { startInstance } from '@cadmus/testing/instance'
import { afterAll, describe, expect, it } from 'vitest'
import { violationsInAllVariants } from './driver/axe.ts'
import { hold } from './driver/document.ts'
import { openPage, sharedBrowser } from './driver/journey.ts'

const instance = await startInstance()
const faults: string[] = []
const browser = await sharedBrowser()
const { context, page } = await openPage(browser, instance.url, {}, faults)
const configuration = aConfiguration({ connection: { type: 'HSQL', databaseName: 'embedded' } })
const files = writePackage({ ...aPackageSource({ configuration }), organisation: 'acme' })
await instance.upload(writeArchive(files), 'shop')
afterAll(async () => {
  await context.close()
  await instance.stop()
})

describe('GraphQL page', () => {
  it('the page starts with an executable query on an entity of the package', async () => {
    await page.goto(`${instance.url}/graphql/shop/1.0`)
    await expect
      .poll(() => page.getByLabel('Query').inputValue())
      .toMatch(/^\{\n {2}customerList\(limit: 10\) \{\n {4}total\n {4}records \{\n {6}id\n {6}name\n/)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText(/^200/).waitFor()
    const answer = page.getByRole('region', { name: 'Answer' }).locator('pre')
    await expect
      .poll(async () => JSON.parse((await answer.textContent()) ?? ''))
      .toEqual({ data: { customerList: { total: 0, records: [] } } })
  })

  it('the page sends query and variables and shows the response and the schema', async () => {
    await page.goto(`${instance.url}/graphql/shop/1.0`)
    await page
      .getByLabel('Query')
      .fill('mutation ($points: Long) { insertCustomer(record: { name: "Ann", points: $points }) { name points } }')
    await page.getByLabel('Variables').fill('{ "points": 9007199254740993 }')
    await page.getByLabel('Variables').press('Control+Enter')
    await page.getByText(/^200/).waitFor()
    const answer = page.getByRole('region', { name: 'Answer' }).locator('pre')
    await expect
      .poll(async () => JSON.parse((await answer.textContent()) ?? ''))
      .toEqual({ data: { insertCustomer: { name: 'Ann', points: '9007199254740993' } } })
    await page.getByLabel('Query').fill('{ nothing }')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText(/^400/).waitFor()
    await expect.poll(() => answer.textContent()).toContain('Cannot query field')
    await page.getByLabel('Variables').fill('{')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('The variables are not valid JSON.').waitFor()
    await page.getByRole('button', { name: 'Schema', exact: true }).click()
    await page.getByText('type Customer {').waitFor()
  })

  it('a first query that arrives late does not replace a query that is being edited', async () => {
    const first = await hold(page, /first-query/, 'GET', true)
    const arrived = page.waitForResponse(/first-query/).then(response => response.finished())
    await page.goto(`${instance.url}/graphql/shop/1.0`)
    await first.requested
    await page.getByLabel('Query').press('ControlOrMeta+A')
    first.release()
    await arrived
    await page.keyboard.insertText('{ customerList { total } }')
    await expect.poll(() => page.getByLabel('Query').inputValue()).toBe('{ customerList { total } }')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('the addresses of GraphQL and SOAP redirect a browser to the API explorer', async () => {
    for (const protocol of ['soap', 'graphql']) {
      await page.goto(`${instance.url}/${protocol}/shop/1.0`)
      expect(page.url()).toBe(`${instance.url}/api-explorer?package=shop&protocol=${protocol}`)
    }
  })

  it('the page is accessible in all themes and requests no other origin', async () => {
    const origins: string[] = []
    page.on('request', request => origins.push(new URL(request.url()).origin))
    await page.goto(`${instance.url}/graphql/shop/1.0`)
    await page.getByLabel('Query').waitFor()
    expect(await violationsInAllVariants(page)).toEqual([])
    expect(new Set(origins)).toEqual(new Set([new URL(instance.url).origin]))
    expect(faults).toEqual([])
  })
})
