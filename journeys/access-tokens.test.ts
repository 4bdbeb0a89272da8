import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { startJourney, saveScreenshot } from './driver/journey.ts'
import { record } from './driver/document.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { requestWithToken, createToken, openTokens, secretPattern, tokenScreens } from './driver/tokens.ts'
import { expectShown, pick, press, question, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
await journey.context.grantPermissions(['clipboard-read', 'clipboard-write'])

const { tokens, creating, created, revoking, rowOf } = tokenScreens(page)
const open = () => openTokens(page)
const callApi = (secret: string, path: string, body?: object) =>
  requestWithToken(journey.console.url, secret, path, body)

/** Everything that the browser stores for the page, as JSON text. */
function browserStorage(): Promise<string> {
  return page.evaluate(async () => {
    const entries: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]
    const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(new Error('The database does not answer.'))
      })
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await resultOf(indexedDB.open(name))
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store)
        entries.push(name, store, await resultOf(objects.getAllKeys()), await resultOf(objects.getAll()))
      }
      database.close()
    }
    for (const name of await caches.keys()) entries.push(name)
    return JSON.stringify(entries)
  })
}

describe('Access tokens', () => {
  it(
    'a token created from the profile menu is shown once, works in a script, and is rejected after revocation',
    holds('M7.2'),
    async () => {
      await open()
      await expectShown(tokens.getByText('Scripts use access tokens to work in Acme Trading as you.'))
      await expectShown(tokens.getByText('No access tokens yet. Create one for each script.'))
      await saveScreenshot(page, 'tokens-empty')
      await press(tokens, 'Create')
      await press(creating, 'Create')
      await expectShown(creating.getByText('this is a required field'))
      await creating.getByRole('textbox', { name: 'Name' }).fill('x'.repeat(101))
      await expectShown(creating.getByText('this must be 1 to 100 characters long.'))
      await creating.getByRole('textbox', { name: 'Name' }).fill(' Nightly export ')
      await creating.getByRole('radio', { name: 'Read and write' }).click()
      await pick(page, creating, 'Expires', '30 days')
      await expectShown(creating.getByText(/^Works until \d{4}-\d\d-\d\d \d\d:\d\d\.$/))
      await press(creating, 'Create')
      await expectShown(created)
      const field = created.getByLabel('Token', { exact: true })
      await expect.poll(() => field.inputValue()).toMatch(secretPattern)
      const secret = await field.inputValue()
      await expectShown(created.getByText('Copy the token now: it cannot be shown again. Keep it like a password.'))
      await press(created, 'Copy')
      await expectShown(snackbar(page, 'The token was copied.'))
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
      await press(created, 'Done')
      await created.waitFor({ state: 'detached' })
      await expect
        .poll(async () => (await rowOf('Nightly export').getByRole('gridcell').allTextContents()).slice(0, 5))
        .toEqual(['Nightly export', 'Read and write', expect.any(String), 'Never', 'No'])

      expect((await callApi(secret, 'manifest?limit=1')).status).toBe(200)
      expect((await callApi(secret, 'entity', { entity: { name: 'MadeByScript' } })).status).toBe(200)
      await press(tokens, 'Close')
      await open()
      await expectShown(
        rowOf('Nightly export')
          .getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
          .nth(1),
      )

      await rowOf('Nightly export').getByRole('button', { name: 'Revoke Nightly export' }).click()
      await expectShown(
        revoking.getByText('Scripts that use "Nightly export" will lose access immediately. This cannot be undone.'),
      )
      await press(revoking, 'Cancel')
      expect((await callApi(secret, 'manifest?limit=1')).status).toBe(200)
      await rowOf('Nightly export').getByRole('button', { name: 'Revoke Nightly export' }).click()
      await press(revoking, 'Revoke')
      await expectShown(snackbar(page, 'The access token "Nightly export" was revoked.'))
      await rowOf('Nightly export').waitFor({ state: 'detached' })
      const refused = await callApi(secret, 'manifest?limit=1')
      expect([refused.status, await refused.json()]).toEqual([
        401,
        { message: 'The access token is not valid.', code: 'unauthenticated' },
      ])
      await press(tokens, 'Close')
    },
  )

  it('a read-only token cannot write, and token names must be unique', async () => {
    await open()
    const secret = await createToken(page, 'Reader')
    expect((await callApi(secret, 'entity?limit=1')).status).toBe(200)
    const refused = await callApi(secret, 'entity', { entity: { name: 'NotByReader' } })
    expect([refused.status, await refused.json()]).toMatchObject([403, { message: 'This access token is read-only.' }])
    await press(tokens, 'Create')
    await creating.getByRole('textbox', { name: 'Name' }).fill('reader ')
    await expectShown(creating.getByText('An access token with the name "reader" already exists.'))
    await creating.getByRole('textbox', { name: 'Name' }).fill('Dated')
    await pick(page, creating, 'Expires', 'On a date')
    await press(creating, 'Create')
    await expectShown(creating.getByText('this is a required field'))
    const day = creating.getByLabel('Expiry Date')
    await day.fill('2020-01-01')
    await expectShown(creating.getByText('The expiry must be in the future.'))
    await day.fill('2099-01-01')
    await expectShown(creating.getByText('An access token expires within a year.'))
    const last = (await day.getAttribute('max')) ?? ''
    await day.fill(last)
    await expectShown(creating.getByText(`Works until ${last} 23:59.`))
    await press(creating, 'Create')
    await press(created, 'Copy')
    await press(created, 'Done')
    await expectShown(rowOf('Dated').getByText(`${last} 23:59`, { exact: true }))
    await press(tokens, 'Close')
  })

  it('a token secret is not stored in the browser', async () => {
    await open()
    const calls = record(page)
    await press(tokens, 'Create')
    await creating.getByRole('textbox', { name: 'Name' }).fill('Not kept')
    await press(creating, 'Create')
    const field = created.getByLabel('Token', { exact: true })
    await expect.poll(() => field.inputValue()).toMatch(secretPattern)
    const secret = await field.inputValue()
    const whileShown = await browserStorage()
    await press(created, 'Copy')
    await press(created, 'Done')
    await created.waitFor({ state: 'detached' })
    const afterwards = await browserStorage()
    for (const all of [whileShown, afterwards]) {
      // The snapshot does cover stored data.
      expect(all).toContain('ACME')
      expect(all).not.toContain(secret.slice(11))
    }
    await expect.poll(() => page.content()).not.toContain(secret.slice(11))
    await press(tokens, 'Close')
    await open()
    await expectShown(rowOf('Not kept'))
    await expect.poll(() => page.content()).not.toContain(secret.slice(11))
    expect(JSON.stringify(calls)).not.toContain(secret.slice(11))
    await press(tokens, 'Close')
  })

  it('closing the dialog before the token is copied requires confirmation', async () => {
    await open()
    await press(tokens, 'Create')
    await creating.getByRole('textbox', { name: 'Name' }).fill('Never copied')
    await press(creating, 'Create')
    await expectShown(created)
    const confirmation = question(page, 'Close without copying?')
    for (const leave of [
      () => press(created, 'Done'),
      () => keys(page, 'Escape'),
      () => created.getByRole('button', { name: 'Close', exact: true }).click(),
    ]) {
      await leave()
      await expectShown(confirmation.getByText('The token has not been copied and cannot be shown again.'))
      await press(confirmation, 'Cancel')
      await confirmation.waitFor({ state: 'detached' })
    }
    await press(created, 'Done')
    await press(confirmation, 'Close')
    await created.waitFor({ state: 'detached' })
    await expectShown(rowOf('Never copied'))
    await press(tokens, 'Close')
  })

  it('if the browser blocks copying, the token is selected and Ctrl+C copies it', async () => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not here'))
    })
    await open()
    await press(tokens, 'Create')
    await creating.getByRole('textbox', { name: 'Name' }).fill('By keys')
    await press(creating, 'Create')
    const field = created.getByLabel('Token', { exact: true })
    const secret = await field.inputValue()
    await press(created, 'Copy')
    const message = 'The browser blocked copying. The token is selected: press Ctrl+C.'
    await expectShown(snackbar(page, message))
    await expect.poll(() => hasFocus(field)).toBe(true)
    await keys(page, 'Control+c')
    await press(created, 'Done')
    await created.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
    await press(tokens, 'Close')
    await page.reload()
    await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
  })

  it('the page logs no errors', () => {
    expect(journey.complaints).toEqual([])
  })
})
