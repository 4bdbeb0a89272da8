import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ACTION_TIMEOUT, launchChromium } from '@cadmus/testing/chromium'
import { type ConsoleOptions, type ConsoleServer, startConsole } from '@cadmus/testing/console'
import { type ConsoleWithInstance, startConsoleWithInstance } from '@cadmus/testing/local-instance'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach } from 'vitest'
import { enter, type User } from './sign-in.ts'

export type Theme = 'light' | 'dark'
export interface JourneyOptions {
  readonly theme?: Theme
  readonly width?: number
  readonly height?: number
  readonly env?: Readonly<Record<string, string>>
  /** Starts with an empty store. */
  readonly fresh?: boolean
}

/** A console with its own data directory, and a browser profile that uses it. */
export interface Journey<Server extends ConsoleServer = ConsoleServer> {
  readonly console: Server
  readonly browser: Browser
  readonly context: BrowserContext
  readonly page: Page
  /** Uncaught errors and blocked scripts of the page, without failed requests such as 409. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

/**
 * Starts the console and browser page of a test file, signs a user in and closes both after the last test. A failed test saves a
 * screenshot and reloads the page; each test ends by removing its routes, so that tests do not affect each other.
 */
export async function startJourney(options: JourneyOptions & { user?: User | 'nobody' } = {}): Promise<Journey> {
  return startJourneyOn(startConsole, options)
}

/** Also starts a local instance, as `npm start` does. */
export async function startJourneyWithInstance(
  options: JourneyOptions & { user?: User | 'nobody' } = {},
): Promise<Journey<ConsoleWithInstance>> {
  return startJourneyOn(startConsoleWithInstance, options)
}

type Start<Server> = (options: ConsoleOptions) => Promise<Server>

async function startJourneyOn<Server extends ConsoleServer>(
  start: Start<Server>,
  { user = 'designer', ...options }: JourneyOptions & { user?: User | 'nobody' },
): Promise<Journey<Server>> {
  const journey = await startConsolePage(start, options)
  const { page } = journey
  afterEach(async ({ task }) => {
    const { state } = task.result ?? {}
    await saveFailureScreenshot(page, state, task.name)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    if (state === 'fail') await page.reload()
  })
  afterAll(() => journey.close())
  if (user !== 'nobody') await signIn(page, user)
  return journey
}

async function startConsolePage<Server extends ConsoleServer>(
  start: Start<Server>,
  options: JourneyOptions,
): Promise<Journey<Server>> {
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

/** One browser serves all test files of a worker; each file uses its own profiles. */
export async function sharedBrowser(): Promise<Browser> {
  const running = await shared
  if (running?.isConnected()) return running
  shared = launchChromium()
  return shared
}

/** Opens a page in a new browser profile: another user, or the same user at another machine. */
export async function openPage(
  browser: Browser,
  url: string,
  { theme = 'light', width = 1440, height = 900, signedInAs }: JourneyOptions & { signedInAs?: BrowserContext } = {},
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
  context.setDefaultTimeout(ACTION_TIMEOUT)
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

/** Shows the page in a theme and waits for the end of the colour transitions. */
export async function switchTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(async () => {
    // Inherited colours start their transitions later, so that several frames without one are required.
    for (let quietFrames = 0; quietFrames < 10;) {
      await new Promise(resolve => setTimeout(resolve, 30))
      await new Promise(resolve => requestAnimationFrame(resolve))
      const running = document.getAnimations().filter(animation => animation instanceof CSSTransition)
      quietFrames = running.length === 0 ? quietFrames + 1 : 0
    }
  })
}

/** Saves a screenshot of a failed test; to be called in `afterEach`. */
export async function saveFailureScreenshot(
  page: Page | undefined,
  state: string | undefined,
  title: string,
): Promise<void> {
  if (state === 'fail' && page) await saveScreenshot(page, `failed-${title.slice(0, 60).replace(/\W+/g, '-')}`)
}

/** Saves a screenshot to the folder CADMUS_SCREENSHOTS, if set. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['CADMUS_SCREENSHOTS']
  if (folder === undefined || folder === '') return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
