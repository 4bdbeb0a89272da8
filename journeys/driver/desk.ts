import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { launchChromium } from '@cadmus/testing/chromium'
import { type ConsoleOptions, type ConsoleServer, startConsole } from '@cadmus/testing/console'
import { type ConsoleWithInstance, startConsoleWithInstance } from '@cadmus/testing/local-instance'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach } from 'vitest'
import { enter, type User } from './sign-in.ts'

export type Theme = 'light' | 'dark'
export interface DeskOptions {
  readonly theme?: Theme
  readonly width?: number
  readonly height?: number
  readonly env?: Readonly<Record<string, string>>
  /** On an empty store. */
  readonly fresh?: boolean
}

/** A console of its own with a fresh data directory, and a browser's profile in front of it. */
export interface Desk<Server extends ConsoleServer = ConsoleServer> {
  readonly console: Server
  readonly browser: Browser
  readonly context: BrowserContext
  readonly page: Page
  /** What the page complained about: uncaught errors, refused scripts. Expected answers such as 409 are not among them. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

/** A click that finds nothing in this time will find nothing at all. */
const PATIENCE = 15_000

/**
 * The desk of a test file, from its first line to its last test, with somebody signed in: how every journey begins. What a failed step
 * looked like is kept; what it left open, and answers that it refused, stand in nobody's way.
 */
export async function openDesk(options: DeskOptions & { user?: User | 'nobody' } = {}): Promise<Desk> {
  return openDeskOn(startConsole, options)
}

/** The same beside a local instance, as `npm start` runs it. */
export async function openDeskWithInstance(
  options: DeskOptions & { user?: User | 'nobody' } = {},
): Promise<Desk<ConsoleWithInstance>> {
  return openDeskOn(startConsoleWithInstance, options)
}

type Start<Server> = (options: ConsoleOptions) => Promise<Server>

async function openDeskOn<Server extends ConsoleServer>(
  start: Start<Server>,
  { user = 'designer', ...options }: DeskOptions & { user?: User | 'nobody' },
): Promise<Desk<Server>> {
  const desk = await startDesk(start, options)
  const { page } = desk
  afterEach(async ({ task }) => {
    const { state } = task.result ?? {}
    await shootFailure(page, state, task.name)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    if (state === 'fail') await page.reload()
  })
  afterAll(() => desk.close())
  if (user !== 'nobody') await signIn(page, user)
  return desk
}

async function startDesk<Server extends ConsoleServer>(
  start: Start<Server>,
  options: DeskOptions,
): Promise<Desk<Server>> {
  const console = await start({ env: options.env ?? {}, fresh: options.fresh ?? false, hosted: true })
  const browser = await sharedBrowser()
  const complaints: string[] = []
  const { context, page } = await openPage(browser, console.url, options, complaints)
  return {
    console,
    browser,
    context,
    page,
    complaints,
    close: async () => {
      await Promise.all(browser.contexts().map(one => one.close()))
      await console.stop()
    },
  }
}

let shared: Promise<Browser> | undefined

/** One browser serves the files that a worker runs, one after the other: what each does there it does in profiles of its own. */
export async function sharedBrowser(): Promise<Browser> {
  const running = await shared
  if (running?.isConnected()) return running
  shared = launchChromium()
  return shared
}

/** A further browser profile on the same console: somebody else, or the same person at another machine. */
export async function openPage(
  browser: Browser,
  url: string,
  { theme = 'light', width = 1440, height = 900, signedInAs }: DeskOptions & { signedInAs?: BrowserContext } = {},
  complaints: string[] = [],
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    acceptDownloads: true,
    ...(signedInAs ? { storageState: await signedInAs.storageState() } : {}),
  })
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  page.on('pageerror', error => complaints.push(`${error.name}: ${error.message}`))
  page.on('console', message => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  return { context, page }
}

/** Signs in and waits for the workspace. */
export async function signIn(page: Page, user: User = 'designer'): Promise<void> {
  await enter(page, user)
  await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
}

/** Shows the page in a theme, and waits until all of it is: colours glide from one to the other, and half-way none fits another. */
export async function inTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(async () => {
    // What inherits a colour that glides begins to glide after it: still is what was still for a while.
    for (let still = 0; still < 10;) {
      await new Promise(resolve => setTimeout(resolve, 30))
      await new Promise(resolve => requestAnimationFrame(resolve))
      const gliding = document.getAnimations().filter(animation => animation instanceof CSSTransition)
      still = gliding.length === 0 ? still + 1 : 0
    }
  })
}

/** For afterEach: what a failed step looked like. */
export async function shootFailure(page: Page | undefined, state: string | undefined, title: string): Promise<void> {
  if (state === 'fail' && page) await shoot(page, `failed-${title.slice(0, 60).replace(/\W+/g, '-')}`)
}

/** Saves what is seen under CADMUS_SCREENSHOTS; without that setting nothing is saved. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['CADMUS_SCREENSHOTS']
  if (folder === undefined || folder === '') return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
