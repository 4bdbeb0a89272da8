import { launchChromium } from '@cadmus/testing/chromium'
import { startConsole } from '@cadmus/testing/console'

type Browser = Awaited<ReturnType<typeof launchChromium>>
type Context = Awaited<ReturnType<Browser['newContext']>>
type State = Awaited<ReturnType<Context['storageState']>>
type Load = { tree: number; click: number; script: number; layout: number }

// How long the first load takes, signed in and with an empty cache, until the tree shows and until a press on a row of it is
// answered, on a machine that is made four times slower. node bench/src/first-load.ts [loads]

const throttle = 4
const loads = Number(process.argv[2] ?? 10)
/** A new window first loads some hundreds of files of the browser's own, beside the page, as nobody's window does that has been there. */
const settled = 3000
const size = { width: 1440, height: 900 }

const console_ = await startConsole()
const browser = await launchChromium()
try {
  const state = await signedIn(browser)
  const found: Load[] = []
  for (let at = 0; at < loads; at++) found.push(await load(browser, state))
  const kinds = {
    tree: 'the tree shows after',
    click: 'a press on a row is answered after',
    script: 'of that own time: script',
    layout: 'style and layout',
  } as const
  for (const kind of ['tree', 'click', 'script', 'layout'] as const) {
    const times = found.map(item => item[kind]).toSorted((a, b) => a - b)
    const [best, median] = [times[0], times[Math.floor(loads / 2)]].map(time => Math.round(time ?? Number.NaN))
    process.stdout.write(`${kinds[kind]} ${median} ms in the median, ${best} ms at best (${loads} loads)\n`)
  }
} finally {
  await browser.close()
  await console_.stop()
}

/** What the browser keeps of a visit before: cookies, settings and the library's names. Not the cache. */
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
  // Seen, pressed and told by the page: what tools would put into it to watch it takes a tenth of a second of it, at that throttle.
  const told = new Promise<unknown>(resolve => {
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
  const times = await told
  const { metrics } = await debug.send('Performance.getMetrics')
  const took = (...names: string[]) =>
    metrics.filter(({ name }) => names.includes(name)).reduce((sum, { value }) => sum + value * 1000, 0)
  await context.close()
  const [tree = Number.NaN, click = Number.NaN] = Array.isArray(times) ? times.map(Number) : []
  return { tree, click, script: took('ScriptDuration'), layout: took('LayoutDuration', 'RecalcStyleDuration') }
}
