import { type Debug, type Page, pressAll, print, timesOf, withWideEntity } from './presses.ts'

// Measures keys and scrolling in an attribute sheet without pages, on a processor slowed down four times, with the
// properties panel and without it. node bench/src/sheet-speed.ts [key presses] [rows, at most 498]

const presses = Number(process.argv[2] ?? 60)
const rows = Number(process.argv[3] ?? 498)
const frames = 200
/** Pixels a frame. */
const speed = 40

await withWideEntity(rows, async (page, debug) => {
  print('arrow down, with the panel', await pressAll(page, debug, ['ArrowDown'], presses))
  await pressInCells(page, debug, 'with the panel')
  await page.getByRole('complementary', { name: 'Properties' }).getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('gridcell', { name: 'attribute_2', exact: true }).click()
  print('arrow down, without it', await pressAll(page, debug, ['ArrowDown'], presses))
  await pressInCells(page, debug, 'without it')
  await scroll(page, debug)
})

/** A letter begins and goes on editing a cell, Enter commits it and goes down. */
async function pressInCells(page: Page, debug: Debug, where: string): Promise<void> {
  await page.locator('tr[aria-rowindex="4"] td[data-column=description]').click()
  await page.keyboard.press('a')
  print(`letter in an open editor, ${where}`, await pressAll(page, debug, ['b'], presses))
  await page.keyboard.press('Escape')
  print(`letter and Enter, ${where}`, await pressAll(page, debug, ['a', 'Enter'], Math.min(presses, rows - 10)))
}

async function scroll(page: Page, debug: Debug): Promise<void> {
  const before = await timesOf(debug)
  const seconds = await page.evaluate(
    async ([count = 0, step = 0]) => {
      const scroller = document.querySelector('[data-scroller]')
      const start = performance.now()
      for (let at = 0; at < count; at++) {
        scroller?.scrollBy(0, step)
        await new Promise(requestAnimationFrame)
      }
      return (performance.now() - start) / 1000
    },
    [frames, speed],
  )
  const after = await timesOf(debug)
  const [rate, own] = [Math.round(frames / seconds), Math.round((after.own - before.own) / frames)]
  process.stdout.write(`scrolling ${speed} px a frame: ${rate} frames a second, own time of a frame ${own} ms\n`)
}
