import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { takeDataDir } from './data-dir.ts'
import { createLog } from './log.ts'

/** The live objects of one running instance; handed to everything that needs one of them. */
export type Context = {
  readonly config: Config
  readonly log: Logger
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Where callers reach this instance, and the port it listens on: known once it listens. */
  readonly publicUrl: URL
  readonly port: number
  readonly opened: (port: number) => void
  readonly close: () => Promise<void>
}

export type ContextOptions = { now?: () => number; log?: Logger }

/** Opens everything that the settings name. Throws DataDirRefused when another process has the data directory, or it cannot be written to. */
export async function createContext(config: Config, options: ContextOptions = {}): Promise<Context> {
  const giveBack = takeDataDir(config.dataDir)
  const log = options.log ?? createLog(config.logLevel)
  const place = { port: config.port, publicUrl: publicUrlOf(config, config.port) }
  return {
    config,
    log,
    now: options.now ?? Date.now,
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
      giveBack()
    },
  }
}

function publicUrlOf({ publicUrl }: Config, port: number): URL {
  return publicUrl ?? new URL(`http://localhost:${port}`)
}
