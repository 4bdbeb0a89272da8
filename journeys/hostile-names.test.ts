import { writeArchive } from '@cadmus/formats/archive'
import { hasHidden } from '@cadmus/model/visible-text'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openDesk } from './driver/desk.ts'
import { entityDocument, manifestDocument, row, tab } from './driver/entity.ts'
import { expectClean } from './driver/sight.ts'
import { importManifest } from './driver/transfer.ts'
import { nodeAt } from './driver/tree.ts'
import { downloaded, expectShown, press } from './driver/widgets.ts'

// Names from files keep every character; the page shows what is not seen, and nothing passes for something else.

const folderName = 'Fold\u202Ereder'
const entityNames = ['Invo\u202Eecic', 'Invoice', 'Invoice\u200B', 'In\u2066vo\u2069ice', 'Left/Right', 'Left%2FRight']
const shown = [
  'Invo‹U+202E›ecic',
  'Invoice',
  'Invoice‹U+200B›',
  'In‹U+2066›vo‹U+2069›ice',
  'Left/Right',
  'Left%2FRight',
]
const folderShown = 'Fold‹U+202E›reder'

const desk = await openDesk()
const { page } = desk

/** A zip as a person would get it from somebody who means to deceive. */
function hostileFolder(): Uint8Array {
  const documentOf = (entityName: string, index: number) => ({
    definitions: [
      {
        entityName,
        description: 'Not\u202E what it says',
        hasAttributes: [
          { name: `key${index}`, purpose: 'identifiedBy', dataType: 'string' },
          { name: 'am\u200Bount', dataType: 'string', description: 'zero\u2060width' },
          `group\u202E${index}`,
        ],
      },
    ],
  })
  const entities = entityNames.map((entityName, index) => ({
    entityName,
    entityPath: `E${index}.cdm.json/${entityName}`,
  }))
  return writeArchive(
    new Map([
      ['m.manifest.cdm.json', JSON.stringify({ manifestName: folderName, entities, subManifests: [] })],
      ...entityNames.map((name, index): [string, string] => [
        `E${index}.cdm.json`,
        JSON.stringify(documentOf(name, index)),
      ]),
    ]),
  )
}

/** Nothing that a person reads or hears holds a character that is not seen; a field that is edited holds the text itself. */
async function expectNothingHidden(where: Locator): Promise<void> {
  const texts = await where.evaluate(node => {
    const labels = [...node.querySelectorAll('*')].flatMap(one =>
      ['aria-label', 'title', 'placeholder', 'alt'].map(name => one.getAttribute(name) ?? ''),
    )
    const own = [...node.querySelectorAll(':not(textarea)'), node].flatMap(one =>
      [...one.childNodes].filter(child => child.nodeType === Node.TEXT_NODE).map(child => child.textContent ?? ''),
    )
    return [...labels, ...own]
  })
  expect(texts.map(text => text.replace(/[\n\t]/g, ' ')).filter(hasHidden)).toEqual([])
}

describe('Names of a folder that mean to deceive', () => {
  it('the report shows what is not seen, and is downloaded whole', async () => {
    const report = await importManifest(page, 'hostile.zip', hostileFolder())
    const notes = report.getByRole('list', { name: 'Notes' })
    await expectShown(notes.getByText('group‹U+202E›0').first())
    await expectShown(report.getByRole('button', { name: `Open ${folderShown}` }))
    await expectNothingHidden(page.locator('body'))
    const { name, bytes } = await downloaded(page, () => press(report, 'Download report'))
    expect(name).toBe('import-report.csv')
    const csv = new TextDecoder().decode(bytes)
    const lines = csv.trimEnd().split('\r\n')
    expect(lines[0]).toBe('"Severity","Place","Message"')
    for (const index of entityNames.keys()) expect(csv).toContain(`group‹U+202E›${index}`)
    expect(lines.filter(line => hasHidden(line))).toEqual([])
    expect(await notes.getByRole('listitem').count()).toBe(lines.length - 1)
    await expectClean(page, 'hostile-report')
    await press(report, `Open ${folderShown}`)
    await report.waitFor({ state: 'detached' })
  })

  it('in the tree, the header, the tab and the window they are shown, and namesakes are told apart', async () => {
    await expectShown(manifestDocument(page, folderShown))
    await expectNothingHidden(page.locator('body'))
    for (const name of shown) {
      const node = await nodeAt(page, 'Custom', 'Manifests', folderShown, 'Entities', name)
      await node.dblclick()
      const open = entityDocument(page, name)
      await expectShown(open)
      await expectShown(open.getByRole('heading', { name, exact: true }))
      await expectShown(tab(page, name))
      await expectShown(row(page, 'Type attributes', 'am‹U+200B›ount'))
      await expect.poll(() => page.title()).toContain(name)
      await expectNothingHidden(page.locator('body'))
    }
    await expectClean(page, 'hostile-names')
  })

  it('a slash in a name makes no folder, in the tree or in the path', async () => {
    for (const [name, path] of [
      ['Left/Right', 'Left%2FRight'],
      ['Left%2FRight', 'Left%252FRight'],
    ] as const) {
      await (await nodeAt(page, 'Custom', 'Manifests', folderShown, 'Entities', name)).dblclick()
      await expectShown(entityDocument(page, name))
      await expectShown(page.getByRole('complementary', { name: 'Properties' }).getByText(path).first())
    }
    expect(desk.complaints).toEqual([])
  })
})
