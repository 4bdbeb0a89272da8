import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { expectSaved, openEntity } from './driver/document.ts'
import { cell, entityDocument, names, row } from './driver/entity.ts'
import { type Hand, inAtMost } from './driver/hand.ts'
import { saveScreenshot, startJourney } from './driver/journey.ts'
import { hasFocus, keys } from './driver/keyboard.ts'
import { expectShown, snackbar } from './driver/widgets.ts'

const journey = await startJourney()
const { page } = journey
await journey.context.grantPermissions(['clipboard-read', 'clipboard-write'])
const api = apiOf(page)
const shop = await api.manifestNamed('Shop')

const newOrder = async (name: string, attributes: readonly string[] = []) => {
  const entity = await api.createEntity({ name, typeAttributes: attributes.map(one => ({ name: one })) }, shop)
  await openEntity(page, entity)
  return entity
}
const stored = async ({ id }: { id: number }) => api.entityOf(id)
const column = (id: string) => page.locator(`tbody tr[data-row-id] td[data-column=${id}]`).allTextContents()
const save = async () => {
  await keys(page, 'Control+s')
  await expectShown(snackbar(page, 'Entity saved successfully!'))
}

/** Pastes what a program put on the clipboard. */
async function paste(text: string, html = ''): Promise<void> {
  await page.evaluate(
    data => {
      const clipboardData = new DataTransfer()
      for (const [type, content] of Object.entries(data)) if (content !== '') clipboardData.setData(type, content)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(event)
    },
    { 'text/plain': text, 'text/html': html },
  )
}

