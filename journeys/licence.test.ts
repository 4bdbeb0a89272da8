import { holds } from '@cadmus/testing/holds'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { administrationOn, enterAdministration } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { choose, chooseManifest, openBlueprint, chooseApis } from './driver/blueprint.ts'
import { openConfiguration } from './driver/configuration.ts'
import { startJourneyWithInstance, openPage, signIn } from './driver/journey.ts'
import { keys } from './driver/keyboard.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, snackbar } from './driver/widgets.ts'

// The administrator sets the licence and the server enforces it: no response is mocked.
const journey = await startJourneyWithInstance({ user: 'nobody' })
const { page: admin } = journey
await enterAdministration(admin)
const { callApi } = administrationOn(admin)
const { page: own } = await openPage(journey.browser, journey.console.url)
await signIn(own)
const api = apiOf(own)
// A manifest without a configured API.
const yard = await api.createManifest('Yard')
const typeAttributes = [{ name: 'number', dataType: 'integer' as const, purpose: 'identifiedBy' as const }]
await api.createEntity({ name: 'Shed', typeAttributes }, yard)

const fullLicence = { rest: true, graphql: true, databaseTypes: ['mysql', 'hsql', 'oracle', 'postgresql', 'mssql'] }
const setLicence = (licence: object, code = 'ACME') => callApi('PUT', `org/${code}`, { licence })
afterEach(() => setLicence(fullLicence))

const build = dialog(admin, 'Build Manifest')
const inBuild = (name: string) => build.getByRole('checkbox', { name, exact: true })

async function openBuild(code: string, organisation: string, manifest: string): Promise<void> {
  await admin.goto(`/admin?org=${code}`)
  await menu(admin, await nodeAt(admin, organisation, 'Manifests', manifest), 'Build Package')
  await expectShown(build)
  await build.getByRole('textbox', { name: 'Martini Package Version' }).waitFor()
}

/** Expects an API to be disabled with the reason in the configuration, the wizard and the build dialog. */
async function expectRefused(name: 'REST' | 'GraphQL', reason: string): Promise<void> {
  const expectReason = (on: Page) => expectShown(on.getByText(reason, { exact: true }).first())
  await openConfiguration(own, yard, 'Yard')
  await expect.poll(() => own.getByRole('checkbox', { name, exact: true }).isDisabled()).toBe(true)
  await expectReason(own)
  await own.goto('/')
  const wizard = await openBlueprint(own)
  await chooseManifest(own, wizard, 'Yard')
  await choose(wizard, 'Export')
  await expect.poll(() => wizard.getByRole('checkbox', { name, exact: true }).isDisabled()).toBe(true)
  await expectReason(own)
  await press(wizard, 'Cancel')
  await openBuild('ACME', 'Acme Trading', 'Yard')
  await expect.poll(() => inBuild(`${name.toUpperCase()} API`).getAttribute('aria-disabled')).toBe('true')
  await expectReason(admin)
  await press(build, 'Cancel')
}

