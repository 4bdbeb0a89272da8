import { join } from 'node:path'
import { limits } from '@cadmus/model/limits'
import type { RateLimit } from '@cadmus/model/rate-limit'
import type { Logger } from 'pino'
import { Credentials } from './auth/credentials.ts'
import { DirectoryTokens } from './auth/directory-tokens.ts'
import { Issuer } from './auth/issuer.ts'
import { UserDirectory } from './auth/user-directory.ts'
import type { Config } from './config.ts'
import { loadKey, lockDataDir } from './data-dir.ts'
import { openEngine, type OpenEngine } from './engine/engine.ts'
import { rateLimit } from './http-error.ts'
import { createLog } from './log.ts'
import { Databases } from './packages/databases.ts'
import { PackageFolder } from './packages/package-folder.ts'
import { PackageHost } from './packages/package-host.ts'
import { RequestGate } from './packages/request-gate.ts'
import { derivedKey, Sealer } from './sealer.ts'

/** The objects of one running instance. */
export type Context = {
  readonly config: Config
  readonly log: Logger
  readonly users: UserDirectory
  readonly credentials: Credentials
  readonly tokens: DirectoryTokens
  /** Null: packages with the identity provider CADMUS admit no callers. */
  readonly issuer: Issuer | null
  readonly databases: Databases
  readonly packages: PackageHost
  /** Tracks running calls of packages. */
  readonly requestGate: RequestGate
  /** Rate limits of management calls, by address. */
  readonly rates: RateLimit
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The public address and the port, known once the instance listens. */
  readonly publicUrl: URL
  readonly port: number
  readonly opened: (port: number) => void
  readonly close: () => Promise<void>
}

export type ContextOptions = { now?: () => number; log?: Logger; openEngine?: OpenEngine }

/** Creates the objects of an instance. Throws a `DataDirError` if the data directory is in use or not writable. */
export async function createContext(config: Config, options: ContextOptions = {}): Promise<Context> {
  const unlock = lockDataDir(config.dataDir)
  const log = options.log ?? createLog(config.logLevel)
  const now = options.now ?? Date.now
  const place = { port: config.port, publicUrl: publicUrlOf(config, config.port) }
  const objects = createObjects(config, { now, log, openEngine: options.openEngine ?? openEngine })
  return {
    config,
    log,
    now,
    ...objects,
    get publicUrl() {
      return place.publicUrl
    },
    get port() {
      return place.port
    },
    opened(listening) {
      Object.assign(place, { port: listening, publicUrl: publicUrlOf(config, listening) })
    },
    async close() {
      await objects.packages.close()
      unlock()
    },
  }
}

function createObjects(
  config: Config,
  { now, log, openEngine: open }: { now: () => number; log: Logger; openEngine: OpenEngine },
) {
  const { dataDir, issuer } = config
  const key = loadKey(dataDir)
  const users = new UserDirectory(config.usersFile)
  const databases = new Databases(config, new Sealer(key, 'databases'))
  const requestGate = new RequestGate()
  const folder = new PackageFolder(join(dataDir, 'packages'), new Sealer(key, 'packages'))
  return {
    users,
    databases,
    requestGate,
    credentials: new Credentials(users, now),
    tokens: new DirectoryTokens(users, derivedKey(key, 'tokens'), now),
    issuer: issuer === null ? null : new Issuer({ issuer, issuerKeys: config.issuerKeys }, now),
    packages: new PackageHost({ openEngine: open, databases, log, now, folder, requestGate, running: new Map() }),
    rates: rateLimit(limits.requestsPerSecond, limits.requestBurst, now),
  }
}

function publicUrlOf({ publicUrl }: Config, port: number): URL {
  return publicUrl ?? new URL(`http://localhost:${port}`)
}
