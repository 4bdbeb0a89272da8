import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDeskWithInstance } from './driver/desk.ts'
import { send } from './driver/document.ts'
import { hasFocus, keys, tabTo } from './driver/keyboard.ts'
import { card } from './driver/packages.ts'
import { expectClean } from './driver/sight.ts'
import { dialog, expectShown, press, question, snackbar } from './driver/widgets.ts'

// One story: a package with records, and a next version that has no place for some of them.
const { page, console: server } = await openDeskWithInstance({ fresh: true })
const { instance } = server
const api = apiOf(page)

const open = dialog(page, 'Upload Package')
const loss = question(page, 'Data would be lost')
const surely = question(page, 'Lose this data?')

async function client(init?: RequestInit): Promise<unknown> {
  return (await fetch(`${instance.url}/api/crm/1.0/client`, init)).json()
}

async function build(): Promise<void> {
  const id = await api.manifestNamed('Crm')
  await send(page, 'POST', `/1.0/cdm/manifest/${id}/build`, {
    customPackageName: 'crm',
    manifestProperties: [
      {
        manifestName: 'Crm',
        packageProperties: { connectionPoolInfo: { type: 'HSQL', url: '', databaseName: 'embedded' } },
        configurationBuild: { apiConfiguration: { type: ['REST'] } },
      },
    ],
  })
}

async function openUpload(version: string): Promise<Locator> {
  await page.goto('/packages')
  const row = card(page, 'crm')
  await expectShown(row)
  await expect
    .poll(() => row.getByRole('combobox', { name: 'Version' }).textContent(), { timeout: 30_000 })
    .toBe(version)
  await expectShown(row.getByRole('button', { name: 'Upload', exact: true, disabled: false }))
  await row.getByRole('button', { name: 'Upload', exact: true }).click()
  await expectShown(open)
  await open.getByRole('combobox', { name: 'Instance' }).click()
  await page.getByRole('option', { name: /^local/ }).click()
  await open.getByRole('switch', { name: 'Started' }).click()
  return open
}

async function uploadOver(): Promise<void> {
  await press(open, 'Upload')
  await press(question(page, 'Upload Package'), 'Proceed')
}

it('a version runs and has records', async () => {
  const id = await api.createManifest('Crm')
  const text = { dataType: 'string', isNullable: true, isPrimaryKey: false } as const
  const entity = await api.createEntity(
    {
      name: 'Client',
      typeAttributes: [
        { ...text, name: 'fullName' },
        { ...text, name: 'nickname' },
        { ...text, name: 'unused' },
      ],
    },
    id,
  )
  expect(entity.name).toBe('Client')
  await build()
  await openUpload('1.0.0')
  await press(open, 'Upload')
  await expectShown(snackbar(page, "Package 'crm' 1.0.0 is started."))
  await client({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fullName: 'Ada King', nickname: 'Ada' }),
  })
})

it('the next version says what it would lose, by entity, and a no changes nothing', async () => {
  const entity = await api.entityOf(await api.entityNamed('Client'))
  const typeAttributes = entity.typeAttributes
    .filter(({ name }) => name !== 'nickname' && name !== 'unused')
    .map(({ nullable: isNullable, ...rest }) => ({ ...rest, isNullable }))
  await send(page, 'PUT', `/1.0/cdm/entity/${entity.id}`, { entity: { name: entity.name, typeAttributes } })
  await api.createEntity({ name: 'Visit' }, await api.manifestNamed('Crm'))
  await build()
  await openUpload('1.0.1')
  await uploadOver()
  await expectShown(loss.getByText('crm 1.0.1 would lose data. Nothing was changed, and 1.0.0 keeps running.'))
  const lines = await loss
    .locator('section')
    .evaluateAll(sections =>
      sections.map(section => [...section.querySelectorAll('h3, dt, dd')].map(part => part.textContent)),
    )
  expect(lines).toEqual([
    ['Loses data', 'Client', "'nickname' of 'Client' is dropped with its values."],
    ['Rewritten', 'Client', "'unused' of 'Client' is dropped with its values. There are none."],
    ['Safe', 'Visit', "'Visit' is new."],
  ])
  await expectClean(page, 'upload-data-loss')
  await press(loss, 'Cancel')
  await expectShown(open.getByText('crm 1.0.1 would lose data. Nothing was changed, and 1.0.0 keeps running.'))
  expect(await client()).toMatchObject({ client: [{ fullName: 'Ada King', nickname: 'Ada' }] })
})

it('what is lost is asked a second time, by keyboard as well, and again a no changes nothing', async () => {
  await uploadOver()
  await expect.poll(() => hasFocus(loss.getByRole('button', { name: 'Cancel' }))).toBe(true)
  await tabTo(page, loss.getByRole('button', { name: 'Continue…' }))
  await keys(page, 'Enter')
  await expectShown(surely.getByText("'nickname' of 'Client' is dropped with its values.", { exact: true }))
  await expect.poll(() => hasFocus(surely.getByRole('button', { name: 'Cancel' }))).toBe(true)
  await expectClean(page, 'upload-data-loss-surely')
  await keys(page, 'Escape')
  await surely.waitFor({ state: 'detached' })
  await expectShown(open)
  expect(await client()).toMatchObject({ client: [{ nickname: 'Ada' }] })
})

it('who means it twice has the new version, and the log says that loss was allowed', async () => {
  await uploadOver()
  await press(loss, 'Continue…')
  await press(surely, 'Lose data and upload')
  await expectShown(snackbar(page, "Package 'crm' 1.0.1 is started."))
  await open.waitFor({ state: 'detached' })
  expect(await client()).toMatchObject({ client: [{ fullName: 'Ada King' }] })
  expect(JSON.stringify(await client())).not.toContain('nickname')
  const logs = await page.request.get('/1.0/cdm/manifest/logs', { headers: { 'X-Organisation-Code': 'ACME' } })
  expect(await logs.text()).toContain(
    `Uploaded package crm 1.0.1 to ${new URL(instance.url).host}, allowing data loss.`,
  )
})
