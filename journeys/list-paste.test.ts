import { describe, expect, it } from 'vitest'
import { expectAccessible } from './driver/accessible.ts'
import { apiOf } from './driver/api.ts'
import { navigate, openManifest } from './driver/document.ts'
import { cell, manifestDocument, names, tab } from './driver/entity.ts'
import { type Hand, inAtMost } from './driver/hand.ts'
import { startJourney } from './driver/journey.ts'
import { dismissMessages, expectShown, snackbar } from './driver/widgets.ts'

const { page } = await startJourney({ width: 1440, height: 900 })
const api = apiOf(page)

/** By entity, what it refers to: 16 relationships, among them a ring of entities with keys of their own. */
const clinic: Readonly<Record<string, readonly string[]>> = {
  Patient: ['Doctor', 'Address'],
  Doctor: ['Department', 'Address'],
  Department: ['Doctor'],
  Address: [],
  Visit: ['Patient', 'Doctor.id', 'Room'],
  Room: ['Department'],
  Treatment: ['Visit', 'Drug'],
  Drug: [],
  Invoice: ['Patient', 'Visit'],
  Payment: ['Invoice'],
  Insurance: ['Address'],
  Policy: ['Patient'],
}

const attributes = 70

/** A list as in a spreadsheet: an entity's key, its attributes, and its references. */
function listOf(prefix: string, others: readonly string[] = []): string {
  const entities = Object.keys(clinic)
  const rows = entities.flatMap((entity, at) => {
    const name = `${prefix}${entity}`
    const own = Array.from({ length: Math.floor((attributes - 12 + 11 - at) / 12) }, (_, index) => index + 1)
    return [
      [name, entity === 'Doctor' ? 'id' : `${entity.toLowerCase()}Number`, 'int', 'PK', 'no', ''],
      ...own.map(index => [name, `field${index}`, 'varchar(40)', '', index % 2 ? 'yes' : 'no', '']),
      ...(clinic[entity] ?? []).map(target => {
        return [name, `${target.replace('.', '')}Key`.toLowerCase(), 'int', '', 'yes', `${prefix}${target}`]
      }),
    ]
  })
  return ['Entity\tAttribute\tType\tKey\tNullable\tReferences', ...rows.map(line => line.join('\t')), ...others].join(
    '\r\n',
  )
}

async function stored(manifest: number) {
  const { entity: entities } = await api.members(manifest)
  const all = await Promise.all(entities.map(async ({ id }) => api.entityOf(id)))
  const sum = (count: (entity: (typeof all)[number]) => number) => all.reduce((total, one) => total + count(one), 0)
  return {
    entities: all.length,
    attributes: sum(one => one.typeAttributes.length),
    relationships: sum(one => one.entityAttributes.length),
  }
}

const wanted = { entities: 12, attributes, relationships: 16 }

async function pasteList(hand: Hand, list: string) {
  await hand.paste(list)
  await expectShown(snackbar(page, 'Pasted 86 rows into 12 entities, 12 of them new.'))
}

describe('A list of 12 entities, 70 attributes and 16 relationships from a spreadsheet', () => {
  it('is pasted and saved in at most 8 actions, by mouse', async () => {
    const manifest = await api.createManifest('Mouse')
    await navigate(page, `/?manifest=${manifest}&tab=diagram`)
    await inAtMost(page, 8, async hand => {
      await hand.click(page.getByRole('tab', { name: /^Entities/ }))
      await pasteList(hand, listOf('Mouse'))
      await expectShown(page.getByText('12 with unsaved changes'))
      await hand.click(page.getByRole('button', { name: 'Save All' }))
    })
    await expect.poll(() => stored(manifest), { interval: 1_000 }).toEqual(wanted)
  })

  it('is pasted and saved in at most 8 actions, by keyboard alone', async () => {
    const manifest = await api.createManifest('Keys')
    await page.goto('/')
    // Before that no key has an effect.
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    await inAtMost(page, 8, async hand => {
      await hand.press('Control+k')
      await hand.type('Keys')
      await expect.poll(() => page.getByRole('option').first().textContent()).toContain('Keys')
      await hand.press('Enter')
      await expectShown(manifestDocument(page, 'Keys'))
      await pasteList(hand, listOf('Keys'))
      await hand.press('Control+Shift+s')
    })
    await expect.poll(() => stored(manifest), { interval: 1_000 }).toEqual(wanted)
  })
})

describe('A list pasted into the entities of a manifest', () => {
  it('keeps what cells cannot take, and Save All names it', async () => {
    const manifest = await api.createManifest('Mistakes', [])
    for (const name of ['Ward', 'Bed']) await api.createEntity({ name }, manifest)
    await openManifest(page, manifest, 'Mistakes')
    await inAtMost(page, 2, async hand => {
      await hand.paste('Entity\tName\tType\nWard\tfloor\tint\nBed\tplace\tgeometry\nBed\tprice\tdecimal(10,2)')
      await expectShown(snackbar(page, 'Pasted 3 rows into 2 entities. 1 cell to look at: Bed (1).'))
      await expectAccessible(page, 'list-paste')
      await hand.press('Control+Shift+s')
    })
    await expectShown(snackbar(page, 'One cell was not saved, because its text is not valid: Bed (1).'))
    await expect.poll(() => stored(manifest), { interval: 1_000 }).toMatchObject({ attributes: 5 })
    await tab(page, 'Bed').click()
    await expect.poll(() => cell(page, 'place', 'dataType').textContent()).toBe('geometry')
  })

  it('is taken back with the entities that it created, by the message and by a key', async () => {
    const manifest = await api.createManifest('Undone')
    await openManifest(page, manifest, 'Undone')
    const text = 'Pasted 2 rows into one entity, 1 of them new.'
    const pasteWard = async (hand: Hand) => {
      await hand.paste('Entity\tName\tType\nWard\tfloor\tint\nWard\tbeds\tint')
      await expectShown(snackbar(page, text))
      await expect.poll(() => names(page, 'Entities')).toEqual(['Ward'])
    }
    await inAtMost(page, 2, async hand => {
      await pasteWard(hand)
      await hand.click(page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }))
      await expectShown(page.getByText('No Entities to display'))
    })
    await dismissMessages(page)
    await inAtMost(page, 2, async hand => {
      await pasteWard(hand)
      await hand.press('Control+z')
      await expectShown(page.getByText('No Entities to display'))
    })
    await expect.poll(() => stored(manifest)).toMatchObject({ entities: 0 })
  })

  it('that is none says which headings a list has', async () => {
    const manifest = await api.createManifest('Headless')
    await openManifest(page, manifest, 'Headless')
    await inAtMost(page, 1, hand => hand.paste('floor\tint\nbeds\tint'))
    await expectShown(
      snackbar(page, 'A list of attributes needs headings in its first row, among them Entity and Name.'),
    )
  })
})
