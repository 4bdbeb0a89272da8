import { launchChromium } from '@cadmus/testing/chromium'
import { startConsole } from '@cadmus/testing/console'

type Browser = Awaited<ReturnType<typeof launchChromium>>
type Context = Awaited<ReturnType<Browser['newContext']>>
type State = Awaited<ReturnType<Context['storageState']>>
type Load = { tree: number; click: number; script: number; layout: number }

// Measures the first load with an empty cache, signed in, on a processor slowed down four times: until the tree shows
// and until a click on a row is answered. node bench/src/first-load.ts [loads]

const throttle = 4
const loads = Number(process.argv[2] ?? 10)
/** Milliseconds for the browser's own files, which a new window loads first. */
const settled = 3000
const size = { width: 1440, height: 900 }

const console_ = await startConsole()
const browser = await launchChromium({ optimises: true })
try {
  const state = await signedIn(browser)
  const results: Load[] = []
  for (let at = 0; at < loads; at++) results.push(await load(browser, state))
  const kinds = {
    tree: 'the tree shows after',
    click: 'a press on a row is answered after',
    script: 'of that own time: script',
    layout: 'style and layout',
  } as const
  for (const kind of ['tree', 'click', 'script', 'layout'] as const) {
    const times = results.map(item => item[kind]).toSorted((a, b) => a - b)
    const [best, median] = [times[0], times[Math.floor(loads / 2)]].map(time => Math.round(time ?? Number.NaN))
    process.stdout.write(`${kinds[kind]} ${median} ms in the median, ${best} ms at best (${loads} loads)\n`)
  }
} finally {
  await browser.close()
  await console_.stop()
}

/** The state of an earlier visit: cookies, settings and IndexedDB, but no cache. */
async function signedIn(chromium: Browser): Promise<State> {
  const context = await chromium.newContext({ baseURL: console_.url, viewport: size })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('button', { name: 'designer' }).click()
  await page.getByRole('treeitem', { name: /^Shop/ }).waitFor()
  await page.waitForTimeout(2000)
  const state = await context.storageState({ indexedDB: true })
  await context.close()
  return state
}

async function load(chromium: Browser, storageState: State): Promise<Load> {
  const context = await chromium.newContext({ baseURL: console_.url, viewport: size, storageState })
  const page = await context.newPage()
  await page.waitForTimeout(settled)
  const debug = await context.newCDPSession(page)
  await debug.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' })
  // Observed inside the page: browser automation would add a tenth of a second at this throttle.
  const reported = new Promise<unknown>(resolve => {
    debug.on('Runtime.bindingCalled', ({ payload }) => resolve(JSON.parse(payload)))
  })
  await debug.send('Runtime.enable')
  await debug.send('Runtime.addBinding', { name: 'tell' })
  await page.addInitScript(() => {
    const timer = setInterval(() => {
      const row = [...document.querySelectorAll<HTMLElement>('[role=treeitem]')].find(item =>
        item.textContent?.startsWith('Shop'),
      )
      if (!row) return
      clearInterval(timer)
      const tree = performance.now()
      row.click()
      const answered = setInterval(() => {
        if (row.getAttribute('aria-selected') !== 'true') return
        clearInterval(answered)
        requestAnimationFrame(() =>
          setTimeout(() => Reflect.get(window, 'tell')(JSON.stringify([tree, performance.now()]))),
        )
      }, 5)
    }, 5)
  })
  await page.goto('/', { waitUntil: 'commit' })
  const times = await reported
  const { metrics } = await debug.send('Performance.getMetrics')
  const took = (...names: string[]) =>
    metrics.filter(({ name }) => names.includes(name)).reduce((sum, { value }) => sum + value * 1000, 0)
  await context.close()
  const [tree = Number.NaN, click = Number.NaN] = Array.isArray(times) ? times.map(Number) : []
  return { tree, click, script: took('ScriptDuration'), layout: took('LayoutDuration', 'RecalcStyleDuration') }
}