describe('A paste from a spreadsheet', () => {
  it('adds 70 attributes by one paste, with the cells to look at in reach of F8', async () => {
    const entity = await newOrder('Patient')
    const lines = Array.from({ length: 70 }, (_, at) => `field${at + 1}\tvarchar(40)\tx\tno\t"Field ${at + 1}\nof 70"`)
    // Two mistakes.
    lines[4] = '5th\tvarchar(40)\tx\tno\t'
    lines[9] = 'field10\tgeometry\tx\tno\t'
    await cell(page, null, 'name').click()
    await paste(['Field\tData type\tRequired\tUnique\tComment', ...lines, ''].join('\r\n'))
    await expectShown(snackbar(page, 'Pasted 70 rows. 2 cells to look at (F8).'))
    await expect.poll(() => names(page, 'Type attributes')).toHaveLength(71)
    await expect.poll(() => hasFocus(cell(page, 'field1', 'name'))).toBe(true)
    await expectShown(page.getByText('70 selected', { exact: true }))
    await saveScreenshot(page, 'attribute-clipboard-pasted')
    await keys(page, 'Control+Home', 'F8')
    await expect.poll(() => hasFocus(cell(page, '5th', 'name'))).toBe(true)
    await page.keyboard.type('field5')
    await keys(page, 'Enter', 'F8')
    await expect.poll(() => hasFocus(cell(page, 'field10', 'dataType'))).toBe(true)
    await page.keyboard.type('string')
    await keys(page, 'Enter')
    await save()
    const { typeAttributes } = await stored(entity)
    expect(typeAttributes).toHaveLength(71)
    expect(typeAttributes[1]).toMatchObject({ name: 'field1', maxLength: 40, description: 'Field 1\nof 70' })
  })

  /** A manifest of entities, with a list of their attributes in turn, one of them of an unknown type. */
  async function listed(prefix: string, entityCount: number, attributeCount: number) {
    const manifest = await api.createManifest(prefix)
    const entities: EntityAnswer[] = []
    for (let at = 1; at <= entityCount; at++)
      entities.push(await api.createEntity({ name: `${prefix}${at}`, typeAttributes: [] }, manifest))
    const owners = Array.from({ length: attributeCount }, (_, at) => `${prefix}${(at % entityCount) + 1}`)
    const lines = owners.map((owner, at) => `${owner}\tfield${at + 1}\t${at === 2 ? 'geometry' : 'varchar(40)'}`)
    const counts = entities.map(({ name }) => owners.filter(owner => owner === name).length)
    return { manifest, entities, counts, list: ['Entity\tName\tType', ...lines].join('\n') }
  }

  async function expectAllSaved({ entities, counts }: Awaited<ReturnType<typeof listed>>, prefix: string) {
    await expectShown(snackbar(page, `One cell was not saved, because its text is not valid: ${prefix}3 (1).`))
    const saved = async () => Promise.all(entities.map(async one => (await stored(one)).typeAttributes.length - 1))
    // Seldom enough for the rate limit, which the page would reach otherwise.
    await expect.poll(saved, { interval: 1_000 }).toEqual(counts)
  }

  async function pasteInto({ name }: EntityAnswer, list: string, hand: Hand) {
    await expectShown(entityDocument(page, name))
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id'])
    await hand.paste(list)
    await expect.poll(async () => (await names(page, 'Type attributes')).length).toBeGreaterThan(5)
  }

  it('gives four entities their 23 attributes from one list in at most nine actions, by mouse', async () => {
    const all = await listed('Mouse', 4, 23)
    await page.goto(`/?entity=${all.entities[0]?.id}`)
    await inAtMost(page, 9, async hand => {
      for (const entity of all.entities) {
        await hand.click(page.getByRole('treeitem', { name: entity.name, exact: true }))
        await pasteInto(entity, all.list, hand)
      }
      await hand.press('Control+Shift+s')
    })
    await expectAllSaved(all, 'Mouse')
  })

  it('gives twelve entities their 70 attributes from one list in at most 30 actions, by keyboard alone', async () => {
    const all = await listed('Keys', 12, 70)
    await page.goto('/')
    // Before that no key has an effect.
    await expectShown(page.getByRole('tree', { name: 'Project Navigator' }))
    await inAtMost(page, 30, async hand => {
      await hand.press('Control+k')
      await hand.type('Keys1')
      await expect.poll(() => page.getByRole('option').first().textContent()).toContain('Keys1')
      await hand.press('Enter')
      for (const [at, entity] of all.entities.entries()) {
        if (at > 0) await hand.press('Alt+PageDown')
        await pasteInto(entity, all.list, hand)
        await expect.poll(() => hasFocus(cell(page, `field${at + 1}`, 'name'))).toBe(true)
      }
      await hand.press('Control+Shift+s')
    })
    await expectAllSaved(all, 'Keys')
  })

  it('is one step, which its message undoes', async () => {
    await newOrder('Undone', ['one'])
    await cell(page, null, 'name').click()
    await paste('born\tdate\nprice\tdecimal(10,2)\n')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'one', 'born', 'price'])
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'one'])
  })

  const tables = {
    Excel: `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>td {mso-ignore: padding}</style></head><body>
      <table border=0 cellpadding=0 cellspacing=0 width=192 style='border-collapse:collapse'><!--StartFragment-->
      <col width=64 span=3><tr height=20><td height=20>Name</td><td>Type</td><td>Comment</td></tr>
      <tr height=20><td>first<span style='mso-spacerun:yes'> </span></td><td>varchar(40)</td><td class=xl65
      width=64>Two<br>
      lines</td></tr><tr><td>second</td><td>date</td><td>5&quot; pipe</td></tr><!--EndFragment--></table></body></html>`,
    'Google Sheets': `<meta charset='utf-8'><google-sheets-html-origin><style type="text/css">td {border: 1px solid}</style>
      <table xmlns="http://www.w3.org/1999/xhtml" dir="ltr" border="1"><colgroup><col width="100"/></colgroup><tbody>
      <tr style="height:21px;"><td data-sheets-value="{&quot;1&quot;:2}">Name</td><td>Type</td><td>Comment</td></tr>
      <tr><td>first</td><td>varchar(40)</td><td>Two<br/>lines</td></tr>
      <tr><td>second</td><td>date</td><td>5" pipe</td></tr></tbody></table>`,
    LibreOffice: `<!DOCTYPE html><html><head><meta name="generator" content="LibreOffice 24.2"/></head><body>
      <table cellspacing="0" border="0"><colgroup width="85"></colgroup><tr><td height="17" align="left">Name</td>
      <td align="left">Type</td><td align="left">Comment</td></tr><tr><td><font face="Liberation Sans">first</font></td>
      <td>varchar(40)</td><td>Two<br>lines</td></tr><tr><td>second</td><td>date</td><td>5&quot; pipe</td></tr></table></body>`,
    Numbers: `<html><head><meta name="Generator" content="Cocoa HTML Writer"></head><body><table class="t1"><tbody>
      <tr><td valign="top" class="td1"><p class="p1"><b>Name</b></p></td><td><p>Type</p></td><td><p>Comment</p></td></tr>
      <tr><td><p>first</p></td><td><p>varchar(40)</p></td><td><p>Two</p><p>lines</p></td></tr>
      <tr><td><p>second</p></td><td><p>date</p></td><td><p>5" pipe</p></td></tr></tbody></table></body></html>`,
  }

  it('reads the tables of Excel, Google Sheets, LibreOffice and Numbers if their text lost the line breaks', async () => {
    await newOrder('OfPrograms')
    for (const [message, html] of Object.entries(tables)) {
      await cell(page, null, 'name').click()
      await paste('Name\tType\tComment\nfirst\tvarchar(40)\tTwo\nlines\nsecond\tdate\t5" pipe', html)
      const expectColumn = async (name: string, ...texts: string[]) => {
        await expect.poll(async () => (await column(name)).slice(1), { message }).toEqual(texts)
      }
      await expectColumn('name', 'first', 'second')
      await expectColumn('description', 'Two\nlines', '5" pipe')
      await expectColumn('length', '40', '')
      await keys(page, 'Control+z')
      await expectColumn('name')
    }
  })

  it('makes relationships to the entities that a column names', async () => {
    const buyer = await api.createEntity({ name: 'Payer', typeAttributes: [{ name: 'code' }] }, shop)
    const entity = await newOrder('Invoice')
    await cell(page, null, 'name').click()
    await paste('Name\tType\tReferences\nnumber\tint\t\npayerId\tint\tPayer\nlostId\tint\tNowhere.id')
    await expectShown(snackbar(page, 'Pasted 3 rows. 1 cell to look at (F8).'))
    await expect.poll(() => column('references')).toEqual(['', '', 'Payer.id', 'Nowhere.id'])
    await cell(page, 'lostId', 'references').click()
    await page.getByRole('button', { name: 'Revert', exact: true }).click()
    await save()
    expect((await stored(entity)).entityAttributes).toMatchObject([
      { associatedEntity: { id: buyer.id }, associatedEntityTypeAttribute: 'id' },
    ])
  })
})

