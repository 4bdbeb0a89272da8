import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk, shoot } from './driver/desk.ts'
import { openEntity, tool, toolDialog } from './driver/document.ts'
import { property, setText } from './driver/entity.ts'
import { expectClean } from './driver/sight.ts'
import { expectShown, find, press, question, snackbar } from './driver/widgets.ts'

const desk = await openDesk()
const { page } = desk
// Two entities of one name in two manifests, each with a relationship to a third one, which has one to each of them.
const api = apiOf(page)
const solo = await api.createEntity({ name: 'Solo' }, await api.createManifest('Middle'))
const twins = new Map<string, EntityAnswer>()
for (const place of ['Left', 'Right']) {
  const twin = await api.createEntity({ name: 'Twin' }, await api.createManifest(place))
  twins.set(place, twin)
  await api.relate(twin.id, solo, 'soloId')
  await api.relate(solo.id, twin, `${place.toLowerCase()}Id`)
}
await api.relate(solo.id, await api.createEntity({ name: 'Sole' }), 'soleId')

/** Neither shortened nor cut off by what it stands in. */
async function isSeenWhole(words: Locator): Promise<boolean> {
  return words.evaluate(element => {
    const { left, right, top, height } = element.getBoundingClientRect()
    const isOnTop = [left + 1, right - 1].every(x => document.elementFromPoint(x, top + height / 2) === element)
    return isOnTop && element.scrollWidth <= element.clientWidth
  })
}

const relationships = () => page.getByRole('grid', { name: 'Relationships' }).getByRole('row')

describe('Name conflicts are told apart by where they live', () => {
  it('in the rows of relationships and in what the chosen one says, and nobody else is', async () => {
    await openEntity(page, solo)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await expectShown(relationships().filter({ hasText: 'leftId' }).getByText('user-defined/Left'))
    await expectShown(relationships().filter({ hasText: 'rightId' }).getByText('user-defined/Right'))
    expect(await relationships().filter({ hasText: 'soleId' }).textContent()).not.toContain('user-defined')
    await relationships().filter({ hasText: 'rightId' }).click()
    await expectShown(property(page, 'Entity Attribute', 'Associated Entity').getByText('user-defined/Right'))
    await expectClean(page, 'namesakes-relationships')
  })

  it('in what refers to an entity, in the panel and in the question before it is deleted', async () => {
    await openEntity(page, solo)
    const panel = page.getByRole('complementary', { name: 'Properties' })
    await expectShown(panel.getByRole('row').filter({ hasText: 'Twin' }).getByText('user-defined/Left'))
    await expectShown(panel.getByRole('row').filter({ hasText: 'Twin' }).getByText('user-defined/Right'))
    await tool(page, 'Delete Entity').click()
    const asked = question(page, 'Delete Entity')
    const links = asked.getByRole('list', { name: 'What refers to it' })
    await expectShown(links.getByText('user-defined/Left'))
    await expectShown(links.getByText('user-defined/Right'))
    await expectClean(page, 'namesakes-question')
    await press(asked, 'Cancel')
  })

  it('in the question before one of them is deleted, and in what says that its changes were discarded', async () => {
    for (const [place, twin] of twins) {
      await openEntity(page, twin)
      await tool(page, 'Delete Entity').click()
      await expectShown(question(page, 'Delete Entity').getByText(`user-defined/${place}`).first())
      await press(question(page, 'Delete Entity'), 'Cancel')
      await setText(page, 'Entity', 'Description', `Changed in ${place}`)
      await tool(page, 'Discard changes').click()
      // Two of the same words would share one way back.
      await expectShown(snackbar(page, `Discarded the changes of Twin in user-defined/${place}.`))
    }
  })

  it('in a picker, also once one was picked', async () => {
    await openEntity(page, solo)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    const open = await toolDialog(page, 'Add Relationship', 'New Relationship')
    await find(page, open, 'Associated Entity', 'Twin', 'user-defined/Right')
    const picked = open.getByRole('combobox', { name: 'Associated Entity' })
    await expect.poll(() => picked.textContent()).toBe('Twinuser-defined/Right')
    await press(open, 'Cancel')
  })

  it('also where there is little room: of a folder that is shortened the end is what stays', async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await openEntity(page, solo)
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await relationships().filter({ hasText: 'rightId' }).click()
    for (const place of [
      relationships().filter({ hasText: 'rightId' }),
      property(page, 'Entity Attribute', 'Associated Entity'),
    ]) {
      const words = place.getByText('Right', { exact: true })
      await expectShown(words)
      expect(await isSeenWhole(words)).toBe(true)
    }
    const row = relationships().filter({ hasText: 'rightId' })
    expect(await isSeenWhole(row.getByText('Twin', { exact: true }))).toBe(true)
    // A short name stands whole in its tab, however long the folder beside it is.
    const long = await api.createManifest('A_folder_with_a_name_as_long_as_they_may_be_here_0')
    for (const place of [await api.createEntity({ name: 'Twin' }, long), twins.get('Left')])
      if (place) await openEntity(page, place)
    const strip = page.getByRole('tablist', { name: 'Open documents' })
    for (const words of await strip.getByText('Twin', { exact: true }).all()) {
      expect(await words.evaluate(element => element.scrollWidth <= element.clientWidth)).toBe(true)
    }
    await shoot(page, 'namesakes-narrow')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('the page complained about nothing on the way', () => {
    expect(desk.complaints).toEqual([])
  })
})