describe('Licence of an organisation', () => {
  it('without REST in the licence every REST option is disabled', holds('M2.297', 'M3.60'), async () => {
    const refusal = 'The licence of the organisation does not include REST: it allows SOAP, GraphQL.'
    await setLicence({ rest: false })
    await expectRefused('REST', refusal)
    await own.goto('/')
    await own.getByRole('button', { name: 'New', exact: true }).click()
    await own.getByRole('menuitem', { name: 'Manifest', exact: true }).click()
    const create = dialog(own, 'Create Manifest')
    await expectShown(create.getByText(refusal, { exact: true }))
    await expect.poll(() => create.getByRole('radio', { name: 'Database and API' }).isDisabled()).toBe(true)
    await press(create, 'Cancel')
  })

  it('without GraphQL in the licence every GraphQL option is disabled', holds('M2.299', 'M3.61'), async () => {
    const refusal = 'The licence of the organisation does not include GraphQL: it allows REST, SOAP.'
    await setLicence({ graphql: false })
    await expectRefused('GraphQL', refusal)
  })

  it('the licence limits the database types, and a build for another one is rejected', holds('M2.193'), async () => {
    await setLicence({ databaseTypes: ['hsql', 'oracle'] })
    await own.goto('/')
    const wizard = await openBlueprint(own)
    await chooseManifest(own, wizard, 'Yard')
    await choose(wizard, 'Export')
    await chooseApis(wizard, ['REST'])
    await press(wizard, 'Next')
    await expectShown(wizard.getByText('The licence of the organisation includes HSQL, Oracle only.'))
    await wizard.getByRole('combobox', { name: 'Database Type' }).click()
    await expectShown(own.getByRole('option').first())
    await expect.poll(() => own.getByRole('option').allTextContents()).toEqual(['HSQL', 'Oracle'])
    await keys(own, 'Escape')
    await press(wizard, 'Cancel')
    await openBuild('ACME', 'Acme Trading', 'Shop')
    const type = build.getByRole('combobox', { name: 'Connection Type' })
    await expect.poll(() => type.textContent()).toBe('MySQL')
    const refused = 'The licence of the organisation does not include MySQL: it allows HSQL, Oracle.'
    await expectShown(build.getByText(refused))
    await press(build, 'Build')
    await expectShown(snackbar(admin, refused))
    await type.click()
    const options = admin.getByRole('option')
    await expect
      .poll(() => options.evaluateAll(all => all.map(one => one.ariaDisabled !== 'true')))
      .toEqual([true, true, false])
    await keys(admin, 'Escape')
    await press(build, 'Cancel')
  })

  it(
    'service options are offered in the CADMUS organisation only and are disabled by default',
    holds('M2.301', 'M2.302', 'M3.26'),
    async () => {
      const service = apiOf(admin, 'CADMUS', 'X-Admin-Organisation')
      const depot = await service.createManifest('Depot')
      for (const name of ['Crate', 'Pallet']) await service.createEntity({ name }, depot)
      const options = ['Apply Multi-Tenancy', 'Apply Custom Fields', 'Apply Source of Truth']
      await openBuild('ACME', 'Acme Trading', 'Shop')
      for (const name of options) await expect.poll(() => inBuild(name).count()).toBe(0)
      await press(build, 'Cancel')
      await openBuild('CADMUS', 'Cadmus', 'Depot')
      for (const name of options) await expect.poll(() => inBuild(name).isChecked()).toBe(false)
      const list = build.getByRole('group', { name: 'Source of Truth Entities' })
      await expect.poll(() => list.count()).toBe(0)
      await inBuild('Apply Source of Truth').click()
      await expectShown(list.getByRole('checkbox').first())
      await expect.poll(() => list.getByRole('checkbox').count()).toBe(2)
      for (const name of ['Crate', 'Pallet'])
        await expect.poll(() => list.getByRole('checkbox', { name, exact: true }).isChecked()).toBe(false)
      await inBuild('Apply Source of Truth').click()
      await list.waitFor({ state: 'detached' })
      const firstBuild = admin.waitForRequest(
        one => one.method() === 'POST' && /\/manifest\/\d+\/build/.test(one.url()),
      )
      await press(build, 'Build')
      expect((await firstBuild).postDataJSON()).toMatchObject({
        manifestProperties: [
          {
            configurationBuild: {
              serviceConfiguration: {
                applyMultiTenancy: false,
                applyCustomField: false,
                applySot: false,
                sotEntities: [],
              },
            },
          },
        ],
      })
      await expectShown(snackbar(admin, "Manifest 'Depot' successfully built"))
      await openBuild('CADMUS', 'Cadmus', 'Depot')
      await inBuild('Apply Source of Truth').click()
      await list.getByRole('checkbox', { name: 'Pallet', exact: true }).click()
      const secondBuild = admin.waitForRequest(
        one => one.method() === 'POST' && /\/manifest\/\d+\/build\b/.test(one.url()),
      )
      await press(build, 'Build')
      const serviceConfiguration = { applySot: true, sotEntities: ['Pallet'] }
      expect((await secondBuild).postDataJSON()).toMatchObject({
        manifestProperties: [{ configurationBuild: { serviceConfiguration } }],
      })
      await build.waitFor({ state: 'detached' })
    },
  )
})
