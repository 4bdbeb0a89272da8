import { signInHeader } from '@cadmus/model/contract/routes'
import { authorize, signIn } from '@cadmus/model/contract/sso'
import { postgresAvailability } from '@cadmus/testing/availability'
import { startPostgres } from '@cadmus/testing/postgres'
import { copyPreparedData, usesDefaultContent, preparedDatabase, testSecret } from '@cadmus/testing/prepared'
import { isProving } from '@cadmus/testing/proof'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { pino } from 'pino'
import { describe } from 'vitest'
import { type Config, readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import { startServer } from '../start.ts'
import { Browser } from './browser.ts'
import { ConsoleClient } from './client.ts'

export type StoreKind = 'sqlite' | 'postgres'
export type DemoUserName = 'admin' | 'designer' | 'newcomer'

export type TestConsole = {
  url: string
  readonly context: Context
  /** All log lines, as JSON. */
  log: string[]
  /** Moves the server's clock forward. */
  advance: (milliseconds: number) => void
  /** Returns a client signed in as a demo user through the provider's pages; one session per user. */
  as: (user: DemoUserName, organisation?: string) => Promise<ConsoleClient>
  /** Returns the built-in administrator, authenticated by its token. */
  bootstrap: (organisation: string) => ConsoleClient
  /** Returns a browser without a session. */
  visitor: () => Browser
  /** Restarts the server on the same data, with additional settings. */
  restart: (env: Record<string, string>) => Promise<void>
  stop: () => Promise<void>
}

export type ConsoleOptions = {
  store?: StoreKind
  env?: Record<string, string>
  /** Replaces the product's routes, for tests of the HTTP layer. */
  routes?: Route[]
  /** Milliseconds after which a stalled connection is closed. */
  stalled?: number
  /** Freezes the server's clock, except for `advance`. */
  frozen?: boolean
  config?: Partial<Config>
  /** Starts on an empty store, for tests of the first start. */
  fresh?: boolean
}

export const bootstrapToken = 'bootstrap-token-of-the-tests-0123456789'

/** Starts a console in this process, on its own store and a random port. */
export async function startConsole(options: ConsoleOptions = {}): Promise<TestConsole> {
  const dataDir = temporaryFolder('server')
  const prepared = options.fresh !== true && options.config === undefined && usesDefaultContent(options.env)
  if (prepared && options.store !== 'postgres') await copyPreparedData(dataDir)
  const database = options.store === 'postgres' ? await newDatabase(prepared) : undefined
  const log: string[] = []
  let ahead = 0
  const startedAt = Date.now()
  const start = (env: Record<string, string>) =>
    startServer(
      {
        ...readConfig({
          CADMUS_PORT: '0',
          CADMUS_DATA_DIR: dataDir,
          CADMUS_BOOTSTRAP_TOKEN: bootstrapToken,
          ...(database === undefined ? {} : { CADMUS_DATABASE_URL: database.url, CADMUS_SECRET: testSecret }),
          ...options.env,
          ...env,
        }),
        ...options.config,
      },
      {
        now: () => (options.frozen === true ? startedAt : Date.now()) + ahead,
        log: pino({ level: 'debug' }, { write: line => void log.push(line) }),
        ...(options.routes === undefined ? {} : { routes: options.routes }),
        ...(options.stalled === undefined ? {} : { stalled: options.stalled }),
      },
    )
  let running = await start({})
  const url = running.context.publicUrl.origin
  const sessions = new Map<DemoUserName, Promise<SignedIn>>()
  return {
    url,
    get context() {
      return running.context
    },
    log,
    advance: milliseconds => void (ahead += milliseconds),
    async as(user, organisation = user === 'admin' ? 'CADMUS' : 'ACME') {
      const session = sessions.get(user) ?? signInAs(new Browser(url), user)
      sessions.set(user, session)
      const { browser, userId } = await session
      return new ConsoleClient(browser, userId, organisation)
    },
    bootstrap: organisation =>
      new ConsoleClient(new Browser(url), 'bootstrap', organisation, { authorization: `Bearer ${bootstrapToken}` }),
    visitor: () => new Browser(url),
    async restart(env) {
      await running.close()
      running = await start(env)
    },
    async stop() {
      await running.close()
      await database?.drop()
      removeFolder(dataDir)
    },
  }
}

export type SignedIn = { browser: Browser; userId: string }

/** Signs in like a browser: redirect to the provider, click on a user, return with the code. */
export async function signInAs(browser: Browser, user: DemoUserName): Promise<SignedIn> {
  const visitor = new ConsoleClient(browser, '', undefined, { [signInHeader]: '1' })
  const { url } = await visitor.call(authorize, {})
  const back = await clickThrough(browser, url, user)
  const { eccUser } = await visitor.call(signIn, { query: back })
  return { browser, userId: eccUser.userId }
}

/** Follows the provider's pages to the returned code and state, choosing a user if required. */
export async function clickThrough(
  browser: Browser,
  url: string,
  user: DemoUserName,
): Promise<{ code: string; state: string }> {
  let arrived = await browser.follow(url)
  if (arrived.url.pathname !== '/sso/login') {
    const page = await arrived.answer.text()
    const action = new RegExp(`action="([^"]*/${user})"`).exec(page)?.[1]
    if (action === undefined) throw new Error(`The provider does not offer ${user}: ${page.slice(0, 2000)}`)
    arrived = await browser.follow(action, { method: 'POST' })
  }
  const { searchParams } = arrived.url
  return { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' }
}

type StoreTests = (store: StoreKind) => void

/**
 * Runs the same tests on the embedded store and, if installed, on PostgreSQL: for store behaviour, races and access
 * control. `whenProving` uses PostgreSQL only in `npm run prove`.
 */
export const describeOnBothStores = Object.assign(
  (name: string, tests: StoreTests): void => describeOnStores(name, tests, true),
  { whenProving: (name: string, tests: StoreTests): void => describeOnStores(name, tests, isProving()) },
)

function describeOnStores(name: string, tests: StoreTests, onPostgres: boolean): void {
  describe(`${name} (embedded store)`, () => {
    tests('sqlite')
  })
  if (!onPostgres) return
  describe.skipIf(!postgresAvailability().present)(`${name} (PostgreSQL)`, () => {
    tests('postgres')
  })
}

async function newDatabase(prepared: boolean) {
  return prepared ? preparedDatabase() : (await startPostgres()).createDatabase()
}
