import { Failures } from '@cadmus/model/failures'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import type { RateLimit } from '@cadmus/model/rate-limit'
import type { Logger } from 'pino'
import { createDevelopmentProvider, type DevelopmentProvider } from './auth/development/provider.ts'
import { OidcClient } from './auth/oidc-client.ts'
import { SecretBox } from './auth/secret-box.ts'
import { steadyClock } from './clock.ts'
import type { Config } from './config.ts'
import {
  checkStoreFile,
  diskRefusal,
  restrictToOwner,
  loadSecret,
  lockDataDir,
  onDisk,
  prepareDataDir,
  markStoreCreated,
} from './data-dir.ts'
import { ApiError } from './errors/api-error.ts'
import { Metrics } from './http/metrics.ts'
import { rateLimit } from './http/rate-limit.ts'
import { BuildQueue } from './jobs/build-queue.ts'
import { JobRunner } from './jobs/runner.ts'
import { createLog } from './log.ts'
import { Workers } from './jobs/workers.ts'
import { openStore, type Store } from './store/store.ts'
import { OrganisationQueue } from './store/organisation-queue.ts'

/** The live objects of one running console. */
export type Context = {
  config: Config
  log: Logger
  store: Store
  /** Threads for work that would block the event loop. */
  workers: Workers
  jobs: JobRunner
  builds: BuildQueue
  metrics: Metrics
  secrets: SecretBox
  /** Audit summaries read a lot, so each organisation runs one at a time. */
  summaries: OrganisationQueue
  /** `instanceSignIns`: wrong passwords for instances, by user: an instance counts them for the console. */
  rates: { requests: RateLimit; signIns: RateLimit; instanceSignIns: Failures }
  oidc: OidcClient
  provider: DevelopmentProvider | null
  /** Milliseconds since 1970. */
  now: () => number
  /** Public address and actual port; both are final once the server listens. */
  readonly publicUrl: URL
  readonly port: number
  opened: (port: number) => void
  close: () => Promise<void>
}

export type ContextOptions = { now?: () => number; log?: Logger }

/**
 * Opens everything named in the settings. Throws DataDirRefused if another process holds the embedded store or its disk
 * is full.
 */
export async function createContext(config: Config, options: ContextOptions = {}): Promise<Context> {
  const now = options.now ?? steadyClock()
  const unlock = openDataDir(config)
  const log = options.log ?? createLog(config.logLevel)
  const opened = await openAll(config, log)
  const { store, workers, jobs, builds } = opened
  let port = config.port
  let publicUrl = config.publicUrl ?? new URL(`http://localhost:${port}`)
  const provider =
    config.oidc.kind === 'embedded' ? onDisk(config.dataDir, () => createDevelopmentProvider(config)) : null
  return {
    config,
    log,
    ...opened,
    metrics: new Metrics(),
    secrets: new SecretBox(config.secret ?? loadSecret(config.dataDir), config.oldSecret),
    summaries: new OrganisationQueue({ slots: 2, slotsOfOne: 1, waiting: 200, waitingOfOne: 40 }),
    rates: ratesOf(now),
    oidc: new OidcClient(config, provider),
    provider,
    now,
    get publicUrl() {
      return publicUrl
    },
    get port() {
      return port
    },
    opened(listening) {
      port = listening
      publicUrl = config.publicUrl ?? new URL(`http://localhost:${port}`)
      provider?.open(publicUrl)
    },
    async close() {
      provider?.close()
      await Promise.all([jobs.close(), builds.close()])
      await Promise.all([workers.close(), store.close()])
      unlock()
    },
  }
}

/** Returns the function that releases the lock. Only the embedded store is limited to one process. */
function openDataDir({ dataDir, store }: Config): () => void {
  prepareDataDir(dataDir)
  if (store.kind !== 'sqlite') return () => undefined
  checkStoreFile(dataDir, store.file)
  const unlock = lockDataDir(dataDir)
  restrictToOwner(store.file)
  return unlock
}

async function openReadyStore({ dataDir, store: settings }: Config, log: Logger): Promise<Store> {
  const options = { onAvailability: (reason: unknown) => logAvailability(log, reason) }
  const store = onDisk(dataDir, () => openStore(settings, options))
  await store.migrate().catch((error: unknown) => {
    throw (settings.kind === 'sqlite' ? diskRefusal(dataDir, error) : null) ?? error
  })
  if (settings.kind === 'sqlite') markStoreCreated(dataDir)
  return store
}

async function openAll(config: Config, log: Logger): Promise<Pick<Context, 'store' | 'workers' | 'jobs' | 'builds'>> {
  const store = await openReadyStore(config, log)
  const workers = new Workers(config.store, config.jobs, error => {
    log.warn({ err: error }, 'worker thread failed without a waiting task')
  })
  return {
    store,
    workers,
    jobs: new JobRunner(store, log, config.jobs),
    builds: new BuildQueue({ store, workers, log }),
  }
}

/** Logs one line per outage and one per recovery, however many calls fail. */
function logAvailability(log: Logger, reason: unknown): void {
  if (reason === null) log.info('database available again')
  else log.error({ err: reason }, 'database unavailable')
}

function tooManySignIns(retryAfter: number): ApiError {
  return new ApiError(429, 'rate_limited', messages.packages.instance.tooManySignIns, { retryAfter })
}

function ratesOf(now: () => number): Context['rates'] {
  return {
    requests: rateLimit(limits.requestsPerSecond, limits.requestBurst, now),
    signIns: rateLimit(limits.signInsPerMinute / 60, limits.signInsPerMinute, now),
    instanceSignIns: new Failures(now, tooManySignIns),
  }
}
