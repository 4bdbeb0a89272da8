import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openPage, startJourney } from './driver/journey.ts'
import { entityDocument } from './driver/entity.ts'
import { expectShown, press } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey

describe('Document addresses', () => {
  it('a deep link opens its document after sign-in', async () => {
    const { id } = await apiOf(page).createEntity({ name: 'LinkedEntity' })
    const { page: colleague, context } = await openPage(journey.browser, journey.console.url)
    await colleague.goto(`/?entity=${id}`)
    await colleague.getByRole('button', { name: 'designer' }).click()
    await expectShown(entityDocument(colleague, 'LinkedEntity'))
    await expect.poll(() => new URL(colleague.url()).searchParams.get('entity')).toBe(String(id))
    await context.close()
  })

  it('a missing version offers the latest; an address without a version opens the latest', async () => {
    const { id } = await apiOf(page).createEntity({ name: 'VersionLinked' })
    await page.goto(`/?entity=${id}&version=9.9.9`)
    await press(page.getByRole('alert'), 'Show the latest')
    await expectShown(entityDocument(page, 'VersionLinked'))
    await expect.poll(() => new URL(page.url()).searchParams.get('version')).toBeNull()
    await page.goto(`/?entity=${id}&version=9.9.9`)
    await expectShown(page.getByRole('button', { name: 'Show the latest' }))
    await page.goto(`/?entity=${id}`)
    await expectShown(entityDocument(page, 'VersionLinked'))
    expect(new URL(page.url()).searchParams.get('version')).toBeNull()
  })

  it('an invalid entity id is reported and removed from the address', async () => {
    await page.goto('/?entity=abc')
    await expectShown(page.getByText('The address has no valid entity id: "abc".'))
    await expect.poll(() => new URL(page.url()).searchParams.get('entity')).not.toBe('abc')
  })
})