describe('Copy and paste by keyboard', () => {
  it('fills cells, and cutting clears them', async () => {
    const entity = await newOrder('Filled', ['one', 'two', 'three'])
    await cell(page, 'one', 'length').click()
    await page.keyboard.type('40')
    await keys(page, 'Enter', 'ArrowUp', 'Control+c', 'ArrowDown', 'Shift+ArrowDown', 'Control+v')
    await expect.poll(() => column('length')).toEqual(['', '40', '40', '40'])
    // The pasted cells are chosen.
    await keys(page, 'Delete')
    await expect.poll(() => column('length')).toEqual(['', '40', '', ''])
    await keys(page, 'Control+z')
    await expect.poll(() => column('length')).toEqual(['', '40', '40', '40'])
    await cell(page, 'one', 'length').click()
    await keys(page, 'Control+x')
    await expect.poll(() => column('length')).toEqual(['', '', '40', '40'])
    await save()
    expect((await stored(entity)).typeAttributes.map(({ maxLength }) => maxLength)).toEqual([null, null, 40, 40])
  })

  it('copies whole attributes into another entity with all their fields', async () => {
    await newOrder('Source', ['one', 'two', 'three'])
    await cell(page, 'two', 'dataType').click()
    await page.keyboard.type('uuid')
    await keys(page, 'Enter')
    await cell(page, 'two', 'name').click()
    await row(page, 'Type attributes', 'three').getByRole('checkbox').click()
    await keys(page, 'Control+c')
    const entity = await newOrder('Destination', ['two'])
    await cell(page, null, 'name').click()
    await keys(page, 'Control+v')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'two', 'two_2', 'three'])
    await save()
    expect((await stored(entity)).typeAttributes.slice(2)).toMatchObject([{ format: 'guid' }, { format: null }])
  })

  it('moves cut attributes into another entity, with their uids', async () => {
    const source = await newOrder('MovedFrom', ['one', 'two'])
    const [, , two] = (await stored(source)).typeAttributes
    await row(page, 'Type attributes', 'two').getByRole('checkbox').click()
    await keys(page, 'Control+x')
    await expectShown(snackbar(page, 'Cut a row, to be moved by Paste.'))
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'one', 'two'])
    const target = await newOrder('MovedTo')
    await cell(page, null, 'name').click()
    await keys(page, 'Control+v')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'two'])
    await save()
    expect((await stored(target)).typeAttributes[1]).toMatchObject({ uid: two?.uid, name: 'two' })
    expect((await stored(source)).typeAttributes.map(({ name }) => name)).toEqual(['id', 'one'])
  })

  it('pastes a copy back without a change', async () => {
    await newOrder('Unchanged', ['one', 'two'])
    await cell(page, 'one', 'name').click()
    await keys(page, 'Control+a', 'Control+c', 'Control+Home', 'Control+v')
    await expectShown(snackbar(page, 'Pasted 3 rows.'))
    await expectSaved(page)
  })
})
