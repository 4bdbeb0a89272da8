import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { enter } from './driver/sign-in.ts'
import {
  configurationTool,
  openConfiguration,
  partTab,
  saveAndReload,
  showPart,
  stored,
} from './driver/configuration.ts'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { names } from './driver/entity.ts'
import { expectShown } from './driver/widgets.ts'

const journey = await startJourney({ user: 'nobody' })
const { page } = journey
await enter(page, 'admin')
await page.getByRole('heading', { name: 'Organisations' }).or(page.getByRole('tree')).first().waitFor()
const cadmus = page.getByRole('listitem').filter({ hasText: 'CADMUS' }).getByRole('button', { name: 'Select' })
if (await cadmus.count()) await cadmus.click()
await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
const api = apiOf(page, 'CADMUS')
const manifest = await api.createManifest('Depot')
await api.createEntity({ name: 'Crate' }, manifest)
await api.createEntity({ name: 'Pallet' }, manifest)
await api.createEntity({ name: 'Stray' })

const check = (name: string) => page.getByRole('checkbox', { name, exact: true })

describe('Service Configuration', () => {
  it(
    'is one of six parts and saves its options and entities',
    holds('M1.6', 'M2.126', 'M2.154', 'M2.155', 'M2.156', 'M3.24', 'M3.25'),
    async () => {
      await openConfiguration(page, manifest, 'Depot')
      const parts = page.getByRole('tablist', { name: 'Parts of the configuration of Depot' }).getByRole('tab')
      const labels = async () => (await parts.allTextContents()).map(text => text.replace(/\d+$/, ''))
      await expect
        .poll(labels)
        .toEqual([
          'API Configuration',
          'SQL Configuration',
          'Service Configuration',
          'Property Configuration',
          'Aggregate Queries',
          'API Scopes',
        ])
      await showPart(page, 'Service Configuration')
      const checklist = page.getByRole('grid', { name: 'Source of Truth Entities' })
      await expect.poll(() => checklist.count()).toBe(0)
      for (const name of ['Apply Multi-Tenancy', 'Apply Custom Fields', 'Apply Source of Truth']) {
        await expect.poll(() => check(name).isChecked()).toBe(false)
        await check(name).click()
      }
      await expect.poll(() => names(page, 'Source of Truth Entities')).toEqual(['Crate', 'Pallet'])
      const warning = page.getByRole('note').filter({ hasText: 'no entity is selected: nothing is recorded' })
      await expectShown(warning)
      await saveScreenshot(page, 'configuration-service-warned')
      await check('Choose Pallet').click()
      await expect.poll(() => warning.count()).toBe(0)
      await saveScreenshot(page, 'configuration-service')
      await saveAndReload(page, 'Depot')
      for (const name of ['Apply Multi-Tenancy', 'Apply Custom Fields', 'Apply Source of Truth']) {
        await expect.poll(() => check(name).isChecked()).toBe(true)
      }
      await expect.poll(() => check('Choose Pallet').isChecked()).toBe(true)
      await expect.poll(() => check('Choose Crate').isChecked()).toBe(false)
      expect((await stored(page, manifest, 'CADMUS')).configurationBuild['serviceConfiguration']).toEqual({
        applyMultiTenancy: true,
        applyCustomField: true,
        applySot: true,
        sotEntities: ['Pallet'],
      })
      await check('Apply Source of Truth').click()
      await expect.poll(() => checklist.count()).toBe(0)
      await configurationTool(page, 'Discard changes').click()
    },
  )

  it('a missing entity is reported in the list and by validation, and can be removed', async () => {
    const sotEntities = ['Crate', 'Nope']
    const body = { configurationBuild: { serviceConfiguration: { applySot: true, sotEntities } } }
    const headers = { 'X-Organisation-Code': 'CADMUS', 'If-Match': '*' }
    const path = `/1.0/cdm/manifest/${manifest}`
    await page.request.post(`${path}/configuration`, { headers, data: body })
    const { problems } = await (await page.request.post(`${path}/validate`, { headers })).json()
    expect(problems).toContainEqual(expect.objectContaining({ code: 'sotEntity', severity: 'error' }))
    await openConfiguration(page, manifest, 'Depot', 'Service Configuration')
    const checklist = page.getByRole('grid', { name: 'Source of Truth Entities' })
    await expectShown(checklist.getByRole('row').filter({ hasText: 'Nope' }).getByText('There is no such entity.'))
    await check('Choose Nope').click()
    await expect.poll(() => checklist.getByText('Nope').count()).toBe(0)
    await saveAndReload(page, 'Depot')
    const { serviceConfiguration } = (await stored(page, manifest, 'CADMUS')).configurationBuild
    expect(serviceConfiguration).toMatchObject({ sotEntities: ['Crate'] })
  })

  it('is hidden if the session reports no service options for the organisation', holds('M2.126'), async () => {
    await openConfiguration(page, manifest, 'Depot')
    await expectShown(partTab(page, 'Service Configuration'))
    await page.route('**/1.0/cdm/sso/session', async route => {
      const answer = await route.fetch()
      const session = await answer.json()
      await route.fulfill({ json: { ...session, organisation: { ...session.organisation, serviceOptions: false } } })
    })
    await page.reload()
    await expectShown(partTab(page, 'API Configuration'))
    await expect.poll(() => partTab(page, 'Service Configuration').count()).toBe(0)
  })
})
