import { expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { openEntity } from './driver/document.ts'
import { setText } from './driver/entity.ts'
import { expectShown } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
const shop = await apiOf(page).manifestNamed('Shop')

it('unreadable drafts are reported in a single message and remain stored', async () => {
  const [one, two] = [{ name: 'Unread_1' }, { name: 'Unread_2' }]
  for (const { name } of [one, two]) {
    const entity = await apiOf(page).createEntity({ name }, shop)
    await openEntity(page, entity)
    await setText(page, 'Entity', 'Description', 'of another time')
  }
  await expect.poll(() => page.getByRole('tab', { name: /unsaved changes/ }).count()).toBe(2)
  await page.reload()
  await expectShown(page.getByText(/^Restored draft:/))
  await page.goto('about:blank')
  await page.goto('/org')
  await makeUnreadable()
  await page.goto('/')
  const messages = page.getByRole('region', { name: 'Messages' })
  await expectShown(messages.getByText(/^Unsaved changes of .* cannot be read by this version of Cadmus\./))
  const texts = await messages.getByText(/cannot be read/).allTextContents()
  expect(texts).toHaveLength(1)
  for (const { name } of [one, two]) expect(texts[0]).toContain(name)
  await page.reload()
  await expectShown(messages.getByText(/cannot be read/))
})

/** Rewrites the stored drafts into a format that this version cannot read. */
async function makeUnreadable(): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>(resolve => {
        const request = indexedDB.open('cadmus')
        request.addEventListener('success', () => {
          const transaction = request.result.transaction('drafts', 'readwrite')
          const cursor = transaction.objectStore('drafts').openCursor()
          cursor.addEventListener('success', () => {
            const { result } = cursor
            if (!result) return
            result.update({ ...result.value, draft: { ...result.value.draft, steps: 'unheard of' } })
            result.continue()
          })
          transaction.addEventListener('complete', () => {
            request.result.close()
            resolve()
          })
        })
      }),
  )
}
