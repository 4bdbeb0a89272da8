import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { launchChromium } from '@cadmus/testing/chromium'
import { type ConsoleServer, startConsole } from '@cadmus/testing/console'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { machine } from './machine.ts'
import { type Debug, timesOf } from './presses.ts'

// Measures the text of a large manifest in a browser: opening it, a key in it, pauses included, and its step. node bench/src/text-speed.ts [entities]
// [attributes of each] [key presses]

const organisation = 'ACME'
const entities = Number(process.argv[2] ?? 1000)
const attributes = Number(process.argv[3] ?? 20)
const presses = Number(process.argv[4] ?? 120)
/** After this pause the text is read. */
const rest = 450
const filler = resolve(import.meta.dirname, '../../apps/server/src/testing/fill-store.ts')

const folder = temporaryFolder('text-speed')
const options = { dataDir: folder }
await (await startConsole(options)).stop()
const args = [organisation, '50', String(entities), join(folder, 'cadmus.sqlite'), '0', String(attributes), '', '3']
const filled: { wide: { id: number } } = JSON.parse(execFileSync(process.execPath, [filler, ...args]).toString())
const server = await startConsole(options)
console.log(`${entities} entities of ${attributes} attributes; ${machine()}; load ${loadavg()[0]?.toFixed(1)}`)
try {
  await measure(server)
} finally {
  await server.stop()
  removeFolder(folder)
}

async function measure({ url }: ConsoleServer): Promise<void> {
  const browser = await launchChromium({ optimises: true })
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const debug = await context.newCDPSession(page)
  // Processor time of the page, independent of other processes.
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto('/')
  await page.getByRole('button', { name: 'designer' }).click()
  await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
  await page.goto(`/?manifest=${filled.wide.id}`)
  await page.getByRole('tab', { name: /^Entities/ }).waitFor()
  const state = page.getByRole('status').getByText('In step with the model.')
  for (const visit of ['first', 'second']) {
    await page.waitForTimeout(3000)
    await timed(debug, `opened for the ${visit} time`, async () => {
      await page.keyboard.press('Alt+t')
      await state.waitFor()
    })
    if (visit === 'first') await page.keyboard.press('Alt+t')
    if (visit === 'first') await state.waitFor({ state: 'detached' })
  }
  await page.waitForTimeout(3000)
  await page.keyboard.press('Control+Home')
  for (let line = 0; line < 8; line += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.type(' // ')
  await watchKeys(page)
  await timed(debug, `${presses} keys`, async () => {
    for (let at = 0; at < presses; at += 1) await page.keyboard.press('a', { delay: 20 })
  })
  await printKeys(page, 'a key')
  await timed(debug, 'reading the text with a comment', () => state.waitFor())
  await watchKeys(page)
  for (let at = 0; at < presses; at += 1) {
    await page.keyboard.press('a')
    await page.waitForTimeout(at % 2 === 0 ? rest : 20)
  }
  await printKeys(page, 'a key, every second one while the text is read')
  await state.waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  await timed(debug, 'a rename up to its step', async () => {
    await page.keyboard.type('new')
    await page.getByRole('status').getByText('Typing…').waitFor()
    await state.waitFor()
  })
  await browser.close()
}

type Page = Awaited<
  ReturnType<Awaited<ReturnType<Awaited<ReturnType<typeof launchChromium>>['newContext']>>['newPage']>
>

/** From key down to the next frame. */
async function watchKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (Reflect.get(window, 'times')) return void Reflect.get(window, 'times').splice(0)
    const times: number[] = []
    Object.assign(window, { times })
    const pressed = ({ timeStamp }: KeyboardEvent) =>
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - timeStamp)))
    addEventListener('keydown', pressed, true)
  })
}

async function printKeys(page: Page, what: string): Promise<void> {
  await page.waitForFunction(count => Reflect.get(window, 'times').length >= count, presses)
  const times: number[] = await page.evaluate(() => Reflect.get(window, 'times'))
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]?.toFixed(0)
  console.log(`${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms`)
}

async function timed(debug: Debug, what: string, act: () => Promise<void>): Promise<void> {
  const [begin, before] = [performance.now(), await timesOf(debug)]
  await act()
  const [time, after] = [performance.now() - begin, await timesOf(debug)]
  console.log(`${what}: ${time.toFixed(0)} ms, the page's thread ${(after.all - before.all).toFixed(0)} ms`)
}
