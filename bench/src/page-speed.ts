import { type Page, pressAll, print, withWideEntity } from './presses.ts'

// Measures a key press in an editor beside a table of 200 rows, on a processor slowed down four times; as a control
// also in a page with a single field, and in a static copy of the page without scripts. node bench/src/page-speed.ts
// [key presses]

const presses = Number(process.argv[2] ?? 60)

await withWideEntity(200, async (page, debug) => {
  const staticPage = (await page.content()).replaceAll(/<script[^]*?<\/script>/g, '')
  const panel = page.getByRole('complementary', { name: 'Properties' })
  const name = panel.getByRole('region', { name: 'Type Attribute' }).getByRole('textbox', { name: 'Name' })
  await name.click()
  print('a letter in Name in Properties', await pressAll(page, debug, ['a'], presses))
  await page.keyboard.press('Escape')
  await panel.getByRole('textbox', { name: 'Description' }).first().click()
  print('a letter in Description in Properties', await pressAll(page, debug, ['b'], presses))
  await page.keyboard.press('Escape')
  await page.getByRole('gridcell', { name: 'attribute_2', exact: true }).click()
  print('an arrow key in the table', await pressAll(page, debug, ['ArrowDown'], presses))
  await page.getByRole('textbox', { name: 'Search type attributes' }).click()
  print('a letter in the search of the table', await pressAll(page, debug, ['a'], presses))
  await show(page, '<!doctype html><input>')
  await page.getByRole('textbox').click()
  print('control: a letter in a page with one field', await pressAll(page, debug, ['a'], presses))
  await show(page, staticPage)
  await name.click()
  print('control: a letter in Name in this page without its script', await pressAll(page, debug, ['a'], presses))
})

/** A page at the console's origin, with its styles and fonts, that contains only this. */
async function show(page: Page, body: string): Promise<void> {
  await page.route('**/control', route => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('/control')
  await page.unroute('**/control')
}
