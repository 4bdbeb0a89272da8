import { describe, expect, it } from 'vitest'
import { expectAccessible } from './driver/accessible.ts'
import { apiOf } from './driver/api.ts'
import { openEntity, openManifest } from './driver/document.ts'
import { manifestDocument } from './driver/entity.ts'
import { startJourneyWithInstance } from './driver/journey.ts'
import { keys, tabTo } from './driver/keyboard.ts'
import { card } from './driver/packages.ts'
import { expectShown, snackbar } from './driver/widgets.ts'

const { page, console: server } = await startJourneyWithInstance({ fresh: true })
const { instance } = server
const api = apiOf(page)
const home = page.getByRole('main')
const section = (name: string) => home.getByRole('region', { name, exact: true })
const tabs = page.getByRole('tablist', { name: 'Open documents' }).getByRole('tab')
const showHome = () => page.getByRole('link', { name: 'Cadmus', exact: true }).click()

describe('The home screen', () => {
  it('offers first steps to a newcomer', async () => {
    const steps = section('First steps')
    await expectShown(steps)
    await expectAccessible(page, 'home-newcomer')
    await expect
      .poll(() => steps.getByRole('button').allTextContents())
      .toEqual(['New Manifest', 'Import', 'Try Shop', 'Take the Tour'])
    await steps.getByRole('button', { name: 'New Manifest' }).click()
    await expectShown(page.getByRole('dialog', { name: 'Create Manifest' }))
    await keys(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('lists what was opened and the favourites, and opens it in front or behind', async () => {
    const clinic = await api.createManifest('Clinic')
    const ward = await api.createEntity({ name: 'Ward' }, clinic)
    await openManifest(page, clinic, 'Clinic')
    await openEntity(page, { id: ward.id, name: 'Ward' })
    await page.getByRole('button', { name: 'Add to Favourites' }).click()
    await expectShown(page.getByRole('button', { name: 'Remove from Favourites' }))
    await showHome()
    const recent = section('Recent').getByRole('link')
    await expect.poll(() => recent.allTextContents()).toEqual(['Ward', 'Clinic'])
    await expect.poll(() => section('Favourites').getByRole('link').allTextContents()).toEqual(['Ward'])
    // The tabs stay open, and the screen survives a reload.
    await expect.poll(() => tabs.count()).toBe(2)
    await page.reload()
    await expect.poll(() => recent.allTextContents()).toEqual(['Ward', 'Clinic'])
    await expect
      .poll(() => section('Problems').getByRole('link', { name: 'Problems of Clinic' }).isVisible())
      .toBe(true)
    await expect.poll(() => section('First steps').count()).toBe(0)
    await recent.nth(1).click({ modifiers: ['ControlOrMeta'] })
    await expectShown(section('Recent'))
    await tabTo(page, recent.nth(1))
    await keys(page, 'Enter')
    await expectShown(manifestDocument(page, 'Clinic'))
    await showHome()
    await expectShown(section('Recent'))
    await section('Favourites').getByRole('button', { name: 'Remove Ward from Favourites' }).click()
    await expectShown(section('Favourites').getByText('The star beside the name'))
    await api.deleteEntity(ward.id)
    await page.reload()
    await expect.poll(() => recent.allTextContents()).toEqual(['Clinic'])
  })

  it('starts a stopped package, and one action opens its explorer; so do its manifest and its card', async () => {
    const depot = await api.createManifest('Depot')
    await api.createEntity({ name: 'Crate' }, depot)
    await api.publish(depot, { manifestName: 'Depot', name: 'depot', instanceUrl: instance.url })
    await page.goto('/')
    await showHome()
    const running = section('Running')
    await expectShown(running.getByText('Loaded on local 1.0.0', { exact: true }))
    await expectAccessible(page, 'home')
    await running.getByRole('button', { name: 'Start on local' }).click()
    await expectShown(snackbar(page, "Package 'depot' 1.0.0 is started."))
    await expectShown(running.getByText('Started on local 1.0.0', { exact: true }))
    await expect.poll(() => running.getByRole('button', { name: 'Start on local' }).count()).toBe(0)
    const [explorer] = await Promise.all([
      page.context().waitForEvent('page'),
      running.getByRole('link', { name: 'API explorer' }).click(),
    ])
    await explorer.waitForURL(`${instance.url}/api-explorer?package=depot`)
    await explorer.close()
    await running.getByRole('link', { name: 'Package depot' }).click()
    const header = manifestDocument(page, 'Depot')
    await expectShown(header.getByText('Started on local 1.0.0', { exact: true }))
    await expectShown(header.getByRole('link', { name: 'API explorer' }))
    await page.goto('/packages')
    await expectShown(card(page, 'depot').getByText('Started on local 1.0.0', { exact: true }))
  })

  it('an unreachable instance is named and read again by Retry', async () => {
    const list = /\/1\.0\/cdm\/instance\/packages$/
    const message = 'local could not be reached.'
    await page.route(list, route => route.fulfill({ status: 409, json: { message, code: 'instance_unreachable' } }))
    await page.goto('/')
    await showHome()
    const running = section('Running')
    await expectShown(running.getByRole('alert').getByText(message))
    await expectShown(running.getByText('State unknown.'))
    await page.unrouteAll()
    await running.getByRole('button', { name: 'Retry: local' }).click()
    await expectShown(running.getByText('Started on local 1.0.0', { exact: true }))
    await expect.poll(() => running.getByRole('alert').count()).toBe(0)
  })
})
